/**
 * Lists the ids of all clauses, and the clauses that one exchange can show ("clauses of fields"). Clauses that only several
 * exchanges show ("behaviours") stand in `behaviours/`. `catalogue.ts` has both.
 */
import type { Clause } from './clause.ts';
import { areaClauses } from '#bank/clauses';
import { serviceClauses } from './service.ts';

const fieldCatalogue = { ...areaClauses, ...serviceClauses };

export type FieldClauseId = keyof typeof fieldCatalogue;
/** The ids of the clauses in `behaviours/`. */
export type BehaviourId =
  | 'atms.closest'
  | 'atms.closest.nearest'
  | 'atms.codes-tell'
  | 'atms.coordinates.not-swapped'
  | 'atms.credentials.client-id'
  | 'atms.credentials.client-secret'
  | 'atms.distance.consistent'
  | 'atms.districts-complete'
  | 'atms.districts-tell'
  | 'atms.isolation'
  | 'atms.lists-repeat'
  | 'atms.no.one-place'
  | 'atms.no.same-text'
  | 'atms.required-parameters.consistent'
  | 'links.amount-positive'
  | 'links.branches-complete'
  | 'links.branches.own'
  | 'links.credentials.client-id'
  | 'links.credentials.client-secret'
  | 'links.credentials.token'
  | 'links.expiry-period.consistent'
  | 'links.foreign-branch'
  | 'links.isolation'
  | 'links.link.once'
  | 'links.link.order-id.distinct'
  | 'links.link.payment-token.distinct'
  | 'links.link.payment-token.not-counted'
  | 'links.link.same-at-once'
  | 'links.lists-repeat'
  | 'links.malformed.refused'
  | 'links.merchant.branch-name.own'
  | 'links.required-fields.consistent'
  | 'links.unknown-installment'
  | 'links.unknown-merchant.branches'
  | 'links.unknown-merchant.currencies'
  | 'links.unknown-merchant.installments'
  | 'links.unknown-merchant.link'
  | 'loans.amount-positive.application'
  | 'loans.amount-positive.disbursement'
  | 'loans.amount-positive.validation'
  | 'loans.application.id.distinct'
  | 'loans.application.once'
  | 'loans.application.same-at-once'
  | 'loans.contract.once'
  | 'loans.credentials.client-id'
  | 'loans.credentials.client-secret'
  | 'loans.credentials.token'
  | 'loans.disbursement.at-limit'
  | 'loans.disbursement.once'
  | 'loans.early-step.harmless'
  | 'loans.isolation'
  | 'loans.isolation.offers'
  | 'loans.limit.asking-costs-nothing'
  | 'loans.limit.failure-costs-nothing'
  | 'loans.limit.ledger'
  | 'loans.malformed.refused'
  | 'loans.offer.account.same-reference'
  | 'loans.offer.rates-stay'
  | 'loans.outcome.errors-stay'
  | 'loans.outcome.final'
  | 'loans.outcome.found-again'
  | 'loans.outcome.not-of-a-refused'
  | 'loans.outcome.not-taken-back'
  | 'loans.outcome.reached'
  | 'loans.outcome.text-and-errors'
  | 'loans.over-limit'
  | 'loans.parallel-disbursements.sum'
  | 'loans.parallel-disbursements.within-limit'
  | 'loans.repeated-step.costs-nothing'
  | 'loans.repeated-step.outcome-stays'
  | 'loans.required-fields.consistent'
  | 'loans.unknown-account.contract'
  | 'loans.unknown-account.disbursement'
  | 'loans.unknown-application.contract'
  | 'loans.unknown-application.disbursement'
  | 'loans.unknown-application.outcome'
  | 'service.answers'
  | 'service.content-coding'
  | 'service.content-coding.same'
  | 'service.credentials-of-request'
  | 'service.identifiers-padded'
  | 'service.no-server-error'
  | 'service.status.consistent'
  | 'service.stays-accepted'
  | 'service.stays-up';

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
