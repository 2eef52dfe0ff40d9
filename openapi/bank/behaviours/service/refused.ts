/** Judges that the bank refuses requests that make no sense: unknown entities, amounts of zero or less, bodies that are not JSON. */
import { type Clause, defineLevels, jsonBodySource } from '../../../clauses/clause.ts';
import type { FieldClauseId } from '../../../clauses/index.ts';
import { contractRequestField, loanRequestField } from '../../clauses/loans.ts';
import { linkRequestField } from '../../clauses/payment-links.ts';
import type { OperationId } from '../../../model/exchange.ts';
import { broken, compared, kept, notTested } from '../../../behaviours/behaviour.ts';
import { reply } from '../../../behaviours/evidence.ts';

/** Defines that a request with a fault (`probe`) is refused. `mayAnswerFalse`: the answer may also have the result false. */
const defineRefused = <const Id extends string, O extends OperationId>(
  id: Id,
  clause: Clause,
  operations: readonly O[],
  openQuestion: string,
  {
    point: openPoint,
    mayDecline: mayAnswerFalse = false,
  }: { readonly point: FieldClauseId; readonly mayDecline?: boolean },
) =>
  compared({
    id,
    clause,
    control: 'The same request without the fault is accepted.',
    evidence: { probe: reply(...operations), control: reply(...operations) },
    asks: { point: openPoint, question: openQuestion },
    judge({ probe: answerToFaulty, control: answerToValid }) {
      if (!answerToFaulty.accepted) {
        if (!answerToValid.accepted) return notTested('the bank did not accept the same request without the fault');
        if (answerToFaulty.outcome === 'crashed' || answerToFaulty.outcome === 'lost')
          return notTested('the bank did not say whether it accepted the request');
        return kept(answerToFaulty, { contrast: answerToValid });
      }
      const faultWords = mayAnswerFalse
        ? { pointer: '/data/result', expected: 'a refusal, or the result false' }
        : { expected: 'a refusal' };
      return broken(answerToFaulty, { ...faultWords, contrast: answerToValid });
    },
  });

const loans = defineLevels('loans');
const links = defineLevels('payment-links');
const AMOUNT_PROBE_TEXT = 'an amount of zero or below';
const BODY_PROBE_TEXT = 'a body that is not JSON';
const unknownLoanIds = { point: 'loans.unknown-ids' } as const;
const unknownLinkIds = { point: 'links.unknown-ids' } as const;
const lenientRequests = { point: 'service.request-leniency' } as const;
const unknownIdsOrFalse = { ...unknownLoanIds, mayDecline: true } as const;

// prettier-ignore
export const refusedLoans = {
  applicationAmount: defineRefused('loans.amount-positive.application', loans.money(loanRequestField('amount'), 'The bank refuses a loan request for an amount of zero or less, or answers with the result false.'), ['requestLoan'], AMOUNT_PROBE_TEXT, unknownIdsOrFalse),
  validationAmount: defineRefused('loans.amount-positive.validation', loans.money(loanRequestField('amount'), 'The bank refuses a validation request for an amount of zero or less, or answers with the result false.'), ['validateLoan'], AMOUNT_PROBE_TEXT, unknownIdsOrFalse),
  body: defineRefused('loans.malformed.refused', loans.robust(jsonBodySource, 'The bank refuses a loan request whose body is not JSON.'), ['validateLoan', 'requestLoan', 'approveContract', 'disburse'], BODY_PROBE_TEXT, lenientRequests),
  unknownApplication: defineRefused('loans.unknown-application.contract', loans.money(contractRequestField('application_id'), 'The bank refuses a contract request for an application that does not exist.'), ['approveContract'], 'a contract for an unknown application', unknownLoanIds),
  unknownAccount: defineRefused('loans.unknown-account.contract', loans.money(contractRequestField('account_id'), 'The bank refuses a contract request for an account that it did not offer.'), ['approveContract'], 'a contract for an unknown account', unknownLoanIds),
};

/** The clause about numbers of installments, which a behaviour of other lists shows too. */
export const unknownInstallment = {
  id: 'links.unknown-installment',
  clause: links.money(
    linkRequestField('installment'),
    'The bank refuses a payment link request with a number of installments that is not on the installment list.',
  ),
} as const;

// prettier-ignore
export const refusedLinks = {
  unknownMerchant: defineRefused('links.unknown-merchant.link', links.money(linkRequestField('merchant_no'), 'The bank refuses a payment link request for a merchant that does not exist.'), ['createPaymentLink'], 'an unknown merchant', unknownLinkIds),
  unknownInstallment: defineRefused(unknownInstallment.id, unknownInstallment.clause, ['createPaymentLink'], 'an unknown installment', unknownLinkIds),
  amount: defineRefused('links.amount-positive', links.money(linkRequestField('amount'), 'The bank refuses a payment link request for an amount of zero or less.'), ['createPaymentLink'], AMOUNT_PROBE_TEXT, unknownLinkIds),
  body: defineRefused('links.malformed.refused', links.robust(jsonBodySource, 'The bank refuses a payment link request whose body is not JSON.'), ['createPaymentLink'], BODY_PROBE_TEXT, lenientRequests),
};
