/** The names of branches, in the merchant list and in the list of the branches of each merchant. */
import type { Check } from '../model/check.ts';
import type { Exchange } from '../model/exchange.ts';
import type { BranchesFact, FactRecord } from '../model/facts.ts';
import { entriesOf, member } from '../rules/entries.ts';
import { groupBy } from '../util/group-by.ts';
import { digest } from '../util/hash.ts';
import { idText } from '../util/ids.ts';

/** Entries of one answer that are noted. */
const MAX_NOTED = 50;

/** A digest of a name, whatever its white space and case; null of none. */
const nameOf = (name: unknown): string | null =>
  typeof name === 'string' && name.trim() !== '' ? digest(name.replaceAll(/\s+/g, '').toLowerCase()) : null;

/** Integers as they stand in an answer: the document numbers merchants and branches so. */
const keyOf = (merchant: unknown, branch: unknown): string => `${idText(String(merchant))} ${idText(String(branch))}`;

export function branchFacts({ operation, request }: Exchange, data: unknown): readonly BranchesFact[] {
  const named = (list: string, branchOf: (entry: Readonly<Record<string, unknown>>) => readonly unknown[]) =>
    entriesOf(member(data, list))
      .slice(0, MAX_NOTED)
      .flatMap((entry) => {
        const [merchant, branch, text] = branchOf(entry);
        const name = nameOf(text);
        // Of an entry that lacks a number nothing can be said but that.
        return name === null || (merchant ?? null) === null || (branch ?? null) === null
          ? []
          : [[keyOf(merchant, branch), name] as const];
      });
  if (operation === 'listMerchants')
    return [
      {
        rule: 'branches',
        isOfMerchants: true,
        named: named('merchants', (entry) => [entry['merchant_no'], entry['branch_code'], entry['branch_name']]),
      },
    ];
  if (operation !== 'listBranches') return [];
  const merchant = request.asked['merchant_no'];
  return [
    {
      rule: 'branches',
      isOfMerchants: false,
      named: named('branches', ({ no, name }) => [merchant, no, name]),
    },
  ];
}

const merchantIn = (key: string): string | undefined => key.split(' ')[0];
const numberIn = (key: string): string | undefined => key.split(' ')[1];

interface Named {
  readonly name: string;
  readonly exchange: string;
}

/** The first name of each branch, by merchant and number. */
const firstNames = (records: readonly FactRecord<BranchesFact>[]): ReadonlyMap<string, Named> =>
  new Map(
    records.toReversed().flatMap(({ fact, exchange }) => fact.named.map(([key, name]) => [key, { name, exchange }])),
  );

/** Branches that both lists have to name alike, before a number stands for the same branch in both. */
const MIN_ALIKE = 2;
/** Branches that have to have exchanged their names, where no other is named alike. */
const MIN_EXCHANGED = 3;

const sorted = (names: readonly string[]): string => names.toSorted().join();

/**
 * A branch that the merchant list names as the list of branches names another one. branch_code may be a number of the bank's own
 * branches: the two are the same where other branches have the same name under the same number, or names only changed places.
 * Another spelling or a new name is no mistake.
 */
const ownBranches: Check = {
  clause: 'links.merchant.branch-name.own',
  operation: 'listMerchants',
  unit: 'comparisons',
  *of({ notes }, tested) {
    const facts = notes('branches');
    const own = firstNames(facts.filter(({ fact }) => !fact.isOfMerchants));
    const keysOfName = groupBy([...own.keys()], (key) => own.get(key)?.name ?? '');
    const listed = [...firstNames(facts.filter(({ fact }) => fact.isOfMerchants))];
    const both = listed.flatMap(([key, shown]) => {
      const branch = own.get(key);
      return branch === undefined ? [] : [{ key, listed: shown, branch }];
    });
    const alike = both.filter((one) => one.listed.name === one.branch.name);
    const mixed = both.filter(
      ({ key, listed: { name }, branch }) =>
        name !== branch.name && keysOfName.get(name)?.some((other) => numberIn(other) !== numberIn(key)),
    );
    // Under a number that no branch of the merchant has, the name that just one of them has.
    const renumbered = listed.flatMap(([key, shown]) => {
      const [other, ...more] = (keysOfName.get(shown.name) ?? []).filter((one) => merchantIn(one) === merchantIn(key));
      const branch = own.get(other ?? '');
      return own.has(key) || branch === undefined || more.length > 0 ? [] : [{ key, listed: shown, branch }];
    });
    const [first] = both;
    if (first !== undefined) tested(first.listed, { count: both.length });
    const areSameNumbers = new Set(alike.map(({ branch }) => branch.name)).size >= MIN_ALIKE;
    const haveChangedPlaces =
      new Set(mixed.map(({ branch }) => branch.name)).size >= MIN_EXCHANGED &&
      sorted(mixed.map(({ listed }) => listed.name)) === sorted(mixed.map(({ branch }) => branch.name));
    const wrong = areSameNumbers ? [...mixed, ...renumbered] : haveChangedPlaces ? mixed : [];
    const [one] = wrong;
    if (one === undefined) return;
    yield {
      by: one.listed,
      contrast: one.branch,
      pointer: '/data/merchants/*/branch_name',
      expected: `the name of branch ${numberIn(one.key)} of merchant ${merchantIn(one.key)}, as the list of branches has it`,
      received: 'the name that it has for another branch',
      count: wrong.length,
    };
  },
};

export const branchChecks: readonly Check[] = [ownBranches];
