/** GET /api/v1/atms: returns the ATMs closest to a position, or the ATMs of a district. */
import type { OperationFacts } from '../../model/operation.ts';
import { checkAtmsDistinct, checkAuthorizationAbsent, checkDistanceAbsent } from '../rules/atms.ts';
import { addAtmAnswer, listAtmNumbers, listAtmsOrEquallyFar, listPositions } from '../records/atms.ts';
import { keepsNothing, wholeList } from './common.ts';

export const findAtms: OperationFacts = {
  area: 'atms',
  label: 'ATMs',
  needs: [],
  after: [],
  readOnly: true,
  subject: null,
  creates: null,
  usesUp: null,
  asEarlierStep: null,
  freeText: null,
  listedInputs: [],
  list: { ...wholeList, render: listAtmNumbers, renderAlike: listAtmsOrEquallyFar, gives: null },
  answeredIds: null,
  rules: [checkAuthorizationAbsent, checkAtmsDistinct, checkDistanceAbsent],
  isDisguiseShownByRun: false,
  declinedClause: null,
  refusalClause: 'atms.refusal-explained',
  boundsPoint: null,
  refusalsPoint: null,
  observe: null,
  kept: { ...keepsNothing, accepted: addAtmAnswer },
  logged: (data, isAccepted) => (isAccepted ? { shown: listPositions(data) } : {}),
  whenNotReached: null,
  hasTestData: false,
  plannedRefusals: [],
};
