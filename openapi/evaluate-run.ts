/** What the exchanges of a run show together: broken clauses, and inferences about points that the document leaves open. */
import { infer } from './inference/index.ts';
import type { FactRecord } from './model/facts.ts';
import type { RunResult } from './model/finding.ts';
import { evaluateRunRules, inOrder } from './run-rules/index.ts';

/** Evaluates the facts of a run. Pure; the order of the facts makes no difference. */
export function evaluateRun(unordered: readonly FactRecord[]): RunResult {
  const records = inOrder(unordered);
  return { ...evaluateRunRules(records), observed: infer(records) };
}
