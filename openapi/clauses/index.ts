/** The catalogue of all clauses: the promises of the document, further expectations, and open points. */
import { hashValue } from '../util/hash.ts';
import type { Clause } from './clause.ts';
import { atmClauses } from './atms.ts';
import { loanClauses } from './loans.ts';
import { linkClauses } from './payment-links.ts';
import { serviceClauses } from './service.ts';

const clauseCatalogue = { ...loanClauses, ...linkClauses, ...atmClauses, ...serviceClauses };

export type ClauseId = keyof typeof clauseCatalogue;

export const clauses: Readonly<Record<ClauseId, Clause>> = clauseCatalogue;

export const clauseIds = Object.keys(clauseCatalogue) as readonly ClauseId[];

/** The clauses of the document, without an overlay. */
const documentClauses = { ...clauseCatalogue };

/** Returns the SHA-256 of the catalogue. It is the same with any overlay. */
export const digestCatalogue = (): string => hashValue(documentClauses);

/** Adds the clauses of an overlay, or replaces clauses. Must be called before the first exchange is judged. */
export function addClauses(more: Readonly<Record<string, Clause>>): void {
  Object.assign(clauseCatalogue, more);
}

export const isVendorClause = (id: string): boolean => id.startsWith('vendor.');

export function isClauseId(text: string): text is ClauseId {
  return Object.hasOwn(clauseCatalogue, text);
}
