/**
 * Finds applications whose account may have a newer contract than theirs before they are disbursed. A bank may end the older
 * contract: refusals and failures of such an application are no evidence.
 */
import type { Answered, History } from '../model/check.ts';
import type { Fact } from '../model/facts.ts';
import { toIdText } from '../util/ids.ts';
import { hasErrors } from './answer-data.ts';

type Reply = Pick<Answered, 'operation' | 'accepted' | 'body' | 'exchange'>;
export type LoanChange = Omit<Fact<'changed'>, 'rule'>;

/** True if another application may have got a contract for the account between the contract of this one and its disbursement. */
function hasReplacedContract(changes: readonly LoanChange[], { operation, exchange }: Reply): boolean {
  const { asked } = exchange.request;
  const application = toIdText(asked['application_id']);
  const made = changes.find((one) => one.operation === 'disburse' && one.application === application);
  // If the bank accepted another disbursement of the application, it had a contract.
  if (operation === 'disburse' && made !== undefined) return false;
  const sent = { account: toIdText(asked['account_id']), at: exchange.ticks?.[1] ?? Infinity };
  const disbursed = operation === 'disburse' ? sent : made;
  if (disbursed === undefined) return false;
  const contracts = changes.filter(
    (one) => one.operation === 'approveContract' && one.account === disbursed.account && one.from <= disbursed.at,
  );
  const own = contracts.findLast((one) => one.application === application);
  return own !== undefined && contracts.some((one) => one.application !== application && one.at >= own.from);
}

/** True for a refusal or failure of a disbursement that a newer contract for the account may explain. */
export const mayBeReplaced = (changes: readonly LoanChange[], reply: Reply): boolean =>
  (reply.operation === 'disburse' || reply.operation === 'queryDisbursement') &&
  (!reply.accepted || hasErrors(reply.body)) &&
  hasReplacedContract(changes, reply);

const LEFT_OUT = 'a newer contract for the account may have ended the contract of the application';

/** Leaves refusals and failures that a newer contract may explain out of all comparisons. */
export function leaveOutReplaced(history: History): History {
  const changes = history.notes('changed').map(({ fact }) => fact);
  const isEvidence = (reply: Answered): boolean => !mayBeReplaced(changes, reply);
  type Compared = ReturnType<History['compared']>[number];
  const leaveOut = (compared: Compared): Compared => {
    const all = (role: string) => compared.all(role).filter(isEvidence);
    const isWhole = compared.roles.every((role) => all(role).length === compared.all(role).length);
    return isWhole ? compared : { ...compared, all, one: (role) => all(role)[0], leftOut: LEFT_OUT };
  };
  return {
    ...history,
    compared: (clause) => history.compared(clause).map(leaveOut),
    contrasts: history.contrasts.flatMap((contrast) => {
      const refused = contrast.refused.filter(isEvidence);
      // Without its refused requests, a contrast shows nothing.
      if (refused.length === 0 && contrast.refused.length > 0) return [];
      return [{ ...contrast, refused, accepted: contrast.accepted.filter(isEvidence) }];
    }),
  };
}
