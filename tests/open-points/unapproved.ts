/** Sends a disbursement with contract_approved false: the document does not define the answer. */
import { toObservedAnswer, isThrottled, type Opened, type Tools } from '../../fixtures/runner/index.ts';

export async function disburseUnapproved(
  { bank, loans, run }: Tools,
  { application, offer }: Opened,
  control: string,
): Promise<void> {
  const reply = await bank.disburse(loans.disbursement(application, offer, { approved: false }));
  const question = 'a disbursement with contract_approved false';
  if (reply.outcome !== 'not-sent' && !isThrottled(reply.exchange.answer))
    run.observe('loans.states', 'disburse', toObservedAnswer(reply), reply.exchange.id, question, control);
  if (!reply.accepted) return;
  const { accepted, data, exchange } = await loans.settled(application.id);
  const result = `“${String(data.result)}”`;
  if (accepted)
    run.observe('loans.states', 'queryDisbursement', result, exchange.id, `the outcome of ${question}`, exchange.id);
}
