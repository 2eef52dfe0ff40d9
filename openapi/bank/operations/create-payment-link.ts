/** POST /payment-links: creates a payment link for an amount. */
import { getHeader } from '../../model/exchange.ts';
import type { OperationFacts } from '../../model/operation.ts';
import type { OpenPointAnswer } from '../../model/observation.ts';
import { checkEndDateInFuture, checkTokenInLink } from '../rules/payment-links.ts';
import { addLink, addPayment } from '../records/payment-links.ts';

const SECURITY_HEADERS = [
  'cache-control',
  'pragma',
  'strict-transport-security',
  'x-content-type-options',
  'referrer-policy',
] as const;

export const createPaymentLink: OperationFacts = {
  area: 'payment-links',
  label: 'Payment link',
  needs: ['listInstallments'],
  after: [],
  readOnly: false,
  subject: null,
  creates: {
    what: 'link',
    title: 'Payment links',
    kind: 'links',
    id: 'order_id',
    shownBy: ['payment_link', 'payment_token'],
  },
  usesUp: null,
  asEarlierStep: null,
  freeText: 'personal_description',
  listedInputs: ['is_domestic', 'installment', 'currency_code', 'merchant_no', 'branch_no'],
  list: null,
  answeredIds: null,
  rules: [checkTokenInLink, checkEndDateInFuture],
  isDisguiseShownByRun: false,
  declinedClause: 'links.link.refused.complete',
  refusalClause: 'links.link.refusal-explained',
  boundsPoint: 'links.value-bounds',
  refusalsPoint: 'links.refusals',
  observe: ({ exchange: { answer } }, succeeded) => [
    { point: 'links.states', answer: `created, is_success ${succeeded}` },
    ...SECURITY_HEADERS.map((name): OpenPointAnswer => ({
      point: 'service.token-headers',
      question: name,
      answer: (answer && getHeader(answer, name)) ?? 'absent',
    })),
  ],
  kept: { change: addPayment, accepted: addLink, refused: null, state: null },
  logged: null,
  whenNotReached: 'no installment list had an entry (give a branch an installment option for one of its currencies)',
  hasTestData: false,
  plannedRefusals: [],
};
