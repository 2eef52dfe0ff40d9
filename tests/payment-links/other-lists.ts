/** Sends links with a number of installments that is only on another list of the same merchant. */
import type { Combination, LinkTerms } from '../../fixtures/bank/arbitraries/payment-links.ts';
import { toPlace } from '../../fixtures/bank/arbitraries/payment-links.ts';
import { type Reply, type Tools } from '../../fixtures/runner/index.ts';
import { otherListRefused } from '../../openapi/bank/behaviours/payment-links/foreign-entities.ts';

type Name = 'currency_code' | 'is_domestic' | 'branch_no';

/**
 * Kinds of pairs of lists: the input in which the two lists differ, and the inputs that are equal. Between domestic and foreign cards,
 * the currency may differ too, because few currencies are for all cards.
 */
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

/** A place, a number that is only on another list, and the difference between the two lists. */
interface OtherList {
  readonly place: Combination;
  readonly installment: number;
  readonly difference: string;
}

const countDifferences = (a: Combination, b: object): number =>
  Object.entries(toPlace(a)).filter(([name, value]) => b[name as keyof typeof b] !== value).length;

/** Finds a number that only the list of another place has. Prefers the place of `terms`, and then pairs with a single difference. */
function findOtherList(
  combinations: readonly Combination[],
  terms: LinkTerms,
  { differs, same }: (typeof LIST_KINDS)[number],
): OtherList | undefined {
  const pairs = combinations.flatMap((place) =>
    combinations.flatMap((otherPlace) => {
      const isOfKind =
        place[differs] !== otherPlace[differs] &&
        ['merchant_no' as const, ...same].every((name) => place[name] === otherPlace[name]);
      // A bank may accept a single payment that it does not list.
      const installment = otherPlace.installments.find((number) => number > 1 && !place.installments.includes(number));
      if (!isOfKind || installment === undefined || place.installments.length === 0) return [];
      const rank = 10 * Math.min(1, countDifferences(place, terms)) + countDifferences(place, otherPlace);
      return [{ place, installment, difference: describeDifference(differs, otherPlace), rank }];
    }),
  );
  return pairs.toSorted((a, b) => a.rank - b.rank)[0];
}

/** `control`: the accepted request with `terms`. `unknown`: the same request with a number that is on no list; the bank refused it. */
export async function compareOtherLists(
  { links, bank, probe, run }: Tools,
  terms: LinkTerms,
  { control, unknown }: { readonly control: Reply<'createPaymentLink'>; readonly unknown: Reply<'createPaymentLink'> },
): Promise<void> {
  const { combinations } = await links.catalogue();
  for (const kind of LIST_KINDS) {
    const otherList = findOtherList(combinations, terms, kind);
    if (otherList === undefined) continue;
    const { place, installment, difference } = otherList;
    const [listedNumber = 1] = place.installments;
    const ownTerms = { ...terms, ...toPlace(place), installment: listedNumber };
    const controlLink = countDifferences(place, terms) === 0 ? control : await links.create(ownTerms);
    const reply = await probe(controlLink, { ...links.values(ownTerms), installment });
    if (reply === null) continue;
    const list = reply.accepted ? await bank.listInstallments(toPlace(place)) : undefined;
    run.compare(otherListRefused, { probe: reply, control: controlLink, unknown, list, difference });
  }
}
