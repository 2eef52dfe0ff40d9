/**
 * The catalogue: every promise of the document, every further expectation, and every open point. The code that judges a clause
 * names its id: a node of the contract, a rule, a check or a scenario.
 */
import type { Clause } from './clause.ts';
import { atmClauses } from './atms.ts';
import { loanClauses } from './loans.ts';
import { linkClauses } from './payment-links.ts';
import { serviceClauses } from './service.ts';

const clauseCatalogue = { ...loanClauses, ...linkClauses, ...atmClauses, ...serviceClauses };

export type ClauseId = keyof typeof clauseCatalogue;

export const clauses: Readonly<Record<ClauseId, Clause>> = clauseCatalogue;

export const clauseIds = Object.keys(clauseCatalogue) as readonly ClauseId[];

/** Adds the clauses of an overlay, or replaces known clauses. Call this before anything is judged. */
export function addClauses(more: Readonly<Record<string, Clause>>): void {
  Object.assign(clauseCatalogue, more);
}

/** True if an overlay added the clause. */
export const isVendorClause = (id: string): boolean => id.startsWith('vendor.');

/** True if the catalogue has this id. */
export function isClauseId(text: string): text is ClauseId {
  return Object.hasOwn(clauseCatalogue, text);
}
