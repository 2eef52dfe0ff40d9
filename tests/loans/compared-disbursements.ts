/** Prepares, sends and compares requests that several scenarios of loans need. */
import {
  disbursements,
  toSent,
  type OperationId,
  type OpenedLoan,
  type Reply,
  type Tools,
  type Values,
} from '../../fixtures/runner/index.ts';

/** Says which cap is high enough, if every offer is too high for a disbursement of its limit, or of more. */
export const needsHigherCap = (amount: number): string =>
  `the smallest available limit is above MAX_AMOUNT: MAX_AMOUNT=${amount} would do`;

/**
 * Applies for exactly `amount`, because a bank may disburse only the amount of the application. Returns the new application if it
 * has the same offer, or else the given application.
 */
export async function openFor(loans: Tools['loans'], opened: OpenedLoan, amount: number): Promise<OpenedLoan> {
  // The plan must not replace this amount.
  const { planned: _, ...terms } = opened.application.terms;
  const application = await loans.apply({ ...terms, amount });
  const { account, limit } = opened.offer;
  const offer = application?.offers.find((same) => same.account === account && same.limit === limit);
  return application?.terms.amount === amount && offer !== undefined ? { application, offer } : opened;
}

/** Compares the outcome after a refused disbursement with the outcome of an accepted disbursement. */
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

/** Returns the loan answers of the run that have an application. */
export const listOpened = ({ requests }: Tools['run']['session'], applicationId: string) =>
  requests.flatMap((one) => (one.opened?.id === applicationId ? (toSent('requestLoan', one) ?? []) : []));

/** Repeats an accepted request with JSON that is not an object, and with a body that is not JSON. Returns the second answer. */
export async function probeUnreadable<O extends OperationId>(
  { probe }: Tools,
  control: Reply<O>,
  values: Values,
): Promise<Reply<O> | null> {
  const send = (body: string) => probe(control, values, { mutate: (draft) => ({ ...draft, body }) });
  const [, last] = await Promise.all([send('[]'), send('{"amount":')]);
  return last;
}
