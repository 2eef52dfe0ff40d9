/**
 * The catalogue: every promise of the document, every expectation besides, and every point that it leaves open.
 * A clause is judged where its id stands: at a node of the contract, in a rule, a check or a scenario.
 */
import type { Clause } from './clause.ts';
import { atms } from './atms.ts';
import { loans } from './loans.ts';
import { paymentLinks } from './payment-links.ts';
import { serviceClauses } from './service.ts';

const clauseCatalogue = { ...loans, ...paymentLinks, ...atms, ...serviceClauses };

export type ClauseId = keyof typeof clauseCatalogue;

export const clauses: Readonly<Record<ClauseId, Clause>> = clauseCatalogue;

export const clauseIds = Object.keys(clauseCatalogue) as readonly ClauseId[];

/** Adds the clauses of an overlay, or replaces known ones. Called before anything is judged. */
export function addClauses(more: Readonly<Record<string, Clause>>): void {
  Object.assign(clauseCatalogue, more);
}

/** True of the clauses that an overlay added. */
export const isVendorClause = (id: string): boolean => id.startsWith('vendor.');

/** True of the ids that stand in the catalogue. */
export function isClauseId(text: string): text is ClauseId {
  return Object.hasOwn(clauseCatalogue, text);
}
