/**
 * Divides the outcomes of each application into stages, and finds which outcomes stay. Example: queries at 1, 2, 3 and 9 s return
 * “processing”, “processing”, “paid”, “paid”. The stages are “processing” (2 queries, 2 s) and “paid” (2 queries, 6 s).
 */
import type { Run, RunRecord } from '../../model/record.ts';
import { groupBy } from '../../util/group-by.ts';
import { maskNumbers } from '../../util/truncate.ts';
import { isPending } from './outcome-texts.ts';

export type Outcome = RunRecord<'outcomes'>;
export type Outcomes = readonly Outcome[];

/** Consecutive queries of one application with the same outcome. Times are ticks of the session, or milliseconds. */
export interface Stage {
  readonly name: string;
  readonly outcomes: readonly [Outcome, ...Outcome[]];
  /** From the first query with this outcome to the first answer with another outcome, or to the last answer. */
  readonly duration: number;
}

export const readText = ({ text }: Outcome): string => maskNumbers(text);
export const readTextAndErrors = ({ text, errors }: Outcome): string =>
  `“${maskNumbers(text)}”${errors ? ' with errors' : ''}`;

/** Divides the outcomes of one application, in order of time. Two outcomes are equal if `nameOutcome` returns the same name. */
export function listStages(outcomes: Outcomes, nameOutcome: (outcome: Outcome) => string): readonly Stage[] {
  const stages: { name: string; outcomes: [Outcome, ...Outcome[]]; duration: number }[] = [];
  for (const outcome of outcomes) {
    const name = nameOutcome(outcome);
    const currentStage = stages.at(-1);
    if (currentStage !== undefined) currentStage.duration = outcome.at - currentStage.outcomes[0].from;
    if (currentStage?.name === name) currentStage.outcomes.push(outcome);
    else stages.push({ name, outcomes: [outcome], duration: outcome.at - outcome.from });
  }
  return stages;
}

/** An outcome is final only if other applications kept it this many times longer than the judged application. */
const MIN_DURATION_RATIO = 6;

/**
 * Returns tests for outcomes. `stagesOfApplications`: the stages of each application.
 * - `isLeft`: another outcome followed the outcome in at least one application.
 * - `isFinal`: more applications kept the outcome than left it. An application counts as keeping only if it was queried more often, and
 *   6 times longer, than in the judged stage.
 */
export function makeFinalTest(stagesOfApplications: readonly (readonly Stage[])[]) {
  const groupByName = (stages: readonly Stage[]) => groupBy(stages, ({ name }) => name);
  const lastStagesByName = groupByName(stagesOfApplications.flatMap((stages) => stages.slice(1).slice(-1)));
  const leftStagesByName = groupByName(stagesOfApplications.flatMap((stages) => stages.slice(0, -1)));
  return {
    isLeft: (name: string): boolean => leftStagesByName.has(name),
    isFinal({ name, outcomes, duration }: Stage): boolean {
      const keptLonger = (lastStagesByName.get(name) ?? []).filter(
        (lastStage) =>
          lastStage.outcomes.length > outcomes.length && lastStage.duration > MIN_DURATION_RATIO * duration,
      );
      return keptLonger.length > (leftStagesByName.get(name)?.length ?? 0);
    },
  };
}

/** Milliseconds. If the pause between two queries is longer, another outcome may have existed between them. */
export const MAX_UNSEEN = 250;

const listPauses = (history: Outcomes): readonly number[] =>
  history.slice(1).map(({ from }, index) => from - (history[index]?.at ?? 0));

/** Cuts each history at its first pause above max(`minPause`, 5 × the median pause): no query saw what changed in this pause. */
export function cutHistoryAtLongPause(histories: readonly Outcomes[], minPause: number): readonly Outcomes[] {
  const pauses = histories.flatMap(listPauses).toSorted((a, b) => a - b);
  const maxPause = Math.max(minPause, 5 * (pauses[Math.floor(pauses.length / 2)] ?? 0));
  return histories.map((history) => {
    const endIndex = listPauses(history).findIndex((pause) => pause > maxPause);
    return endIndex < 0 ? history : history.slice(0, endIndex + 1);
  });
}

/** True if the last two outcomes have the same text, which does not say that the bank still works. */
export function showsFinalText(history: Outcomes): boolean {
  const [outcomeBefore, lastOutcome] = history.slice(-2);
  return (
    outcomeBefore !== undefined &&
    lastOutcome !== undefined &&
    outcomeBefore.text === lastOutcome.text &&
    !isPending(lastOutcome.text)
  );
}

/** True if more applications keep an outcome without errors than get errors after one. */
export function doPaymentsStay(histories: readonly Outcomes[]): boolean {
  const keepingHistories = histories.filter((history) => showsFinalText(history) && history.at(-1)?.errors === false);
  const failingHistories = histories.filter((history) =>
    history.some(({ text, errors }, nth) => !errors && !isPending(text) && history[nth + 1]?.errors === true),
  );
  return keepingHistories.length > failingHistories.length;
}
export const NO_PAYMENT_STAYS = 'no outcome without errors stayed for most disbursements when they were queried again';

interface OutcomeHistory {
  readonly outcomes: Outcomes;
  /** The requests before these outcomes that changed the application. */
  readonly changes: readonly RunRecord<'changes'>[];
}

/**
 * Groups the outcomes of each application in order of time. A request that changes the application begins a new group. Leaves out
 * queries that overlap the query before them, and queries during a change.
 */
export function collectHistories({ changes, outcomes }: Run): readonly OutcomeHistory[] {
  const changesByApplication = groupBy(changes, ({ application }) => application);
  const isDuringChange = ({ application, from, at }: Outcome): boolean =>
    changesByApplication.get(application)?.some((change) => change.from < at && change.at > from) === true;
  const outcomesInOrder = outcomes.filter((outcome) => !isDuringChange(outcome)).toSorted((a, b) => a.from - b.from);
  const listEarlierChanges = ({ application, from }: Outcome): readonly RunRecord<'changes'>[] =>
    (changesByApplication.get(application) ?? []).filter((change) => change.at <= from);
  const histories = groupBy(
    outcomesInOrder,
    (outcome) => `${outcome.application} ${listEarlierChanges(outcome).length}`,
  );
  return [...histories.values()].map((history) => {
    const separateOutcomes: Outcome[] = [];
    for (const outcome of history)
      if (outcome.from >= (separateOutcomes.at(-1)?.at ?? 0)) separateOutcomes.push(outcome);
    return { outcomes: separateOutcomes, changes: listEarlierChanges(history[0]) };
  });
}
