/** Says what a user can do about an inconclusive run. */
import type { Area } from '../../../openapi/model/exchange.ts';
import type { OperationReport } from '../../model/report.ts';
import { addCounts } from '../../text/phrases.ts';
import type { JudgedRun, RunContext } from './run-context.ts';
import { quoteExample, findBlockingSetting, describeUnreadable } from './what-came.ts';

/** Advice for an area that is not in the recorded traffic. */
export const LEAVE_OUT_ADVICE = 'If it should not be judged, leave it out with AREAS.';

export const countFailedRequests = ({ outcomes }: OperationReport): number =>
  (outcomes.lost ?? 0) + (outcomes.crashed ?? 0);

/** True for an operation that succeeded, but did not answer most of its documented requests. */
export const isMostlyUnanswered = (operation: OperationReport): boolean =>
  operation.successes > 0 && countFailedRequests(operation) * 2 > operation.positives;

/** A bank may leave this share of documented requests unserved. */
const MAX_UNSERVED_SHARE = 0.05;
/** The confidence of the statement that the share is higher. */
const CONFIDENCE = 0.99;

/** True if the lower bound of a share is above `share` (exact binomial bound of Clopper and Pearson). */
function isShareAbove(share: number, failed: number, of: number, confidence = CONFIDENCE): boolean {
  let [below, exactly] = [0, (1 - share) ** of];
  for (let count = 0; count < failed; count += 1) {
    below += exactly;
    exactly *= ((of - count) / (count + 1)) * (share / (1 - share));
  }
  return 1 - below < 1 - confidence;
}

/** Describes the documented requests that were not served, if the bank left more than the allowed share of them unserved. */
export function describeUnserved({ id, successes }: OperationReport, { tallies }: RunContext): string | null {
  const { countable = 0, unserved = 0 } = tallies.operations.get(id) ?? {};
  if (successes === 0 || !isShareAbove(MAX_UNSERVED_SHARE, unserved, countable)) return null;
  const rate = ((100 * unserved) / countable).toFixed(1);
  return `${id} gave no answer, or 502, 503 or 504, to ${unserved} of ${countable} documented requests (${rate} %; the lower ${100 * CONFIDENCE} % bound is above ${100 * MAX_UNSERVED_SHARE} %)`;
}

const isMostlyFaulty = (area: Area, { clauses }: JudgedRun): boolean =>
  clauses.some((clause) => clause.area === area && clause.verdict === 'fail');

/** Returns null if a broken clause or the answers explain the most frequent error. */
export function findAdvice(area: Area, asked: readonly OperationReport[], run: JudgedRun): string | null {
  if (isMostlyFaulty(area, run)) return null;
  const requests = addCounts(asked, (operation) => operation.requests);
  const isMost = (count: (operation: OperationReport) => number): boolean => addCounts(asked, count) / requests > 0.5;
  const mostHave = (holds: (status: number) => boolean): boolean =>
    isMost(({ statuses }) =>
      addCounts(Object.entries(statuses), ([status, count]) => (holds(Number(status)) ? count : 0)),
    );
  if (mostHave((status) => status === 401 || status === 403))
    return run.operations.some((one) => one.area !== area && one.area !== 'atms' && one.successes > 0)
      ? 'The same credentials are accepted elsewhere: check what they may be used for.'
      : `Check ${area === 'atms' ? 'CLIENT_ID and CLIENT_SECRET' : 'CLIENT_ID, CLIENT_SECRET and ACCESS_TOKEN'}.`;
  if (mostHave((status) => status >= 300 && status < 400))
    return 'Redirects are never followed: set BASE_URL to the address they lead to.';
  if (isMost(({ unanswered }) => unanswered)) {
    const [unread] = asked.flatMap((operation) => describeUnreadable(operation, run) ?? []);
    return unread === undefined ? 'Nothing answers at this address.' : `Its answers cannot be read: ${unread}`;
  }
  if (mostHave((status) => status >= 500 && status !== 501)) return 'The bank answers with server errors.';
  if (!mostHave((status) => [404, 405, 501].includes(status))) return null;
  const elsewhere =
    run.facts.target.areas.length === 1 ? '' : ' If the bank does not offer this area, leave it out with AREAS.';
  return `Check the path in BASE_URL, which ends before /api; other paths stand in an OVERLAY.${elsewhere}`;
}

const REQUEST_TOO_EARLY_TEXT = /\btoo (?:soon|often|fast|frequent|many)\b|\brate limit|\bthrottl|\bslow down\b/i;

/** Gives advice if operations never succeeded. Advice about test data only if no broken clause of the area explains it. */
export function listAdvice(silent: readonly OperationReport[], run: JudgedRun): string[] {
  // More than a quarter of the answers is not chance.
  const isOften = (count: number, { requests }: OperationReport): boolean => count > requests / 4;
  const got = (operation: OperationReport, ...statuses: readonly string[]): boolean =>
    statuses.some((status) => isOften(operation.statuses[status] ?? 0, operation));
  const isLent = run.operations.some(({ id, successes }) => id === 'requestLoan' && successes > 0);
  const isWithoutOffers = (one: OperationReport) =>
    isLent && one.area === 'loans' && one.requests === 0 && findBlockingSetting(one, run) === null;
  const refuses = (one: OperationReport) => got(one, '400', '409', '422') || isOften(one.outcomes.declined ?? 0, one);
  const isThrottled = (one: OperationReport) =>
    got(one, '429', '503') || REQUEST_TOO_EARLY_TEXT.test(quoteExample(one, run));
  // Status 500 is not a sign of overload.
  const isOverloaded = (one: OperationReport) => got(one, '502', '504') || isOften(one.unanswered, one);
  const mostlyLost = run.operations.filter((one) => isMostlyUnanswered(one) || describeUnserved(one, run) !== null);
  // An answer that cannot be read was not lost because of overload.
  const [unread] = mostlyLost.flatMap((one) => describeUnreadable(one, run) ?? []);
  const lost = mostlyLost.filter((one) => describeUnreadable(one, run) === null);
  const hasLoad = [...silent, ...lost].some(isThrottled) || lost.some(isOverloaded);
  const lacksData = silent.some((one) => !isMostlyFaulty(one.area, run) && (refuses(one) || isWithoutOffers(one)));
  return [
    hasLoad && 'If the bank gets too many requests at once, set RATE_LIMIT or a smaller IN_FLIGHT.',
    unread !== undefined && `Answers came that cannot be read: ${unread}`,
    lacksData && 'If the bank needs other test data, set AMOUNTS, CURRENCIES, CUSTOMER_IPS or LANGUAGES.',
  ].filter((hint) => hint !== false);
}
