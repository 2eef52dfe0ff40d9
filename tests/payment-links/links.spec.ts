/** Requests all lists, and payment links for all listed values. Requests payment links and lists with unknown values. */
import { listBoundaryAmounts, listInvalidAmounts } from '../../fixtures/arbitraries/amounts.ts';
import { listOddAmounts } from '../../fixtures/arbitraries/amount-classes.ts';
import { listMistakenIds, unlistedValues } from '../../fixtures/bank/arbitraries/made-up.ts';
import {
  coverLinkTerms,
  generateLinkTerms,
  toPlace,
  type Combination,
  type LinkTerms,
} from '../../fixtures/bank/arbitraries/payment-links.ts';
import { groupBy, isRefusal, mapAll, scenario, test, type Reply, type Tools } from '../../fixtures/runner/index.ts';
import {
  foreignBranchRefused,
  unknownMerchantLists,
} from '../../openapi/bank/behaviours/payment-links/foreign-entities.ts';
import { refusedLinks } from '../../openapi/bank/behaviours/service/refused.ts';

import { repeatMissingBranches } from './missing-branches.ts';
import { compareOtherLists } from './other-lists.ts';

const area = 'payment-links';

/** Returns two merchants with the same branch numbers; an empty list if there are none. */
function findEqualBranchLists(combinations: readonly Combination[]): readonly string[] {
  const merchantsWithBranches = [...groupBy(combinations, ({ merchant_no }) => merchant_no)].map(
    ([merchant, places]) => ({
      merchant,
      branches: [...new Set(places.map(({ branch_no }) => branch_no))].toSorted().join(' '),
    }),
  );
  const merchantsByBranches = [...groupBy(merchantsWithBranches, ({ branches }) => branches).values()];
  const merchantsWithSameBranches = merchantsByBranches.find((group) => group.length > 1) ?? [];
  return merchantsWithSameBranches.slice(0, 2).map(({ merchant }) => merchant);
}

test(
  'All lists of merchants, branches, currencies and installments, several times',
  ...scenario('list-catalogue', { area }, async (tools) => {
    const { links, bank, target } = tools;
    const { combinations } = await links.catalogue();
    if (combinations.length === 0) return;
    // Each list is requested often enough to find a fault in each tenth answer.
    const rounds = Array.from({ length: 12 }, (_, index) => combinations[index % combinations.length]);
    const lists = await mapAll(rounds, target.inFlight, async (place) => {
      if (place === undefined) return null;
      const { merchant_no, is_domestic } = place;
      const [merchants] = await Promise.all([
        bank.listMerchants(),
        bank.listBranches({ merchant_no }),
        bank.listCurrencies({ merchant_no, is_domestic }),
        bank.listInstallments(toPlace(place)),
      ]);
      return merchants;
    });
    // The bank may return the branch list of another merchant by mistake. So lists of two merchants are requested alternately.
    for (const merchant_no of [...findEqualBranchLists(combinations), ...findEqualBranchLists(combinations)])
      await bank.listBranches({ merchant_no });
    const [list] = lists;
    if (list != null) await repeatMissingBranches(tools, list);
  }),
);

/**
 * Returns numbers of installments that are not on the list: a very large one, a negative one, the smallest missing one, and the largest
 * plus 1. Leaves out 0 and 1, because a bank may accept a single payment that is not on the list.
 */
function listUnofferedInstallments(offeredNumbers: readonly number[]): readonly number[] {
  const isUnoffered = (number: number): boolean => !offeredNumbers.includes(number);
  const smallNumbers = Array.from({ length: offeredNumbers.length + 1 }, (_, index) => index + 2);
  const smallestMissing = smallNumbers.filter(isUnoffered).slice(0, 1);
  const largestPlusOne = Math.max(0, ...offeredNumbers) + 1;
  return [...new Set([997, -3, ...smallestMissing, largestPlusOne])].filter(isUnoffered);
}

test(
  'Payment links for every listed merchant, branch, currency and installment',
  ...scenario('link-every-choice', { area, creates: { links: 25 } }, async ({ links, run, target }) => {
    const { combinations, maxAmount } = await links.catalogue();
    const { caps, testData } = target;
    // The bank gives one amount itself: the maximum amount of a QR payment.
    const qrMaxAmounts = [maxAmount ?? 0].filter(
      (amount) => amount > 0 && amount <= caps.amount && Number(amount.toFixed(2)) === amount,
    );
    const terms = coverLinkTerms(
      {
        combinations,
        languages: links.allLanguages(),
        amounts: [
          ...listBoundaryAmounts(caps.amount, testData.amounts),
          ...(testData.amounts.length > 0 ? [] : [...qrMaxAmounts, ...listOddAmounts(caps.amount)]),
        ],
      },
      run.budget.countLeft('links'),
    );
    await mapAll(terms, target.inFlight, (link) => links.create(link));
  }),
);

test(
  'Payment links with random documented values',
  ...scenario('link-any-request', { area, creates: { links: 21 } }, async ({ links, forAll, target }) => {
    const { combinations } = await links.catalogue();
    if (!combinations.some(({ installments }) => installments.length > 0)) return;
    const choices = {
      combinations,
      languages: links.allLanguages(),
      highestAmount: target.caps.amount,
      amountsOfSettings: target.testData.amounts,
    };
    await forAll('payment links', generateLinkTerms(choices), (terms) => links.create(terms), {
      creates: 'links',
    });
  }),
);

