/**
 * Leaves out refusals and failures that a newer contract may explain: a bank may end a contract when its account gets a newer
 * contract. Example: application 1 gets a contract for account A, application 2 gets one for account A, and then the disbursement of
 * application 1 fails. This failure is no evidence.
 */
import { outcomeStaysAfterRepeat } from '../behaviours/loans/steps.ts';
import { operations } from '../../contract/operations.ts';
import type { Answered, Compared, Contrast, History } from '../../model/history.ts';
import type { RecordByKind } from '../../model/record.ts';
import { toIdText } from '../../util/ids.ts';
import { hasErrors } from '../../history/answers.ts';

type AnyAnswer = Pick<Answered, 'operation' | 'accepted' | 'body' | 'exchange'>;
type LoanChange = RecordByKind['changes'];

/** True for the steps that need the contract. */
const needsContract = ({ operation }: AnyAnswer): boolean =>
  operation === 'disburse' || operation === 'queryDisbursement';
const getApplication = ({ exchange }: AnyAnswer): string => toIdText(exchange.request.asked['application_id']);

/** True if another application may have got a contract for the account between the contract of an application and its disbursement. */
function hasReplacedContract(changes: readonly LoanChange[], answer: AnyAnswer): boolean {
  const application = getApplication(answer);
  const { request, ticks } = answer.exchange;
  const disbursed =
    answer.operation === 'disburse'
      ? { account: toIdText(request.asked['account_id']), at: ticks?.[1] ?? Infinity }
      : changes.find((change) => change.operation === 'disburse' && change.application === application);
  if (disbursed === undefined) return false;
  const contracts = changes.filter(
    (change) =>
      change.operation === 'approveContract' && change.account === disbursed.account && change.from <= disbursed.at,
  );
  const contract = contracts.findLast((candidate) => candidate.application === application);
  if (contract === undefined) return false;
  return contracts.some((newer) => newer.application !== application && newer.at >= contract.from);
}

/** True for a refused or failed disbursement: a bank answers so if the application has no contract. */
function isFailure({ operation, accepted, body }: AnyAnswer): boolean {
  if (operation === 'disburse') return !accepted;
  return operation === 'queryDisbursement' && hasErrors(body);
}

/**
 * Returns the failures that a newer contract may explain. Returns none if another disbursement or outcome succeeded although its
 * contract was replaced: then the bank does not end contracts. Leaves out a second disbursement of an application.
 */
export function findReplaced(changes: readonly LoanChange[], replies: readonly Answered[]): ReadonlySet<Answered> {
  const repliesAfterReplacement = replies.filter(
    (reply) => needsContract(reply) && hasReplacedContract(changes, reply),
  );
  const failures = repliesAfterReplacement.filter(isFailure);
  const disbursedApplications = replies
    .filter(({ operation, accepted }) => operation === 'disburse' && accepted)
    .map(getApplication);
  const failedApplications = new Set(failures.map(getApplication));
  const successes = repliesAfterReplacement.filter(
    (reply) => reply.accepted && !failedApplications.has(getApplication(reply)),
  );
  const hasSuccessOfSameStep = ({ operation }: Answered): boolean =>
    successes.some((success) => success.operation === operation);
  if (failures.some(hasSuccessOfSameStep)) return new Set();
  const isSecondDisbursement = (reply: Answered): boolean =>
    reply.operation === 'disburse' && disbursedApplications.includes(getApplication(reply));
  return new Set(failures.filter((failure) => !isSecondDisbursement(failure)));
}

/** A newer contract does not explain an outcome that a repeated step changed, or an operation that is answered like an unknown path. */
const UNAFFECTED: ReadonlySet<string> = new Set([outcomeStaysAfterRepeat.id, operations.disburse.clauses.path]);

const LEFT_OUT_TEXT = 'a newer contract for the account may have ended the contract of the application';

/** Leaves out of all comparisons the refusals and failures that a newer contract may explain. */
export function leaveOutReplaced(history: History): History {
  const { changes } = history.run;
  const leaveOut = (compared: Compared): Compared => {
    const roles = Object.entries(compared.answers);
    const replaced = findReplaced(changes, Object.values(compared.answers).flat());
    if (replaced.size === 0) return compared;
    // If one answer of a pair is removed, the remaining answers would be paired wrongly. Roles of pairs have a point in their name.
    const isPairTorn = roles.some(
      ([role, replies]) => role.includes('.') && replies.some((reply) => replaced.has(reply)),
    );
    const selectRemaining = (replies: readonly Answered[]): readonly Answered[] =>
      isPairTorn ? [] : replies.filter((reply) => !replaced.has(reply));
    const remainingRoles = roles.map(([role, replies]) => [role, selectRemaining(replies)]);
    return { ...compared, answers: Object.fromEntries(remainingRoles), leftOut: LEFT_OUT_TEXT };
  };
  const leaveOutOfContrast = (contrast: Contrast): readonly Contrast[] => {
    const replaced = findReplaced(changes, [...contrast.refused, ...contrast.accepted]);
    const remainingRefused = contrast.refused.filter((reply) => !replaced.has(reply));
    // Without its refused requests, a paired comparison shows nothing.
    return remainingRefused.length === 0 && contrast.refused.length > 0
      ? []
      : [{ ...contrast, refused: remainingRefused }];
  };
  return {
    ...history,
    compared: (clause) => (UNAFFECTED.has(clause) ? history.compared(clause) : history.compared(clause).map(leaveOut)),
    contrasts: history.contrasts.flatMap(leaveOutOfContrast),
  };
}
