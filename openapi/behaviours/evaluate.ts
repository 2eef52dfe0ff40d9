/** Judges all behaviours over a run. */
import {
  findOperation,
  getExchangeId,
  isExchangeNote,
  makeInference,
  makeViolation,
  type Writable,
} from '../checks/check.ts';
import type { Compared, Evidence, History } from '../model/check.ts';
import type { RunResult } from '../model/finding.ts';
import { isThrottled } from '../model/outcome.ts';
import type { ComparedBehaviour, RunBehaviour, Verdict } from './behaviour.ts';
import { Misfit, readEvidence } from './evidence.ts';
import { comparedBehaviours, runBehaviours } from './index.ts';
import { openRun } from './run.ts';

type Result = Writable<Required<RunResult>>;

const isAskedToWait = (by: Evidence): boolean => !isExchangeNote(by) && isThrottled(by.exchange.answer);

/** Adds a verdict to the findings, the counts, the answers to open points, or the reasons why nothing was tested. */
function addVerdict(result: Result, behaviour: ComparedBehaviour | RunBehaviour, verdict: Verdict): void {
  const clause = behaviour.id;
  if (verdict.is === 'not tested') return void result.untested.push({ clause, why: verdict.why });
  const { by, contrast, count = 1 } = verdict;
  const isCompared = 'evidence' in behaviour;
  const about = isCompared ? { clause } : { clause, operation: behaviour.operation, unit: 'comparisons' as const };
  // A throttled request proves nothing.
  if (isAskedToWait(by)) result.untested.push({ clause, why: 'the bank asked to wait' });
  else {
    result.exercised.push({ clause, operation: findOperation(about, by), count, exchange: getExchangeId(by) });
    if (isCompared && behaviour.asks !== undefined && !isExchangeNote(by))
      result.observed.push(makeInference(behaviour.asks, by, contrast));
  }
  if (verdict.is === 'broken') result.broken.push(makeViolation(about, verdict));
}

/** Judges one comparison. Evidence that does not fit its behaviour is an error of the history, whoever wrote it. */
function judgeComparison(result: Result, behaviour: ComparedBehaviour, comparison: Compared): void {
  try {
    addVerdict(result, behaviour, behaviour.judge(readEvidence(behaviour.evidence, comparison)));
  } catch (error) {
    if (!(error instanceof Misfit)) throw error;
    if (comparison.leftOut !== undefined)
      return void result.untested.push({ clause: behaviour.id, why: comparison.leftOut });
    result.errors.push(`The history has no usable evidence for ${behaviour.id}: ${error.message}.`);
  }
}

/** Judges all behaviours. */
export function evaluateBehaviours(history: History): Required<RunResult> {
  const result: Result = { exercised: [], broken: [], observed: [], untested: [], errors: [] };
  for (const behaviour of comparedBehaviours as readonly ComparedBehaviour[])
    for (const comparison of history.compared(behaviour.id))
      if (comparison.about['way'] === behaviour.way) judgeComparison(result, behaviour, comparison);
  const run = openRun(history.notes);
  for (const behaviour of runBehaviours)
    for (const verdict of behaviour.judge(run)) addVerdict(result, behaviour, verdict);
  return result;
}
