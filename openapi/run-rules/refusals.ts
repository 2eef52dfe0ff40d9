/**
 * Which documented values a target may refuse for no reason of business. Learnt from the positive requests of a run: a
 * class of values that was never taken, while other values of the same field were. Such a class is a question and not yet a
 * finding: it is asked as a contrast pair (fixtures/probes/refusals/contrast-refusals.ts).
 */
import type { OperationId } from '../clauses/areas.ts';
import { decimalsOf } from '../util/counted.ts';
import { groupBy } from '../util/group-by.ts';
import { divisor } from '../util/min-max.ts';
import { truncate } from '../util/truncate.ts';
import { refusedOwnPositions } from './atms/own-positions.ts';
import { sampleOfText, textClasses } from './text-classes.ts';

/** A positive request and what became of it. */
export interface AskedRequest {
  readonly operation: OperationId;
  readonly values: Readonly<Record<string, unknown>>;
  /** `failed` is a 5xx without Retry-After, `unauthorized` a 401, `forbidden` a 403 or like it. */
  readonly how: 'taken' | 'refused' | 'failed' | 'unauthorized' | 'forbidden';
  /** The positions of the ATMs that the answer showed. */
  readonly shown?: readonly string[];
}

/** Values that are exchanged for others of a request that was taken. */
export interface SuspectedValue {
  readonly operation: OperationId;
  /** The documented input that the values are of, as the finding names it. */
  readonly name: string;
  /** What the refused values have in common, as part of a sentence. */
  readonly what: string;
  /** `list`: an entry of the target's own lists. */
  readonly kind: 'value' | 'list';
  /** What is put in the place of the values of a request that was taken. */
  readonly change: Readonly<Record<string, unknown>>;
  readonly how: 'refused' | 'failed' | 'forbidden';
  /** The request that is taken without the change, and which requests have what is suspected; else they are looked for. */
  readonly base?: Readonly<Record<string, unknown>>;
  readonly has?: (request: AskedRequest) => boolean;
  /** True of values that the target did not list: nothing at `must` is drawn from the answer. */
  readonly isProbe?: true;
}

const INT32 = 2n ** 31n;
const DOUBLE = 2n ** 53n;

const integer = (value: unknown): bigint | null =>
  typeof value === 'bigint' ? value : typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : null;

type ClassOf = (value: unknown) => readonly string[];

const ofBoolean: ClassOf = (value) => (typeof value === 'boolean' ? [`the value ${value}`] : []);

/** Spellings that decimal degrees may have. */
const degrees: ClassOf = (value) => [
  ...(Number(value) === 0 ? ['zero degrees'] : []),
  ...(decimalsOf(value) === 0 ? ['whole degrees'] : []),
  ...(decimalsOf(value) > 5 ? ['degrees of more than five decimals'] : []),
];

/** Classes of values that no rule of business is about, by input. */
const classes: Readonly<Record<string, ClassOf>> = {
  commercial_disbursement: ofBoolean,
  disbursement_purpose: ofBoolean,
  // Not every currency has more than two decimals.
  amount: (value) =>
    decimalsOf(value) > 2
      ? []
      : [
          ...(decimalsOf(value) > 0 ? ['an amount with cents'] : []),
          ...(decimalsOf(value) === 2 ? ['an amount with two decimals'] : []),
          ...(Number.isInteger(Number(value) * 100) ? [] : ['an amount whose cents binary fractions do not hold']),
        ],
  order_id(value) {
    const id = integer(value);
    if (id === null) return [];
    return [
      ...(id >= INT32 ? ['an integer of more than 31 bits'] : []),
      ...(id >= DOUBLE ? ['an integer of more than 53 bits'] : []),
    ];
  },
  latitude: (value) => degrees(value),
  longitude: (value) => degrees(value),
  // Not inputs, but what tells disbursements apart: the type of the order id, and which account on offer was taken.
  order_type: (value) => [`an order_id that is ${String(value)}`],
  position: (value) => [`${String(value)} account on offer`],
  customer_ip: (value) =>
    !String(value).includes(':')
      ? ['an IPv4 address']
      : [
          'an IPv6 address',
          ...(String(value).split(':').length === 8 && !String(value).includes('::')
            ? ['an IPv6 address written in full']
            : []),
        ],
  personal_description: (value) => textClasses(String(value)),
};

/** Inputs whose values stand on lists that the target itself gave, the one that says most first. */
const listed: Partial<Record<OperationId, readonly string[]>> = {
  createPaymentLink: ['is_domestic', 'installment', 'currency_code', 'merchant_no', 'branch_no'],
  listInstallments: ['is_domestic', 'currency_code', 'merchant_no', 'branch_no'],
  listCurrencies: ['is_domestic', 'merchant_no'],
  listBranches: ['merchant_no'],
};

/** Ids, in which two requests always differ; and the approval, without which a disbursement may be refused in any way. */
const left = new Set(['application_id', 'account_id', 'contract_approved']);

