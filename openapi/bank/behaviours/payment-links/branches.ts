/** Judges that branches have the right names in the merchant list, and that two merchants do not get the same branch list. */
import { defineLevels } from '../../../clauses/clause.ts';
import { endpointRow, merchantField } from '../../clauses/payment-links.ts';
import type { RecordByKind, RunRecord } from '../../../model/record.ts';
import { groupBy } from '../../../util/group-by.ts';
import { countTurns, keptTimes, mergeBroken } from '../../../behaviours/agreement.ts';
import { kept, notTested, ofRun } from '../../../behaviours/behaviour.ts';

const { expected } = defineLevels('payment-links');
type BranchList = RunRecord<'branchLists'>;
type NamedBranch = RecordByKind['branchLists']['named'][number];

/** Returns the first name of each branch, by merchant and branch number. */
const collectFirstNames = (
  lists: readonly BranchList[],
): ReadonlyMap<string, NamedBranch & { readonly exchange: string }> =>
  new Map(
    lists
      .toReversed()
      .flatMap(({ named, exchange }) =>
        named.map((branch) => [`${branch.merchant} ${branch.branch}`, { ...branch, exchange }] as const),
      ),
  );

/** If at least this many branches have the same name and number in both lists, branch_code is the branch number. */
const MIN_EQUAL_NAMES = 2;
/** If no branch has the same name in both lists, at least this many swapped names prove that branch_code is the branch number. */
const MIN_SWAPPED_NAMES = 3;

const joinSorted = (names: readonly string[]): string => names.toSorted().join();

/**
 * Finds a branch that has, in the merchant list, the name of another branch of the branch list. Another spelling or a new name is
 * allowed. The document does not say that branch_code (merchant list) is the same number as `no` (branch list). The numbers are the
 * same if two names agree, or if the merchant list has the names of the branch list in another order.
 */
export const branchNamesNotExchanged = ofRun({
  id: 'links.merchant.branch-name.own',
  clause: expected(
    merchantField('branch_name'),
    'The merchant list does not show the name of one branch for another branch.',
  ),
  operation: 'listMerchants',
  control: 'A branch is in the merchant list and in a branch list.',
  judge({ branchLists }) {
    const namedByMerchantLists = collectFirstNames(branchLists.filter(({ isOfMerchants }) => isOfMerchants));
    const namedByBranchLists = collectFirstNames(branchLists.filter(({ isOfMerchants }) => !isOfMerchants));
    const branchesByName = groupBy([...namedByBranchLists.values()], ({ name }) => name);
    const pairs = [...namedByMerchantLists].flatMap(([branchKey, answer]) => {
      const contrast = namedByBranchLists.get(branchKey);
      return contrast === undefined ? [] : [{ answer, contrast }];
    });
    const equalPairs = pairs.filter(({ answer, contrast }) => answer.name === contrast.name);
    const pairsWithOtherName = pairs.filter(
      ({ answer, contrast }) =>
        answer.name !== contrast.name &&
        branchesByName.get(answer.name)?.some(({ branch }) => branch !== answer.branch),
    );
    // Finds a branch number that is not in the branch list, although exactly one branch there has the same name.
    const renumberedPairs = [...namedByMerchantLists].flatMap(([branchKey, answer]) => {
      const [contrast, ...otherBranches] = (branchesByName.get(answer.name) ?? []).filter(
        ({ merchant }) => merchant === answer.merchant,
      );
      if (namedByBranchLists.has(branchKey) || contrast === undefined || otherBranches.length > 0) return [];
      return [{ answer, contrast }];
    });
    const areSameNumbers = new Set(equalPairs.map(({ answer }) => answer.name)).size >= MIN_EQUAL_NAMES;
    const merchantListNames = pairsWithOtherName.map(({ answer }) => answer.name);
    const branchListNames = pairsWithOtherName.map(({ contrast }) => contrast.name);
    const areNamesPermuted =
      new Set(branchListNames).size >= MIN_SWAPPED_NAMES &&
      joinSorted(merchantListNames) === joinSorted(branchListNames);
    const permutedPairs = areNamesPermuted ? pairsWithOtherName : [];
    const wrongPairs = areSameNumbers ? [...pairsWithOtherName, ...renumberedPairs] : permutedPairs;
    const [firstPair] = pairs;
    if (firstPair === undefined) return [notTested('no branch is both in the merchant list and in a branch list')];
    const rightCount = pairs.length - wrongPairs.filter((pair) => pairs.includes(pair)).length;
    return [
      ...keptTimes(firstPair.answer, rightCount),
      ...mergeBroken(wrongPairs, ({ answer: { merchant, branch } }) => ({
        pointer: '/data/merchants/*/branch_name',
        expected: `the name of branch ${branch} of merchant ${merchant} in the branch list`,
        received: 'the name of another branch in the branch list',
      })),
    ];
  },
});

