import { bugSwitch } from '../server-kit.ts';
import { bugs } from './bugs.ts';

/** The question whether one of this server's bugs is switched on. */
export type Has = ReturnType<typeof bugSwitch<typeof bugs>>;

/** A request as the handlers see it. */
export interface Call {
  path: string[];
  query: URLSearchParams;
  body: Record<string, unknown>;
}

/** What a handler makes of a call: the members of the answer. */
export type Handler = (call: Call) => object;

/** Ends a handler with a refusal. */
export class Refused extends Error {}

/** Takes a field of the type that it has to have. */
export function field<Type extends 'string' | 'number' | 'boolean'>(
  call: Call,
  name: string,
  type: Type,
  has: Has,
): { string: string; number: number; boolean: boolean }[Type] {
  const value = call.body[name];
  if (has('truthy-fields') && !value) throw new Refused(`${name} is missing`);
  if (typeof value !== type) throw new Refused(`${name} must be a ${type}`);
  return value as { string: string; number: number; boolean: boolean }[Type];
}

/** Takes an amount in whole cents. */
export function amountOf(call: Call, has: Has): number {
  const amount = field(call, 'amount', 'number', has);
  if (has('negative-amounts') ? !amount : amount <= 0) throw new Refused('amount must be positive');
  const whole = has('float-cents')
    ? (amount * 100) % 1 === 0
    : Math.abs(amount * 100 - Math.round(amount * 100)) < 1e-3;
  if (!whole) throw new Refused('amount has fractions of a cent');
  return amount;
}
