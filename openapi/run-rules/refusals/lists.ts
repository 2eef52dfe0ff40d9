/** Entries of the target's own lists that are refused. */
import type { OperationId } from '../../clauses/areas.ts';
import type { AskedRequest, SuspectedValue } from './suspect.ts';

/** Inputs whose values stand on lists that the target itself gave, the one that says most first. */
export const LISTED_INPUTS: Partial<Record<OperationId, readonly string[]>> = {
  createPaymentLink: ['is_domestic', 'installment', 'currency_code', 'merchant_no', 'branch_no'],
  listInstallments: ['is_domestic', 'currency_code', 'merchant_no', 'branch_no'],
  listCurrencies: ['is_domestic', 'merchant_no'],
  listBranches: ['merchant_no'],
};

/**
 * Combinations of listed entries that were refused and never taken; one of each input. First those with the fewest entries
 * that are nowhere taken: what is refused with one of them already is no question about another that came with it. A list
 * that is not found for one kind of cards, wherever it is asked for, or for entries of which each is taken with others, is
 * an empty one: nothing is offered for those cards, or in that currency at that branch. So is the list of currencies of a
 * merchant that is refused for one kind of cards, and taken for the other, as others are for both.
 */
export function listEntries(operation: OperationId, asked: readonly AskedRequest[]): readonly SuspectedValue[] {
  const names = LISTED_INPUTS[operation];
  if (names === undefined) return [];
  const keyOf = ({ values }: AskedRequest): string => names.map((name) => String(values[name])).join(' ');
  const taken = asked.filter(({ outcome }) => outcome === 'accepted');
  if (taken.length === 0) return [];
  const places = new Set(taken.map(keyOf));
  const takenOf = new Map(names.map((name) => [name, new Set(taken.map(({ values }) => values[name]))]));
  const refused = asked
    .filter((one) => (one.outcome === 'refused' || one.outcome === 'declined') && !places.has(keyOf(one)))
    .map(({ values, outcome, isNotFound }) => ({
      values,
      outcome,
      isNotFound,
      alone: names.filter((name) => takenOf.get(name)?.has(values[name]) !== true),
    }))
    .filter(
      ({ isNotFound, alone }) =>
        operation === 'createPaymentLink' ||
        isNotFound !== true ||
        (alone.length > 0 && !alone.includes('is_domestic')),
    )
    .filter(({ alone }) => operation !== 'listCurrencies' || alone.length > 0);
  const suspects = new Map<string, SuspectedValue>();
  for (const { values, outcome, alone } of refused.toSorted((a, b) => a.alone.length - b.alone.length)) {
    const keys = alone.map((name) => `${name} ${String(values[name])}`);
    if (keys.some((key) => suspects.has(key))) continue;
    const name = alone[0] ?? (operation === 'createPaymentLink' ? 'installment' : names.at(-1));
    const key = keys[0] ?? name;
    if (name === undefined || key === undefined || suspects.has(key)) continue;
    const change = Object.fromEntries(names.map((other) => [other, values[other]]));
    suspects.set(key, { operation, name, what: 'an entry of its own lists', kind: 'list', change, outcome });
  }
  return [...suspects.values()];
}

/**
 * A listed currency that is taken in other words alone: for cards from abroad where it is listed for those from here, or the
 * other way round, or in capitals. Only where the operation took nothing that is listed: else there is a request of the run to
 * compare it with.
 */
export function currenciesInOtherWords(requests: readonly AskedRequest[]): readonly SuspectedValue[] {
  return (['listInstallments', 'createPaymentLink'] as const).flatMap((operation) => {
    const asked = requests.filter((one) => one.operation === operation);
    if (asked.some(({ outcome }) => outcome === 'accepted')) return [];
    return [true, false].flatMap((is_domestic): readonly SuspectedValue[] => {
      const values = asked.find(
        (one) => one.outcome === 'refused' && one.values['is_domestic'] === is_domestic,
      )?.values;
      if (values === undefined) return [];
      const inCapitals = String(values['currency_code']).toUpperCase();
      const others = [
        { is_domestic: !is_domestic },
        ...(inCapitals === values['currency_code'] ? [] : [{ currency_code: inCapitals }]),
      ];
      const what = 'an entry of its own lists';
      return others.map((other) => ({
        operation,
        name: 'currency_code',
        what,
        kind: 'list',
        outcome: 'refused',
        change: values,
        base: { ...values, ...other },
      }));
    });
  });
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
 * of installments was refused, which is another question, and none for cards or a merchant for which no list holds any: they are
 * not served.
 */
export function currenciesWithoutInstallments(
  places: readonly ListedPlace[],
  requests: readonly AskedRequest[],
): readonly SuspectedValue[] {
  const keyOf = (of: Readonly<Partial<Record<keyof ListedPlace, unknown>>>): string =>
    [of.merchant_no, of.currency_code, of.is_domestic].join(' ');
  const refused = requests.filter(
    ({ operation, outcome }) => operation === 'listInstallments' && outcome !== 'accepted',
  );
  const known = new Set([
    ...places.filter(({ installments }) => installments.length > 0).map(keyOf),
    ...refused.map(({ values }) => keyOf(values)),
  ]);
  const served = new Set(
    places.flatMap((place) => (place.installments.length > 0 ? [place.is_domestic, place.merchant_no] : [])),
  );
  const isServed = ({ is_domestic, merchant_no }: ListedPlace): boolean =>
    served.has(is_domestic) && served.has(merchant_no);
  const one = places.find((place) => isServed(place) && !known.has(keyOf(place)));
  if (one === undefined) return [];
  const { installments: _, ...place } = one;
  return [
    {
      operation: 'createPaymentLink',
      name: 'currency_code',
      what: 'a currency of its own list without installments',
      kind: 'list',
      change: { ...place, installment: 1 },
      outcome: 'refused',
      isProbe: true,
    },
  ];
}
