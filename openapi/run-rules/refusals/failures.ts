/** Values with which an operation fails with a 5xx, and how many failures it takes to distinguish that from chance. */
import type { OperationId } from '../../clauses/areas.ts';
import { min } from '../../util/min-max.ts';
import { truncate } from '../../util/truncate.ts';
import { listed } from './lists.ts';
import type { AskedRequest, SuspectedValue } from './suspect.ts';
import { valueClasses } from './value-classes.ts';

/** Ids, in which two requests always differ. */
const left = new Set(['application_id', 'account_id']);

/** Characters of a value that a finding shows. */
const MAX_SHOWN = 40;

/** Values that were answered with a 5xx and never taken; one of each input. */
export function failing(operation: OperationId, asked: readonly AskedRequest[]): readonly SuspectedValue[] {
  const taken = asked.filter(({ how }) => how === 'taken');
  const suspects = new Map<string, SuspectedValue>();
  const settled = new Set<string>();
  for (const { how, values } of taken.length === 0 ? [] : asked) {
    if (how !== 'failed') continue;
    for (const [name, value] of Object.entries(values)) {
      if (left.has(name) || settled.has(name) || taken.some((one) => one.values[name] === value)) continue;
      // Of the lists, at best beside a request with the other entries: not each goes with each.
      const names = listed[operation] ?? [];
      const isAlike = (one: AskedRequest): boolean =>
        names.every((other) => other === name || one.values[other] === values[other]);
      const base = names.includes(name) ? taken.find(isAlike)?.values : undefined;
      // Where none was taken, an installment that was taken elsewhere may be taken there as well.
      const elsewhere =
        name === 'installment'
          ? { base: { ...values, installment: min(taken.map((one) => Number(one.values['installment']))) } }
          : {};
      const what = `a value such as ${truncate(String(value), MAX_SHOWN)}`;
      const suspect = { operation, name, what, kind: 'value', how: 'failed' } as const;
      if (base !== undefined) settled.add(name);
      if (base !== undefined || !suspects.has(name))
        suspects.set(name, { ...suspect, change: { [name]: value }, ...(base === undefined ? elsewhere : { base }) });
    }
  }
  return [...suspects.values()];
}

/** Inputs whose values are fresh each time, or nearly so: their classes come again. */
const fresh = new Set([...left, 'order_id', 'personal_description']);

/** What an input brings that other requests have as well. */
const keysOf = (name: string, value: unknown): readonly string[] =>
  fresh.has(name) ? (valueClasses[name]?.(value) ?? []) : [`${name} ${String(value)}`];

/** How likely it may be that what fails by chance fails each time that a value is asked about. */
const MAX_CHANCE = 1e-5;
/** How often a contrast pair asks with the value; what fails more often by chance is not asked about. */
export const FAILURES_IN_PAIR = 3;
const MAX_FAILURES = 12;

/**
 * How many failures it takes to distinguish a value that fails from an operation that fails at times whatever it is asked: by the
 * share of failures among requests of which every value was taken at some time. Null where that is too large.
 */
export function failuresNeeded(operation: OperationId, requests: readonly AskedRequest[]): number | null {
  const asked = requests.filter((one) => one.operation === operation && (one.how === 'taken' || one.how === 'failed'));
  const keys = ({ values }: AskedRequest): readonly string[] =>
    Object.entries(values).flatMap(([name, value]) => keysOf(name, value));
  const taken = new Set(asked.flatMap((one) => (one.how === 'taken' ? keys(one) : [])));
  const known = asked.filter((one) => keys(one).every((key) => taken.has(key)));
  const share = known.filter(({ how }) => how === 'failed').length / known.length;
  const needed =
    share > 0 ? Math.max(FAILURES_IN_PAIR, Math.ceil(Math.log(MAX_CHANCE) / Math.log(share))) : FAILURES_IN_PAIR;
  return needed > MAX_FAILURES ? null : needed;
}
