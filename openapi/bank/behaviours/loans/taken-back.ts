/**
 * Judges that a payment is not taken back: errors neither come nor go after an outcome that is final for other disbursements.
 * Example: “paid” stays for five disbursements. “paid”, then “rejected” with errors, for two others breaks the clause.
 */
import { defineLevels } from '../../../clauses/clause.ts';
import { errorsSource } from '../../clauses/loans.ts';
import {
  collectHistories,
  cutHistoryAtLongPause,
  doPaymentsStay,
  listStages,
  makeFinalTest,
  MAX_UNSEEN,
  NO_PAYMENT_STAYS,
  readTextAndErrors,
  showsFinalText,
  type Outcome,
  type Outcomes,
  type Stage,
} from '../../history/outcome-stages.ts';
import { isConclusive, isPending } from '../../history/outcome-texts.ts';
import { makeInference, type Inference } from '../../../model/finding.ts';
import type { Run } from '../../../model/record.ts';
import { groupBy } from '../../../util/group-by.ts';
import { mergeBroken } from '../../../behaviours/agreement.ts';
import { kept, notTested, ofRun } from '../../../behaviours/behaviour.ts';

const operation = 'queryDisbursement';

/** Words of texts that may not be final. A failure may follow such a text. */
const PROVISIONAL_TEXT = /approv|grant|accept|process|onay/i;
/** The usual requests that change an application: a contract and a disbursement. */
const USUAL_CHANGE_COUNT = 2;
/** At least this many older disbursements must still have the outcome. */
const MIN_CONTROLS = 3;
/** At least this many outcomes must change, because somebody may have changed a single outcome by hand. */
const MIN_CHANGED_OUTCOMES = 2;

/** The outcomes of a disbursement that no later request changed. */
interface Watched {
  readonly outcomes: Outcomes;
  readonly stages: readonly Stage[];
  readonly disbursedAt: number;
}

/** Errors that came or went. `by` is the first outcome after the change, `contrast` the first outcome before the change. */
interface ErrorChange {
  readonly watched: Watched;
  readonly before: Stage;
  readonly after: Stage;
  readonly by: Outcome;
  readonly contrast: Outcome;
}

/** Leaves out applications with more requests, for example invalid ones: the outcome may be about the last request. */
const listWatched = (run: Run): readonly Watched[] =>
  collectHistories(run).flatMap(({ outcomes, changes }) => {
    const disbursed = changes.filter((change) => change.operation === 'disburse');
    const [first] = disbursed;
    if (first === undefined || disbursed.length > 1 || changes.length > USUAL_CHANGE_COUNT) return [];
    return [{ outcomes, stages: listStages(outcomes, readTextAndErrors), disbursedAt: first.from }];
  });

/** Names a change by its outcomes, such as “paid” “rejected” with errors. */
const nameChange = ({ before, after }: Pick<ErrorChange, 'before' | 'after'>): string => `${before.name} ${after.name}`;

const listChanges = (watched: Watched): readonly ErrorChange[] =>
  watched.stages.slice(1).flatMap((after, nth): ErrorChange | [] => {
    const before = watched.stages[nth] as Stage;
    const [by, contrast] = [after.outcomes[0], before.outcomes[0]];
    return by.errors === contrast.errors ? [] : { watched, before, after, by, contrast };
  });

/**
 * True if the outcome before these equal changes is final because older disbursements kept it. Each changed disbursement is compared
 * with disbursements that were sent earlier and still had the outcome when it changed. No outcome with the same errors may follow it.
 */
function isFinalForOlder(changes: readonly ErrorChange[], allWatched: readonly Watched[]): boolean {
  const [{ contrast, before }] = changes as [ErrorChange];
  const { name } = before;
  if (!isConclusive(contrast.text) || PROVISIONAL_TEXT.test(contrast.text)) return false;
  const nextStages = allWatched.flatMap(({ stages }) => stages.filter((_, nth) => stages[nth - 1]?.name === name));
  if (nextStages.some(({ outcomes: [first] }) => first.errors === contrast.errors)) return false;
  const proven = changes.filter(({ by, watched: { disbursedAt } }) => {
    const older = allWatched.filter(
      (candidate) =>
        candidate.disbursedAt < disbursedAt &&
        candidate.stages.at(-1)?.name === name &&
        (candidate.outcomes.at(-1)?.at ?? 0) >= by.from,
    );
    return older.length >= MIN_CONTROLS;
  });
  return proven.length >= MIN_CHANGED_OUTCOMES;
}

