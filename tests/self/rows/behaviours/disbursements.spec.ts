/** Tests the clauses about disbursements for unknown ids, refused disbursements, and disbursements above and at the limit. */
import {
  disbursementAtLimit,
  overLimit,
  refusedNotMade,
  similarOutcome,
  unknownAccount,
  unknownApplication,
  unknownOutcome,
} from '../../../../openapi/bank/behaviours/loans/disbursements.ts';
import type { Exchange } from '../../../../openapi/model/exchange.ts';
import { exchange } from '../../support/judge-harness.ts';
import {
  makeDisbursement,
  makeFailure,
  makeMissingOutcome,
  makeOutcome,
  makeRefusedDisbursement,
  PENDING_TEXT,
  SUCCESS_TEXT,
} from './outcome-rows.ts';
import { broken, kept, notTested, rows } from './rows.ts';

const made = makeOutcome('12', SUCCESS_TEXT);
const control = makeDisbursement('12');
const probe = makeDisbursement('7');
const refused = makeRefusedDisbursement('7');
const paid = makeOutcome('7', SUCCESS_TEXT);
const pending = makeOutcome('12', PENDING_TEXT);

rows(unknownAccount, {
  'the disbursement has the outcome of a successful one': broken({ probe, control, made, after: [paid] }),
  'the disbursement is refused, or it fails': [
    kept({ probe: refused, control, made, after: [] }),
    kept({ probe, control, made, after: [makeFailure('7')] }),
  ],
  'a disbursement without the mistake is refused too': notTested(
    { probe: refused, control: makeRefusedDisbursement('12'), made, after: [] },
    'the bank did not accept a disbursement without the mistake',
  ),
  'the outcome of one of the two disbursements is unknown': [
    notTested(
      { probe: makeRefusedDisbursement('7', 500), control, made, after: [] },
      'the bank did not say whether it accepted the disbursement',
    ),
    notTested({ probe, control, made, after: [] }, 'the outcome of the disbursement is unknown'),
    notTested({ probe, control, made: pending, after: [paid] }, 'the outcome of a successful disbursement is unknown'),
    notTested(
      { probe, control, made: makeFailure('12', SUCCESS_TEXT), after: [paid] },
      'the outcome of a successful disbursement is unknown',
    ),
  ],
});

rows(unknownApplication, {
  'the disbursement is accepted, and its outcome is never found': broken({
    ...{ probe, control, made },
    after: [makeMissingOutcome('7'), makeMissingOutcome('7')],
  }),
  'the disbursement is accepted and fails': kept({
    probe,
    control,
    made,
    after: [makeMissingOutcome('7'), makeFailure('7')],
  }),
});

rows(unknownOutcome, {
  'the query of an unknown application gets the text of a known application': broken({
    probe: makeOutcome('9', SUCCESS_TEXT),
    control: made,
  }),
  'the query of an unknown application gets another text': kept({ probe: makeOutcome('9', 'Unknown'), control: made }),
  'the outcome of the known application is not final, or is not found': [
    notTested(
      { probe: makeOutcome('9', PENDING_TEXT), control: pending },
      'the outcome of a known application may have the same text as all outcomes',
    ),
    notTested(
      { probe: makeMissingOutcome('9'), control: makeMissingOutcome('12') },
      'the outcome of a known application is unknown',
    ),
  ],
  'the bank answers with 500': notTested(
    { probe: exchange('queryDisbursement', {}, { status: 500 }), control: made },
    'the bank neither answered the query nor refused it',
  ),
});

/** Makes an answer to the query for application `asked` with the outcome of application `id`. */
const similar = (asked: string, id: string): Exchange => ({
  ...makeOutcome(id, SUCCESS_TEXT),
  request: { ...makeOutcome(asked, SUCCESS_TEXT).request },
});
rows(similarOutcome, {
  'the query of a similar id gets the outcome of another application': [
    broken({ similar: similar("12'abc", '12'), control: made, opened: [] }),
    broken({ similar: similar('1%', '5'), control: made, opened: [exchange('requestLoan')] }),
  ],
  'the query of a similar id gets its own outcome, or that of an application outside the run': [
    kept({ similar: similar('1', '01'), control: made, opened: [] }),
    kept({ similar: similar('1%', '5'), control: made, opened: [] }),
  ],
  'the bank answers with 500': notTested(
    { similar: exchange('queryDisbursement', {}, { status: 500 }), control: made, opened: [] },
    'the bank neither answered the query nor refused it',
  ),
});

