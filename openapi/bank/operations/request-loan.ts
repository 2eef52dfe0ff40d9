/** POST /loans: opens an application, and returns the accounts on offer. */
import type { OperationFacts } from '../../model/operation.ts';
import { getEntries, readMember } from '../../rules/entries.ts';
import { checkAccountsDistinct, makeOrderIdRule } from '../rules/loans.ts';
import { addOffers, readApplication, readOfferState } from '../records/loans.ts';

export const requestLoan: OperationFacts = {
  area: 'loans',
  label: 'Application',
  needs: [],
  after: ['validateLoan'],
  readOnly: false,
  subject: 'order_id',
  creates: {
    what: 'application',
    title: 'Applications',
    kind: 'applications',
    id: 'application_id',
    shownBy: ['application_id'],
  },
  usesUp: null,
  asEarlierStep: ' of its loan request',
  freeText: null,
  listedInputs: [],
  list: null,
  answeredIds: ({ application_id, infos }) => [
    { application_id },
    ...getEntries(infos).map(({ account_id }) => ({ application_id, account_id })),
  ],
  rules: [
    makeOrderIdRule('loans.application.request.order-id.text', 'loans.application.request.order-id.integer'),
    checkAccountsDistinct,
  ],
  isDisguiseShownByRun: false,
  declinedClause: 'loans.application.refused.complete',
  refusalClause: 'loans.application.refusal-explained',
  boundsPoint: 'loans.value-bounds',
  refusalsPoint: 'loans.refusals',
  observe: ({ data }, succeeded) => {
    const infos = readMember(data, 'infos');
    const answer = Array.isArray(infos) && infos.length > 0 ? 'with offers' : 'without offers';
    return [{ point: 'loans.result-values', question: `the result ${succeeded}`, answer }];
  },
  kept: { change: null, accepted: addOffers, refused: null, state: readOfferState },
  logged: (data, isAccepted) => (isAccepted ? readApplication(data) : {}),
  whenNotReached: null,
  hasTestData: true,
  plannedRefusals: [],
};
