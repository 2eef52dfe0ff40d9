/** What a user can do about a run that came to no conclusion. */
import type { Area } from '../../../openapi/model/exchange.ts';
import type { OperationReport } from '../../model/report.ts';
import type { RunTally } from './run-tally.ts';
import { inItsWords, limitOn, unreadable } from './what-came.ts';

/** What to do about an area of which recorded traffic has nothing. */
export const LEAVE_OUT = 'If it should not be judged, leave it out with AREAS.';
/** An operation that succeeded, although most of its positive requests brought no answer or a 5xx. */
export function isMostlyUnanswered(operation: OperationReport): boolean {
  return operation.successes > 0 && lostPositives(operation) * 2 > operation.positives;
}

export const lostPositives = ({ outcomes }: OperationReport): number => (outcomes.lost ?? 0) + (outcomes.crashed ?? 0);

const isFaulty = (area: Area, { clauses }: RunTally): boolean =>
  clauses.some((clause) => clause.area === area && clause.verdict === 'fail');

/** What to do about the cause that most answers of a silent area name; null where a broken clause or the answers say enough. */
export function cureOf(area: Area, asked: readonly OperationReport[], run: RunTally): string | null {
  if (isFaulty(area, run)) return null;
  const requests = asked.reduce((sum, operation) => sum + operation.requests, 0);
  const share = (counts: (operation: OperationReport) => number): number =>
    asked.reduce((sum, operation) => sum + counts(operation), 0) / requests;
  const answered = (holds: (status: number) => boolean): number =>
    share(({ statuses }) =>
      Object.entries(statuses).reduce((sum, [status, count]) => sum + (holds(Number(status)) ? count : 0), 0),
    );
  if (answered((status) => status === 401 || status === 403) > 0.5)
    return run.operations.some((one) => one.area !== area && one.area !== 'atms' && one.successes > 0)
      ? 'The same credentials are accepted elsewhere: check what they may be used for.'
      : `Check ${area === 'atms' ? 'CLIENT_ID and CLIENT_SECRET' : 'CLIENT_ID, CLIENT_SECRET and ACCESS_TOKEN'}.`;
  if (answered((status) => status >= 300 && status < 400) > 0.5)
    return 'Redirects are never followed: set BASE_URL to the address they lead to.';
  if (share(({ unanswered }) => unanswered) > 0.5) {
    const unread = asked.map((operation) => unreadable(operation, run)).find((why) => why !== null);
    return unread === undefined ? 'Nothing answers at this address.' : `Its answers cannot be read: ${unread}`;
  }
  if (answered((status) => status >= 500 && status !== 501) > 0.5) return 'The bank answers with server errors.';
  if (answered((status) => [404, 405, 501].includes(status)) <= 0.5) return null;
  const elsewhere = run.areas.length === 1 ? '' : ' If the bank does not offer this area, leave it out with AREAS.';
  return `Check the path in BASE_URL, which ends before /api.${elsewhere}`;
}

const TOO_SOON = /\btoo (?:soon|often|fast|frequent|many)\b|\brate limit|\bthrottl|\bslow down\b/i;

/** What may help where operations never succeeded; of test data only where no broken clause of their area says enough. */
export function hints(silent: readonly OperationReport[], run: RunTally): string[] {
  const brought = ({ statuses, requests }: OperationReport, ...which: readonly string[]): boolean =>
    which.some((status) => (statuses[status] ?? 0) > requests / 4);
  const isLent = run.operations.some(({ id, successes }) => id === 'requestLoan' && successes > 0);
  const isWithoutOffers = (one: OperationReport) =>
    isLent && one.area === 'loans' && one.requests === 0 && limitOn(one, run) === null;
  const refuses = (operation: OperationReport): boolean =>
    brought(operation, '400', '409', '422') || (operation.outcomes.declined ?? 0) > operation.requests / 4;
  const isPressed = (one: OperationReport) => brought(one, '429', '503') || TOO_SOON.test(inItsWords(one, run));
  // A 500 alone is no sign of it.
  const isLost = (one: OperationReport) => brought(one, '502', '504') || 4 * one.unanswered > one.requests;
  const mostlyLost = run.operations.filter(isMostlyUnanswered);
  // What comes and cannot be read is not lost to load.
  const [unread] = mostlyLost.flatMap((one) => unreadable(one, run) ?? []);
  const lost = mostlyLost.filter((one) => unreadable(one, run) === null);
  return [
    ...([...silent, ...lost].some(isPressed) || lost.some(isLost)
      ? ['If the bank gets too many requests at once, set RATE_LIMIT or a smaller IN_FLIGHT.']
      : []),
    ...(unread === undefined ? [] : [`Answers came that cannot be read: ${unread}`]),
    ...(silent.some((one) => !isFaulty(one.area, run) && (refuses(one) || isWithoutOffers(one)))
      ? ['If the bank needs other test data, set AMOUNTS, CURRENCIES, CUSTOMER_IPS or LANGUAGES.']
      : []),
  ];
}
