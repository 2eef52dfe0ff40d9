/** Judges that branches have the right names in the merchant list, and that two merchants do not get the same branch list. */
import { defineLevels } from '../../../clauses/clause.ts';
import { endpointRow, merchantField } from '../../clauses/payment-links.ts';
import type { RecordByKind, RunRecord } from '../../../model/record.ts';
import { groupBy } from '../../../util/group-by.ts';
import { countTurns, keptTimes, mergeBroken } from '../../../behaviours/agreement.ts';
import { kept, notTested, ofRun } from '../../../behaviours/behaviour.ts';

const { expected } = defineLevels('payment-links');
type BranchList = RunRecord<'branchLists'>;
type Named = RecordByKind['branchLists']['named'][number];

/** Returns the first name of each branch, by merchant and branch number. */
const collectFirstNames = (lists: readonly BranchList[]): ReadonlyMap<string, Named & { readonly exchange: string }> =>
  new Map(
    lists
      .toReversed()
      .flatMap(({ named, exchange }) =>
        named.map((entry) => [`${entry.merchant} ${entry.branch}`, { ...entry, exchange }] as const),
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
    const shownByMerchants = collectFirstNames(branchLists.filter(({ isOfMerchants }) => isOfMerchants));
    const shownByBranches = collectFirstNames(branchLists.filter(({ isOfMerchants }) => !isOfMerchants));
    const branchesByName = groupBy([...shownByBranches.values()], ({ name }) => name);
    const pairs = [...shownByMerchants].flatMap(([key, by]) => {
      const contrast = shownByBranches.get(key);
      return contrast === undefined ? [] : [{ by, contrast }];
    });
    const equal = pairs.filter(({ by, contrast }) => by.name === contrast.name);
    const withNameOfOther = pairs.filter(
      ({ by, contrast }) =>
        by.name !== contrast.name && branchesByName.get(by.name)?.some(({ branch }) => branch !== by.branch),
    );
    // Finds a branch number that is not in the branch list, although exactly one branch there has the same name.
    const renumbered = [...shownByMerchants].flatMap(([key, by]) => {
      const [contrast, ...more] = (branchesByName.get(by.name) ?? []).filter(
        ({ merchant }) => merchant === by.merchant,
      );
      return shownByBranches.has(key) || contrast === undefined || more.length > 0 ? [] : [{ by, contrast }];
    });
    const areSameNumbers = new Set(equal.map(({ by }) => by.name)).size >= MIN_EQUAL_NAMES;
    const haveChangedPlaces =
      new Set(withNameOfOther.map(({ contrast }) => contrast.name)).size >= MIN_SWAPPED_NAMES &&
      joinSorted(withNameOfOther.map(({ by }) => by.name)) ===
        joinSorted(withNameOfOther.map(({ contrast }) => contrast.name));
    const wrongIfSwapped = haveChangedPlaces ? withNameOfOther : [];
    const wrong = areSameNumbers ? [...withNameOfOther, ...renumbered] : wrongIfSwapped;
    const [first] = pairs;
    if (first === undefined) return [notTested('no branch is both in the merchant list and in a branch list')];
    const rightCount = pairs.length - wrong.filter((pair) => pairs.includes(pair)).length;
    return [
      ...keptTimes(first.by, rightCount),
      ...mergeBroken(wrong, ({ by: { merchant, branch } }) => ({
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

const renderBranch = ({ branch, name }: Named): string => `${branch} ${name}`;
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
    const shownBranches = branchLists.filter(({ isOfMerchants }) => isOfMerchants).flatMap(({ named }) => named);
    const lists = branchLists.filter(({ isOfMerchants, named }) => !isOfMerchants && named.length > 0);
    const listsByMerchant = groupBy(lists, ({ named }) => named[0]?.merchant ?? '');
    const shownByMerchant = groupBy(shownBranches, ({ merchant }) => merchant);
    const hasShownBranch = (list: BranchList, merchant: string): boolean => {
      const branches = new Set(list.named.map(renderBranch));
      return (shownByMerchant.get(merchant) ?? []).some((entry) => branches.has(renderBranch(entry)));
    };
    const agreeing = [...listsByMerchant].filter(([merchant, merchantLists]) =>
      merchantLists.every((list) => hasShownBranch(list, merchant)),
    );
    if (agreeing.length < MIN_AGREEING_MERCHANTS)
      return [notTested('too few merchants have a branch of the merchant list in their branch list')];
    const branches = agreeing.flatMap(([, [{ named }]]) => named.map(({ branch }) => branch));
    if (new Set(branches).size < branches.length) return [notTested('several merchants have the same branch number')];
    const [[, [first]]] = agreeing as [(typeof agreeing)[number]];
    const foreign = [...listsByMerchant].flatMap(([merchant, merchantLists]) => {
      if (!shownByMerchant.has(merchant) || merchantLists.some((list) => hasShownBranch(list, merchant))) return [];
      const owner = agreeing.find(([, ownerLists]) =>
        [...ownerLists, ...merchantLists].every((list) => renderList(list) === renderList(ownerLists[0])),
      );
      if (owner === undefined || countTurns(owner[1], merchantLists) < MIN_LIST_ALTERNATIONS) return [];
      return [{ by: merchantLists[0], contrast: owner[1][0], merchant, owner: owner[0] }];
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
