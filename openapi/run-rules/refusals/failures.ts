/** Values with which an operation fails with a 5xx, and how many failures it takes to distinguish that from chance. */
import type { OperationId } from '../../clauses/areas.ts';
import { min } from '../../util/min-max.ts';
import { truncate } from '../../util/truncate.ts';
import { listed } from './lists.ts';
import type { AskedRequest, SuspectedValue } from './suspect.ts';
import { valueClasses } from './value-classes.ts';

/** Ids, in which two requests always differ. */
const ids = ['application_id', 'account_id'] as const;
/** Those, and codes that no answer gave: a 5xx may be how unknown ones are refused. */
const left = new Set<string>([...ids, 'province_code', 'district_code']);

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
      const besides = (...apart: readonly string[]): AskedRequest['values'] | undefined =>
        names.includes(name)
          ? taken.find((one) => names.every((other) => apart.includes(other) || one.values[other] === values[other]))
              ?.values
          : undefined;
      // A merchant has branches of its own: beside another it is asked about with one of them.
      const withBranch = name === 'merchant_no' && 'branch_no' in values ? besides(name, 'branch_no') : undefined;
      const base = besides(name) ?? withBranch;
      // Where none was taken, an installment that was taken elsewhere may be taken there as well.
      const elsewhere =
        name === 'installment'
          ? { base: { ...values, installment: min(taken.map((one) => Number(one.values['installment']))) } }
          : {};
      const what = `a value such as ${truncate(String(value), MAX_SHOWN)}`;
      const suspect = { operation, name, what, kind: 'value', how: 'failed' } as const;
      if (base !== undefined) settled.add(name);
      const branch = base !== undefined && base === withBranch ? { branch_no: values['branch_no'] } : {};
      const change = { [name]: value, ...branch };
      if (base !== undefined || !suspects.has(name))
        suspects.set(name, { ...suspect, change, ...(base === undefined ? elsewhere : { base }) });
    }
  }
  return [...suspects.values()];
}

/** Inputs whose values are fresh each time, or nearly so: their classes come again. */
const fresh = new Set<string>([...ids, 'order_id', 'personal_description']);

/** What a text is made of. That letters or dashes are refused in an id may be a rule; that they end in a 5xx is none. */
const madeOf = (value: unknown): readonly string[] =>
  typeof value === 'string'
    ? ['\\p{Nd}', '\\p{L}', '[^\\p{L}\\p{Nd}]'].filter((letters) => new RegExp(letters, 'u').test(value))
    : [];

/** What an input brings that other requests have as well. */
const keysOf = (name: string, value: unknown): readonly string[] =>
  fresh.has(name) ? [...(valueClasses[name]?.(value) ?? []), ...madeOf(value)] : [`${name} ${String(value)}`];

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
