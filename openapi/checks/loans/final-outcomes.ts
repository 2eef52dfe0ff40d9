/** Checks that each application has its own id, and that its outcomes do not contradict each other. */
import type { Check, History } from '../../model/check.ts';
import type { FactRecord, OutcomeFact } from '../../model/facts.ts';
import { maskNumbers } from '../../util/truncate.ts';
import { groupBy } from '../../util/group-by.ts';
import { findDuplicates, mergeFindings, noteCheck } from '../../notes/generators.ts';

const distinctIdCheck = noteCheck('loans.application.id.distinct', 'requestLoan', function* ({ notes }, tested) {
  const [pointer, expected] = ['/data/application_id', 'a new id for a new application'];
  yield* findDuplicates(
    notes('application'),
    ({ fact }) => fact.id,
    ({ fact }) => ({ pointer, expected, received: `"${fact.id}", the id of another application` }),
    tested,
  );
});

type Outcome = FactRecord<OutcomeFact>;
type Outcomes = readonly Outcome[];

const textWithErrorsCheck = noteCheck(
  'loans.outcome.text-and-errors',
  'queryDisbursement',
  function* ({ notes }, tested) {
    for (const [text, same] of groupBy(notes('outcome'), ({ fact }) => fact.text)) {
      tested(same[0], { count: same.length });
      const withErrors = same.filter(({ fact }) => fact.errors);
      const without = same.filter(({ fact }) => !fact.errors);
      const [by, contrast] = [withErrors[0], without[0]];
      if (by === undefined || contrast === undefined) continue;
      const words = {
        expected: 'one text either with errors or without',
        received: `"${text}" both with errors and without`,
      };
      yield { by, contrast, pointer: '/data/result', ...words, count: Math.min(withErrors.length, without.length) };
    }
  },
);

const errorsStayCheck = noteCheck('loans.outcome.errors-stay', 'queryDisbursement', function* (history, tested) {
  for (const outcomes of collectHistories(history).values()) {
    const from = outcomes.findIndex(({ fact }) => fact.errors);
    const [first, later] = [outcomes[from], outcomes.slice(from + 1)];
    if (first === undefined || later.length === 0) continue;
    tested(first, { count: later.length });
    const words = { pointer: '/errors', expected: 'the errors that were given before', received: 'no errors' };
    yield* mergeFindings(later.filter(({ fact }) => !fact.errors).map((by) => ({ by, contrast: first, ...words })));
  }
});

/** Consecutive queries of one application with the same outcome text. */
interface Stage {
  readonly text: string;
  readonly outcomes: readonly [Outcome, ...Outcome[]];
  /** Milliseconds from the first query with this text to the first answer with another text, or to the last answer. */
  readonly lasted: number;
}

/** Splits the outcomes of an application into stages, in order. */
function listStages(outcomes: Outcomes): readonly Stage[] {
  const stages: { text: string; outcomes: [Outcome, ...Outcome[]]; lasted: number }[] = [];
  for (const outcome of outcomes) {
    const text = maskNumbers(outcome.fact.text);
    const current = stages.at(-1);
    if (current !== undefined) current.lasted = outcome.fact.at - current.outcomes[0].fact.from;
    if (current?.text === text) current.outcomes.push(outcome);
    else stages.push({ text, outcomes: [outcome], lasted: outcome.fact.at - outcome.fact.from });
  }
  return stages;
}

/** Other applications must have kept a final text this many times as long as this application: durations vary. */
const MIN_DURATION_RATIO = 6;
/** If more than this many milliseconds lie between two answers, there may have been another text in between. */
const MAX_UNSEEN_MS = 250;
/** The same limit for a text that comes back: texts that no query saw make no difference. */
const MAX_UNSEEN_BEFORE_RETURN_MS = 10_000;

/** Returns the index of the first stage whose text an earlier stage had, or -1. */
const findRepeatedStage = (stages: readonly Stage[]): number =>
  stages.findIndex(({ text }, at) => stages.slice(0, at).some((earlier) => earlier.text === text));

/** Lists the texts since the earlier stage with the same text. */
function listTextsSinceRepeat(stages: readonly Stage[], at: number): string {
  const first = stages.findIndex(({ text }) => text === stages[at]?.text);
  return [...new Set(stages.slice(first, at).map(({ text }) => text))].sort().join('\n');
}

