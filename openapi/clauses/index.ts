/**
 * Lists the ids of all clauses, and the clauses that one exchange can show ("clauses of fields"). Clauses that only several
 * exchanges show ("behaviours") stand in the folders `behaviours`. `catalogue.ts` has both.
 */
import type { Clause } from './clause.ts';
import type { BankBehaviourId } from '#bank/behaviour-ids';
import { areaClauses } from '#bank/clauses';
import { serviceClauses } from './service.ts';

const fieldCatalogue = { ...areaClauses, ...serviceClauses };

export type FieldClauseId = keyof typeof fieldCatalogue;
/** The ids of behaviours that concern any API. */
type ServiceBehaviourId =
  | 'service.answers'
  | 'service.content-coding'
  | 'service.content-coding.same'
  | 'service.credentials-of-request'
  | 'service.no-server-error'
  | 'service.status.consistent'
  | 'service.stays-accepted'
  | 'service.stays-up';
export type BehaviourId = ServiceBehaviourId | BankBehaviourId;
export type ClauseId = FieldClauseId | BehaviourId;

/** The clauses of fields, and those of an overlay. */
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
