/** What the exchanges of a run show together: broken clauses, and inferences about points that the document leaves open. */
import { evaluateChecks, type History } from './checks/check.ts';
import { checks } from './checks/index.ts';
import { infer } from './inference/index.ts';
import type { FactRecord } from './model/facts.ts';
import type { RunResult } from './model/finding.ts';
import { evaluateRunRules, inOrder } from './run-rules/index.ts';

/** Evaluates the facts of a run, and what its scenarios compared. Pure; the order of the facts makes no difference. */
export function evaluateRun(unordered: readonly FactRecord[], history?: History): RunResult {
  const records = inOrder(unordered);
  const { exercised, broken } = evaluateRunRules(records);
  const checked = history === undefined ? null : evaluateChecks(checks, history);
  return {
    exercised: [...exercised, ...(checked?.exercised ?? [])],
    broken: [...broken, ...(checked?.broken ?? [])],
    observed: [...infer(records), ...(checked?.observed ?? [])],
  };
}