/** At least this many merchants must have a branch with the same number and name in the merchant list and in their branch list. */
const MIN_AGREEING_MERCHANTS = 3;
/** The lists of the two merchants must alternate this many times: A-B-A-B. */
const MIN_LIST_ALTERNATIONS = 4;

const renderBranch = ({ branch, name }: NamedBranch): string => `${branch} ${name}`;
const renderList = ({ named }: BranchList): string => named.map(renderBranch).toSorted().join('\n');

/**
 * Finds a merchant that gets the branch list of another merchant. The list must have no branch that the merchant list shows for this
 * merchant, and the lists of both merchants must be requested in turn.
 */
export const branchListsDiffer = ofRun({
  id: 'links.branches.own',
  clause: expected(
    endpointRow('GET /merchants/{merchant_no}/branches'),
    'Where no branch number is used twice in the bank, two merchants do not get the same branch list.',
  ),
  operation: 'listBranches',
  control: 'At least three merchants have a branch of the merchant list in their branch list.',
  judge({ branchLists }) {
    const merchantListBranches = branchLists.filter(({ isOfMerchants }) => isOfMerchants).flatMap(({ named }) => named);
    const branchListsWithNames = branchLists.filter(({ isOfMerchants, named }) => !isOfMerchants && named.length > 0);
    const listsByMerchant = groupBy(branchListsWithNames, ({ named }) => named[0]?.merchant ?? '');
    const merchantListBranchesByMerchant = groupBy(merchantListBranches, ({ merchant }) => merchant);
    const hasShownBranch = (list: BranchList, merchant: string): boolean => {
      const renderedBranches = new Set(list.named.map(renderBranch));
      return (merchantListBranchesByMerchant.get(merchant) ?? []).some((branch) =>
        renderedBranches.has(renderBranch(branch)),
      );
    };
    const agreeingMerchants = [...listsByMerchant].filter(([merchant, merchantLists]) =>
      merchantLists.every((list) => hasShownBranch(list, merchant)),
    );
    if (agreeingMerchants.length < MIN_AGREEING_MERCHANTS)
      return [notTested('too few merchants have a branch of the merchant list in their branch list')];
    const branchNumbers = agreeingMerchants.flatMap(([, [{ named }]]) => named.map(({ branch }) => branch));
    if (new Set(branchNumbers).size < branchNumbers.length)
      return [notTested('several merchants have the same branch number')];
    const [[, [firstList]]] = agreeingMerchants as [(typeof agreeingMerchants)[number]];
    const foreignLists = [...listsByMerchant].flatMap(([merchant, merchantLists]) => {
      const hasSomeShownBranch = merchantLists.some((list) => hasShownBranch(list, merchant));
      if (!merchantListBranchesByMerchant.has(merchant) || hasSomeShownBranch) return [];
      const ownerWithLists = agreeingMerchants.find(([, listsOfOwner]) =>
        [...listsOfOwner, ...merchantLists].every((list) => renderList(list) === renderList(listsOfOwner[0])),
      );
      if (ownerWithLists === undefined) return [];
      const [owner, ownerLists] = ownerWithLists;
      if (countTurns(ownerLists, merchantLists) < MIN_LIST_ALTERNATIONS) return [];
      return [{ answer: merchantLists[0], contrast: ownerLists[0], merchant, owner }];
    });
    return [
      kept(firstList, { count: agreeingMerchants.length }),
      ...mergeBroken(foreignLists, ({ merchant, owner }) => ({
        pointer: '/data/branches',
        expected: `the branches of merchant ${merchant}, such as the one in the merchant list`,
        received: `the whole branch list of merchant ${owner}`,
      })),
    ];
  },
});
