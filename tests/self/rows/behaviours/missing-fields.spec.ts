/** Tests the clause that a request without one field is answered the same way each time. */
import { missingFields } from '../../../../openapi/bank/behaviours/service/missing-fields.ts';
import { body, exchange } from '../../support/judge-harness.ts';
import { broken, kept, notTested, rows } from './rows.ts';

const makeRefusal = (operation: 'validateLoan' | 'disburse', status = 400) =>
  exchange(operation, { message: 'No' }, { status, kind: 'probe' });

const [accepted, refused] = [exchange('validateLoan'), makeRefusal('validateLoan')];
const declined = exchange('validateLoan', body('validateLoan', '/data/result', false));
const [disbursed, refusedDisbursement] = [exchange('disburse'), makeRefusal('disburse', 422)];
const name = 'amount';
const NOT_WHOLE = 'the bank did not accept the complete request afterwards';

rows(missingFields.loans, {
  'a request without amount is once accepted and once refused': [
    broken({ before: accepted, probe: refused, whole: accepted, name }, { pointer: 'request/body/amount' }),
    broken({ before: refused, probe: declined, name }),
  ],
  'both requests without amount are answered, or both are refused': [
    kept({ before: accepted, probe: declined, name }),
    kept({ before: refused, probe: makeRefusal('validateLoan', 422), name }),
    kept({ before: refusedDisbursement, probe: refusedDisbursement, name }),
  ],
  'one of the two refusals is 401, 409, 429 or 500': [401, 409, 429, 500].map((status) =>
    notTested(
      { before: accepted, probe: makeRefusal('validateLoan', status), name },
      'the reason for an answer was not the missing field',
    ),
  ),
  'the second disbursement without amount is refused, and a complete one is accepted': broken({
    ...{ before: disbursed, probe: refusedDisbursement, whole: disbursed, name },
  }),
  'the complete request is refused afterwards too': notTested(
    { before: accepted, probe: refused, whole: refused, name },
    NOT_WHOLE,
  ),
  'the disbursement with all fields is refused or not sent, or the first one was refused': [
    notTested({ before: disbursed, probe: refusedDisbursement, whole: refusedDisbursement, name }, NOT_WHOLE),
    notTested({ before: disbursed, probe: refusedDisbursement, name }, NOT_WHOLE),
    notTested({ before: refusedDisbursement, probe: disbursed, whole: disbursed, name }, NOT_WHOLE),
  ],
});
