/** Values with which an operation fails with a 5xx, and how many failures it takes to distinguish that from chance. */
import type { OperationId } from '../../clauses/areas.ts';
import { groupBy } from '../../util/group-by.ts';
import { max, min } from '../../util/min-max.ts';
import { truncate } from '../../util/truncate.ts';
import { failingPairs } from './failing-pairs.ts';
import { LISTED_INPUTS } from './lists.ts';
import type { AskedRequest, SuspectedValue } from './suspect.ts';
import { valueClasses } from './value-classes.ts';

/** Ids, in which two requests always differ. */
const ids = ['application_id', 'account_id'] as const;
/** Those, and codes that no answer gave: a 5xx may be how unknown ones are refused. */
const left = new Set<string>([...ids, 'province_code', 'district_code']);

/** Characters of a value that a finding shows. */
const MAX_SHOWN = 40;

/** Inputs whose values are fresh each time, or nearly so: their classes come again. */
const fresh = new Set<string>([...ids, 'order_id', 'personal_description']);

/** What a text is made of. That letters or dashes are refused in an id may be a rule; that they end in a 5xx is none. */
const madeOf = (value: unknown): readonly string[] =>
  typeof value === 'string'
    ? ['\\p{Nd}', '\\p{L}', '[^\\p{L}\\p{Nd}]', '\\n'].filter((letters) => new RegExp(letters, 'u').test(value))
    : [];

/** Inputs of which hardly any value comes twice: what they have in common are their classes. */
const drawn = new Set<string>([...fresh, 'amount', 'latitude', 'longitude']);

/** By what a failure of this value can be told from others: its classes, and itself where it comes again. */
const traitsOf = (name: string, value: unknown): readonly string[] => [
  ...(drawn.has(name) ? [] : [String(value)]),
  ...(valueClasses[name]?.(value) ?? []),
  ...(fresh.has(name) ? madeOf(value) : []),
];

/** True of an input over whose value the operation was shown to fail. */
export type IsBlamed = (name: string, value: unknown) => boolean;

/** A value of a request that failed, which may be what it failed over. */
interface Candidate {
  readonly name: string;
  readonly values: AskedRequest['values'];
  /** What of it was never taken. */
  readonly key: string;
  /** True of a class that was never taken; else it is a value of classes that were. */
  readonly isNew: boolean;
  /** True where something else in the request is blamed already. */
  readonly isExplained: boolean;
  /** How many of a kind there are in the request. */
  readonly among: number;
}

/** Values of one input that are asked about although each of their classes was taken. */
const MAX_OF_KNOWN_CLASSES = 3;
/** Values that are asked about although each failure with them is explained. */
const MAX_EXPLAINED = 4;

/** First what failed with least else that may be to blame, then what failed most often. */
const byLikelihood = (one: readonly Candidate[], other: readonly Candidate[]): number =>
  (one[0]?.among ?? 0) - (other[0]?.among ?? 0) || other.length - one.length;

/** What may be to blame for each failure; first where there is least else that may be. */
function candidates(asked: readonly AskedRequest[], isBlamed: IsBlamed): readonly Candidate[] {
  const taken = asked.filter(({ outcome }) => outcome === 'accepted');
  const amounts = taken.map(({ values }) => Number(values['amount']));
  const [least, most] = [min(amounts), max(amounts)];
  const beyond = (amount: number): readonly string[] => (amount > most ? ['more'] : amount < least ? ['less'] : []);
  const keysIn = (name: string, value: unknown): readonly string[] =>
    [...traitsOf(name, value), ...(name === 'amount' ? beyond(Number(value)) : [])].map((trait) => `${name} ${trait}`);
  const known = new Set(taken.flatMap(({ values }) => Object.entries(values).flatMap((one) => keysIn(...one))));
  const wasTaken = (name: string, value: unknown): boolean => taken.some(({ values }) => values[name] === value);
  return asked
    .filter(({ outcome }) => outcome === 'crashed')
    .flatMap(({ values }) => {
      const never = Object.entries(values)
        .filter(([name, value]) => !left.has(name) && !wasTaken(name, value))
        .map(([name, value]) => ({ name, keys: keysIn(name, value).filter((key) => !known.has(key)) }));
      // Whatever is fresh each time was never taken.
      const isExplained = never.some(
        ({ name, keys }) => (keys.length > 0 || !fresh.has(name)) && isBlamed(name, values[name]),
      );
      return never.map(({ name, keys }): Candidate => {
        const isNew = keys.length > 0;
        const among = never.filter((other) => other.keys.length > 0 === isNew).length;
        return {
          name,
          values,
          key: isNew ? keys.join() : `${name} ${String(values[name])}`,
          isNew,
          isExplained,
          among,
        };
      });
    })
    .toSorted((a, b) => a.among - b.among);
}

/**
 * What deserves a contrast pair among the values of requests that failed, the likeliest first: what is of a class that was never
 * taken; pairs of values; values of classes that were taken, as drawn ones mostly are; and what came with something that is
 * blamed already.
 */
