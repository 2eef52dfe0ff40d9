/** What run-wide behaviours read: records about single exchanges, in the order of the scenarios. */
import type { History } from '../model/check.ts';
import type { Fact, FactName } from '../model/facts.ts';

const factByAccessor = {
  links: 'link',
  branchLists: 'branches',
  atmAnswers: 'atms',
  answers: 'answer',
  lists: 'list',
  payments: 'payment',
  applications: 'application',
  outcomes: 'outcome',
  missingOutcomes: 'outcome-missing',
  changes: 'changed',
} as const satisfies Record<string, FactName>;
type Accessor = keyof typeof factByAccessor;

/** A record about one exchange, with the id of the exchange. */
export type Kept<Name extends FactName> = Omit<Fact<Name>, 'rule'> & { readonly exchange: string };
export type Run = { readonly [A in Accessor]: readonly Kept<(typeof factByAccessor)[A]>[] };

/** Opens the records of a run. */
export const openRun = (notes: History['notes']): Run =>
  Object.fromEntries(
    Object.entries(factByAccessor).map(([accessor, name]) => [
      accessor,
      notes(name).map(({ exchange, fact }) => ({ ...fact, exchange })),
    ]),
  ) as unknown as Run;
