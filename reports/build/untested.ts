/** Finds out why a run could not test an operation or a clause: a finding that is the cause, a setting, or the answers. */
import {
  createdKinds,
  createdResources,
  creators,
  listGivers,
  operationFacts,
  withPrerequisites,
  type OperationId,
} from '../../openapi/api.ts';
import { memoizeByObject } from '../../openapi/util/memoize.ts';
import type { ClauseReport, Finding, OperationReport, Report } from '../model/report.ts';
import { formatOperationName, grouped, joinWithAnd } from '../text/phrases.ts';
import { shortenText } from '../text/sanitize.ts';
import type { RunContext } from '../model/tallies.ts';

type JudgedParts = Pick<Report, 'operations' | 'findings' | 'clauses'>;

const isSilent = ({ successes }: OperationReport): boolean => successes === 0;

/** Returns the operation without a success that keeps an operation from being tested: itself, or one that gives it inputs. */
export function findBlocker(id: OperationId, operations: readonly OperationReport[]): OperationReport | undefined {
  const needed = withPrerequisites([id]);
  const blockers = operations.filter(
    (operation) => needed.has(operation.id) && isSilent(operation) && operation.requests > 0,
  );
  return blockers.find((blocker) => blocker.id === id) ?? blockers[0];
}

/** Returns the finding that explains why an operation never succeeded, or got no request. */
export function findCause(
  id: OperationId,
  { operations, findings }: Omit<JudgedParts, 'clauses'>,
): Finding | undefined {
  const blocker = findBlocker(id, operations);
  const findingsOfBlocker = findings.filter(({ operation }) => blocker && operation === formatOperationName(blocker));
  const failure = findingsOfBlocker.find(({ verdict }) => verdict === 'fail');
  return failure ?? findingsOfBlocker.find(({ pointer }) => pointer === 'response/status');
}

/**
 * Returns the operations of a clause if none of them succeeded, so that the clause could not be tested; else an empty list. A clause
 * without places is about all operations of its area.
 */
export function findSilentOperations(
  { places, area }: ClauseReport,
  operations: readonly OperationReport[],
): readonly OperationReport[] {
  const names = new Set(places.map(({ operation }) => operation));
  const operationsOfClause = operations.filter((operation) =>
    names.size > 0 ? names.has(formatOperationName(operation)) : operation.area === area,
  );
  return operationsOfClause.every(isSilent) ? operationsOfClause : [];
}

/** Returns the finding that keeps a clause from being tested: at an operation without a success, or at the place of the clause. */
export function findClauseCause(clause: ClauseReport, results: JudgedParts): Finding | undefined {
  const [silentOperation] = findSilentOperations(clause, results.operations);
  if (silentOperation !== undefined) return findCause(silentOperation.id, results);
  return results.findings.find(({ operation, pointer }) =>
    clause.places.some((place) => pointer !== '' && place.operation === operation && place.pointers.includes(pointer)),
  );
}

/** What could not be tested because of one cause, or without a known cause. */
interface Untested {
  readonly operations: OperationReport[];
  readonly clauses: ClauseReport[];
}

/** Groups untested operations and clauses by the id of the finding that is the cause; the key is `null` if there is no such finding. */
export const groupUntested = memoizeByObject((report: JudgedParts): ReadonlyMap<string | null, Untested> => {
  const groups = new Map<string | null, Untested>([[null, { operations: [], clauses: [] }]]);
  const getOrAddGroup = (cause: Finding | undefined): Untested => {
    const key = cause?.id ?? null;
    const group = groups.get(key) ?? { operations: [], clauses: [] };
    groups.set(key, group);
    return group;
  };
  for (const operation of report.operations.filter(isSilent))
    getOrAddGroup(findCause(operation.id, report)).operations.push(operation);
  for (const clause of report.clauses)
    if (clause.level !== 'open' && clause.verdict === 'inconclusive')
      getOrAddGroup(findClauseCause(clause, report)).clauses.push(clause);
  return groups;
});

const MAX_BODY_LENGTH = 120;

/** Returns the setting of the user that blocks all requests of an operation, or null. */
export function findBlockingSetting({ id }: OperationReport, { facts: { caps } }: RunContext): string | null {
  const needed = withPrerequisites([id]);
  const blockedKind = createdKinds.find((kind) => caps?.[kind] === 0 && needed.has(creators[kind].operation));
  return blockedKind === undefined ? null : `${createdResources[blockedKind].variable} is 0`;
}

