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
interface WatchedDisbursement {
  readonly outcomes: Outcomes;
  readonly stages: readonly Stage[];
  readonly disbursedAt: number;
}

/** Errors that came or went. `answer` is the first outcome after the change, `contrast` the first outcome before the change. */
interface ErrorChange {
  readonly watched: WatchedDisbursement;
  readonly stageBefore: Stage;
  readonly stageAfter: Stage;
  readonly answer: Outcome;
  readonly contrast: Outcome;
}

/** Leaves out applications with more requests, for example invalid ones: the outcome may be about the last request. */
const listWatched = (run: Run): readonly WatchedDisbursement[] =>
  collectHistories(run).flatMap(({ outcomes, changes }) => {
    const disbursements = changes.filter((change) => change.operation === 'disburse');
    const [firstDisbursement] = disbursements;
    const hasMoreRequests = disbursements.length > 1 || changes.length > USUAL_CHANGE_COUNT;
    if (firstDisbursement === undefined || hasMoreRequests) return [];
    return [{ outcomes, stages: listStages(outcomes, readTextAndErrors), disbursedAt: firstDisbursement.from }];
  });

/** Names a change by its outcomes, such as “paid” “rejected” with errors. */
const nameChange = ({ stageBefore, stageAfter }: Pick<ErrorChange, 'stageBefore' | 'stageAfter'>): string =>
  `${stageBefore.name} ${stageAfter.name}`;

const listChanges = (watched: WatchedDisbursement): readonly ErrorChange[] =>
  watched.stages.slice(1).flatMap((stageAfter, nth): ErrorChange | [] => {
    const stageBefore = watched.stages[nth] as Stage;
    const [outcomeAfter, outcomeBefore] = [stageAfter.outcomes[0], stageBefore.outcomes[0]];
    if (outcomeAfter.errors === outcomeBefore.errors) return [];
    return { watched, stageBefore, stageAfter, answer: outcomeAfter, contrast: outcomeBefore };
  });

/**
 * True if the outcome before these equal changes is final because older disbursements kept it. Each changed disbursement is compared
 * with disbursements that were sent earlier and still had the outcome when it changed. No outcome with the same errors may follow it.
 */
function isFinalForOlder(equalChanges: readonly ErrorChange[], allWatched: readonly WatchedDisbursement[]): boolean {
  const [{ contrast: outcomeBefore, stageBefore }] = equalChanges as [ErrorChange];
  const { name: finalName } = stageBefore;
  if (!isConclusive(outcomeBefore.text) || PROVISIONAL_TEXT.test(outcomeBefore.text)) return false;
  const nextStages = allWatched.flatMap(({ stages }) => stages.filter((_, nth) => stages[nth - 1]?.name === finalName));
  const hasChangeWithSameErrors = nextStages.some(({ outcomes: [next] }) => next.errors === outcomeBefore.errors);
  if (hasChangeWithSameErrors) return false;
  const provenChanges = equalChanges.filter(({ answer: outcomeAfter, watched: { disbursedAt } }) => {
    const stillHadOutcome = ({ stages, outcomes }: WatchedDisbursement): boolean =>
      stages.at(-1)?.name === finalName && (outcomes.at(-1)?.at ?? 0) >= outcomeAfter.from;
    const olderWithOutcome = allWatched.filter((other) => other.disbursedAt < disbursedAt && stillHadOutcome(other));
    return olderWithOutcome.length >= MIN_CONTROLS;
  });
  return provenChanges.length >= MIN_CHANGED_OUTCOMES;
}

/**
 * True if failures became a success that stays for most other disbursements. By the document, an outcome with errors is a failure.
 */
function areFailuresPaid(equalChanges: readonly ErrorChange[], allWatched: readonly WatchedDisbursement[]): boolean {
  const [{ answer: outcomeAfter, stageAfter }] = equalChanges as [ErrorChange];
  const { name: successName } = stageAfter;
  if (outcomeAfter.errors || isPending(outcomeAfter.text) || PROVISIONAL_TEXT.test(outcomeAfter.text)) return false;
  const endedWithSuccess = allWatched.filter(
    ({ outcomes, stages }) => stages.at(-1)?.name === successName && showsFinalText(outcomes),
  );
  const leftSuccess = allWatched.filter(({ stages }) =>
    stages.slice(0, -1).some((stage) => stage.name === successName),
  );
  const staysForMost = endedWithSuccess.length > equalChanges.length + leftSuccess.length;
  return equalChanges.length >= MIN_CHANGED_OUTCOMES && staysForMost;
}

/** Returns the first change of each disbursement whose errors came or went after a final outcome. */
export function findTakenBack(run: Run): readonly ErrorChange[] {
  const allWatched = listWatched(run);
  const { isFinal } = makeFinalTest(allWatched.map(({ stages }) => stages));
  const closelyObservedHistories = cutHistoryAtLongPause(
    allWatched.map(({ outcomes }) => outcomes),
    MAX_UNSEEN,
  );
  const observedOutcomes = new Set(closelyObservedHistories.flat());
  const changes = allWatched.flatMap(listChanges).filter(({ contrast }) => !isPending(contrast.text));
  const hasLeftFinalOutcome = ({ stageBefore, answer: outcomeAfter }: ErrorChange): boolean =>
    observedOutcomes.has(outcomeAfter) && isFinal(stageBefore);
  const areProven = (equalChanges: readonly ErrorChange[]): boolean =>
    equalChanges.some(hasLeftFinalOutcome) ||
    isFinalForOlder(equalChanges, allWatched) ||
    areFailuresPaid(equalChanges, allWatched);
  const provenChanges = [...groupBy(changes, nameChange).values()].filter(areProven).flat();
  return [...groupBy(provenChanges, ({ watched }) => watched).values()].map(([firstChange]) => firstChange);
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
    const takenBackChanges = findTakenBack(run);
    const allWatched = listWatched(run);
    const changedOutcomes = new Set(takenBackChanges.map(({ watched }) => watched.outcomes[0]));
    const stayedDisbursements = allWatched.filter(
      ({ outcomes }) => showsFinalText(outcomes) && !changedOutcomes.has(outcomes[0]),
    );
    const [firstStayed] = doPaymentsStay(allWatched.map(({ outcomes }) => outcomes)) ? stayedDisbursements : [];
    const changesByName = groupBy(takenBackChanges, nameChange);
    const verdicts = [
      ...(firstStayed === undefined
        ? []
        : [kept(firstStayed.outcomes[0] as Outcome, { count: stayedDisbursements.length })]),
      ...[...changesByName.values()].flatMap((equalChanges) =>
        mergeBroken(equalChanges, ({ stageBefore, stageAfter }) => ({
          pointer: '/errors',
          expected: `${stageBefore.name} to stay`,
          received: stageAfter.name,
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
    return stages.slice(1).flatMap((stageAfter, nth) => {
      const stageBefore = stages[nth] as Stage;
      return isPending(stageBefore.outcomes[0].text) ? [] : { stageBefore, stageAfter };
    });
  });
  return [...groupBy(followedOutcomes, nameChange).values()].map((equalChanges) => {
    const [{ stageBefore, stageAfter }] = equalChanges;
    const question = `after ${stageBefore.name}`;
    return makeInference(
      { point: 'loans.outcome-texts', question, operation, answer: stageAfter.name },
      equalChanges.map((change) => change.stageAfter.outcomes[0]),
    );
  });
}
