/** The branch list of a merchant has the branch that the merchant list names. */
import { defineLevels } from '../../clauses/clause.ts';
import { endpointRow } from '../../clauses/payment-links.ts';
import type { RunRecord } from '../../model/record.ts';
import { groupBy } from '../../util/group-by.ts';
import { countTurns, mergeBroken } from '../agreement.ts';
import { kept, notTested, ofRun } from '../behaviour.ts';

type BranchList = RunRecord<'branchLists'>;

/** This many other merchants must have their branch of the merchant list in their branch list: branch_code may be another number. */
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
    const ofMerchants = branchLists.filter(({ isOfMerchants }) => isOfMerchants);
    const byMerchant = groupBy(
      branchLists.filter(({ isOfMerchants }) => !isOfMerchants),
      ({ asked }) => asked,
    );
    const shown = ofMerchants.flatMap((list) => list.named.map((entry) => ({ ...entry, list })));
    const pairs = [...groupBy(shown, ({ merchant, branch, name }) => `${merchant} ${branch} ${name}`).values()].flatMap(
      (same) => {
        const [{ merchant, branch, name }] = same;
        const lists: readonly BranchList[] = byMerchant.get(merchant) ?? [];
        // A long list is kept in part, and a branch without a name not at all.
        if (lists.length === 0 || lists.some(({ named, entries }) => named.length < entries)) return [];
        const hasBranch = ({ named }: BranchList): boolean =>
          named.some((entry) => entry.branch === branch && entry.name === name);
        const isMissing = !lists.some(({ named }) =>
          named.some((entry) => entry.branch === branch || entry.name === name),
        );
        return [
          { merchant, branch, isMissing, isListed: lists.every(hasBranch), lists, shown: same.map(({ list }) => list) },
        ];
      },
    );
    const listed = groupBy(
      pairs.filter(({ isListed }) => isListed),
      ({ merchant }) => merchant,
    );
    const missing = pairs.filter(
      ({ merchant, isMissing }) => isMissing && listed.size - Number(listed.has(merchant)) >= MIN_OTHER_MERCHANTS,
    );
    const proven = missing.filter(({ lists, shown: showing }) => countTurns(showing, lists) >= MIN_TURNS);
    const [[first] = []] = [...listed.values()];
    const isEnough = listed.size > MIN_OTHER_MERCHANTS || missing.length > 0;
    if (first === undefined || !isEnough)
      return [notTested('too few merchants have a branch of the merchant list in their branch list')];
    if (proven.length < missing.length)
      return [notTested('a branch was missing in a branch list, and the run did not ask again')];
    return [
      kept(first.lists[0] as BranchList, { count: listed.size }),
      ...mergeBroken(
        proven.map(({ lists, shown: [contrast], ...pair }) => ({ ...pair, by: lists[0] as BranchList, contrast })),
        ({ merchant, branch }) => ({
          pointer: '/data/branches',
          expected: `branch ${branch} of merchant ${merchant}, as in the merchant list`,
          received: 'a list without this number and without this name',
        }),
      ),
    ];
  },
});
