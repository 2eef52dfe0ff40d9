/** Finds, for what the run could not test, the finding that is the cause. */
import { withPrerequisites, type OperationId } from '../../openapi/clauses/areas.ts';
import { memoizeByObject } from '../../openapi/util/memoize.ts';
import type { ClauseReport, Finding, OperationReport, Report } from '../model/report.ts';
import { formatOperationName } from '../text/phrases.ts';

type Results = Pick<Report, 'operations' | 'findings' | 'clauses'>;

const isSilent = ({ successes }: OperationReport): boolean => successes === 0;

/** Returns the operation without a success that keeps an operation from being tested: itself, or one that gives it inputs. */
export function findBlocker(id: OperationId, operations: readonly OperationReport[]): OperationReport | undefined {
  const needed = withPrerequisites([id]);
  const asked = operations.filter((one) => needed.has(one.id) && isSilent(one) && one.requests > 0);
  return asked.find((one) => one.id === id) ?? asked[0];
}

/** Returns the finding that explains why an operation never succeeded, or was not asked. */
export function findCause(id: OperationId, { operations, findings }: Omit<Results, 'clauses'>): Finding | undefined {
  const blocker = findBlocker(id, operations);
  const here = findings.filter(({ operation }) => blocker && operation === formatOperationName(blocker));
  return here.find(({ verdict }) => verdict === 'fail') ?? here.find(({ pointer }) => pointer === 'response/status');
}

/**
 * Returns the operations without a success that keep a clause from being tested; an empty list if another one could test it. A
 * clause without places looks at all operations of its area.
 */
export function findSilentOperations(
  { places, area }: ClauseReport,
  operations: readonly OperationReport[],
): readonly OperationReport[] {
  const names = new Set(places.map(({ operation }) => operation));
  const at = operations.filter((one) => (names.size > 0 ? names.has(formatOperationName(one)) : one.area === area));
  return at.every(isSilent) ? at : [];
}

/** Returns the finding that keeps a clause from being tested: at an operation without a success, or at the place of the clause. */
export function findClauseCause(clause: ClauseReport, results: Results): Finding | undefined {
  const [silent] = findSilentOperations(clause, results.operations);
  if (silent !== undefined) return findCause(silent.id, results);
  return results.findings.find(({ operation, pointer }) =>
    clause.places.some((place) => pointer !== '' && place.operation === operation && place.pointers.includes(pointer)),
  );
}

/** What could not be tested because of one cause, or without a known cause. */
interface Untested {
  readonly operations: OperationReport[];
  readonly clauses: ClauseReport[];
}

/** Groups what was not tested by the id of the finding that is the cause; `null` holds the rest. */
export const groupUntested = memoizeByObject((report: Results): ReadonlyMap<string | null, Untested> => {
  const groups = new Map<string | null, Untested>([[null, { operations: [], clauses: [] }]]);
  const groupOf = (cause: Finding | undefined): Untested => {
    const key = cause?.id ?? null;
    const group = groups.get(key) ?? { operations: [], clauses: [] };
    groups.set(key, group);
    return group;
  };
  for (const operation of report.operations.filter(isSilent))
    groupOf(findCause(operation.id, report)).operations.push(operation);
  for (const clause of report.clauses)
    if (clause.level !== 'open' && clause.verdict === 'inconclusive')
      groupOf(findClauseCause(clause, report)).clauses.push(clause);
  return groups;
});