/**
 * True if failures became a success that stays for most other disbursements. By the document, an outcome with errors is a failure.
 */
function areFailuresPaid(changes: readonly ErrorChange[], allWatched: readonly Watched[]): boolean {
  const [{ by, after }] = changes as [ErrorChange];
  const { name } = after;
  if (by.errors || isPending(by.text) || PROVISIONAL_TEXT.test(by.text)) return false;
  const endWithOutcome = allWatched.filter(
    ({ outcomes, stages }) => stages.at(-1)?.name === name && showsFinalText(outcomes),
  );
  const leftOutcome = allWatched.filter(({ stages }) => stages.slice(0, -1).some((stage) => stage.name === name));
  return changes.length >= MIN_CHANGED_OUTCOMES && endWithOutcome.length > changes.length + leftOutcome.length;
}

/** Returns the first change of each disbursement whose errors came or went after a final outcome. */
export function findTakenBack(run: Run): readonly ErrorChange[] {
  const allWatched = listWatched(run);
  const { isFinal } = makeFinalTest(allWatched.map(({ stages }) => stages));
  const closelyObserved = cutHistoryAtLongPause(
    allWatched.map(({ outcomes }) => outcomes),
    MAX_UNSEEN,
  );
  const observedOutcomes = new Set(closelyObserved.flat());
  const changes = allWatched.flatMap(listChanges).filter(({ contrast }) => !isPending(contrast.text));
  const isProven = (equalChanges: readonly ErrorChange[]): boolean =>
    equalChanges.some(({ before, by }) => observedOutcomes.has(by) && isFinal(before)) ||
    isFinalForOlder(equalChanges, allWatched) ||
    areFailuresPaid(equalChanges, allWatched);
  const proven = [...groupBy(changes, nameChange).values()].filter(isProven).flat();
  return [...groupBy(proven, ({ watched }) => watched).values()].map(([first]) => first);
}

export const paymentNotTakenBack = ofRun({
  id: 'loans.outcome.not-taken-back',
  clause: defineLevels('loans').money(
    errorsSource,
    'A disbursement that was made stays made, and one that failed stays failed.',
  ),
  operation,
  unit: 'disbursements',
  control: 'An outcome without errors stays for most disbursements that are queried again.',
  judge(run) {
    const takenBack = findTakenBack(run);
    const allWatched = listWatched(run);
    const changed = new Set(takenBack.map(({ watched }) => watched.outcomes[0]));
    const stayed = allWatched.filter(({ outcomes }) => showsFinalText(outcomes) && !changed.has(outcomes[0]));
    const [first] = doPaymentsStay(allWatched.map(({ outcomes }) => outcomes)) ? stayed : [];
    const groups = groupBy(takenBack, nameChange);
    const verdicts = [
      ...(first === undefined ? [] : [kept(first.outcomes[0] as Outcome, { count: stayed.length })]),
      ...[...groups.values()].flatMap((equalChanges) =>
        mergeBroken(equalChanges, ({ before, after }) => ({
          pointer: '/errors',
          expected: `${before.name} to stay`,
          received: after.name,
        })),
      ),
    ];
    return verdicts.length > 0 ? verdicts : [notTested(NO_PAYMENT_STAYS)];
  },
});

/** Returns outcomes that do not say that the bank still works, and after which another outcome came, as answers to an open point. */
export function inferFollowedOutcomes(run: Run): readonly Inference[] {
  const followedOutcomes = collectHistories(run).flatMap(({ outcomes }) => {
    const stages = listStages(outcomes, readTextAndErrors);
    return stages.slice(1).flatMap((after, nth) => {
      const before = stages[nth] as Stage;
      return isPending(before.outcomes[0].text) ? [] : { before, after };
    });
  });
  return [...groupBy(followedOutcomes, nameChange).values()].map((equalChanges) =>
    makeInference(
      {
        point: 'loans.outcome-texts',
        question: `after ${equalChanges[0].before.name}`,
        operation,
        answer: equalChanges[0].after.name,
      },
      equalChanges.map(({ after }) => after.outcomes[0]),
    ),
  );
}
