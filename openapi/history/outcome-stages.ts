/** The outcomes of each application over time, and which of them stayed. */
import type { Run, RunRecord } from '../model/record.ts';
import { groupBy } from '../util/group-by.ts';
import { maskNumbers } from '../util/truncate.ts';
import { isPending } from './outcome-texts.ts';
import type { LoanChange } from './replaced-contracts.ts';

export type Outcome = RunRecord<'outcomes'>;
export type Outcomes = readonly Outcome[];

/** Consecutive queries of one application with the same outcome. Times are those of the records. */
export interface Stage {
  readonly name: string;
  readonly outcomes: readonly [Outcome, ...Outcome[]];
  /** From the first query with this outcome to the first answer with another outcome, or to the last answer. */
  readonly lasted: number;
}

export const readText = ({ text }: Outcome): string => maskNumbers(text);
export const readTextAndErrors = ({ text, errors }: Outcome): string =>
  `“${maskNumbers(text)}”${errors ? ' with errors' : ''}`;

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

/** `isFinal`: most applications with this outcome kept it, over more queries and much longer than the application of the stage. */
export function makeFinalTest(all: readonly (readonly Stage[])[]) {
  const byName = (stages: readonly Stage[]) => groupBy(stages, ({ name }) => name);
  const stayed = byName(all.flatMap((stages) => stages.slice(1).slice(-1)));
  const left = byName(all.flatMap((stages) => stages.slice(0, -1)));
  return {
    isLeft: (name: string): boolean => left.has(name),
    isFinal({ name, outcomes, lasted }: Stage): boolean {
      const keptLonger = (stayed.get(name) ?? []).filter(
        (other) => other.outcomes.length > outcomes.length && other.lasted > MIN_DURATION_RATIO * lasted,
      );
      return keptLonger.length > (left.get(name)?.length ?? 0);
    },
  };
}

/** If two answers are more than this apart, another outcome may have existed between them. */
export const MAX_UNSEEN = 250;

const listPauses = (history: Outcomes): readonly number[] =>
  history.slice(1).map(({ from }, nth) => from - (history[nth]?.at ?? 0));

/** Cuts each history at the first pause above max(`least`, 5 × the median pause): no query saw what changed. */
export function cutHistoryAtLongPause(histories: readonly Outcomes[], least: number): readonly Outcomes[] {
  const gaps = histories.flatMap(listPauses).toSorted((a, b) => a - b);
  const most = Math.max(least, 5 * (gaps[Math.floor(gaps.length / 2)] ?? 0));
  return histories.map((history) => {
    const end = listPauses(history).findIndex((gap) => gap > most);
    return end < 0 ? history : history.slice(0, end + 1);
  });
}

export function showsFinalText(history: Outcomes): boolean {
  const [before, last] = history.slice(-2);
  return before !== undefined && last !== undefined && before.text === last.text && !isPending(last.text);
}

/** True if an outcome without errors stays for more applications than it gets errors later: some payment is final. */
export function doPaymentsStay(histories: readonly Outcomes[]): boolean {
  const stay = histories.filter((history) => showsFinalText(history) && history.at(-1)?.errors === false);
  const fail = histories.filter((history) =>
    history.some(({ text, errors }, at) => !errors && !isPending(text) && history[at + 1]?.errors === true),
  );
  return stay.length > fail.length;
}
export const NO_PAYMENT_STAYS = 'no outcome without errors stayed for most disbursements when they were queried again';

interface OutcomeHistory {
  readonly outcomes: Outcomes;
  /** The requests before these outcomes that changed the application. */
  readonly changes: readonly LoanChange[];
}

/**
 * Groups the outcomes of each application, without overlapping queries. A request that changes the application begins a new
 * group.
 */
export function collectHistories({ changes, outcomes }: Run): readonly OutcomeHistory[] {
  const changed = groupBy(changes, ({ application }) => application);
  const inOrder = outcomes.toSorted((a, b) => a.from - b.from);
  const listBefore = ({ application, from }: Outcome): readonly LoanChange[] =>
    (changed.get(application) ?? []).filter((change) => change.at <= from);
  const histories = groupBy(inOrder, (outcome) => `${outcome.application} ${listBefore(outcome).length}`);
  return [...histories.values()].map((history) => {
    const apart: Outcome[] = [];
    for (const outcome of history) if (outcome.from >= (apart.at(-1)?.at ?? 0)) apart.push(outcome);
    return { outcomes: apart, changes: listBefore(history[0]) };
  });
}
