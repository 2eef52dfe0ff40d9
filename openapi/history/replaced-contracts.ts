/** A bank may end a contract when its account gets a newer contract. Refusals and failures for this reason are no evidence. */
import type { ClauseId } from '../clauses/index.ts';
import { operations } from '../contract/operations.ts';
import type { Answered, Compared, Contrast, History } from '../model/history.ts';
import type { RecordByKind } from '../model/record.ts';
import { toIdText } from '../util/ids.ts';
import { hasErrors } from './answers.ts';

type Reply = Pick<Answered, 'operation' | 'accepted' | 'body' | 'exchange'>;
export type LoanChange = RecordByKind['changes'];

const isLate = ({ operation }: Reply): boolean => operation === 'disburse' || operation === 'queryDisbursement';
const getApplication = ({ exchange }: Reply): string => toIdText(exchange.request.asked['application_id']);

/** True if another application may have got a contract for the account between the contract of this one and its disbursement. */
function hasReplacedContract(changes: readonly LoanChange[], reply: Reply): boolean {
  const application = getApplication(reply);
  const { request, ticks } = reply.exchange;
  const disbursed =
    reply.operation === 'disburse'
      ? { account: toIdText(request.asked['account_id']), at: ticks?.[1] ?? Infinity }
      : changes.find((one) => one.operation === 'disburse' && one.application === application);
  if (disbursed === undefined) return false;
  const contracts = changes.filter(
    (one) => one.operation === 'approveContract' && one.account === disbursed.account && one.from <= disbursed.at,
  );
  const own = contracts.findLast((one) => one.application === application);
  return own !== undefined && contracts.some((one) => one.application !== application && one.at >= own.from);
}

/** True for a refused or failed disbursement: a bank answers so if the application has no contract. */
const isFailure = ({ operation, accepted, body }: Reply): boolean =>
  operation === 'disburse' ? !accepted : operation === 'queryDisbursement' && hasErrors(body);

/** Contains no contract if the bank kept another replaced contract, and no second disbursement of an application. */
export function findReplaced(changes: readonly LoanChange[], replies: readonly Answered[]): ReadonlySet<Answered> {
  const replaced = replies.filter((reply) => isLate(reply) && hasReplacedContract(changes, reply));
  const failures = replaced.filter(isFailure);
  const made = replies.filter(({ operation, accepted }) => operation === 'disburse' && accepted).map(getApplication);
  const failed = new Set(failures.map(getApplication));
  const kept = replaced.filter((reply) => reply.accepted && !failed.has(getApplication(reply)));
  if (failures.some((failure) => kept.some(({ operation }) => operation === failure.operation))) return new Set();
  return new Set(failures.filter((reply) => reply.operation !== 'disburse' || !made.includes(getApplication(reply))));
}

/** A newer contract does not explain an outcome that a repeated step changed, or an operation that is answered like an unknown path. */
const UNAFFECTED: ReadonlySet<ClauseId> = new Set([
  'loans.repeated-step.outcome-stays',
  operations.disburse.clauses.path,
]);

const LEFT_OUT = 'a newer contract for the account may have ended the contract of the application';

/** Leaves refusals and failures that a newer contract may explain out of all comparisons. */
export function leaveOutReplaced(history: History): History {
  const { changes } = history.run;
  const leaveOut = (compared: Compared): Compared => {
    const all = Object.entries(compared.answers);
    const replaced = findReplaced(changes, Object.values(compared.answers).flat());
    if (replaced.size === 0) return compared;
    // If one answer of a pair is removed, the remaining answers would be paired wrongly.
    const isPairTorn = all.some(
      ([role, replies]) => role.includes('.') && replies.some((reply) => replaced.has(reply)),
    );
    const left = all.map(([role, replies]) => [
      role,
      isPairTorn ? [] : replies.filter((reply) => !replaced.has(reply)),
    ]);
    return { ...compared, answers: Object.fromEntries(left), leftOut: LEFT_OUT };
  };
  const leaveOutOfContrast = (contrast: Contrast): readonly Contrast[] => {
    const replaced = findReplaced(changes, [...contrast.refused, ...contrast.accepted]);
    const refused = contrast.refused.filter((reply) => !replaced.has(reply));
    // Without its refused requests, a contrast shows nothing.
    return refused.length === 0 && contrast.refused.length > 0 ? [] : [{ ...contrast, refused }];
  };
  return {
    ...history,
    compared: (clause) => (UNAFFECTED.has(clause) ? history.compared(clause) : history.compared(clause).map(leaveOut)),
    contrasts: history.contrasts.flatMap(leaveOutOfContrast),
  };
}
