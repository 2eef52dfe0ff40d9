/** A description of each bug, by its name and by the level that it breaks: bugs in sockets, bytes, floats, and falsy values. */
export const bugs = {
  must: {
    'length-in-characters': 'Content-Length counts characters, and letters beyond ASCII cut the body short',
    'zero-distance': 'an ATM at the very position has the distance 0, which is falsy and left out',
    'single-error-object': 'errors is an array for several errors and the bare object for one',
  },
  should: {
    'truthy-fields': 'a field is missing when it is falsy, and so is a false flag',
    'last-twenty': 'the map of applications keeps the last twenty, to save memory',
    'id-by-second': 'the application id is the time in seconds',
    'float-cents': 'whether an amount has whole cents is asked of amount * 100 in floats',
    'stack-in-answer': 'a body that is no JSON ends in a 500 with the stack trace',
    'dropped-connections': 'the balancer cuts every thirtieth connection before the answer',
    'trusted-connection': 'credentials are checked with the first request of a connection only',
  },
} as const;

/** Returns true if a bug of this server is switched on. */
export type Has = (bug: keyof (typeof bugs)['must'] | keyof (typeof bugs)['should']) => boolean;

/** A request, as the handlers receive it. */
export interface Call {
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Each handler returns the members of the answer to a call. */
export type Handlers = Readonly<Record<string, (call: Call) => object>>;

/** Ends a handler with a refusal. */
export class Refused extends Error {}

interface Types {
  string: string;
  number: number;
  boolean: boolean;
}

/** Makes a function that returns a field of a call, in its required type. */
export const openFieldReader =
  (has: Has) =>
  <Type extends keyof Types>({ body }: Call, name: string, type: Type): Types[Type] => {
    const value = body[name];
    if (has('truthy-fields') && !value) throw new Refused(`${name} is missing`);
    if (typeof value !== type) throw new Refused(`${name} must be a ${type}`);
    return value as Types[Type];
  };

/** Returns an amount in whole cents. */
export function readAmount(call: Call, has: Has): number {
  const amount = openFieldReader(has)(call, 'amount', 'number');
  if (amount <= 0) throw new Refused('amount must be positive');
  const cents = amount * 100;
  if (has('float-cents') ? cents % 1 !== 0 : Math.abs(cents - Math.round(cents)) >= 1e-3)
    throw new Refused('amount has fractions of a cent');
  return amount;
}
