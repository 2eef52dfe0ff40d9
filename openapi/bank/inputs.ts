/** Inputs of requests that the engine must know by name. */
import type { SentRequest } from '../model/exchange.ts';
import type { Inputs } from '../model/record.ts';

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
