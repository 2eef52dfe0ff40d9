/** Makes the notes about one exchange for checks over several exchanges. */
import type { Exchange } from '../model/exchange.ts';
import type { Fact } from '../model/facts.ts';
import type { Outcome } from '../model/outcome.ts';
import { listAnswerFacts } from './answers.ts';
import { listAtmFacts } from './atms.ts';
import { listListFacts } from './lists.ts';
import { listApplicationIdFacts, listChangeFacts, listLoanFacts } from './loans.ts';
import { listBranchFacts, listLinkFacts, listPaymentFacts } from './payment-links.ts';

/**
 * Returns the notes about an exchange; for a probe, only changes that it may have caused. `body` is the body of a readable 2xx
 * answer, else undefined.
 */
export function readFacts(exchange: Exchange, outcome: Outcome, body: unknown): readonly Fact[] {
  const changes = [...listPaymentFacts(exchange, outcome), ...listChangeFacts(exchange, outcome)];
  if (exchange.kind === 'probe') return changes;
  const { data } = (body ?? {}) as { data?: unknown };
  const answers = [
    ...changes,
    ...listAnswerFacts(exchange, outcome, body),
    ...listApplicationIdFacts(exchange, outcome, data),
  ];
  if (outcome !== 'accepted') return answers;
  return [
    ...answers,
    ...listLoanFacts(exchange, data, body),
    ...listLinkFacts(exchange, data),
    ...listBranchFacts(exchange, data),
    ...listAtmFacts(exchange, data),
    ...listListFacts(exchange, data),
  ];
}
