/** Judges that the branch list of a merchant has the branch that the merchant list shows for this merchant. */
import { defineLevels } from '../../../clauses/clause.ts';
import { endpointRow } from '../../clauses/payment-links.ts';
import type { RunRecord } from '../../../model/record.ts';
import { groupBy } from '../../../util/group-by.ts';
import { countTurns, mergeBroken } from '../../../behaviours/agreement.ts';
import { kept, notTested, ofRun } from '../../../behaviours/behaviour.ts';

type BranchList = RunRecord<'branchLists'>;

/**
 * At least this many other merchants must have their branch of the merchant list in their branch list. If fewer have it, branch_code
 * may be no branch number.
 */
const MIN_OTHER_MERCHANTS = 3;
/** The merchant list and the branch lists without the branch must alternate this many times: A-B-A-B. */
const MIN_TURNS = 4;

export const branchesComplete = ofRun({
  id: 'links.branches-complete',
  clause: defineLevels('payment-links').expected(
    endpointRow('GET /merchants/{merchant_no}/branches'),
    'The branch list of a merchant has the branch that the merchant list shows, if this is so for other merchants.',
  ),
  operation: 'listBranches',
  control: 'At least four merchants have their branch of the merchant list in their branch list.',
  judge({ branchLists }) {
    const merchantLists = branchLists.filter(({ isOfMerchants }) => isOfMerchants);
    const listsByMerchant = groupBy(
      branchLists.filter(({ isOfMerchants }) => !isOfMerchants),
      ({ asked }) => asked,
    );
    const shownBranches = merchantLists.flatMap((list) => list.named.map((branch) => ({ ...branch, list })));
    const comparedBranches = [
      ...groupBy(shownBranches, ({ merchant, branch, name }) => `${merchant} ${branch} ${name}`).values(),
    ].flatMap((sameBranch) => {
      const [{ merchant, branch, name }] = sameBranch;
      const lists: readonly BranchList[] = listsByMerchant.get(merchant) ?? [];
      // The run keeps only some branches of a long list, and no branch without a name: then a branch may be on the list.
      if (lists.length === 0 || lists.some(({ named, entries }) => named.length < entries)) return [];
      const hasBranch = ({ named }: BranchList): boolean =>
        named.some((entry) => entry.branch === branch && entry.name === name);
      const isMissing = !lists.some(({ named }) =>
        named.some((entry) => entry.branch === branch || entry.name === name),
      );
      const isListed = lists.every(hasBranch);
      const merchantListsWithBranch = sameBranch.map(({ list }) => list);
      return [{ merchant, branch, isMissing, isListed, lists, merchantListsWithBranch }];
    });
    const listedBranchesByMerchant = groupBy(
      comparedBranches.filter(({ isListed }) => isListed),
      ({ merchant }) => merchant,
    );
    const countOtherMerchants = (merchant: string): number =>
      listedBranchesByMerchant.size - (listedBranchesByMerchant.has(merchant) ? 1 : 0);
    const missingBranches = comparedBranches.filter(
      ({ merchant, isMissing }) => isMissing && countOtherMerchants(merchant) >= MIN_OTHER_MERCHANTS,
    );
    const provenMissing = missingBranches.filter(
      ({ lists, merchantListsWithBranch }) => countTurns(merchantListsWithBranch, lists) >= MIN_TURNS,
    );
    const [[firstListed] = []] = [...listedBranchesByMerchant.values()];
    const hasEnoughMerchants = listedBranchesByMerchant.size > MIN_OTHER_MERCHANTS || missingBranches.length > 0;
    if (firstListed === undefined || !hasEnoughMerchants)
      return [notTested('too few merchants have a branch of the merchant list in their branch list')];
    if (provenMissing.length < missingBranches.length)
      return [notTested('a branch was missing in a branch list, and the run did not ask again')];
    return [
      kept(firstListed.lists[0] as BranchList, { count: listedBranchesByMerchant.size }),
      ...mergeBroken(
        provenMissing.map(({ lists, merchantListsWithBranch: [contrast], ...branch }) => ({
          ...branch,
          answer: lists[0] as BranchList,
          contrast,
        })),
        ({ merchant, branch }) => ({
          pointer: '/data/branches',
          expected: `branch ${branch} of merchant ${merchant}, as in the merchant list`,
          received: 'a list without this number and without this name',
        }),
      ),
    ];
  },
});
