/** Makes the notes about one exchange for checks over several exchanges. */
import type { Exchange } from '../model/exchange.ts';
import type { Fact } from '../model/facts.ts';
import type { Outcome } from '../model/outcome.ts';
import { noteAnswer } from './answers.ts';
import { noteAtms } from './atms.ts';
import { noteList } from './lists.ts';
import { noteApplicationIds, noteChange, noteLoan } from './loans.ts';
import { noteBranches, noteLink, notePayment } from './payment-links.ts';

/**
 * Returns the notes about an exchange; for a probe, only changes that it may have caused. `body` is the body of a readable 2xx
 * answer, else undefined.
 */
export function readFacts(exchange: Exchange, outcome: Outcome, body: unknown): readonly Fact[] {
  const changes = [...notePayment(exchange, outcome), ...noteChange(exchange, outcome)];
  if (exchange.kind === 'probe') return changes;
  const { data } = (body ?? {}) as { data?: unknown };
  const answers = [...changes, ...noteAnswer(exchange, outcome, body), ...noteApplicationIds(exchange, outcome, data)];
  if (outcome !== 'accepted') return answers;
  return [
    ...answers,
    ...noteLoan(exchange, data, body),
    ...noteLink(exchange, data),
    ...noteBranches(exchange, data),
    ...noteAtms(exchange, data),
    ...noteList(exchange, data),
  ];
}
