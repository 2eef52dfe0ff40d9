/** The catalogue of all clauses: the promises of the document, further expectations, and open points. */
import { behaviourClauses } from './behaviours/index.ts';
import type { Clause } from './clauses/clause.ts';
import { addClauses, documentedFieldClauses, fieldClauses, type ClauseId } from './clauses/index.ts';
import { hashValue } from './util/hash.ts';

addClauses(behaviourClauses);

export const clauses: Readonly<Record<ClauseId, Clause>> = fieldClauses;

export const clauseIds = Object.keys(clauses) as readonly ClauseId[];

export function isClauseId(text: string): text is ClauseId {
  return Object.hasOwn(clauses, text);
}

/** Returns the SHA-256 of the catalogue. It is the same with any overlay. */
export const digestCatalogue = (): string => hashValue({ ...documentedFieldClauses, ...behaviourClauses });
