/** POST /contracts: records that the customer approved the contract of an application. */
import type { OperationFacts } from '../../model/operation.ts';
import { makeEchoRule } from '../rules/loans.ts';
import { addChange, addOtherApplication } from '../records/loans.ts';

export const approveContract: OperationFacts = {
  area: 'loans',
  label: 'Contract',
  needs: ['requestLoan'],
  after: [],
  readOnly: false,
  subject: 'application_id',
  creates: { what: 'contract', title: 'Contracts', kind: null, id: null, shownBy: null },
  usesUp: 'application_id',
  asEarlierStep: ' of its contract request',
  freeText: null,
  listedInputs: [],
  list: null,
  answeredIds: null,
  rules: [makeEchoRule('loans.contract.application-id.echo')],
  isDisguiseShownByRun: false,
  declinedClause: null,
  refusalClause: null,
  boundsPoint: null,
  refusalsPoint: 'loans.refusals',
  observe: null,
  kept: { change: addChange, accepted: addOtherApplication, refused: null, state: null },
  logged: null,
  whenNotReached:
    'no loan answer had an offer (give the client of CLIENT_ID an account, or set AMOUNTS and CURRENCIES to what it may borrow)',
  hasTestData: false,
  plannedRefusals: [],
};
