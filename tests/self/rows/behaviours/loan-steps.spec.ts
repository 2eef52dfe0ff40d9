/** Tests the clauses about a step that came too early, and about a step that is repeated after the outcome. */
import { earlyStepHarmless, outcomeStaysAfterRepeat } from '../../../../openapi/bank/behaviours/loans/steps.ts';
import {
  makeDisbursement,
  makeFailure,
  makeOutcome,
  makeRefusedDisbursement,
  makeMissingOutcome,
  SUCCESS_TEXT,
} from './outcome-rows.ts';
import { broken, kept, notTested, rows } from './rows.ts';

const what = 'a disbursement before the contract';
const made = makeOutcome('1', SUCCESS_TEXT);
const early = makeRefusedDisbursement('1');
const blocked = { early, end: makeRefusedDisbursement('1') };
const failed = { early, end: makeFailure('2') };
rows(earlyStepHarmless, {
  'after an early disbursement the right steps fail three times, and without one they work': broken({
    withEarly: [blocked, failed, failed],
    without: [made, made, made],
    what,
  }),
  'after an early disbursement the outcome stays pending three times': broken({
    withEarly: Array.from({ length: 3 }, () => ({ early, end: makeOutcome('2', 'Disbursement is being processed') })),
    without: [made, made, made],
    what,
  }),
  'the right steps work after an early disbursement': kept({ withEarly: [{ early, end: made }], without: [], what }),
  'the bank accepts the early disbursement': notTested(
    { withEarly: [{ early: makeDisbursement('1'), end: blocked.end }], without: [], what },
    `the bank did not refuse ${what}`,
  ),
  'the right steps fail only twice, or also without an early disbursement': [
    notTested(
      { withEarly: [blocked, failed], without: [made, made, made], what },
      `the steps after ${what} did not fail each time`,
    ),
    notTested(
      { withEarly: [blocked, failed, { early, end: made }], without: [made, made, made], what },
      `the steps after ${what} did not fail each time`,
    ),
    notTested(
      { withEarly: [blocked, failed, failed], without: [made, made, blocked.end], what },
      'the same steps without the early step did not work each time',
    ),
  ],
});

const before = makeOutcome('1', SUCCESS_TEXT, 5);
const earlier = makeOutcome('9', SUCCESS_TEXT, 6);
const refused = { before, earlier, repeat: makeRefusedDisbursement('1'), after: makeFailure('1', undefined, 8) };
const unchanged = { ...refused, after: makeOutcome('1', SUCCESS_TEXT, 8) };
const NOT_REPEATED = 'no step was repeated after an outcome that is known to be final';
rows(outcomeStaysAfterRepeat, {
  'the outcome changes after a refused second disbursement, twice': broken({
    repeats: [refused, refused],
    told: [before, refused.after],
  }),
  'the outcome is not found after a refused second disbursement, twice': broken({
    repeats: [refused, refused].map((repetition) => ({ ...repetition, after: makeMissingOutcome('1') })),
    told: [before],
  }),
  'the outcome stays after a refused second disbursement, or changes once': [
    kept({ repeats: [unchanged, unchanged], told: [] }),
    kept({ repeats: [unchanged, refused], told: [] }),
  ],
  'the bank accepts the second disbursement, or the outcome text is not final': [
    notTested(
      {
        repeats: [refused, refused].map((repetition) => ({ ...repetition, repeat: makeDisbursement('1') })),
        told: [],
      },
      NOT_REPEATED,
    ),
    notTested(
      {
        repeats: [refused, refused],
        told: ['6', '7'].flatMap((id) => [makeOutcome(id, SUCCESS_TEXT, 1), makeFailure(id, 'No', 2)]),
      },
      NOT_REPEATED,
    ),
  ],
});
