/** The outcome of a disbursement that was refused. */
import { isOfAsked, isPending, type Reply, type Tools } from '../../fixtures/runner/index.ts';

/** What is said in the end of an application whose disbursement was refused; null where that is still under way. */
export async function outcomeOfRefused(
  { bank, loans }: Tools,
  application_id: string,
): Promise<Reply<'queryDisbursement'> | null> {
  const first = await bank.ask('queryDisbursement', { application_id }, { probe: true });
  const last = isPending(first.data.result) ? await loans.settled(application_id, { probe: true }) : first;
  return isPending(last.data.result) ? null : last;
}

/**
 * Checks that a refused disbursement, `contrast`, has not the outcome of one that was made. An answer that names another
 * application is about that one, and of applications with one id another one may have been paid.
 */
export function checkRefusedIsNotPaid(
  { check, run }: Pick<Tools, 'check' | 'run'>,
  outcome: Reply<'queryDisbursement'>,
  isPaid: boolean,
  contrast: Reply,
): void {
  const { application_id: id } = outcome.exchange.request.asked;
  const opened = run.session.requests.filter((one) => one.opened?.id === String(id));
  if (opened.length > 1 || (outcome.accepted && !isOfAsked(outcome))) return;
  check('loans.outcome.not-of-a-refused', outcome, !isPaid, {
    pointer: '/data/result',
    expected: 'no outcome in the words of a disbursement that was made',
    received: String(outcome.data.result),
    contrast,
  });
}
