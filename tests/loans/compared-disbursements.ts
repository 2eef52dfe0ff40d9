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

/** Says which cap would do if no offer is small enough to be disbursed, or exceeded, as a whole. */
export const needsHigherCap = (amount: number): string =>
  `the smallest available limit is above MAX_AMOUNT: MAX_AMOUNT=${amount} would do`;

/**
 * Applies for exactly `amount`, since a target may disburse only the amount of the application. Returns the new application if it
 * has the same offer, else the given one.
 */
export async function openFor(loans: Tools['loans'], opened: OpenedLoan, amount: number): Promise<OpenedLoan> {
  const application = await loans.apply({ ...opened.application.terms, amount });
  const { account, limit } = opened.offer;
  const offer = application?.offers.find((same) => same.account === account && same.limit === limit);
  return application?.terms.amount === amount && offer !== undefined ? { application, offer } : opened;
}

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

/** Repeats an accepted request with a JSON body that is no object, and with a body that is no JSON; returns the answer to this. */
export async function probeUnreadable<O extends OperationId>(
  { probe }: Tools,
  control: Reply<O>,
  values: Values,
): Promise<Reply<O> | null> {
  const send = (body: string) => probe(control, values, { mutate: (draft) => ({ ...draft, body }) });
  const [, last] = await Promise.all([send('[]'), send('{"amount":')]);
  return last;
}
