/** Applications differ from one another; outcomes, once given, do not contradict themselves. */
import type { Check, History } from '../model/check.ts';
import type { FactRecord, OutcomeFact, LoanFact } from '../model/facts.ts';
import type { Exchange } from '../model/exchange.ts';
import { idText, sameIdRounded } from '../util/ids.ts';
import { truncate, withoutNumbers } from '../util/truncate.ts';
import { groupBy } from '../util/group-by.ts';

export function loanFacts(exchange: Exchange, data: unknown, body: unknown): readonly LoanFact[] {
  const { application_id: id, result } = data as { application_id?: unknown; result?: unknown };
  if (exchange.operation === 'requestLoan' && typeof id === 'string') return [{ rule: 'application', id: idText(id) }];
  const application = idText(exchange.request.asked['application_id']);
  const [from, at] = exchange.ticks ?? [exchange.startedAt, exchange.startedAt + exchange.durationMs];
  if (exchange.operation === 'disburse') return [{ rule: 'disbursed', application, at }];
  if (exchange.operation !== 'queryDisbursement' || typeof result !== 'string') return [];
  // What names another application tells nothing of this one.
  if (typeof id === 'string' && !sameIdRounded(id, application)) return [];
  const { errors } = body as { errors?: unknown };
  return [
    {
      rule: 'outcome',
      application,
      text: truncate(result.trim()),
      errors: hasEntries(errors),
      from,
      at,
    },
  ];
}

/** True of errors in whatever form, as long as they are some. */
const hasEntries = (errors: unknown): boolean =>
  typeof errors === 'object' && errors !== null ? Object.keys(errors).length > 0 : Boolean(errors);

const distinctIds: Check = {
  clause: 'loans.application.id.distinct',
  operation: 'requestLoan',
  unit: 'comparisons',
  *of({ notes }, tested) {
    const [first, ...others] = notes('application');
    if (first === undefined || others.length === 0) return;
    tested(first, { count: others.length });
    for (const [id, [one, two, ...more]] of groupBy([first, ...others], ({ fact }) => fact.id))
      if (one !== undefined && two !== undefined)
        yield {
          by: two,
          contrast: one,
          pointer: '/data/application_id',
          expected: 'a new id for a new application',
          received: `"${id}", the id of another application`,
          count: 1 + more.length,
        };
  },
};

type Outcomes = readonly FactRecord<OutcomeFact>[];

const textAndErrors: Check = {
  clause: 'loans.outcome.text-and-errors',
  operation: 'queryDisbursement',
  unit: 'comparisons',
  *of({ notes }, tested) {
    for (const [text, same] of groupBy(notes('outcome'), ({ fact }) => fact.text)) {
      const [[withErrors, ...more], [without, ...others]] = [
        same.filter(({ fact }) => fact.errors),
        same.filter(({ fact }) => !fact.errors),
      ];
      for (const one of same.slice(0, 1)) tested(one, { count: same.length });
      if (withErrors !== undefined && without !== undefined)
        yield {
          by: withErrors,
          contrast: without,
          pointer: '/data/result',
          expected: 'one text either with errors or without',
          received: `"${text}" both with errors and without`,
          count: 1 + Math.min(more.length, others.length),
        };
    }
  },
};

const errorsStay: Check = {
  clause: 'loans.outcome.errors-stay',
  operation: 'queryDisbursement',
  unit: 'comparisons',
  *of(history, tested) {
    for (const outcomes of historiesOf(history).values()) {
      const from = outcomes.findIndex(({ fact }) => fact.errors);
      const [first, later] = [outcomes[from], outcomes.slice(from + 1)];
      if (first === undefined || later.length === 0) continue;
      tested(first, { count: later.length });
      const [by, ...more] = later.filter(({ fact }) => !fact.errors);
      const said = { expected: 'the errors that were given before', received: 'no errors' };
      if (by !== undefined) yield { by, contrast: first, pointer: '/errors', ...said, count: 1 + more.length };
    }
  },
};

/** A run of queries of one application that all gave the same outcome. */
interface StatusRun {
  readonly text: string;
  readonly outcomes: Outcomes;
  /** Milliseconds from its first query to its end: to the last answer, or to the answer that gave another. */
  readonly lasted: number;
}

const wordsOf = ({ fact }: FactRecord<OutcomeFact>): string => withoutNumbers(fact.text);

function statusRunsOf(history: Outcomes): readonly StatusRun[] {
  const begins = history.flatMap((seen, index) =>
    index === 0 || wordsOf(seen) !== wordsOf(history[index - 1] as FactRecord<OutcomeFact>) ? [index] : [],
  );
  return begins.map((from, index) => {
    const until = begins[index + 1] ?? history.length;
    const [first, end] = [history[from], history[until] ?? history[until - 1]] as [
      FactRecord<OutcomeFact>,
      FactRecord<OutcomeFact>,
    ];
    return { text: wordsOf(first), outcomes: history.slice(from, until), lasted: end.fact.at - first.fact.from };
  });
}

