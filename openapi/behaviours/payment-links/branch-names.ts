/** The merchant list shows no name of another branch. Compares it with the branch list of each merchant. */
import { defineLevels } from '../../clauses/levels.ts';
import { merchantField } from '../../clauses/payment-links.ts';
import { groupBy } from '../../util/group-by.ts';
import { keptTimes, mergeBroken } from '../agreement.ts';
import { notTested, ofRun } from '../behaviour.ts';
import type { RunRecord } from '../../model/record.ts';

const readMerchantNumber = (key: string): string | undefined => key.split(' ')[0];
const readBranchNumber = (key: string): string | undefined => key.split(' ')[1];

interface Named {
  readonly name: string;
  readonly exchange: string;
}

const collectFirstNames = (lists: readonly RunRecord<'branchLists'>[]): ReadonlyMap<string, Named> =>
  new Map(lists.toReversed().flatMap(({ named, exchange }) => named.map(([key, name]) => [key, { name, exchange }])));

/** If this many branches have the same name and number in both lists, branch_code is the branch number of the branch list. */
const MIN_EQUAL_NAMES = 2;
/** If no branch has the same name in both lists, this many swapped names prove that branch_code is the branch number. */
const MIN_SWAPPED_NAMES = 3;

const joinSorted = (names: readonly string[]): string => names.toSorted().join();

/**
 * Finds a branch that has, in the merchant list, the name of another branch of the branch list. branch_code may be another number,
 * for example of a branch of the bank. It is the branch number if other names and numbers agree, or if names are only swapped.
 * Another spelling or a new name is allowed.
 */
export const branchNamesOwn = ofRun({
  id: 'links.merchant.branch-name.own',
  clause: defineLevels('payment-links').expected(
    merchantField('branch_name'),
    'The merchant list does not show the name of one branch for another branch.',
  ),
  operation: 'listMerchants',
  judge({ branchLists }) {
    const shownByMerchants = collectFirstNames(branchLists.filter(({ isOfMerchants }) => isOfMerchants));
    const shownByBranches = collectFirstNames(branchLists.filter(({ isOfMerchants }) => !isOfMerchants));
    const keysOfName = groupBy([...shownByBranches.keys()], (key) => shownByBranches.get(key)?.name ?? '');
    const pairs = [...shownByMerchants].flatMap(([key, by]) => {
      const contrast = shownByBranches.get(key);
      return contrast === undefined ? [] : [{ key, by, contrast }];
    });
    const alike = pairs.filter(({ by, contrast }) => by.name === contrast.name);
    const mixed = pairs.filter(
      ({ key, by, contrast }) =>
        by.name !== contrast.name &&
        keysOfName.get(by.name)?.some((same) => readBranchNumber(same) !== readBranchNumber(key)),
    );
    // Finds a branch number that is not in the branch list, although exactly one branch there has the same name.
    const renumbered = [...shownByMerchants].flatMap(([key, by]) => {
      const [same, ...more] = (keysOfName.get(by.name) ?? []).filter(
        (named) => readMerchantNumber(named) === readMerchantNumber(key),
      );
      const contrast = shownByBranches.get(same ?? '');
      return shownByBranches.has(key) || contrast === undefined || more.length > 0 ? [] : [{ key, by, contrast }];
    });
    const areSameNumbers = new Set(alike.map(({ by }) => by.name)).size >= MIN_EQUAL_NAMES;
    const haveChangedPlaces =
      new Set(mixed.map(({ contrast }) => contrast.name)).size >= MIN_SWAPPED_NAMES &&
      joinSorted(mixed.map(({ by }) => by.name)) === joinSorted(mixed.map(({ contrast }) => contrast.name));
    const wrong = areSameNumbers ? [...mixed, ...renumbered] : haveChangedPlaces ? mixed : [];
    const [first] = pairs;
    if (first === undefined) return [notTested('no branch is both in the merchant list and in a branch list')];
    const right = pairs.length - wrong.filter((one) => pairs.includes(one)).length;
    const [key] = wrong.map((one) => one.key);
    return [
      ...keptTimes(first.by, right),
      ...mergeBroken(wrong, () => ({
        pointer: '/data/merchants/*/branch_name',
        expected: `the name of branch ${readBranchNumber(key ?? '')} of merchant ${readMerchantNumber(key ?? '')} in the branch list`,
        received: 'the name of another branch in the branch list',
      })),
    ];
  },
});
