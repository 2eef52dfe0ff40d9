/** Asks for numbers of installments that only another list of the same merchant has. */
import type { Combination, LinkTerms } from '../../fixtures/arbitraries/payment-links.ts';
import { toPlace } from '../../fixtures/arbitraries/payment-links.ts';
import { otherListRefused, type Reply, type Tools } from '../../fixtures/runner/index.ts';

type Name = 'currency_code' | 'is_domestic' | 'branch_no';

/** In which input the request for the other list differs, and which inputs are the same. Few currencies serve all cards. */
const LIST_KINDS: readonly { readonly differs: Name; readonly same: readonly Name[] }[] = [
  { differs: 'currency_code', same: ['is_domestic', 'branch_no'] },
  { differs: 'is_domestic', same: ['branch_no'] },
  { differs: 'branch_no', same: ['is_domestic', 'currency_code'] },
];

const describeDifference = (name: Name, { [name]: value }: Combination): string =>
  ({
    currency_code: `the currency ${value}`,
    is_domestic: value === true ? 'domestic cards' : 'foreign cards',
    branch_no: `branch ${value}`,
  })[name];

interface OtherList {
  readonly place: Combination;
  readonly installment: number;
  readonly difference: string;
}

const countDifferences = (a: Combination, b: object): number =>
  Object.entries(toPlace(a)).filter(([name, value]) => b[name as keyof typeof b] !== value).length;

/** Finds a list with a number that a list of the other kind has. Prefers the list of `terms`, and then a single difference. */
function findOtherList(
  combinations: readonly Combination[],
  terms: LinkTerms,
  { differs, same }: (typeof LIST_KINDS)[number],
): OtherList | undefined {
  const pairs = combinations.flatMap((place) =>
    combinations.flatMap((other) => {
      const isOfKind =
        place[differs] !== other[differs] &&
        ['merchant_no' as const, ...same].every((name) => place[name] === other[name]);
      // A bank may accept a single payment that it does not list.
      const installment = other.installments.find((number) => number > 1 && !place.installments.includes(number));
      if (!isOfKind || installment === undefined || place.installments.length === 0) return [];
      const rank = 10 * Math.min(1, countDifferences(place, terms)) + countDifferences(place, other);
      return [{ place, installment, difference: describeDifference(differs, other), rank }];
    }),
  );
  return pairs.toSorted((a, b) => a.rank - b.rank)[0];
}

/** `control` is the accepted request with `terms`; `unknown` is its refused twin with a number that is on no list. */
export async function askForOtherLists(
  { links, bank, probe, run }: Tools,
  terms: LinkTerms,
  { control, unknown }: { readonly control: Reply<'createPaymentLink'>; readonly unknown: Reply<'createPaymentLink'> },
): Promise<void> {
  const { combinations } = await links.catalogue();
  for (const kind of LIST_KINDS) {
    const found = findOtherList(combinations, terms, kind);
    if (found === undefined) continue;
    const { place, installment, difference } = found;
    const [listed = 1] = place.installments;
    const ownTerms = { ...terms, ...toPlace(place), installment: listed };
    const twin = countDifferences(place, terms) === 0 ? control : await links.create(ownTerms);
    const made = await probe(twin, { ...links.values(ownTerms), installment });
    if (made === null) continue;
    const list = made.accepted ? await bank.listInstallments(toPlace(place)) : undefined;
    run.compare(otherListRefused, { probe: made, control: twin, unknown, list, difference });
  }
}
