/** The outcome of a disbursement that was refused. */
import { isPending, type Reply, type Tools } from '../../fixtures/runner/index.ts';

/** What is said in the end of an application whose disbursement was refused; null where that is still under way. */
export async function outcomeOfRefused(
  { bank, loans }: Tools,
  application_id: string,
): Promise<Reply<'queryDisbursement'> | null> {
  const first = await bank.ask('queryDisbursement', { application_id }, { probe: true });
  const last = isPending(first.data.result) ? await loans.settled(application_id, { probe: true }) : first;
  return isPending(last.data.result) ? null : last;
}

/** Lays the outcome of an application whose disbursement was refused beside that of one that was `made`. */
export function compareWithMade(
  { run }: Pick<Tools, 'run'>,
  outcome: Reply<'queryDisbursement'>,
  roles: { readonly refused: Reply; readonly made: Reply<'queryDisbursement'>; readonly before?: Reply },
): void {
  const { application_id: id } = outcome.exchange.request.asked;
  const opened = run.session.requests.filter((one) => one.opened?.id === String(id));
  run.compare('loans.outcome.not-of-a-refused', { ...roles, outcome, opened });
}
