import { lateFailure } from '../../../../openapi/behaviours/loans/outcome-history.ts';
import { exchange } from '../../support/judge-harness.ts';
import { FAILURE_TEXT, makeDisbursement, makeFailure, makeOutcome, SUCCESS_TEXT } from './outcome-rows.ts';
import { broken, notTested, rows } from './rows.ts';

const failed = ['1', '2'];
const steps = failed.flatMap((id) => [
  exchange('approveContract', {}, { asked: { application_id: id } }),
  makeDisbursement(id),
]);
/** Makes the outcomes of failed applications, which were `text` before, and of three applications that are still `text`. */
const make = (text = SUCCESS_TEXT, second = 3) => ({
  followed: [
    ...failed.map((id) => makeFailure(id, FAILURE_TEXT, 9)),
    ...['3', '4', '5'].map((id) => makeOutcome(id, text, 9)),
  ],
  told: failed.map((id) => makeOutcome(id, text, second)),
  steps,
});
const NONE = 'no two final outcomes changed to a failure';

rows(lateFailure, {
  'two final texts change to a failure': [broken(make()), broken(make('Completed'))],
  'one changes, or the text may not be final, or it came before the disbursement': [
    notTested({ ...make(), followed: make().followed.slice(1) }, NONE),
    notTested(make('Accepted and granted'), NONE),
    notTested(make(SUCCESS_TEXT, -1), NONE),
  ],
  'the applications have more than one disbursement': notTested(
    { ...make(), steps: [...failed, ...failed].map((id) => makeDisbursement(id)) },
    NONE,
  ),
});
