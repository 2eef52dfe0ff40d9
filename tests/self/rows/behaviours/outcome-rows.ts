/** Makes disbursements and their outcomes for tests of checks. */
import type { Exchange } from '../../../../openapi/model/exchange.ts';
import { exchange, NOON } from '../../support/judge-harness.ts';

export const SUCCESS_TEXT = 'The disbursement was made';
export const FAILURE_TEXT = 'The disbursement could not be made';
export const PENDING_TEXT = 'In progress';

/** Makes an answer with an outcome. `second` is the time in the test run; `errors` is true if the answer has errors. */
export const makeOutcome = (id: string, result: string, second = 0, errors = false): Exchange => ({
  ...exchange(
    'queryDisbursement',
    { data: { application_id: id, result }, ...(errors ? { errors: [{ message: 'R036;' }] } : {}) },
    { asked: { application_id: id }, at: NOON + second * 1000 },
  ),
  ticks: [2 * second, 2 * second + 1],
});
export const makeFailure = (id: string, result = FAILURE_TEXT, second = 0): Exchange =>
  makeOutcome(id, result, second, true);

/** Makes an answer without an outcome. */
export const makeMissingOutcome = (id: string, status = 404, message = 'Not found'): Exchange =>
  exchange('queryDisbursement', { message }, { status, asked: { application_id: id } });

/** Makes a disbursement at a second of the run. */
export const makeDisbursement = (id: string, second = 0): Exchange => ({
  ...exchange(
    'disburse',
    { data: { application_id: id } },
    { asked: { application_id: id }, at: NOON + second * 1000 },
  ),
  ticks: [2 * second, 2 * second + 1],
});
export const makeRefusedDisbursement = (id: string, status = 422): Exchange =>
  exchange('disburse', { message: 'No' }, { status, asked: { application_id: id } });
