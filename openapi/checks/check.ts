/**
 * Checks: pure functions over the history of a run. A scenario says which exchanges it lays side by side for a clause, and in
 * which role each was sent; a check alone says whether the clause was kept.
 */
import type { ClauseId } from '../clauses/index.ts';
import type { Answered } from '../history/answered.ts';
import { answerOf, describe } from '../history/describe.ts';
import type { Comparison } from '../model/comparison.ts';
import type { OperationId } from '../model/exchange.ts';
import type { Fact, FactRecord } from '../model/facts.ts';
import type { Inference, RunRuleResult, Violation } from '../model/finding.ts';
import type { Question } from '../model/observation.ts';
import { isThrottled } from '../model/outcome.ts';

/** A comparison with its answers. */
export interface Compared {
  readonly about: NonNullable<Comparison['about']>;
  /** The answers in a role, in the order in which the scenario names them. */
  all(role: string): readonly Answered[];
  /** The first of them. */
  one(role: string): Answered | undefined;
}

/** A probe with its control, the same request unmodified, and with what came when it was sent again after a server error. */
export interface Probed {
  readonly probe: Answered;
  readonly control: Answered;
  readonly again: readonly Answered[];
}

/** What the checks read. */
export interface History {
  /** What was noted of the exchanges, by what kind of note it is. */
  notes<Rule extends Fact['rule']>(rule: Rule): readonly FactRecord<Extract<Fact, { rule: Rule }>>[];
  compared(clause: ClauseId): readonly Compared[];
  /** Comparisons of requests that are `taken` with others that are `refused`, whatever their clause. */
  readonly contrasts: readonly { readonly clause: ClauseId; readonly compared: Compared }[];
  readonly probes: readonly Probed[];
}

/** Where something showed: an answer, or an exchange of which something was noted. */
export type Shown = Answered | { readonly exchange: string };

/** What breaks a clause. */
export interface Broken {
  readonly by: Shown;
  readonly contrast?: Shown | undefined;
  /** As in findings; by default the status of the answer. */
  readonly pointer?: string;
  readonly expected: string;
  /** By default what came. */
  readonly received?: string;
  readonly kind?: string;
  /** How many comparisons showed it, where it is not one. */
  readonly count?: number;
}

/** Says what put a clause to the test; of a probe, beside which control, and in how many comparisons where it is not one. */
export type Tested = (by: Shown, beside?: { readonly control?: Shown | undefined; readonly count?: number }) => void;

/** A clause that shows only over several exchanges. */
export interface Check {
  readonly clause: ClauseId;
  /** The operation that it is about; by default the one of the answer. */
  readonly operation?: OperationId;
  /** What its counts count in the place of answers. */
  readonly unit?: Violation['unit'];
  /** The open point that its answers are shown under as well. */
  readonly point?: readonly [point: ClauseId, question: Question];
  of(history: History, tested: Tested): Iterable<Broken>;
}

/** The kind of a documented form that is never accepted: its clause is not put to the test, and where it ever is, this is no finding. */
const REFUSED = 'refused';

/** What one comparison shows: whether the clause was kept by the answer `by`. */
export interface Ruling extends Broken {
  readonly by: Answered;
  readonly holds: boolean;
}

/** A check that rules on each comparison of its clause by itself; null where nothing follows from one. */
export const ruled = (
  clause: ClauseId,
  rule: (compared: Compared) => Ruling | null | undefined,
  point?: Check['point'],
): Check => ({
  clause,
  ...(point === undefined ? {} : { point }),
  *of(history, tested) {
    for (const compared of history.compared(clause)) {
      const ruling = rule(compared);
      if (ruling == null) continue;
      if (ruling.kind !== REFUSED) tested(ruling.by, { control: ruling.contrast });
      if (!ruling.holds) yield ruling;
    }
  },
});

interface CheckResult extends RunRuleResult {
  readonly observed: readonly Inference[];
}