/** Compares a link with a branch of another merchant with an accepted link. */
async function compareForeignBranch(
  { links, bank, probe, run }: Tools,
  terms: LinkTerms,
  control: Reply<'createPaymentLink'>,
): Promise<void> {
  const { combinations } = await links.catalogue();
  const { merchant_no } = terms;
  const isOfMerchant = ({ branch_no }: { branch_no: string }): boolean =>
    combinations.some((place) => place.merchant_no === merchant_no && place.branch_no === branch_no);
  const foreignPlace = combinations.find((place) => !isOfMerchant(place));
  if (foreignPlace === undefined) return;
  const { branch_no } = foreignPlace;
  const foreignReply = await probe(control, { ...links.values(terms), branch_no });
  if (foreignReply === null) return;
  const branches = foreignReply.accepted ? await bank.listBranches({ merchant_no }) : undefined;
  const unknownReply = foreignReply.accepted
    ? await probe(control, { ...links.values(terms), branch_no: unlistedValues.branch_no })
    : undefined;
  run.compare(foreignBranchRefused, { foreign: foreignReply, control, branches, unknown: unknownReply ?? undefined });
}

test(
  'Payment links with an unknown merchant, branch or installment, an invalid amount, or a body that is no JSON',
  ...scenario('link-impossible', { area, early: true, creates: { links: 7 } }, async (tools) => {
    const { links, bank, probe, run, target } = tools;
    const { combinations } = await links.catalogue();
    const controlLink = await links.createNext();
    if (controlLink === null) return;
    const { terms, reply: control } = controlLink;
    const values = () => links.values(terms);
    const listedNumbers = combinations.flatMap(({ installments, ...place }) =>
      (Object.keys(place) as (keyof typeof place)[]).every((name) => terms[name] === place[name]) ? installments : [],
    );
    const compareMerchant = async (): Promise<void> => {
      const reply = await probe(control, { ...values(), merchant_no: unlistedValues.merchant_no });
      run.compare(refusedLinks.unknownMerchant, { probe: reply, control });
    };
    // The requests are sent one after the other, because a refused request gives its budget back.
    const refusedNumbers: Reply<'createPaymentLink'>[] = [];
    const compareInstallments = async (): Promise<void> => {
      // Without the list, any number of installments may be allowed.
      for (const installment of listedNumbers.length === 0 ? [] : listUnofferedInstallments(listedNumbers)) {
        const reply = await probe(control, { ...values(), installment });
        run.compare(refusedLinks.unknownInstallment, { probe: reply, control });
        if (reply !== null && isRefusal(reply)) refusedNumbers.push(reply);
      }
    };
    const compareAmount = async (amount: number): Promise<void> => {
      const reply = await bank.createPaymentLink({ ...values(), amount });
      run.compare(refusedLinks.amount, { probe: reply, control });
    };
    const unlistedRequests = mapAll([compareMerchant, compareInstallments], target.inFlight, (compare) => compare());
    const amounts = control.accepted ? listInvalidAmounts(12.5, target.caps.amount) : [];
    const refusedAmounts = mapAll(amounts, target.inFlight, compareAmount);
    const compareBrokenBody = async (): Promise<void> => {
      const reply = await probe(control, values(), {
        mutate: (draft) => ({ ...draft, body: `{"amount": ${Math.min(10, target.caps.amount)},` }),
      });
      run.compare(refusedLinks.body, { probe: reply, control });
    };
    const open = { point: 'links.value-bounds', question: 'an empty description' } as const;
    await Promise.all([
      unlistedRequests,
      refusedAmounts,
      compareForeignBranch(tools, terms, control),
      compareBrokenBody(),
      probe(control, { ...values(), personal_description: '' }, { isProbe: true, open }),
    ]);
    const [refusedNumber] = refusedNumbers;
    if (refusedNumber !== undefined) await compareOtherLists(tools, terms, { control, unknown: refusedNumber });
  }),
);

test(
  'Lists of unknown merchants, and of numbers similar to a merchant number',
  ...scenario('list-unknown-merchant', { area, early: true }, async ({ links, bank, probe, run, target }) => {
    const { combinations } = await links.catalogue();
    const [combination] = combinations;
    if (combination === undefined) return;
    const query = toPlace(combination);
    const { merchant_no, is_domestic } = query;
    const unknownMerchant = { merchant_no: unlistedValues.merchant_no };
    const { currencies, branches, installments } = unknownMerchantLists;
    // Numbers of no merchant: the beginning of a merchant number (a search may accept this), a merchant number with letters after
    // it, and numbers that need more bits.
    const control = await bank.listBranches({ merchant_no });
    for (const similar of [merchant_no.slice(0, -1), `${merchant_no}'abc`, ...listMistakenIds(merchant_no)]) {
      const isUnknown = similar !== '' && !combinations.some((place) => place.merchant_no === similar);
      const reply = isUnknown ? await probe(control, { merchant_no: similar }) : null;
      if (reply !== null) run.compare(branches, { similar: reply, control });
    }
    const compareCurrencies = async () => {
      const control = await bank.listCurrencies({ merchant_no, is_domestic });
      run.compare(currencies, { unknown: await probe(control, { ...unknownMerchant, is_domestic }), control });
    };
    const compareInstallments = async () => {
      const control = await bank.listInstallments(query);
      run.compare(installments, { unknown: await probe(control, { ...query, ...unknownMerchant }), control });
    };
    const compareBranches = async () => {
      const control = await bank.listBranches({ merchant_no });
      run.compare(branches, { unknown: await probe(control, unknownMerchant), control });
    };
    await mapAll([compareCurrencies, compareBranches, compareInstallments], target.inFlight, (compare) => compare());
  }),
);
