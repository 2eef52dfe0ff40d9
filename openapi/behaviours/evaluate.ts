/** Judges all behaviours over a run. */
import type { Compared, Evidence, History } from '../model/check.ts';
import type { RunResult } from '../model/finding.ts';
import { isThrottled } from '../model/outcome.ts';
import { groupBy } from '../util/group-by.ts';
import type { ComparedBehaviour, RunBehaviour, Verdict } from './behaviour.ts';
import { judgeContrast, NEVER_ACCEPTED_KIND } from './contrast.ts';
import { Misfit, readEvidence } from './evidence.ts';
import { comparedBehaviours, runBehaviours } from './index.ts';
import {
  findOperation,
  getExchangeId,
  isExchangeNote,
  makeInference,
  makeViolation,
  type Writable,
} from './results.ts';
import { openRun } from './run.ts';

type Result = Writable<Required<RunResult>>;

const isAskedToWait = (by: Evidence): boolean => !isExchangeNote(by) && isThrottled(by.exchange.answer);

/** The clause of a verdict, and what is fixed for all its verdicts. */
type Subject = Parameters<typeof makeViolation>[0] & Pick<ComparedBehaviour, 'asks'>;

/** Adds a verdict to the findings, the counts, the answers to open points, or the reasons why nothing was tested. */
function addVerdict(result: Result, subject: Subject, verdict: Verdict): void {
  const { clause, asks } = subject;
  if (verdict.is === 'not tested') return void result.untested.push({ clause, why: verdict.why });
  const { by, contrast, count = 1 } = verdict;
  const isRefuted = verdict.is === 'broken' && verdict.kind === NEVER_ACCEPTED_KIND;
  // A throttled request proves nothing.
  if (isAskedToWait(by)) result.untested.push({ clause, why: 'the bank asked to wait' });
  else if (!isRefuted) {
    result.exercised.push({ clause, operation: findOperation(subject, by), count, exchange: getExchangeId(by) });
    if (asks !== undefined && !isExchangeNote(by)) result.observed.push(makeInference(asks, by, contrast));
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

/** Judges all behaviours. */
export function evaluateBehaviours(history: History): Required<RunResult> {
  const result: Result = { exercised: [], broken: [], observed: [], untested: [], errors: [] };
  for (const [id, ways] of groupBy(comparedBehaviours as readonly ComparedBehaviour[], (behaviour) => behaviour.id))
    for (const comparison of history.compared(id)) {
      const behaviour = ways.find(({ way }) => way === comparison.about['way']);
      if (behaviour !== undefined) judgeComparison(result, behaviour, comparison);
      else result.errors.push(`The history has evidence of an unknown kind for ${id}.`);
    }
  const run = openRun(history.notes);
  for (const { id: clause, operation, unit = 'comparisons', judge } of runBehaviours as readonly RunBehaviour[])
    for (const verdict of judge(run)) addVerdict(result, { clause, unit, ...(operation && { operation }) }, verdict);
  for (const contrast of history.contrasts) addVerdict(result, contrast, judgeContrast(contrast));
  return result;
}
