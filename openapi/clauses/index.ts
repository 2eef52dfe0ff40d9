/**
 * Lists the ids of all clauses, and the clauses that one exchange can show ("clauses of fields"). Clauses that only several
 * exchanges show ("behaviours") stand in the folders `behaviours`. `catalogue.ts` has both.
 */
import type { Clause } from './clause.ts';
import { areaClauses } from '#bank/clauses';
import { serviceClauses } from './service.ts';

const fieldCatalogue = { ...areaClauses, ...serviceClauses };

export type FieldClauseId = keyof typeof fieldCatalogue;

/**
 * The id of a behaviour. The files of behaviours define their ids and import this file, which therefore cannot list them. The type
 * `CatalogueId` in `catalogue.ts` lists them.
 */
type BehaviourId = string & { readonly isBehaviourId: true };
export type ClauseId = FieldClauseId | BehaviourId;

/** The clauses of fields, and the clauses of an overlay. */
export const fieldClauses: Readonly<Record<string, Clause>> = fieldCatalogue;

/** The clauses of fields without an overlay. */
export const documentedFieldClauses: Readonly<Record<string, Clause>> = { ...fieldCatalogue };

/** Adds clauses, or replaces clauses. Must be called before the first exchange is judged. */
export function addClauses(addedClauses: Readonly<Record<string, Clause>>): void {
  Object.assign(fieldCatalogue, addedClauses);
}

/** True for a clause that a vendor's overlay adds. */
export const isVendorClause = (id: string): boolean => id.startsWith('vendor.');

export function isFieldClauseId(text: string): text is FieldClauseId {
  return Object.hasOwn(fieldCatalogue, text);
}
