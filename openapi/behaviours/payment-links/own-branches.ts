/** The branch list of a merchant is its own, and not the list of another merchant. */
import { defineLevels } from '../../clauses/levels.ts';
import { endpointRow } from '../../clauses/payment-links.ts';
import { groupBy } from '../../util/group-by.ts';
import { countTurns, mergeBroken } from '../agreement.ts';
import { kept, notTested, ofRun } from '../behaviour.ts';
import type { RunRecord } from '../../model/record.ts';

type BranchList = RunRecord<'branchLists'>;
/** At least this many merchants must have a branch with the same number and name in the merchant list and in their branch list. */
const MIN_AGREEING = 3;
/** The lists of the two merchants must alternate this many times: A-B-A-B. */
const MIN_TURNS = 4;

interface ListedBranch {
  readonly merchant: string;
  readonly branch: string;
  readonly name: string;
}
const listEntries = ({ named }: BranchList): readonly ListedBranch[] =>
  named.map(([key, name]) => {
    const [merchant = '', branch = ''] = key.split(' ');
    return { merchant, branch, name };
  });
const render = ({ branch, name }: Pick<ListedBranch, 'branch' | 'name'>): string => `${branch} ${name}`;
const renderList = (list: BranchList): string => listEntries(list).map(render).toSorted().join('\n');

export const branchesOwn = ofRun({
  id: 'links.branches.own',
  clause: defineLevels('payment-links').expected(
    endpointRow('GET /merchants/{merchant_no}/branches'),
    'If all branch numbers differ, the branch list of a merchant is not the branch list of another merchant.',
  ),
  operation: 'listBranches',
  judge({ branchLists }) {
    const shown = branchLists.filter(({ isOfMerchants }) => isOfMerchants).flatMap(listEntries);
    const lists = branchLists.filter(({ isOfMerchants, named }) => !isOfMerchants && named.length > 0);
    const listsOf = groupBy(lists, (list) => listEntries(list)[0]?.merchant ?? '');
    const ownBranches = groupBy(shown, ({ merchant }) => merchant);
    const agrees = (list: BranchList, merchant: string): boolean => {
      const branches = new Set(listEntries(list).map(render));
      return (ownBranches.get(merchant) ?? []).some((entry) => branches.has(render(entry)));
    };
    const agreeing = [...listsOf].filter(([merchant, all]) => all.every((list) => agrees(list, merchant)));
    if (agreeing.length < MIN_AGREEING)
      return [notTested('too few merchants have a branch of the merchant list in their branch list')];
    const branches = agreeing.flatMap(([, [list]]) => listEntries(list).map(({ branch }) => branch));
    if (new Set(branches).size < branches.length) return [notTested('several merchants have the same branch number')];
    const [[, [first]]] = agreeing as [(typeof agreeing)[number]];
    const foreign = [...listsOf].flatMap(([merchant, all]) => {
      if (!ownBranches.has(merchant) || all.some((list) => agrees(list, merchant))) return [];
      const owner = agreeing.find(([, own]) =>
        [...own, ...all].every((list) => renderList(list) === renderList(own[0])),
      );
      if (owner === undefined || countTurns(owner[1], all) < MIN_TURNS) return [];
      return [{ by: all[0], contrast: owner[1][0], merchant, owner: owner[0] }];
    });
    return [
      kept(first, { count: agreeing.length }),
      ...mergeBroken(foreign, ({ merchant, owner }) => ({
        pointer: '/data/branches',
        expected: `the branches of merchant ${merchant}, such as the one in the merchant list`,
        received: `the whole branch list of merchant ${owner}`,
      })),
    ];
  },
});
