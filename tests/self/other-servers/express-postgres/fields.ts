import { isIP } from 'node:net';

/** A refusal with its status, and a code for the client. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, code: string) {
    super(code);
    this.status = status;
  }
}

type Body = Record<string, unknown>;
type Pick<Value> = (body: Body, name: string) => Value;

function pick<Value>(type: string, accepts: (value: unknown) => boolean, make: (value: unknown) => Value): Pick<Value> {
  return (body, name) => {
    const value = body[name];
    if (!accepts(value)) throw new Refusal(422, `${name.toUpperCase()}_IS_NOT_${type}`);
    return make(value);
  };
}

/** The object that a body is, or nothing that can be read. */
export function asBody(value: unknown): Body {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Refusal(400, 'BODY_IS_NO_OBJECT');
  return value as Body;
}

/** Text; Postgres stores no NUL, so that it is left out. */
export const text = pick(
  'TEXT',
  (value) => typeof value === 'string',
  (value) => String(value).replaceAll('\0', ''),
);
/** Boolean, as such. */
export const flag = pick(
  'BOOLEAN',
  (value) => typeof value === 'boolean',
  (value) => value === true,
);
/** Integer that fits a column of type bigint; its digits in a text will do as well. */
export const id = pick(
  'INTEGER',
  (value) => {
    const digits = typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value;
    return /^\d{1,19}$/.test(String(digits)) && BigInt(String(digits)) < 2n ** 63n;
  },
  (value) => BigInt(value as number | bigint | string),
);
/** Integer that fits a column of type int. */
export const int = pick(
  'INTEGER',
  (value) => Number(value) === (Number(value) | 0) && typeof value === 'number',
  Number,
);
/** Amount of money above zero and below a thousand million; Postgres rounds it to cents. */
export const money = pick(
  'AMOUNT',
  (value) => typeof value === 'number' && value >= 0.01 && value < 1e9,
  (value) => Number(value).toFixed(2),
);
/** Order identifier, the text and the integer kept apart. */
export const order = pick(
  'ORDER',
  (value) => (typeof value === 'string' && value !== '') || typeof value === 'bigint' || Number.isInteger(value),
  (value) => `${typeof value === 'string' ? 't' : 'n'}:${String(value).replaceAll('\0', '')}`,
);
/** IP address of either family. */
export const address = pick('ADDRESS', (value) => typeof value === 'string' && isIP(value) > 0, String);

/** A parameter of the query that has to be there once. */
export function parameter(query: Body, name: string, form: RegExp): string {
  const value = query[name];
  if (typeof value !== 'string' || !form.test(value)) throw new Refusal(400, `${name.toUpperCase()}_IS_WRONG`);
  return value;
}
