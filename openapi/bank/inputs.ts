/** Inputs of requests that the engine must know by name. */
import type { SentRequest } from '../model/exchange.ts';
import type { Inputs } from '../model/inputs.ts';

/** Returns the JSON type of `order_id` in the body, or null. In `asked`, `order_id` is always text. */
export function getOrderIdType({ body }: Pick<SentRequest, 'body'>): 'text' | 'integer' | null {
  const value = body === null ? null : /"order_id"\s*:\s*(.)/.exec(body);
  return value === null ? null : value[1] === '"' ? 'text' : 'integer';
}

const INPUTS_NEW_EACH_TIME = new Set(['application_id', 'order_id', 'personal_description']);

/** Returns the inputs that a repetition has too. Of inputs that are new in each request, only the form. */
export function getRepeatableInputs({ asked, body }: SentRequest): Inputs {
  const inputs: Record<string, string> = {};
  for (const [name, value] of Object.entries(asked)) if (!INPUTS_NEW_EACH_TIME.has(name)) inputs[name] = String(value);
  if ('order_id' in asked) inputs['type of order_id'] = getOrderIdType({ body }) ?? 'integer';
  if ('personal_description' in asked)
    inputs['length of personal_description'] = String(String(asked['personal_description']).length);
  return inputs;
}

/** The input of which a copied command needs a fresh value, because banks may refuse a used one. */
export const FRESH_INPUT = 'order_id';

/** The name of an input that contains the JSON type of order_id. */
const TYPE_OF_ORDER_ID = 'JSON type of order_id';

/** Returns the documented forms of inputs that a request has, as inputs of their own. */
export function readForms(request: Pick<SentRequest, 'body'>): Readonly<Record<string, string>> {
  const type = getOrderIdType(request);
  return type === null ? {} : { [TYPE_OF_ORDER_ID]: type };
}

export const isForm = (name: string): boolean => name.startsWith(TYPE_OF_ORDER_ID);

/** True for inputs that are new in each request, or come from an earlier answer. */
export const isFreshInput = (name: string): boolean => /^(?:order_id|application_id|account_id)\b/.test(name);

type Values = Readonly<Record<string, unknown>>;

/** Returns the input that names what a request may create; an empty text if there is none. */
export const readRequestedId = (values: Values): string =>
  String(values['application_id'] ?? values['order_id'] ?? values['personal_description'] ?? '');

export const readAmount = ({ amount, currency, currency_code: code }: Values) =>
  amount === undefined ? {} : { amount: Number(amount), currency: String(currency ?? code ?? '') };

/** The inputs with an id from an earlier answer, each with the inputs that say to what the id belongs. */
export const OWNERS_BY_ID: Readonly<Record<string, readonly string[]>> = {
  application_id: [],
  account_id: ['application_id'],
  merchant_no: [],
  branch_no: ['merchant_no'],
  installment: ['merchant_no', 'branch_no', 'currency_code', 'is_domestic'],
};

/** The member with the secret of a payment link, and the member with the address that contains it. */
export const TOKEN_MEMBER = 'payment_token';
export const ADDRESS_MEMBER = 'payment_link';

/** Documented members with free text, which may contain any value. */
export const FREE_TEXT_MEMBERS: ReadonlySet<string> = new Set([
  'message',
  'edit_message',
  'qr_max_amount_limit_message',
]);

/** Sums of a day may explain refusals by account, merchant and currency, if a request creates something. */
export const SUMMED_INPUTS: ReadonlySet<string> = new Set([
  'account_id',
  'merchant_no',
  'branch_no',
  'currency',
  'currency_code',
]);

/** Inputs whose values are no classes: new ids and texts, amounts and positions. */
export const FREE_INPUTS: ReadonlySet<string> = new Set([
  'application_id',
  'order_id',
  'personal_description',
  'amount',
  'latitude',
  'longitude',
]);

/** Returns the class of a value: for an address its family, and otherwise the value. */
export const readClass = (name: string, value: unknown): string =>
  name === 'customer_ip' ? (String(value).includes(':') ? 'IPv6' : 'IPv4') : String(value);
