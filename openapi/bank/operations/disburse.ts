/** POST /disbursements: pays the amount of an application to an account. */
import type { OperationFacts } from '../../model/operation.ts';
import { makeEchoRule } from '../rules/loans.ts';
import { addChange, addDisbursement } from '../records/loans.ts';

export const disburse: OperationFacts = {
  area: 'loans',
  label: 'Disbursement',
  needs: ['approveContract'],
  after: [],
  readOnly: false,
  subject: 'application_id',
  creates: { what: 'disbursement', title: 'Disbursements', kind: 'disbursements', id: null, shownBy: null },
  usesUp: 'application_id',
  asEarlierStep: ' of its disbursement',
  freeText: null,
  listedInputs: [],
  list: null,
  answeredIds: null,
  rules: [makeEchoRule('loans.disbursement.application-id.echo')],
  isDisguiseShownByRun: false,
  declinedClause: null,
  refusalClause: null,
  boundsPoint: null,
  refusalsPoint: 'loans.refusals',
  observe: null,
  kept: { change: addChange, accepted: addDisbursement, refused: null, state: null },
  logged: null,
  whenNotReached: null,
  hasTestData: false,
  plannedRefusals: [
    {
      text: 'disbursements above the limit of an offer, at most MAX_AMOUNT (OVER_LIMIT=0 leaves them out)',
      isOverLimit: true,
    },
    { text: 'a few disbursements above the amount applied for', isOverLimit: false },
  ],
};
