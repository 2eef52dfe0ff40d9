/** Tests the clause that a disbursement does not stay pending when others are completed. */
import { outcomeNotStuck } from '../../../../openapi/bank/behaviours/loans/stuck.ts';
import {
  makeDisbursement,
  SUCCESS_TEXT,
  FAILURE_TEXT,
  makeFailure,
  PENDING_TEXT,
  makeOutcome,
} from './outcome-rows.ts';
import { broken, notTested, rows } from './rows.ts';

/** Makes a disbursement at the second `at` of the run, and its queries, each with the text and the second of the answer. */
const makeSequence = (id: string, at: number, ...queries: readonly (readonly [text: string, second: number])[]) => ({
  sent: makeDisbursement(id, at),
  told: queries.map(([text, second]) =>
    text === FAILURE_TEXT ? makeFailure(id, text, second) : makeOutcome(id, text, second),
  ),
});
type Sequence = ReturnType<typeof makeSequence>;

/** Three disbursements that completed within two seconds, one after the other. */
const completedThree = ['1', '2', '3'].map((id, nth) =>
  makeSequence(id, 5 * nth, [PENDING_TEXT, 5 * nth + 1], [SUCCESS_TEXT, 5 * nth + 2]),
);
/** Makes two disbursements that began before the three completed disbursements, and are pending until the second `until`. */
const makePendingBefore = (until: number) =>
  ['4', '5'].map((id) => makeSequence(id, 0, [PENDING_TEXT, 1], [PENDING_TEXT, until]));
/** Two disbursements that began after the three completed disbursements, and stay pending. */
const pendingAfter = ['6', '7'].map((id) => makeSequence(id, 20, [PENDING_TEXT, 21], [PENDING_TEXT, 60]));
const latestDisbursement = makeSequence('8', 30, [PENDING_TEXT, 31], [PENDING_TEXT, 61]);

const makeEvidence = (
  resting: readonly Sequence[],
  otherSequences: readonly Sequence[] = completedThree,
  freshSequence?: Sequence,
) => ({
  resting: resting.map(({ sent }) => sent),
  left: otherSequences.map(({ sent }) => sent),
  fresh: freshSequence?.sent,
  told: [...resting, ...otherSequences, ...(freshSequence === undefined ? [] : [freshSequence])].flatMap(
    ({ told }) => told,
  ),
});
const failedThree = completedThree.map(({ sent }, nth) => ({
  sent,
  told: [makeOutcome(`${nth + 1}`, PENDING_TEXT, 5 * nth + 1), makeFailure(`${nth + 1}`, FAILURE_TEXT, 5 * nth + 2)],
}));
const NOT_LONG =
  'the disbursements do not keep their outcome text much longer than other disbursements, or time may explain the difference';

rows(outcomeNotStuck, {
  'two disbursements stay pending, and later ones completed': broken(makeEvidence(makePendingBefore(40))),
  'two disbursements stay pending, and so does a new one': broken(
    makeEvidence(pendingAfter, completedThree, latestDisbursement),
  ),
  'only one disbursement stays pending': notTested(makeEvidence(makePendingBefore(40).slice(1)), NOT_LONG),
  'two disbursements stay pending ten times as long as others, but less than ten seconds': notTested(
    makeEvidence(makePendingBefore(9)),
    NOT_LONG,
  ),
  'the two pending disbursements are the latest, and a new one completes': notTested(
    makeEvidence(pendingAfter, completedThree, makeSequence('8', 30, [PENDING_TEXT, 31], [SUCCESS_TEXT, 32])),
    NOT_LONG,
  ),
  'others left the pending text only by failing': notTested(
    makeEvidence(makePendingBefore(40), failedThree),
    'the outcome text changed for too few other disbursements',
  ),
});
