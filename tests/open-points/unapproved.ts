/** What becomes of a disbursement that says of its contract that it is not approved: a documented request, and left open. */
import { answerOf, isThrottled, type Application, type Offer, type Tools } from '../../fixtures/runner/index.ts';

/** Asks for one, and observes the answer and the outcome; `control` is the exchange of one with approval that was taken. */
export async function disburseUnapproved(
  { bank, loans, run }: Tools,
  application: Application,
  offer: Offer,
  control: string,
): Promise<void> {
  const reply = await bank.disburse(loans.disbursement(application, offer, { approved: false }));
  const question = 'a disbursement with contract_approved false';
  if (reply.outcome !== 'not-sent' && !isThrottled(reply.exchange.answer))
    run.observe('loans.states', 'disburse', answerOf(reply), reply.exchange.id, question, control);
  if (!reply.accepted) return;
  const { accepted, data, exchange } = await loans.settled(application.id);
  if (accepted)
    run.observe(
      'loans.states',
      'queryDisbursement',
      `“${String(data.result)}”`,
      exchange.id,
      `the outcome of ${question}`,
      exchange.id,
    );
}