/** What the checks find in a history. */
export function evaluateChecks(checks: readonly Check[], history: History): CheckResult {
  const result = { exercised: [], broken: [], observed: [] } as Writable<CheckResult>;
  for (const check of [...checks, ...history.contrasts.map(contrasted)]) {
    const { clause, point } = check;
    const tested: Tested = (by, { control, count = 1 } = {}) => {
      // An answer that only says to come again is no refusal of what was asked.
      if (!isNote(by) && isThrottled(by.exchange.answer)) return;
      result.exercised.push({ clause, operation: operationOf(check, by), count, exchange: idOf(by) });
      if (point !== undefined && !isNote(by)) result.observed.push(inferenceOf(point, by, control));
    };
    for (const broken of check.of(history, tested)) result.broken.push(violationOf(check, broken));
  }
  return result;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer Item)[] ? Item[] : T[K] };

/** One refusal may be an accident, and one request that is taken may owe it to something that became free at that moment. */
const MIN_EACH = 2;

/**
 * A contrast: one kind of request is refused each time that it is asked, and one that differs in what the scenario names is
 * taken each time; `nonsense` in the place of the difference is not. Alone, what was taken shows that the clause is kept.
 */
const contrasted = ({ clause, compared: { all, about } }: History['contrasts'][number]): Check => ({
  clause,
  *of(_, tested) {
    const [refused, taken] = [all('refused'), all('taken')];
    const [last, contrast] = [refused.at(-1), taken.at(-1)];
    if (last === undefined) return taken.slice(0, 1).forEach((one) => tested(one));
    const { pointer, kind, received, expected = 'the documented request to be accepted' } = about;
    // A refusal is no server error, and an answer that only says to come again is neither.
    const isNo = ({ outcome, status, exchange: { answer } }: Answered): boolean =>
      status !== null &&
      !isThrottled(answer) &&
      (kind === 'server-error' ? outcome === 'crashed' : outcome !== 'accepted' && outcome !== 'malformed');
    if (Math.min(refused.length, taken.length) < MIN_EACH || all('nonsense').some(({ accepted }) => accepted)) return;
    if (!refused.every(isNo) || !taken.every(({ accepted }) => accepted)) return;
    if (kind !== REFUSED) tested(last);
    yield {
      by: last,
      contrast,
      expected,
      ...(pointer === undefined ? {} : { pointer }),
      ...(kind === undefined ? {} : { kind }),
      ...(received === undefined ? {} : { received }),
    };
  },
});

const isNote = (shown: Shown): shown is Exclude<Shown, Answered> => typeof shown.exchange === 'string';
const idOf = (shown: Shown): string => (isNote(shown) ? shown.exchange : shown.exchange.id);

/** The operation that a finding of a check is about. Throws where neither the check nor what it shows names one. */
function operationOf({ clause, operation }: Check, shown: Shown): OperationId {
  if (operation !== undefined) return operation;
  if (isNote(shown)) throw new Error(`The check of ${clause} names no operation.`);
  return shown.operation;
}

function violationOf(check: Check, broken: Broken): Violation {
  const { clause, unit } = check;
  const { by, contrast, pointer = 'response/status', kind = unit === undefined ? 'behaviour' : 'run', count } = broken;
  return {
    clause,
    operation: operationOf(check, by),
    pointer,
    kind,
    expected: broken.expected,
    received: broken.received ?? (isNote(by) ? '' : describe(by)),
    exchange: idOf(by),
    ...(contrast === undefined ? {} : { contrast: idOf(contrast) }),
    ...(count === undefined ? {} : { count }),
    ...(unit === undefined ? {} : { unit }),
  };
}

function inferenceOf([point, question]: NonNullable<Check['point']>, by: Answered, control?: Shown): Inference {
  const shown = control === undefined ? {} : { control: idOf(control) };
  const { operation, exchange } = by;
  return { point, operation, answer: answerOf(by), question, count: 1, exchanges: [exchange.id], ...shown };
}
