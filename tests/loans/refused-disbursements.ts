import type { Reply, Tools } from '../../fixtures/runner/index.ts';

/** Compares the outcome of an application whose disbursement was refused with that of one that was made. */
export async function compareRefused(
  { loans, run }: Tools,
  applicationId: string,
  roles: { readonly refused: Reply; readonly made: Reply<'queryDisbursement'>; readonly before?: Reply },
): Promise<void> {
  const outcome = await loans.settled(applicationId, { probe: true });
  const opened = run.session.requests.filter((one) => one.opened?.id === applicationId);
  run.compare('loans.outcome.not-of-a-refused', { ...roles, outcome, opened });
}
