import { disbursements, toSent, type Reply, type Tools } from '../../fixtures/runner/index.ts';

/** Compares the outcome of an application with a refused disbursement with that of a made one. */
export async function compareRefused(
  { loans, run }: Tools,
  applicationId: string,
  evidence: {
    readonly refused: Reply<'disburse'>;
    readonly made: Reply<'queryDisbursement'>;
    readonly before?: Reply<'queryDisbursement'>;
  },
): Promise<void> {
  const outcome = await loans.settled(applicationId, { probe: true });
  run.compare(disbursements.refusedNotMade, { ...evidence, outcome, opened: listOpened(run.session, applicationId) });
}

/** Returns the loan answers of the run with an application. */
export const listOpened = ({ requests }: Tools['run']['session'], applicationId: string) =>
  requests.flatMap((one) => (one.opened?.id === applicationId ? (toSent('requestLoan', one) ?? []) : []));
