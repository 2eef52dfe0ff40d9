/**
 * Rules over several exchanges. The judge notes facts, exchange by exchange; they are evaluated once, when the run is
 * folded, so that it makes no difference how the exchanges were spread over scenarios, workers and machines.
 */
import { scenarioOf, type Exchange } from '../model/exchange.ts';
import type { Fact, FactRecord } from '../model/facts.ts';
import type { RunRuleResult } from '../model/finding.ts';
import type { Outcome } from '../model/outcome.ts';
import { groupBy } from '../util/group-by.ts';
import { answerFacts, evaluateAnswers } from './answers.ts';
import { atmFacts, evaluateAtms } from './atms/index.ts';
import { belongingFacts, changeFacts, evaluateBelonging } from './belonging.ts';
import { branchFacts, evaluateBranches } from './branches.ts';
import { evaluateExpiry } from './expiry.ts';
import { evaluateLists, listFacts } from './lists.ts';
import { evaluateLoans, loanFacts, ofOneApplication } from './loans.ts';
import { evaluateLinks, linkFacts, paymentFacts } from './payment-links.ts';
import { evaluateStatuses, statusesOf } from './statuses.ts';

/** The facts of an exchange; of a probe only what it may have changed. `body` is its readable 2xx body, else undefined. */
export function factsOf(exchange: Exchange, outcome: Outcome, body: unknown): readonly Fact[] {
  const changes = [...paymentFacts(exchange, outcome), ...changeFacts(exchange, outcome)];
  if (exchange.kind === 'probe') return changes;
  const { data } = (body ?? {}) as { data?: unknown };
  const answers = [...changes, ...answerFacts(exchange, outcome, body), ...belongingFacts(exchange, outcome, data)];
  if (outcome !== 'accepted') return answers;
  return [
    ...answers,
    ...loanFacts(exchange, data, body),
    ...linkFacts(exchange, data),
    ...branchFacts(exchange, data),
    ...atmFacts(exchange, data),
    ...listFacts(exchange, data),
  ];
}

/**
 * Facts scenario by scenario, those of each in its own order: of several exchanges that show the same, a worker then keeps
 * the evidence of those that the report names.
 */
export function inOrder(records: readonly FactRecord[]): readonly FactRecord[] {
  const byScenario = [...groupBy(records, ({ exchange }) => scenarioOf(exchange))];
  return byScenario.sort(([one], [other]) => (one < other ? -1 : 1)).flatMap(([, facts]) => facts);
}

/** Judges the facts of a run, in order, by all rules over several exchanges. */
export function evaluateRunRules(records: readonly FactRecord[]): RunRuleResult {
  const unambiguous = ofOneApplication(records);
  const results = [
    evaluateAnswers(records),
    evaluateStatuses(statusesOf(records)),
    evaluateLoans(unambiguous),
    evaluateBelonging(unambiguous),
    evaluateLinks(records),
    evaluateBranches(records),
    evaluateExpiry(records),
    evaluateAtms(records),
    evaluateLists(records),
  ];
  return { exercised: results.flatMap(({ exercised }) => exercised), broken: results.flatMap(({ broken }) => broken) };
}