/** How many times as long a text must have stood elsewhere: the stages of processing take now less time and now more. */
const MIN_DURATION_RATIO = 6;
/** Milliseconds between two answers above which a status may have come and gone unseen. */
const GAP_MS = 250;
/** The same where a status returns: what came and went between makes no difference. */
const RETURN_GAP_MS = 10_000;

/** Where a history first comes back to a text that it had left, or -1. */
const returnIn = (steps: readonly StatusRun[]): number =>
  steps.findIndex(({ text }, at) => steps.slice(0, at).some((earlier) => earlier.text === text));

/** The texts of a loop that is closed at the step `at`. */
function loopTo(steps: readonly StatusRun[], at: number): string {
  const first = steps.findIndex(({ text }) => text === steps[at]?.text);
  return [...new Set(steps.slice(first, at).map(({ text }) => text))].sort().join('\n');
}

/**
 * An outcome may change while a disbursement is processed, in as many stages as the target likes. It is no longer
 * processed when its text is one that most applications which reached it from an earlier text kept to the end, and for much
 * longer, in queries and in time; and no order of processing leads from a text back to itself, but for attempts that are
 * repeated: after such a loop another text comes, and that is the last word.
 */
const finalOutcomesStay: Check = {
  clause: 'loans.outcome.final',
  operation: 'queryDisbursement',
  unit: 'comparisons',
  *of(run, tested) {
    const histories = [...historiesOf(run).values()];
    const whole = histories.map(statusRunsOf);
    const kept = groupBy(
      whole.flatMap((of) => (of.length > 1 ? [of.at(-1) as StatusRun] : [])),
      ({ text }) => text,
    );
    const left = groupBy(
      whole.flatMap((of) => of.slice(0, -1)),
      ({ text }) => text,
    );
    const wasLast = ({ text, outcomes, lasted }: StatusRun): boolean => {
      const stayed = (kept.get(text) ?? []).filter(
        (other) => other.outcomes.length > outcomes.length && other.lasted > MIN_DURATION_RATIO * lasted,
      );
      return stayed.length > (left.get(text)?.length ?? 0);
    };
    const attempts = new Set(
      whole.flatMap((of) => {
        const [back, last] = [returnIn(of), of.at(-1)?.text ?? ''];
        const isLeft = left.has(last) || back < 0;
        return isLeft ? [] : [loopTo(of, back)];
      }),
    );
    const prefixes = observedPrefixes(histories, GAP_MS);
    const longer = observedPrefixes(histories, RETURN_GAP_MS);
    for (const [index, history] of longer.entries()) {
      const [first] = history;
      if (first === undefined || history.length < 2) continue;
      tested(first, { count: history.length - 1 });
      const steps = statusRunsOf(history);
      const returned = returnIn(steps);
      const back = returned > 0 && attempts.has(loopTo(steps, returned)) ? -1 : returned;
      const observed = statusRunsOf(prefixes[index] ?? []);
      const over = observed.findIndex((step, at) => at < observed.length - 1 && wasLast(step));
      const at = back > 0 ? back : over >= 0 ? over + 1 : -1;
      const [before, after] = [steps[at - 1]?.outcomes[0], steps[at]?.outcomes[0]];
      if (before === undefined || after === undefined) continue;
      yield {
        by: after,
        contrast: before,
        pointer: '/data/result',
        expected: `"${before.fact.text}" to stay`,
        received: `"${after.fact.text}"`,
      };
    }
  },
};

const gapBefore = (history: Outcomes, at: number): number =>
  at === 0
    ? 0
    : (history[at] as FactRecord<OutcomeFact>).fact.from - (history[at - 1] as FactRecord<OutcomeFact>).fact.at;

/** Cuts each history at the first gap above max(`leastMs`, 5 × the median gap): transitions in it were not observed. */
function observedPrefixes(histories: readonly Outcomes[], leastMs: number): readonly Outcomes[] {
  const gaps = histories.flatMap((history) => history.slice(1).map((_, at) => gapBefore(history, at + 1)));
  const usual = gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 0;
  return histories.map((history) => {
    const end = history.findIndex((_, at) => gapBefore(history, at) > Math.max(leastMs, 5 * usual));
    return end < 0 ? history : history.slice(0, end);
  });
}

/** The outcomes of each application since it was last changed, in order; queries that overlapped are left out. */
function historiesOf({ notes }: History): ReadonlyMap<string, Outcomes> {
  const changed = groupBy(notes('changed'), ({ fact }) => fact.application);
  const outcomes = notes('outcome').toSorted((a, b) => a.fact.from - b.fact.from);
  const histories = groupBy(outcomes, ({ fact }) => {
    const before = changed.get(fact.application)?.filter((one) => one.fact.at <= fact.from).length ?? 0;
    return `${fact.application} ${before}`;
  });
  for (const [key, history] of histories) {
    const apart: typeof history = [];
    for (const one of history) if (one.fact.from >= (apart.at(-1)?.fact.at ?? 0)) apart.push(one);
    histories.set(key, apart);
  }
  return histories;
}

export const loanChecks: readonly Check[] = [distinctIds, textAndErrors, errorsStay, finalOutcomesStay];
