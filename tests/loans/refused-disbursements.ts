import type { Reply, Tools } from '../../fixtures/runner/index.ts';

/** Compares the outcome of an application with a refused disbursement with that of a made one. */
export async function compareRefused(
  { loans, run }: Tools,
  applicationId: string,
  roles: { readonly refused: Reply; readonly made: Reply<'queryDisbursement'>; readonly before?: Reply },
): Promise<void> {
  const outcome = await loans.settled(applicationId, { probe: true });
  const opened = run.session.requests.filter((one) => one.opened?.id === applicationId);
  run.compare('loans.outcome.not-of-a-refused', { ...roles, outcome, opened });
}
