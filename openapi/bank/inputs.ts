/** Says what the engine must know of inputs of requests: which are ids, amounts, free texts, or new in each request. */
import type { SentRequest } from '../model/exchange.ts';
import type { Inputs } from '../model/inputs.ts';

/** Returns the JSON type of `order_id` in the body; null if there is no `order_id`. (In `asked`, `order_id` is always text.) */
export function getOrderIdType({ body }: Pick<SentRequest, 'body'>): 'text' | 'integer' | null {
  const value = body === null ? null : /"order_id"\s*:\s*(.)/.exec(body);
  if (value === null) return null;
  return value[1] === '"' ? 'text' : 'integer';
}

const INPUTS_NEW_EACH_TIME = new Set(['application_id', 'order_id', 'personal_description']);

/**
 * Returns the inputs that a repetition of the request has too. Of inputs that are new in each request, returns only the JSON type or
 * the length.
 */
export function getRepeatableInputs({ asked, body }: SentRequest): Inputs {
  const inputs: Record<string, string> = {};
  for (const [name, value] of Object.entries(asked)) if (!INPUTS_NEW_EACH_TIME.has(name)) inputs[name] = String(value);
  if ('order_id' in asked) inputs['type of order_id'] = getOrderIdType({ body }) ?? 'integer';
  if ('personal_description' in asked)
    inputs['length of personal_description'] = String(String(asked['personal_description']).length);
  return inputs;
}

/** The input that needs a new value in a copied command, because banks may refuse a used value. */
export const FRESH_INPUT = 'order_id';

/** The name of an input that contains the JSON type of order_id. */
const TYPE_OF_ORDER_ID = 'JSON type of order_id';

/** Returns the JSON type of `order_id` as if the type were an input. Empty if there is no `order_id`. */
export function readForms(request: Pick<SentRequest, 'body'>): Readonly<Record<string, string>> {
  const type = getOrderIdType(request);
  return type === null ? {} : { [TYPE_OF_ORDER_ID]: type };
}

export const isForm = (name: string): boolean => name.startsWith(TYPE_OF_ORDER_ID);

/** True for an input that is new in each request, or that comes from an earlier answer. */
export const isFreshInput = (name: string): boolean => /^(?:order_id|application_id|account_id)\b/.test(name);

type Values = Readonly<Record<string, unknown>>;

/** Returns the input that names what a request may create: an id or a text; empty if there is none. */
export const readRequestedId = (values: Values): string =>
  String(values['application_id'] ?? values['order_id'] ?? values['personal_description'] ?? '');

/** Returns the amount and the currency of a request; an empty object if the request has no amount. */
export const readAmount = ({ amount, currency, currency_code: code }: Values) =>
  amount === undefined ? {} : { amount: Number(amount), currency: String(currency ?? code ?? '') };

/** The inputs with an id from an earlier answer, each with the inputs that name its owners: a branch belongs to a merchant. */
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

/** Inputs that may have a daily limit: a bank may refuse a request because an account or a merchant reached its sum of the day. */
export const SUMMED_INPUTS: ReadonlySet<string> = new Set([
  'account_id',
  'merchant_no',
  'branch_no',
  'currency',
  'currency_code',
]);

/** Inputs with any values: new ids, texts, amounts and positions. All other inputs have a few values, which can be compared. */
export const FREE_INPUTS: ReadonlySet<string> = new Set([
  'application_id',
  'order_id',
  'personal_description',
  'amount',
  'latitude',
  'longitude',
]);

/** Returns the class of a value: `IPv4` or `IPv6` for an IP address, and the value itself for any other input. */
export function readClass(name: string, value: unknown): string {
  if (name !== 'customer_ip') return String(value);
  return String(value).includes(':') ? 'IPv6' : 'IPv4';
}
