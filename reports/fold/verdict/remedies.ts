/** Says what a user can do about an inconclusive run. */
import type { Area } from '../../../openapi/model/exchange.ts';
import type { OperationReport } from '../../model/report.ts';
import type { JudgedRun } from './run-context.ts';

/** Advice for an area without an operation that succeeded. */
export const LEAVE_OUT_ADVICE = 'If it should not be judged, leave it out with AREAS.';

/** Counts documented requests without an answer, or with a 5xx. */
export const countLost = ({ outcomes }: OperationReport): number => (outcomes.lost ?? 0) + (outcomes.crashed ?? 0);

/** True for an operation that succeeded, but lost most of its documented requests. */
export const isMostlyUnanswered = (operation: OperationReport): boolean =>
  operation.successes > 0 && countLost(operation) * 2 > operation.positives;

/** True if a broken clause of the area explains why its operations never succeeded. */
export const isFaulty = (area: Area, { clauses }: JudgedRun): boolean =>
  clauses.some((clause) => clause.area === area && clause.verdict === 'fail');

/** Gives advice if operations never succeeded or lost most requests; about test data only if no broken clause explains it. */
export function listHints(silent: readonly OperationReport[], run: JudgedRun): string[] {
  // More than a quarter of the answers is no chance.
  const got = ({ statuses, requests }: OperationReport, wanted: readonly string[], others = 0): boolean =>
    wanted.reduce((sum, status) => sum + (statuses[status] ?? 0), others) > requests / 4;
  const lost = run.operations.filter(isMostlyUnanswered);
  const isUnread = ({ ways }: OperationReport): boolean => {
    const record = run.tallies.records.get(ways.flow.exchange ?? ways.property.exchange ?? '');
    return record?.response != null && record.failure !== null;
  };
  // Status 500 is no sign of load, and an unreadable answer did not get lost because of load.
  const hasLoad =
    [...silent, ...lost].some((one) => got(one, ['429', '503'])) ||
    lost.some((one) => got(one, ['502', '504'], isUnread(one) ? 0 : one.unanswered));
  const lacksData = silent.some(
    (one) => !isFaulty(one.area, run) && got(one, ['400', '409', '422'], one.outcomes.declined ?? 0),
  );
  return [
    hasLoad && 'If the bank gets too many requests at once, set RATE_LIMIT or a smaller IN_FLIGHT.',
    lacksData && 'If the bank needs other test data, set AMOUNTS, CURRENCIES, CUSTOMER_IPS or LANGUAGES.',
  ].filter((hint) => hint !== false);
}