const opened = [exchange('requestLoan')];
rows(refusedNotMade, {
  'a refused disbursement has the text of a successful one': [
    broken({ refused, outcome: paid, made, opened: [] }),
    broken({ refused, outcome: paid, made, before: makeOutcome('7', PENDING_TEXT), opened }),
  ],
  'a refused disbursement has a failure as its outcome': kept({ refused, outcome: makeFailure('7'), made, opened }),
  'an outcome is not final, or may be older or of another application': [
    notTested(
      { refused, outcome: makeOutcome('7', PENDING_TEXT), made: pending, opened },
      'the outcome of a successful disbursement is unknown',
    ),
    notTested(
      { refused, outcome: makeOutcome('7', PENDING_TEXT), made, opened },
      'the refused disbursement had no final outcome',
    ),
    notTested(
      { refused, outcome: paid, made, before: paid, opened },
      'the outcome text was the same before the disbursement',
    ),
    notTested(
      { refused, outcome: paid, made, opened: [...opened, exchange('requestLoan')] },
      'the outcome may belong to a different application',
    ),
  ],
});

rows(overLimit, {
  'the disbursement has the outcome of a successful one': [
    broken({ above: probe, outcome: paid, usual: made }),
    broken({ above: probe, outcome: makeFailure('7', SUCCESS_TEXT), usual: made }),
  ],
  'a disbursement above the limit is refused, fails, or has no outcome': [
    kept({ above: refused, usual: made }),
    kept({ above: probe, outcome: makeFailure('7'), usual: made }),
    kept({ above: probe, outcome: makeMissingOutcome('7'), usual: made }),
  ],
  'no disbursement within the limit was made': notTested(
    { above: refused, usual: makeFailure('12') },
    'no disbursement within the limit was made',
  ),
  'the bank answers with 500': notTested(
    { above: makeRefusedDisbursement('7', 500), usual: made },
    'the bank did not say whether it made the disbursement above the limit',
  ),
  'one of the two outcomes is not final': [
    notTested({ above: probe, outcome: makeOutcome('7', PENDING_TEXT), usual: made }, 'an outcome was not final'),
    notTested({ above: probe, outcome: paid, usual: pending }, 'an outcome was not final'),
  ],
});

const exact = ['1', '2', '3'].map((id) => makeRefusedDisbursement(id));
const less = ['4', '5', '6'].map((id) => makeDisbursement(id));
const outcome = ['4', '5', '6'].map((id) => makeOutcome(id, SUCCESS_TEXT));
const taken = ['1', '2', '3'].map((id) => makeDisbursement(id));
const failed = ['1', '2', '3'].map((id) => makeFailure(id));
const NOT_EACH = 'the bank did not always disburse less than the limit, or did not always refuse exactly the limit';
const UNKNOWN = 'it is unknown whether the bank disbursed exactly the limit';
rows(disbursementAtLimit, {
  'three disbursements of exactly the limit are refused or fail, and three of less are made': [
    broken({ exact, less, outcome, below: [] }),
    broken({ exact: taken, less, outcome: [...outcome, ...failed], below: [] }),
  ],
  'a disbursement of exactly the limit is made': kept({
    ...{ exact: taken.slice(0, 1), less: [], below: [] },
    outcome: [makeOutcome('1', SUCCESS_TEXT)],
  }),
  'disbursements of exactly the limit are refused only once, or not each time': [
    notTested({ exact: exact.slice(2), less, outcome, below: [] }, NOT_EACH),
    notTested(
      {
        ...{ exact: [taken[0] as Exchange, ...exact.slice(1)], less, below: [] },
        outcome: [...outcome, makeOutcome('1', SUCCESS_TEXT)],
      },
      NOT_EACH,
    ),
    notTested({ exact, less, outcome: [...outcome.slice(1), makeFailure('4')], below: [] }, NOT_EACH),
  ],
  'a disbursement of less than the limit failed with the same text': notTested(
    { exact: taken, less, outcome: [...outcome, ...failed], below: [makeFailure('9')] },
    UNKNOWN,
  ),
});
