/** A payment is not taken back: errors neither come nor go after an outcome that is final for others. */
import { defineLevels } from '../../clauses/clause.ts';
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
import { makeInference, type Inference } from '../../model/finding.ts';
import type { Run } from '../../model/record.ts';
import { groupBy } from '../../util/group-by.ts';
import { mergeBroken } from '../agreement.ts';
import { kept, notTested, ofRun } from '../behaviour.ts';

const operation = 'queryDisbursement';

/** Words of texts that are not final. A failure may follow such a text. */
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

/** Errors that came or went: the stages before and after, and the first outcome of each. */
interface Change {
  readonly watched: Watched;
  readonly before: Stage;
  readonly after: Stage;
  readonly by: Outcome;
  readonly contrast: Outcome;
}

/** After more requests, for example probes, the outcome may be about the last request. */
const listWatched = (run: Run): readonly Watched[] =>
  collectHistories(run).flatMap(({ outcomes, changes }) => {
    const disbursed = changes.filter((change) => change.operation === 'disburse');
    const [first] = disbursed;
    if (first === undefined || disbursed.length > 1 || changes.length > USUAL_CHANGE_COUNT) return [];
    return [{ outcomes, stages: listStages(outcomes, readTextAndErrors), disbursedAt: first.from }];
  });

const listChanges = (watched: Watched): readonly Change[] =>
  watched.stages.slice(1).flatMap((after, nth): Change | [] => {
    const before = watched.stages[nth] as Stage;
    const [by, contrast] = [after.outcomes[0], before.outcomes[0]];
    return by.errors === contrast.errors ? [] : { watched, before, after, by, contrast };
  });

/** True if older disbursements still had the outcome when it changed for a younger one, and it changed to nothing else. */
function isFinalForOlder(changes: readonly Change[], all: readonly Watched[]): boolean {
  const [
    {
      contrast,
      before: { name },
    },
  ] = changes as [Change];
  if (!isConclusive(contrast.text) || PROVISIONAL_TEXT.test(contrast.text)) return false;
  const followed = all.flatMap(({ stages }) => stages.filter((_, nth) => stages[nth - 1]?.name === name));
  if (followed.some(({ outcomes: [first] }) => first.errors === contrast.errors)) return false;
  const proven = changes.filter(({ by, watched: { disbursedAt } }) => {
    const older = all.filter(
      (other) =>
        other.disbursedAt < disbursedAt &&
        other.stages.at(-1)?.name === name &&
        (other.outcomes.at(-1)?.at ?? 0) >= by.from,
    );
    return older.length >= MIN_CONTROLS;
  });
  return proven.length >= MIN_CHANGED_OUTCOMES;
}

/** True if failures became an outcome that stays for most others. By the document, an outcome with errors is a failure. */
function areFailuresPaid(changes: readonly Change[], all: readonly Watched[]): boolean {
  const [
    {
      by,
      after: { name },
    },
  ] = changes as [Change];
  if (by.errors || isPending(by.text) || PROVISIONAL_TEXT.test(by.text)) return false;
  const last = all.filter(({ outcomes, stages }) => stages.at(-1)?.name === name && showsFinalText(outcomes));
  const left = all.filter(({ stages }) => stages.slice(0, -1).some((stage) => stage.name === name));
  return changes.length >= MIN_CHANGED_OUTCOMES && last.length > changes.length + left.length;
}

/** Returns the first change of each disbursement whose errors came or went after a final outcome. */
export function findTakenBack(run: Run): readonly Change[] {
  const all = listWatched(run);
  const { isFinal } = makeFinalTest(all.map(({ stages }) => stages));
  const closely = cutHistoryAtLongPause(
    all.map(({ outcomes }) => outcomes),
    MAX_UNSEEN,
  );
  const seenClosely = new Set(closely.flat());
  const changes = all.flatMap(listChanges).filter(({ contrast }) => !isPending(contrast.text));
  const isProven = (same: readonly Change[]): boolean =>
    same.some(({ before, by }) => seenClosely.has(by) && isFinal(before)) ||
    isFinalForOlder(same, all) ||
    areFailuresPaid(same, all);
  const proven = [...groupBy(changes, ({ before, after }) => `${before.name} ${after.name}`).values()].filter(isProven);
  return [...groupBy(proven.flat(), ({ watched }) => watched).values()].map(([first]) => first);
}

export const paymentNotTakenBack = ofRun({
  id: 'loans.outcome.not-taken-back',
  clause: defineLevels('loans').money(
    errorsSource,
    'The errors of a final outcome neither come nor go: a disbursement that was made stays made, and one that failed stays failed.',
  ),
  operation,
  unit: 'disbursements',
  control: 'An outcome without errors stays for most disbursements that are queried again.',
  judge(run) {
    const takenBack = findTakenBack(run);
    const all = listWatched(run);
    const changed = new Set(takenBack.map(({ watched }) => watched.outcomes[0]));
    const stayed = all.filter(({ outcomes }) => showsFinalText(outcomes) && !changed.has(outcomes[0]));
    const [first] = doPaymentsStay(all.map(({ outcomes }) => outcomes)) ? stayed : [];
    const groups = groupBy(takenBack, ({ before, after }) => `${before.name} ${after.name}`);
    const verdicts = [
      ...(first === undefined ? [] : [kept(first.outcomes[0] as Outcome, { count: stayed.length })]),
      ...[...groups.values()].flatMap((same) =>
        mergeBroken(same, ({ before, after }) => ({
          pointer: '/errors',
          expected: `${before.name} to stay`,
          received: after.name,
        })),
      ),
    ];
    return verdicts.length > 0 ? verdicts : [notTested(NO_PAYMENT_STAYS)];
  },
});

/** Reports outcomes that do not say that the bank still works, and that another outcome followed. */
export function inferFollowedOutcomes(run: Run): readonly Inference[] {
  const followed = collectHistories(run).flatMap(({ outcomes }) => {
    const stages = listStages(outcomes, readTextAndErrors);
    return stages.slice(1).flatMap((after, nth) => {
      const before = stages[nth] as Stage;
      return isPending(before.outcomes[0].text) ? [] : { before, after };
    });
  });
  return [...groupBy(followed, ({ before, after }) => `${before.name} ${after.name}`).values()].map((same) =>
    makeInference(
      {
        point: 'loans.outcome-texts',
        question: `after ${same[0].before.name}`,
        operation,
        answer: same[0].after.name,
      },
      same.map(({ after }) => after.outcomes[0]),
    ),
  );
}
