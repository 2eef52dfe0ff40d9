/** Prepares and sends requests of loans, and compares their answers, for several scenarios. */
import {
  listAccepted,
  toSent,
  type OperationId,
  type OpenedLoan,
  type Reply,
  type Tools,
  type Values,
} from '../../fixtures/runner/index.ts';
import * as disbursements from '../../openapi/bank/behaviours/loans/disbursements.ts';

/** Says which MAX_AMOUNT is high enough, if all offers have limits above MAX_AMOUNT. */
export const needsHigherCap = (amount: number): string =>
  `the smallest available limit is above MAX_AMOUNT: MAX_AMOUNT=${amount} would do`;

/**
 * Applies again, for exactly `amount`, because a bank may disburse only the amount of the application. Returns the new application
 * if it has the same offer, and the given application if not.
 */
export async function openFor(loans: Tools['loans'], opened: OpenedLoan, amount: number): Promise<OpenedLoan> {
  // `planned` would replace the amount.
  const { planned: _, ...terms } = opened.application.terms;
  const application = await loans.apply({ ...terms, amount });
  const { account, limit } = opened.offer;
  const offer = application?.offers.find((candidate) => candidate.account === account && candidate.limit === limit);
  return application?.terms.amount === amount && offer !== undefined ? { application, offer } : opened;
}

const isIpv6 = (ip: unknown): boolean => String(ip).includes(':');

/**
 * Returns a customer address of the other family (IPv4 or IPv6) than `ip`, of a disbursement with the outcome text `usualResult`.
 * Returns `ip` if there is none: at some banks, disbursements for one family fail for another reason.
 */
export function findIpOfOtherFamily({ requests }: Tools['run']['session'], ip: string, usualResult: unknown): string {
  const madeIds = new Set(
    requests.flatMap(({ result, values }) =>
      result !== undefined && result === usualResult ? [values['application_id']] : [],
    ),
  );
  const otherIp = listAccepted(requests, 'disburse').findLast(
    ({ values }) => isIpv6(values['customer_ip']) !== isIpv6(ip) && madeIds.has(values['application_id']),
  )?.values['customer_ip'];
  return String(otherIp ?? ip);
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
  const outcome = await loans.queryUntilFinal(applicationId, { isProbe: true });
  run.compare(disbursements.refusedNotMade, { ...evidence, outcome, opened: listOpened(run.session, applicationId) });
}

/** Returns the loan answers of this application. */
export const listOpened = ({ requests }: Tools['run']['session'], applicationId: string) =>
  requests.flatMap((request) => (request.opened?.id === applicationId ? (toSent('requestLoan', request) ?? []) : []));

/** Sends an accepted request twice more: with a JSON list as body, and with text that is not JSON. Returns the second answer. */
export async function probeUnreadable<O extends OperationId>(
  { probe }: Tools,
  control: Reply<O>,
  values: Values,
): Promise<Reply<O> | null> {
  const send = (body: string) => probe(control, values, { mutate: (draft) => ({ ...draft, body }) });
  const [, notJson] = await Promise.all([send('[]'), send('{"amount":')]);
  return notJson;
}
