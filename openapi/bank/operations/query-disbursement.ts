/** GET /disbursements/{application_id}: returns the outcome of a disbursement. */
import type { JsonObject } from '../../contract/references.ts';
import type { AcceptedAnswer, OperationFacts } from '../../model/operation.ts';
import type { OpenPointAnswer } from '../../model/observation.ts';
import { readMember } from '../../rules/entries.ts';
import { checkErrorsBesideData, makeEchoRule } from '../rules/loans.ts';
import { truncate } from '../../util/truncate.ts';
import { addMissingOutcome, addOutcome, readOutcomeState } from '../records/loans.ts';

/** Records the outcome text and the error codes, without the application id and other long numbers. */
function observeOutcome({ exchange, data, body }: AcceptedAnswer): readonly OpenPointAnswer[] {
  const result = readMember(data, 'result');
  if (typeof result !== 'string') return [];
  const id = String(exchange.request.asked['application_id']);
  const withoutIds = result
    .trim()
    .replaceAll(id, '…')
    .replaceAll(/\d{2,}/g, '…');
  const text = truncate(withoutIds, 120);
  const errors = readMember(body, 'errors');
  const codes = (Array.isArray(errors) ? errors : []).map((entry) => String((entry as JsonObject | null)?.['message']));
  const answer = codes.length === 0 ? 'none' : truncate(codes.join(' '));
  return [
    { point: 'loans.outcome-texts', answer: text === '' ? '(empty)' : text },
    { point: 'loans.error-codes', question: `with “${text}”`, answer },
  ];
}

export const queryDisbursement: OperationFacts = {
  area: 'loans',
  label: 'Outcome',
  needs: ['disburse'],
  after: [],
  readOnly: false,
  subject: 'application_id',
  creates: null,
  usesUp: null,
  asEarlierStep: null,
  freeText: null,
  listedInputs: [],
  list: null,
  answeredIds: null,
  rules: [makeEchoRule('loans.outcome.application-id.echo'), checkErrorsBesideData],
  isDisguiseShownByRun: true,
  declinedClause: null,
  refusalClause: null,
  boundsPoint: null,
  // The answer depends on the state of the application, not on the inputs.
  refusalsPoint: null,
  observe: (answer, succeeded) => (succeeded ? observeOutcome(answer) : []),
  kept: {
    change: null,
    accepted: addOutcome,
    refused: addMissingOutcome,
    state: readOutcomeState,
  },
  logged: (data) => {
    const result = readMember(data, 'result');
    return typeof result === 'string' ? { result } : {};
  },
  whenNotReached: null,
  hasTestData: false,
  plannedRefusals: [],
};
