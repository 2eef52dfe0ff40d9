/** POST /validations: asks whether a disbursement can be requested. */
import type { OperationFacts } from '../../model/operation.ts';
import { makeOrderIdRule } from '../rules/loans.ts';
import { keepsNothing } from './common.ts';

export const validateLoan: OperationFacts = {
  area: 'loans',
  label: 'Check',
  needs: [],
  after: [],
  readOnly: false,
  subject: null,
  creates: null,
  usesUp: null,
  asEarlierStep: null,
  freeText: null,
  listedInputs: [],
  list: null,
  answeredIds: null,
  rules: [makeOrderIdRule('loans.validation.request.order-id.text', 'loans.validation.request.order-id.integer')],
  isDisguiseShownByRun: false,
  declinedClause: null,
  refusalClause: 'loans.validation.refusal-explained',
  boundsPoint: 'loans.value-bounds',
  refusalsPoint: 'loans.refusals',
  observe: null,
  kept: keepsNothing,
  logged: null,
  whenNotReached: null,
  hasTestData: false,
  plannedRefusals: [],
};