function unexplainedClasses(operation: OperationId, asked: readonly AskedRequest[]): readonly SuspectedValue[] {
  const taken = asked.filter(({ how }) => how === 'taken');
  return Object.entries(classes).flatMap(([name, classOf]) => {
    const known = new Set(taken.flatMap(({ values }) => (name in values ? classOf(values[name]) : [])));
    // Rights may hang on anything but on free text: that is forbidden by a filter before the bank.
    const isDenied = ({ how }: AskedRequest): boolean =>
      how === 'refused' || (how === 'forbidden' && name === 'personal_description');
    const denied = asked.filter(isDenied);
    const found = denied.flatMap(({ values, how }) =>
      name in values ? classOf(values[name]).map((what) => ({ what, value: values[name], how })) : [],
    );
    const suspects = groupBy(
      found.filter(({ what }) => !known.has(what)),
      ({ what }) => what,
    );
    // Customers of certain networks are a matter of business: the family is only asked about where it alone tells them apart.
    if (name === 'customer_ip' && denied.some(({ values }) => classOf(values[name]).includes('an IPv4 address')))
      return [];
    // Where no integer is taken, its size explains nothing.
    if (name === 'order_id' && !taken.some(({ values }) => integer(values[name]) !== null)) return [];
    if (taken.length === 0) return [];
    // First what most refusals have in common: only so many are asked about.
    const byCount = [...suspects].toSorted(([, a], [, b]) => b.length - a.length);
    return byCount.map(([what, [first]]) => ({
      operation,
      name,
      what,
      kind: 'value' as const,
      how: first?.how === 'forbidden' ? ('forbidden' as const) : ('refused' as const),
      change: { [name]: sampleOfText(what) ?? first?.value },
    }));
  });
}

/**
 * Amounts that are refused between smaller and larger ones that are taken, and that no multiple explains. Of an amount with
 * cents its whole part is asked about first: whether the cents make the difference is another question.
 */
function islands(operation: OperationId, asked: readonly AskedRequest[]): readonly SuspectedValue[] {
  const amountOf = ({ values }: AskedRequest): number => Math.round(Number(values['amount']) * 100);
  const currencyOf = ({ values }: AskedRequest): string => String(values['currency'] ?? values['currency_code']);
  const withAmount = asked.filter(({ values }) => Number(values['amount']) > 0);
  for (const one of withAmount) {
    if (one.how !== 'refused') continue;
    const taken = withAmount.filter((other) => other.how === 'taken' && currencyOf(other) === currencyOf(one));
    const amounts = taken.map(amountOf);
    const step = amounts.reduce(divisor, 0);
    const isIsland = (amount: number): boolean =>
      amounts.some((other) => other < amount) &&
      amounts.some((other) => other > amount) &&
      step !== 0 &&
      amount % step === 0 &&
      !amounts.includes(amount);
    const amount = amountOf(one);
    const found = [...new Set([amount - (amount % 100), amount])].filter(isIsland);
    // Where no whole amount is taken at all, that is what the refused ones have in common.
    const isOneOfWhole = [one, ...taken].every((other) => Number.isInteger(amountOf(other) / 100) === (other === one));
    const what = isOneOfWhole ? 'a whole amount between others' : 'an amount between others that are taken';
    if (found.length > 0)
      return found.map((cents) => {
        const change = { amount: cents / 100 };
        return { operation, name: 'amount', what, kind: 'value', change, how: 'refused' };
      });
  }
  return [];
}

function listEntries(operation: OperationId, asked: readonly AskedRequest[]): readonly SuspectedValue[] {
  const names = listed[operation];
  if (names === undefined) return [];
  const keyOf = ({ values }: AskedRequest): string => names.map((name) => String(values[name])).join(' ');
  const taken = asked.filter(({ how }) => how === 'taken');
  const places = new Set(taken.map(keyOf));
  const suspects = new Map<string, SuspectedValue>();
  for (const one of asked) {
    if (one.how !== 'refused' || places.has(keyOf(one)) || taken.length === 0) continue;
    const alone = names.find((name) => !taken.some(({ values }) => values[name] === one.values[name]));
    const name = alone ?? (operation === 'createPaymentLink' ? 'installment' : names.at(-1));
    if (name === undefined) continue;
    const change = Object.fromEntries(names.map((other) => [other, one.values[other]]));
    const key = alone === undefined ? name : `${name} ${String(one.values[name])}`;
    if (!suspects.has(key))
      suspects.set(key, { operation, name, what: 'an entry of its own lists', kind: 'list', change, how: 'refused' });
  }
  return [...suspects.values()];
}

/** Characters of a value that a finding shows. */
const MAX_SHOWN = 40;