/**
 * Checks that final outcomes do not change. The outcome may change several times while the bank processes a disbursement. A text
 * is final if most applications with this text kept it to the end, over more queries and for a much longer time than this
 * application. An outcome must not return to an earlier text, except in retries: after them comes another text that stays.
 */
const finalOutcomeCheck = noteCheck('loans.outcome.final', 'queryDisbursement', function* (run, tested) {
  const histories = [...collectHistories(run).values()];
  const all = histories.map(listStages);
  const byText = (stages: readonly Stage[]) => groupBy(stages, ({ text }) => text);
  const kept = byText(all.flatMap((stages) => stages.slice(1).slice(-1)));
  const left = byText(all.flatMap((stages) => stages.slice(0, -1)));
  const isFinal = ({ text, outcomes, lasted }: Stage): boolean => {
    const keptLonger = (kept.get(text) ?? []).filter(
      (other) => other.outcomes.length > outcomes.length && other.lasted > MIN_DURATION_RATIO * lasted,
    );
    return keptLonger.length > (left.get(text)?.length ?? 0);
  };
  const retries = new Set(
    all.flatMap((stages) => {
      const at = findRepeatedStage(stages);
      return at < 0 || left.has(stages.at(-1)?.text ?? '') ? [] : [listTextsSinceRepeat(stages, at)];
    }),
  );
  const observed = cutHistoryAtLongPause(histories, MAX_UNSEEN_MS);
  for (const [index, history] of cutHistoryAtLongPause(histories, MAX_UNSEEN_BEFORE_RETURN_MS).entries()) {
    const [first] = history;
    if (first === undefined || history.length < 2) continue;
    tested(first, { count: history.length - 1 });
    const stages = listStages(history);
    const returned = findRepeatedStage(stages);
    const seen = listStages(observed[index] ?? []);
    const final = seen.findIndex((stage, at) => at < seen.length - 1 && isFinal(stage));
    const isBack = returned > 0 && !retries.has(listTextsSinceRepeat(stages, returned));
    const at = isBack ? returned : final >= 0 ? final + 1 : -1;
    const [before, after] = [stages[at - 1]?.outcomes[0], stages[at]?.outcomes[0]];
    if (before === undefined || after === undefined) continue;
    const words = { expected: `"${before.fact.text}" to stay`, received: `"${after.fact.text}"` };
    yield { by: after, contrast: before, pointer: '/data/result', ...words };
  }
});

/** Returns the milliseconds between each answer and the next query. */
const listPausesMs = (history: Outcomes): readonly number[] =>
  history.slice(1).map(({ fact }, at) => fact.from - (history[at]?.fact.at ?? 0));

/**
 * Cuts each history at the first pause that is longer than max(`leastMs`, 5 × the median pause): no query saw what changed then.
 */
function cutHistoryAtLongPause(histories: readonly Outcomes[], leastMs: number): readonly Outcomes[] {
  const gaps = histories.flatMap(listPausesMs).toSorted((a, b) => a - b);
  const most = Math.max(leastMs, 5 * (gaps[Math.floor(gaps.length / 2)] ?? 0));
  return histories.map((history) => {
    const end = listPausesMs(history).findIndex((gap) => gap > most);
    return end < 0 ? history : history.slice(0, end + 1);
  });
}

/**
 * Groups outcomes by application, in order and without overlapping queries. A request that changes the application begins a new
 * group.
 */
function collectHistories({ notes }: History): ReadonlyMap<string, Outcomes> {
  const changed = groupBy(notes('changed'), ({ fact }) => fact.application);
  const outcomes = notes('outcome').toSorted((a, b) => a.fact.from - b.fact.from);
  const histories = groupBy(outcomes, ({ fact }) => {
    const before = changed.get(fact.application)?.filter((one) => one.fact.at <= fact.from).length ?? 0;
    return `${fact.application} ${before}`;
  });
  return new Map(
    [...histories].map(([key, history]) => {
      const apart: Outcome[] = [];
      for (const one of history) if (one.fact.from >= (apart.at(-1)?.fact.at ?? 0)) apart.push(one);
      return [key, apart];
    }),
  );
}

export const loanChecks: readonly Check[] = [distinctIdCheck, textWithErrorsCheck, errorsStayCheck, finalOutcomeCheck];