/** Explains why an operation got no request, as the end of a sentence. */
export function explainNotRequested(operation: OperationReport, run: RunContext): string {
  const { operations, interrupted } = run;
  if (run.facts.recording !== undefined) return 'the recording has no request for it';
  const setting = findBlockingSetting(operation, run);
  if (setting !== null) return `no request was sent, because ${setting}`;
  if (interrupted !== null) return 'no request was sent before the run ended';
  const requestedOperations = operations.filter(({ requests }) => requests > 0);
  if (
    requestedOperations.length > 0 &&
    requestedOperations.every(({ requests, unanswered }) => unanswered === requests)
  )
    return 'no request was sent, because the bank answered no earlier request';
  const blocker = findBlocker(operation.id, operations);
  if (blocker !== undefined) return `no request was sent, because it needs an answer of ${blocker.id}`;
  const needed = withPrerequisites([operation.id]);
  for (const [id, { why }] of run.tallies.givenUp)
    if (needed.has(id)) return `no request was sent, because the suite stopped sending ${id}: ${why}`;
  const firstNotReached = operations.find(({ id, requests }) => needed.has(id) && requests === 0) ?? operation;
  const givers = listGivers(operation.id);
  const isReached = operations.some(({ id, successes }) => givers.includes(id) && successes > 0);
  const missingData = isReached ? operationFacts[firstNotReached.id].whenNotReached : null;
  return missingData === null ? 'no scenario that ran calls it' : `no request was sent, because ${missingData}`;
}

/** Describes the answers to the documented requests of an operation, or says why there was none. */
export function describeOutcomes(operation: OperationReport, run: RunContext): string {
  const { id, requests, positives, outcomes } = operation;
  if (requests === 0) return explainNotRequested(operation, run);
  if (positives === 0) return explainOnlyDeviating(requests, run);
  const answers = [...(run.tallies.operations.get(id)?.answers ?? [])];
  const subject = ['the only one got', 'both got'][positives - 1] ?? `all ${grouped(positives)} got`;
  const answersText =
    answers.length === 1
      ? `${subject} ${answers[0]![0]}`
      : joinWithAnd(answers.map(([answer, count]) => `${grouped(count)} got ${answer}`));
  const exceptionTexts = [
    { count: outcomes.declined ?? 0, what: 'said that the outcome was false' },
    { count: outcomes.malformed ?? 0, what: 'had no data in the documented form' },
  ].flatMap(({ count, what }) => {
    const everyAnswer = count === 1 ? 'the answer' : 'each answer';
    const answersOfKind = count < positives ? `${grouped(count)} of the answers` : everyAnswer;
    return count === 0 ? [] : `${answersOfKind} ${what}`;
  });
  const exceptionNote = exceptionTexts.length > 0 ? `; ${joinWithAnd(exceptionTexts)}` : '';
  return `${answersText}${exceptionNote}${quoteExample(operation, run)}`;
}

/** Says that all recorded requests of an operation differ from the document, and how. */
function explainOnlyDeviating(requests: number, { facts: { recording } }: RunContext): string {
  const [mostFrequent] = recording?.deviations ?? [];
  const why = mostFrequent === undefined ? '' : `, most often: ${mostFrequent.why}`;
  return `${requests === 1 ? 'its only request differs' : `all ${grouped(requests)} requests differ`} from the document${why}`;
}

/** Explains why an answer cannot be read; null if there was no answer, or if the reason is unknown. */
export function describeUnreadable({ ways }: OperationReport, { tallies }: RunContext): string | null {
  const record = tallies.records.get(ways.flow.exchange ?? ways.property.exchange ?? '');
  return record?.response == null ? null : (record.failure?.message ?? null);
}

/** Quotes the beginning of an answer with the most frequent status, as the end of a sentence. */
export function quoteExample({ ways, statuses, requests }: OperationReport, { tallies }: RunContext): string {
  const response = [ways.flow, ways.property]
    .map(({ exchange }) => tallies.records.get(exchange ?? '')?.response)
    .find((exampleResponse) => exampleResponse != null && (statuses[exampleResponse.status] ?? 0) * 2 > requests);
  const body = response?.encoding === 'utf-8' ? response.body.replace(/\s+/g, ' ').trim() : '';
  return body === '' ? '' : `, for example ${shortenText(body, MAX_BODY_LENGTH).replace(/\.$/, '')}`;
}
