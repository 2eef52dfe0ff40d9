/** Sends links with a number of installments that is only on another list of the same merchant. */
import type { Combination, LinkTerms } from '../../fixtures/bank/arbitraries/payment-links.ts';
import { toPlace } from '../../fixtures/bank/arbitraries/payment-links.ts';
import { type Reply, type Tools } from '../../fixtures/runner/index.ts';
import { otherListRefused } from '../../openapi/bank/behaviours/payment-links/foreign-entities.ts';

type ListInput = 'currency_code' | 'is_domestic' | 'branch_no';

/**
 * Kinds of pairs of lists: the input in which the two lists differ, and the inputs that are equal. Between domestic and foreign cards,
 * the currency may differ too, because few currencies are for all cards.
 */
const LIST_KINDS: readonly { readonly differentInput: ListInput; readonly equalInputs: readonly ListInput[] }[] = [
  { differentInput: 'currency_code', equalInputs: ['is_domestic', 'branch_no'] },
  { differentInput: 'is_domestic', equalInputs: ['branch_no'] },
  { differentInput: 'branch_no', equalInputs: ['is_domestic', 'currency_code'] },
];

const describeDifference = (inputName: ListInput, { [inputName]: value }: Combination): string =>
  ({
    currency_code: `the currency ${value}`,
    is_domestic: value === true ? 'domestic cards' : 'foreign cards',
    branch_no: `branch ${value}`,
  })[inputName];

/** A place, a number that is only on another list, and the difference between the two lists. */
interface UnlistedInstallment {
  readonly place: Combination;
  readonly installment: number;
  readonly difference: string;
}

const countDifferences = (combination: Combination, values: object): number =>
  Object.entries(toPlace(combination)).filter(([name, value]) => values[name as keyof typeof values] !== value).length;

/** Finds a number that only the list of another place has. Prefers the place of `terms`, and then pairs with a single difference. */
function findOtherList(
  combinations: readonly Combination[],
  terms: LinkTerms,
  { differentInput, equalInputs }: (typeof LIST_KINDS)[number],
): UnlistedInstallment | undefined {
  const candidates = combinations.flatMap((place) =>
    combinations.flatMap((otherPlace) => {
      const isOfKind =
        place[differentInput] !== otherPlace[differentInput] &&
        ['merchant_no' as const, ...equalInputs].every((name) => place[name] === otherPlace[name]);
      // A bank may accept a single payment that it does not list.
      const installment = otherPlace.installments.find((number) => number > 1 && !place.installments.includes(number));
      if (!isOfKind || installment === undefined || place.installments.length === 0) return [];
      const rank = 10 * Math.min(1, countDifferences(place, terms)) + countDifferences(place, otherPlace);
      return [{ place, installment, difference: describeDifference(differentInput, otherPlace), rank }];
    }),
  );
  return candidates.toSorted((a, b) => a.rank - b.rank)[0];
}

/** `control`: the accepted request with `terms`. `unknown`: the same request with a number that is on no list; the bank refused it. */
export async function compareOtherLists(
  { links, bank, probe, run }: Tools,
  terms: LinkTerms,
  {
    control: controlReply,
    unknown: refusedReply,
  }: { readonly control: Reply<'createPaymentLink'>; readonly unknown: Reply<'createPaymentLink'> },
): Promise<void> {
  const { combinations } = await links.catalogue();
  for (const listKind of LIST_KINDS) {
    const unlisted = findOtherList(combinations, terms, listKind);
    if (unlisted === undefined) continue;
    const { place, installment, difference } = unlisted;
    const [listedNumber = 1] = place.installments;
    const termsOfPlace = { ...terms, ...toPlace(place), installment: listedNumber };
    const controlLink = countDifferences(place, terms) === 0 ? controlReply : await links.create(termsOfPlace);
    const reply = await probe(controlLink, { ...links.values(termsOfPlace), installment });
    if (reply === null) continue;
    const installmentList = reply.accepted ? await bank.listInstallments(toPlace(place)) : undefined;
    run.compare(otherListRefused, {
      probe: reply,
      control: controlLink,
      unknown: refusedReply,
      list: installmentList,
      difference,
    });
  }
}
