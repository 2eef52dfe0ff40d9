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
  readonly lasted: number;
}

export const readText = ({ text }: Outcome): string => maskNumbers(text);
export const readTextAndErrors = ({ text, errors }: Outcome): string =>
  `“${maskNumbers(text)}”${errors ? ' with errors' : ''}`;

/** Divides the outcomes of one application, in order of time. Two outcomes are equal if `nameOf` returns the same name. */
export function listStages(outcomes: Outcomes, nameOf: (outcome: Outcome) => string): readonly Stage[] {
  const stages: { name: string; outcomes: [Outcome, ...Outcome[]]; lasted: number }[] = [];
  for (const outcome of outcomes) {
    const name = nameOf(outcome);
    const current = stages.at(-1);
    if (current !== undefined) current.lasted = outcome.at - current.outcomes[0].from;
    if (current?.name === name) current.outcomes.push(outcome);
    else stages.push({ name, outcomes: [outcome], lasted: outcome.at - outcome.from });
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
  const byName = (stages: readonly Stage[]) => groupBy(stages, ({ name }) => name);
  const lastStages = byName(stagesOfApplications.flatMap((stages) => stages.slice(1).slice(-1)));
  const leftStages = byName(stagesOfApplications.flatMap((stages) => stages.slice(0, -1)));
  return {
    isLeft: (name: string): boolean => leftStages.has(name),
    isFinal({ name, outcomes, lasted }: Stage): boolean {
      const keptLonger = (lastStages.get(name) ?? []).filter(
        (last) => last.outcomes.length > outcomes.length && last.lasted > MIN_DURATION_RATIO * lasted,
      );
      return keptLonger.length > (leftStages.get(name)?.length ?? 0);
    },
  };
}

/** Milliseconds. If the pause between two queries is longer, another outcome may have existed between them. */
export const MAX_UNSEEN = 250;

const listPauses = (history: Outcomes): readonly number[] =>
  history.slice(1).map(({ from }, nth) => from - (history[nth]?.at ?? 0));

/** Cuts each history at its first pause above max(`minPause`, 5 × the median pause): no query saw what changed in this pause. */
export function cutHistoryAtLongPause(histories: readonly Outcomes[], minPause: number): readonly Outcomes[] {
  const pauses = histories.flatMap(listPauses).toSorted((a, b) => a - b);
  const maxPause = Math.max(minPause, 5 * (pauses[Math.floor(pauses.length / 2)] ?? 0));
  return histories.map((history) => {
    const end = listPauses(history).findIndex((pause) => pause > maxPause);
    return end < 0 ? history : history.slice(0, end + 1);
  });
}

/** True if the last two outcomes have the same text, which does not say that the bank still works. */
export function showsFinalText(history: Outcomes): boolean {
  const [before, last] = history.slice(-2);
  return before !== undefined && last !== undefined && before.text === last.text && !isPending(last.text);
}

/** True if more applications keep an outcome without errors than get errors after one. */
export function doPaymentsStay(histories: readonly Outcomes[]): boolean {
  const keeping = histories.filter((history) => showsFinalText(history) && history.at(-1)?.errors === false);
  const failing = histories.filter((history) =>
    history.some(({ text, errors }, nth) => !errors && !isPending(text) && history[nth + 1]?.errors === true),
  );
  return keeping.length > failing.length;
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
  const inOrder = outcomes.filter((outcome) => !isDuringChange(outcome)).toSorted((a, b) => a.from - b.from);
  const listEarlierChanges = ({ application, from }: Outcome): readonly RunRecord<'changes'>[] =>
    (changesByApplication.get(application) ?? []).filter((change) => change.at <= from);
  const histories = groupBy(inOrder, (outcome) => `${outcome.application} ${listEarlierChanges(outcome).length}`);
  return [...histories.values()].map((history) => {
    const separate: Outcome[] = [];
    for (const outcome of history) if (outcome.from >= (separate.at(-1)?.at ?? 0)) separate.push(outcome);
    return { outcomes: separate, changes: listEarlierChanges(history[0]) };
  });
}
