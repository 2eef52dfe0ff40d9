/**
 * Checks: pure functions over the history of a run. A scenario says which exchanges it lays side by side for a clause, and in
 * which role each was sent; a check alone says whether the clause was kept.
 */
import type { ClauseId } from '../clauses/index.ts';
import type { Answered } from '../history/answered.ts';
import { answerOf, describe } from '../history/describe.ts';
import type { Comparison } from '../model/comparison.ts';
import type { Inference, RunRuleResult, Violation } from '../model/finding.ts';
import type { Question } from '../model/observation.ts';
import { isThrottled } from '../model/status-class.ts';

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
  compared(clause: ClauseId): readonly Compared[];
  /** Comparisons of requests that are `taken` with others that are `refused`, whatever their clause. */
  readonly contrasts: readonly { readonly clause: ClauseId; readonly compared: Compared }[];
  readonly probes: readonly Probed[];
}

/** What breaks a clause. */
export interface Broken {
  readonly by: Answered;
  readonly contrast?: Answered | undefined;
  /** As in findings; by default the status of the answer. */
  readonly pointer?: string;
  readonly expected: string;
  /** By default what came. */
  readonly received?: string;
  readonly kind?: string;
}

/** Says that a clause was put to the test by an answer; of a probe, beside which control. */
export type Tested = (by: Answered, control?: Answered) => void;

/** A clause that shows only over several exchanges. */
export interface Check {
  readonly clause: ClauseId;
  /** The open point that its answers are shown under as well. */
  readonly point?: readonly [point: ClauseId, question: Question];
  of(history: History, tested: Tested): Iterable<Broken>;
}

/** The kind of a documented form that is never accepted: its clause is not put to the test, and where it ever is, this is no finding. */
const REFUSED = 'refused';

/** What one comparison shows: whether the clause was kept by the answer `by`. */
export interface Ruling extends Broken {
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
      if (ruling.kind !== REFUSED) tested(ruling.by, ruling.contrast);
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
  const add = (clause: ClauseId, evaluate: (tested: Tested) => Iterable<Broken>, point?: Check['point']): void => {
    const tested: Tested = (by, control) => {
      const { operation, exchange } = by;
      // An answer that only says to come again is no refusal of what was asked.
      if (isThrottled(exchange.answer)) return;
      result.exercised.push({ clause, operation, count: 1, exchange: exchange.id });
      if (point !== undefined) result.observed.push(inferenceOf(point, by, control));
    };
    for (const broken of evaluate(tested)) result.broken.push(violationOf(clause, broken));
  };
  for (const { clause, point, of } of checks) add(clause, (tested) => of(history, tested), point);
  for (const { clause, compared } of history.contrasts) add(clause, (tested) => contrasted(compared, tested));
  return result;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer Item)[] ? Item[] : T[K] };

/** One refusal may be an accident, and one request that is taken may owe it to something that became free at that moment. */
const MIN_EACH = 2;

/**
 * A contrast: one kind of request is refused each time that it is asked, and one that differs in what the scenario names is
 * taken each time; `nonsense` in the place of the difference is not. Alone, what was taken shows that the clause is kept.
 */
function* contrasted({ all, about }: Compared, tested: Tested): Iterable<Broken> {
  const [refused, taken] = [all('refused'), all('taken')];
  const [last, contrast] = [refused.at(-1), taken.at(-1)];
  if (last === undefined) return taken.slice(0, 1).forEach((one) => tested(one));
  const { pointer, kind, received, expected = 'the documented request to be accepted' } = about;
  // A refusal is no server error, and an answer that only says to come again is neither.
  const isNo = ({ outcome, status, exchange: { answer } }: Answered): boolean =>
    status !== null &&
    !isThrottled(answer) &&
    (kind === 'server-error' ? outcome === 'failed' : outcome !== 'succeeded' && outcome !== 'broken');
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
}

function violationOf(clause: ClauseId, broken: Broken): Violation {
  const { by, contrast, pointer = 'response/status', kind = 'behaviour', expected, received = describe(by) } = broken;
  const { operation, exchange } = by;
  const beside = contrast === undefined ? {} : { contrast: contrast.exchange.id };
  return { clause, operation, pointer, kind, expected, received, exchange: exchange.id, ...beside };
}

function inferenceOf([point, question]: NonNullable<Check['point']>, by: Answered, control?: Answered): Inference {
  const shown = control === undefined ? {} : { control: control.exchange.id };
  const { operation, exchange } = by;
  return { point, operation, answer: answerOf(by), question, count: 1, exchanges: [exchange.id], ...shown };
}