/** Values that were answered with a 5xx and never taken; one of each input. */
function failing(operation: OperationId, asked: readonly AskedRequest[]): readonly SuspectedValue[] {
  const taken = asked.filter(({ how }) => how === 'taken');
  const suspects = new Map<string, SuspectedValue>();
  for (const { how, values } of taken.length === 0 ? [] : asked) {
    if (how !== 'failed') continue;
    for (const [name, value] of Object.entries(values)) {
      const known = suspects.get(name);
      if (left.has(name) || known?.base !== undefined || taken.some((one) => one.values[name] === value)) continue;
      // Of the lists, at best beside a request with the other entries: not each goes with each.
      const names = listed[operation] ?? [];
      const isAlike = (one: AskedRequest): boolean =>
        names.every((other) => other === name || one.values[other] === values[other]);
      const base = names.includes(name) ? taken.find(isAlike)?.values : undefined;
      const what = `a value such as ${truncate(String(value), MAX_SHOWN)}`;
      const suspect = { operation, name, what, kind: 'value', how: 'failed' } as const;
      if (known === undefined || base !== undefined)
        suspects.set(name, { ...suspect, change: { [name]: value }, ...(base === undefined ? {} : { base }) });
    }
  }
  return [...suspects.values()];
}

/** Inputs whose values are fresh each time, or nearly so. */
const fresh = new Set([...left, 'order_id', 'personal_description']);
/** How likely it may be that what fails by chance fails each time that a value is asked about. */
const MAX_CHANCE = 1e-5;
/** How often a contrast pair asks with the value; what fails more often by chance is not asked about. */
export const FAILURES_IN_PAIR = 3;
const MAX_FAILURES = 12;

/**
 * How many failures it takes to tell a value that fails from an operation that fails at times whatever it is asked: by the
 * share of failures among requests of which every value was taken at some time. Null where that is too large.
 */
export function failuresToTell(operation: OperationId, requests: readonly AskedRequest[]): number | null {
  const asked = requests.filter((one) => one.operation === operation && (one.how === 'taken' || one.how === 'failed'));
  const taken = new Set<string>();
  const keysOf = ({ values }: AskedRequest): readonly string[] =>
    Object.entries(values).flatMap(([name, value]) => (fresh.has(name) ? [] : [`${name} ${String(value)}`]));
  for (const one of asked) if (one.how === 'taken') for (const key of keysOf(one)) taken.add(key);
  const known = asked.filter((one) => keysOf(one).every((key) => taken.has(key)));
  const share = known.filter(({ how }) => how === 'failed').length / known.length;
  const needed =
    share > 0 ? Math.max(FAILURES_IN_PAIR, Math.ceil(Math.log(MAX_CHANCE) / Math.log(share))) : FAILURES_IN_PAIR;
  return needed > MAX_FAILURES ? null : needed;
}

/** A merchant's branch in one currency, for cards from here or abroad, with the installments that the target lists. */
interface ListedPlace {
  readonly merchant_no: string;
  readonly branch_no: string;
  readonly currency_code: string;
  readonly is_domestic: boolean;
  readonly installments: readonly number[];
}

/**
 * A currency that the target lists for a merchant, and no installments for it at any of the branches. A single payment may be
 * taken all the same; where it is not, nothing can be paid in a currency that is on the list. At most one; none where a list
 * of installments was refused, which is another question, and none for cards for which no list holds any: they are not served.
 */
export function currenciesWithoutInstallments(
  places: readonly ListedPlace[],
  requests: readonly AskedRequest[],
): readonly SuspectedValue[] {
  const keyOf = (of: Readonly<Partial<Record<keyof ListedPlace, unknown>>>): string =>
    [of.merchant_no, of.currency_code, of.is_domestic].join(' ');
  const refused = requests.filter(({ operation, how }) => operation === 'listInstallments' && how !== 'taken');
  const known = new Set([
    ...places.filter(({ installments }) => installments.length > 0).map(keyOf),
    ...refused.map(({ values }) => keyOf(values)),
  ]);
  const served = new Set(places.flatMap((place) => (place.installments.length > 0 ? [place.is_domestic] : [])));
  const one = places.find((place) => served.has(place.is_domestic) && !known.has(keyOf(place)));
  if (one === undefined) return [];
  const { installments: _, ...place } = one;
  return [
    {
      operation: 'createPaymentLink',
      name: 'currency_code',
      what: 'a currency of its own list without installments',
      kind: 'list',
      change: { ...place, installment: 1 },
      how: 'refused',
      isProbe: true,
    },
  ];
}

/** What deserves a contrast pair, by operation: what failed first, then entries of lists, then values. */
export function suspectedValues(requests: readonly AskedRequest[]): readonly SuspectedValue[] {
  return [...new Set(requests.map(({ operation }) => operation))].flatMap((operation) => {
    // Without an approved contract a disbursement may be refused whatever its other values are.
    const asked = requests.filter(
      (one) => one.operation === operation && !(one.how === 'refused' && one.values['contract_approved'] === false),
    );
    return [
      ...failing(operation, asked),
      ...listEntries(operation, asked),
      ...unexplainedClasses(operation, asked),
      ...islands(operation, asked),
      ...(operation === 'findAtms' ? refusedOwnPositions(asked) : []),
    ];
  });
}
