/** A request in the form that handlers receive. */
export interface Call {
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Each handler returns the members of the answer to a request. */
export type Handlers = Readonly<Record<string, (call: Call) => object>>;

/** Thrown by a handler to refuse a request. */
export class Refused extends Error {}

interface Types {
  string: string;
  number: number;
  boolean: boolean;
}

/** Returns a field of a request, in its required type. */
export function readField<Type extends keyof Types>({ body }: Call, name: string, type: Type): Types[Type] {
  const value = body[name];
  if (typeof value !== type) throw new Refused(`${name} must be a ${type}`);
  return value as Types[Type];
}

/** Returns an amount in whole cents. */
export function readAmount(call: Call): number {
  const amount = readField(call, 'amount', 'number');
  if (amount <= 0) throw new Refused('amount must be positive');
  const cents = amount * 100;
  if (Math.abs(cents - Math.round(cents)) >= 1e-3) throw new Refused('amount has fractions of a cent');
  return amount;
}
