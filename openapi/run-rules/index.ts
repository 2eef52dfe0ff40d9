/**
 * Checks over what is noted of each exchange. They are evaluated once, when the run is folded, so that it makes no difference
 * how the exchanges were spread over scenarios, workers and machines.
 */
import type { Check } from '../model/check.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Fact } from '../model/facts.ts';
import type { Outcome } from '../model/outcome.ts';
import { answerFacts, answerChecks } from './answers.ts';
import { atmFacts } from './atms/facts.ts';
import { atmChecks } from './atms/index.ts';
import { belongingFacts, changeFacts, belongingChecks } from './belonging.ts';
import { branchFacts, branchChecks } from './branches.ts';
import { expiryChecks } from './expiry.ts';
import { listChecks, listFacts } from './lists.ts';
import { loanChecks, loanFacts } from './loans.ts';
import { paymentLinkChecks, linkFacts, paymentFacts } from './payment-links.ts';
import { statusChecks } from './statuses.ts';

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

/** The checks over what was noted of the exchanges. */
export const noteChecks: readonly Check[] = [
  ...answerChecks,
  ...statusChecks,
  ...loanChecks,
  ...belongingChecks,
  ...paymentLinkChecks,
  ...branchChecks,
  ...expiryChecks,
  ...atmChecks,
  ...listChecks,
];