export function failing(
  operation: OperationId,
  requests: readonly AskedRequest[],
  isBlamed: IsBlamed = () => false,
): readonly SuspectedValue[] {
  const asked = requests.filter((one) => one.operation === operation);
  const taken = asked.filter(({ outcome }) => outcome === 'accepted');
  if (taken.length === 0) return [];
  const all = candidates(asked, isBlamed);
  const open = all.filter(({ name, values }) => !isBlamed(name, values[name]));
  const suspectsOf = (some: readonly Candidate[]): readonly SuspectedValue[] =>
    [...groupBy(some, ({ key }) => key).values()]
      .toSorted(byLikelihood)
      .flatMap((alike) => suspectIn(operation, alike, taken) ?? []);
  const unexplained = open.filter((one) => !one.isExplained);
  const explained = new Set(all.filter((one) => one.isExplained).map(({ values }) => values));
  const ofKnownClasses = groupBy(suspectsOf(unexplained.filter(({ isNew }) => !isNew)), ({ name }) => name);
  return [
    ...suspectsOf(unexplained.filter(({ isNew }) => isNew)),
    ...failingPairs(
      operation,
      asked.filter(({ values }) => !explained.has(values)),
    ),
    ...[...ofKnownClasses.values()].flatMap((one) => one.slice(0, MAX_OF_KNOWN_CLASSES)),
    ...suspectsOf(open.filter(({ isNew, isExplained }) => isNew && isExplained)).slice(0, MAX_EXPLAINED),
  ];
}

/**
 * Of the requests that failed, other than `but`, the one that has the most beside the input `name` that was never taken, or not
 * together; null where there is none such.
 */
export function leastTaken<R extends AskedRequest>(asked: readonly R[], name: string, but: ReadonlySet<R>): R | null {
  const pairsOf = ({ values }: R): readonly string[] => {
    const traits = Object.entries(values)
      .filter(([other]) => other !== name && !left.has(other))
      .flatMap(([other, value]) => traitsOf(other, value).map((trait) => `${other} ${trait}`));
    return traits.flatMap((one, index) => traits.slice(index).map((other) => `${one}, ${other}`));
  };
  const known = new Set(asked.filter(({ outcome }) => outcome === 'accepted').flatMap(pairsOf));
  const counted = asked
    .filter((one) => one.outcome === 'crashed' && !but.has(one))
    .map((one) => ({ one, count: pairsOf(one).filter((pair) => !known.has(pair)).length }));
  const [most] = counted.toSorted((a, b) => b.count - a.count);
  return most === undefined || most.count === 0 ? null : most.one;
}

/** What failed alike, as one of them is asked about: an entry of a list, at best beside a request with the other entries. */
function suspectIn(
  operation: OperationId,
  alike: readonly Candidate[],
  taken: readonly AskedRequest[],
): SuspectedValue | null {
  const [first] = alike;
  if (first === undefined) return null;
  const { name } = first;
  const names = LISTED_INPUTS[operation] ?? [];
  if (!names.includes(name)) return suspectOf(operation, name, first.values[name], { [name]: first.values[name] });
  // Not each entry goes with each, and a merchant has branches of its own.
  const others = names.filter((other) => other !== name && !(name === 'merchant_no' && other === 'branch_no'));
  const pairs = alike.flatMap(({ values }) =>
    taken.map((one) => ({
      values,
      base: one.values,
      differing: others.filter((other) => one.values[other] !== values[other]),
    })),
  );
  const [closest] = pairs.toSorted((a, b) => a.differing.length - b.differing.length);
  if (closest === undefined) return null;
  const { values, base, differing } = closest;
  const entries = (of: readonly string[]) => Object.fromEntries(of.map((one) => [one, values[one]]));
  const apart = names.filter((other) => !others.includes(other) && other in values);
  const suspect = suspectOf(operation, name, values[name], entries(apart), base);
  if (differing.length === 0) return suspect;
  if (apart.length > 1) return { ...suspect, change: entries([...apart, ...differing]) };
  // Where none was taken there, what was taken elsewhere may be taken there as well: of installments the least.
  const entry = name === 'installment' ? min(taken.map((one) => Number(one.values[name]))) : base[name];
  return { ...suspect, base: { ...base, ...entries(others), [name]: entry } };
}

function suspectOf(
  operation: OperationId,
  name: string,
  value: unknown,
  change: SuspectedValue['change'],
  base?: SuspectedValue['base'],
): SuspectedValue {
  const what = `a value such as ${truncate(String(value), MAX_SHOWN)}`;
  return { operation, name, what, kind: 'value', outcome: 'crashed', change, ...(base === undefined ? {} : { base }) };
}

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
  const asked = requests.filter(
    (one) => one.operation === operation && (one.outcome === 'accepted' || one.outcome === 'crashed'),
  );
  const keys = ({ values }: AskedRequest): readonly string[] =>
    Object.entries(values).flatMap(([name, value]) => keysOf(name, value));
  const taken = new Set(asked.flatMap((one) => (one.outcome === 'accepted' ? keys(one) : [])));
  const known = asked.filter((one) => keys(one).every((key) => taken.has(key)));
  const share = known.filter(({ outcome }) => outcome === 'crashed').length / known.length;
  const needed =
    share > 0 ? Math.max(FAILURES_IN_PAIR, Math.ceil(Math.log(MAX_CHANCE) / Math.log(share))) : FAILURES_IN_PAIR;
  return needed > MAX_FAILURES ? null : needed;
}
