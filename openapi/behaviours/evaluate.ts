/** Judges all behaviours over a run. */
import { operationFacts } from '../api.ts';
import { broken, kept, notTested, type Verdict, type ComparedBehaviour, type RunBehaviour } from './behaviour.ts';
import type { Answered, Contrast, Broken, Compared, Evidence, History } from '../model/history.ts';
import { isClosedOnText, quoteAnswer, toObservedAnswer } from '../history/answers.ts';
import type { ClauseId } from '../clauses/index.ts';
import type { OperationId } from '../model/exchange.ts';
import type { RunResult, Violation } from '../model/finding.ts';
import { isPostponed, isThrottled } from '../model/outcome.ts';
import { groupBy } from '../util/group-by.ts';
import { Misfit, readEvidence } from './evidence.ts';
import { comparedBehaviours, runBehaviours } from '#bank/behaviours';

type Writable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer Item)[] ? Item[] : T[K] };
type Result = Writable<RunResult>;

const isRecord = (shown: Evidence): shown is Extract<Evidence, { exchange: string }> =>
  typeof shown.exchange === 'string';
const getExchangeId = (shown: Evidence): string => (isRecord(shown) ? shown.exchange : shown.exchange.id);

/** The clause of a verdict, and what is fixed for all its verdicts. */
interface Subject extends Pick<ComparedBehaviour, 'asks'>, Pick<Violation, 'unit'> {
  readonly clause: ClauseId;
  readonly operation?: OperationId | undefined;
}

function findOperation({ clause, operation }: Subject, shown: Evidence): OperationId {
  const found = operation ?? shown.operation;
  if (found === undefined) throw new Error(`The behaviour of ${clause} names no operation.`);
  return found;
}

function makeViolation(subject: Subject, broken: Broken): Violation {
  const { clause, unit } = subject;
  const { by, contrast, concurrent, pointer = 'response/status', count } = broken;
  const { kind = unit === undefined ? 'behaviour' : 'run' } = broken;
  return {
    clause,
    operation: findOperation(subject, by),
    pointer,
    kind,
    expected: broken.expected,
    received: broken.received ?? (isRecord(by) ? '' : quoteAnswer(by, pointer)),
    exchange: getExchangeId(by),
    ...(contrast === undefined ? {} : { contrast: getExchangeId(contrast) }),
    ...(concurrent === undefined ? {} : { concurrent: getExchangeId(concurrent) }),
    ...(count === undefined ? {} : { count }),
    ...(unit === undefined ? {} : { unit }),
  };
}

function addVerdict(result: Result, subject: Subject, verdict: Verdict): void {
  const { clause, asks } = subject;
  if (verdict.is === 'not tested') return void result.untested.push({ clause, why: verdict.why });
  const { by, contrast, count = 1 } = verdict;
  const operation = findOperation(subject, by);
  const exchange = getExchangeId(by);
  const isRefuted = verdict.is === 'broken' && verdict.kind === NEVER_ACCEPTED_KIND;
  const isThrottledValue = verdict.is === 'broken' && verdict.kind === THROTTLED_VALUE_KIND;
  // A throttled request alone proves nothing.
  if (!isThrottledValue && !isRecord(by) && isThrottled(by.exchange.answer))
    result.untested.push({ clause, why: 'the bank asked to wait' });
  else if (!isRefuted) {
    result.exercised.push({ clause, operation, count, exchange });
    if (asks !== undefined && !isRecord(by)) {
      const control = contrast === undefined ? {} : { control: getExchangeId(contrast) };
      const answer = toObservedAnswer(by);
      result.observed.push({ ...asks, operation, answer, count: 1, exchanges: [exchange], ...control });
    }
  }
  if (verdict.is === 'broken') result.broken.push(makeViolation(subject, verdict));
}

/** Judges one comparison. Evidence that does not fit its behaviour is an error of the history, whoever wrote it. */
function judgeComparison(result: Result, behaviour: ComparedBehaviour, comparison: Compared): void {
  try {
    const { id: clause, asks, evidence, judge } = behaviour;
    addVerdict(result, { clause, ...(asks && { asks }) }, judge(readEvidence(evidence, comparison)));
  } catch (error) {
    if (!(error instanceof Misfit)) throw error;
    if (comparison.leftOut !== undefined)
      return void result.untested.push({ clause: behaviour.id, why: comparison.leftOut });
    result.errors.push(`The history has no usable evidence for ${behaviour.id}: ${error.message}.`);
  }
}

/** This many refused and this many accepted requests are needed, because a single answer may be an accident. */
export const MIN_ANSWERS_PER_GROUP = 2;
/** The kind of a finding if the bank never accepts a documented form. Another answer that tested the clause then refutes it. */
export const NEVER_ACCEPTED_KIND = 'refused';
/** The kind of a finding if the bank throttles a value each time, and serves other values before and after it. */
export const THROTTLED_VALUE_KIND = 'throttled';

/** Except where a value is throttled each time, a throttled request is neither a refusal nor a server error. */
const isRefused = ({ outcome, status, exchange }: Answered, { kind, pointer }: Contrast['words']): boolean => {
  const isAboutText = pointer === `request/body/${operationFacts[exchange.operation].freeText}`;
  if (kind === 'server-error' && isAboutText && isClosedOnText(exchange)) return true;
  if (kind === THROTTLED_VALUE_KIND) return isPostponed(exchange.answer);
  if (status === null || isThrottled(exchange.answer)) return false;
  return kind === 'server-error' ? outcome === 'crashed' : outcome !== 'accepted' && outcome !== 'malformed';
};

/** The clause is kept if the bank refused nothing, and not tested if it also accepts a nonsense value in that place. */
export function judgeContrast({ refused, accepted, nonsense, words }: Contrast): Verdict {
  const [last, contrast, first] = [refused.at(-1), accepted.at(-1), accepted[0]];
  if (last === undefined) return first === undefined ? notTested('no such request was accepted') : kept(first);
  if (Math.min(refused.length, accepted.length) < MIN_ANSWERS_PER_GROUP)
    return notTested('too few requests were refused and accepted in turn');
  if (nonsense.some((answer) => answer.accepted)) return notTested('the bank also accepts a meaningless value');
  if (!refused.every((answer) => isRefused(answer, words)) || !accepted.every((answer) => answer.accepted))
    return notTested('the difference between the requests did not decide each answer');
  return broken(last, { contrast, expected: 'the documented request to be accepted', ...words });
}

export function evaluateBehaviours(history: History): RunResult {
  const result: Result = { exercised: [], broken: [], observed: [], untested: [], errors: [] };
  for (const [id, ways] of groupBy(comparedBehaviours as readonly ComparedBehaviour[], (behaviour) => behaviour.id))
    for (const comparison of history.compared(id)) {
      const behaviour = ways.find(({ way }) => way === comparison.about['way']);
      if (behaviour !== undefined) judgeComparison(result, behaviour, comparison);
      else result.errors.push(`The history has evidence of an unknown kind for ${id}.`);
    }
  for (const { id: clause, operation, unit = 'comparisons', judge } of runBehaviours as readonly RunBehaviour[])
    for (const verdict of judge(history.run))
      addVerdict(result, { clause, operation, ...(unit === 'answers' ? {} : { unit }) }, verdict);
  for (const contrast of history.contrasts) addVerdict(result, contrast, judgeContrast(contrast));
  return result;
}
