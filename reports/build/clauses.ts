/** Makes the row of each clause in the report: its verdict, its counts, and why it was not tested. */
import { getClauseClass, type Clause } from '../../openapi/clauses/clause.ts';
import {
  createdKinds,
  createdResources,
  creators,
  operationFacts,
  operationIds,
  type OperationId,
} from '../../openapi/api.ts';
import { groupBy, partition } from '../../openapi/util/group-by.ts';
import { memoizeByObject } from '../../openapi/util/memoize.ts';
import { makeDocumentOrder } from './findings.ts';
import {
  omitUndefined,
  type ClausePlace,
  type ClauseReport,
  type Finding,
  type OperationReport,
} from '../model/report.ts';
import { getAnswersWith, type Catalogue, type Exercise, type RunContext, type RunTallies } from '../model/tallies.ts';
import { formatOperationName, areaNames, toSentence, joinWithAnd, addCounts } from '../text/phrases.ts';
import { findBlocker, findBlockingSetting } from './untested.ts';
import { countFailedRequests } from './reasons.ts';
import { decideClause } from './verdict.ts';

/** A clause with the operations and pointers at which it is judged. */
interface ClauseRow {
  readonly id: string;
  readonly clause: Clause;
  readonly places: readonly { readonly operation: OperationId | null; readonly pointers: readonly string[] }[];
}

const listClauseRows = memoizeByObject((catalogue: Catalogue): readonly ClauseRow[] => {
  const rankClause = makeDocumentOrder(catalogue);
  return Object.entries(catalogue.clauses)
    .map(([id, clause]) => {
      const byOperation = groupBy(catalogue.placesOf(id), ({ operation }) => operation);
      const places = [...byOperation].map(([operation, locations]) => ({
        operation,
        pointers: [...new Set(locations.map(({ pointer }) => pointer))],
      }));
      return { id, clause, places };
    })
    .sort((rowA, rowB) => rankClause(rowA.id) - rankClause(rowB.id));
});

/** Counts at each operation the answers that broke a clause. For a check over several exchanges, counts its comparisons. */
function countBroken(tallies: RunTallies, findings: readonly Finding[]): ReadonlyMap<OperationId, number> {
  return new Map(
    [...groupBy(findings, ({ id }) => tallies.tallyByFinding.get(id)!.first.operation)].map(
      ([operation, findingsOfOperation]) => {
        const [countedInAnswers, countedInUnits] = partition(findingsOfOperation, ({ unit }) => unit === undefined);
        const answers = new Set(countedInAnswers.flatMap((finding) => [...getAnswersWith(finding, tallies)]));
        return [operation, answers.size + addCounts(countedInUnits, (finding) => finding.answers)];
      },
    ),
  );
}

/** What the run counted for one clause. */
interface ClauseTally {
  readonly exercisesByOperation: ReadonlyMap<OperationId, Exercise>;
  readonly brokenCountByOperation: ReadonlyMap<OperationId, number>;
  /** The answers to an open point, and the operations that gave them. */
  readonly observations: readonly Exercise[];
  readonly observedOperations: readonly OperationId[];
  readonly exercised: number;
  readonly broken: number;
}

export function reportClauses(findings: readonly Finding[], run: RunContext, catalogue: Catalogue): ClauseReport[] {
  const findingsByClause = groupBy(findings, ({ clause }) => clause);
  const questionsByPoint = groupBy([...run.tallies.observations.values()], ({ point }) => point);
  return listClauseRows(catalogue).map((row) => {
    const questions = questionsByPoint.get(row.id) ?? [];
    const observations = questions.flatMap(({ answers }) => [...answers.values()]);
    const exercisesByOperation = run.tallies.exercisesByClause.get(row.id) ?? new Map<OperationId, Exercise>();
    const brokenCountByOperation = countBroken(run.tallies, findingsByClause.get(row.id) ?? []);
    const broken = addCounts([...brokenCountByOperation.values()], (count) => count);
    const exerciseCount = addCounts([...exercisesByOperation.values()], ({ count }) => count);
    const observationCount = addCounts(observations, ({ count }) => count);
    const isUndecided = run.tallies.undecidedClauses.has(row.id) && broken === 0;
    const exercised = isUndecided ? 0 : Math.max(exerciseCount, observationCount, broken);
    const observedOperations = questions.map(({ operation }) => operation);
    return reportClause(
      row,
      { exercisesByOperation, brokenCountByOperation, observations, observedOperations, exercised, broken },
      run,
      catalogue,
    );
  });
}

function reportClause(row: ClauseRow, tally: ClauseTally, run: RunContext, catalogue: Catalogue): ClauseReport {
  const { area, level, exercise, statement, source } = row.clause;
  const isSelected = isApplicable(row, tally, run, catalogue);
  const answerCount = addCounts(tally.observations, ({ count }) => count);
  const verdict = decideClause({ ...tally, level, isSelected: isSelected, observed: answerCount });
  const placesOfRow = row.places.length > 0 ? row.places : listTestedPlaces(row, tally, run, catalogue);
  const places = placesOfRow.map((place) => makePlace(place, tally, run, catalogue));
  const singlePlace = places.length === 1 ? places[0] : undefined;
  const exerciseInReport = [...tally.exercisesByOperation.values(), ...tally.observations].find(({ exchange }) =>
    run.tallies.records.has(exchange),
  );
  const explainByVerdict = { inconclusive: explainUntested, 'not-applicable': explainNotSelected };
  return {
    id: row.id,
    area,
    operation: singlePlace?.operation ?? null,
    pointer: singlePlace?.pointers.length === 1 ? singlePlace.pointers[0]! : null,
    level,
    exercise,
    statement,
    source,
    class: getClauseClass(row.clause),
    verdict,
    exercised: tally.exercised,
    broken: tally.broken,
    why:
      verdict === 'inconclusive' || verdict === 'not-applicable'
        ? explainByVerdict[verdict](row, run, catalogue)
        : null,
    exchange: exerciseInReport?.exchange ?? null,
    places,
  };
}

/**
 * Returns the operations without a success that kept a clause from being tested: all operations at which the contract names the clause,
 * or those on which its behaviour depends. Leaves out what a setting prevented: the scenario or the check knows it better.
 */
function listObstacles({ id, places }: ClauseRow, run: RunContext, catalogue: Catalogue): readonly OperationId[] {
  const findSilent = (operation: OperationId | null): OperationReport | undefined =>
    run.operations.find((report) => report.id === operation && report.successes === 0);
  const isSilent = (operation: OperationId | null): boolean => findSilent(operation) !== undefined;
  if (places.length === 0) {
    const silentDependencies = catalogue.dependenciesOf(id).flatMap((list) => (list.every(isSilent) ? list : []));
    return [...new Set(silentDependencies)].filter(
      (operation) => findBlockingSetting(findSilent(operation)!, run) === null,
    );
  }
  const judgedAt = places.map(({ operation }) => operation);
  return judgedAt.every(isSilent) ? judgedAt.flatMap((operation) => operation ?? []) : [];
}

/**
 * Returns the operations that tested a clause without places in the contract, or kept it from being tested. For a `must` clause: also
 * the operations of other clauses from the same row of the document.
 */
function listTestedPlaces(
  clauseRow: ClauseRow,
  { exercisesByOperation, brokenCountByOperation }: ClauseTally,
  run: RunContext,
  catalogue: Catalogue,
): ClauseRow['places'] {
  const { clause } = clauseRow;
  const testedAt = [...exercisesByOperation.keys(), ...brokenCountByOperation.keys()];
  const { section, table, row } = clause.source;
  const isFromSameRow = ({ clause: { source } }: ClauseRow): boolean =>
    source.section === section && source.table === table && source.row === row;
  const needsRowsOfSameSource = testedAt.length === 0 && clause.level === 'must' && row !== undefined;
  const rowsOfSameSource = needsRowsOfSameSource ? listClauseRows(catalogue).filter(isFromSameRow) : [];
  const operations = new Set([
    ...(testedAt.length > 0 ? testedAt : listObstacles(clauseRow, run, catalogue)),
    ...rowsOfSameSource.flatMap(({ places }) => places.flatMap(({ operation }) => operation ?? [])),
  ]);
  return operationIds.filter((id) => operations.has(id)).map((operation) => ({ operation, pointers: [] }));
}

function makePlace(
  { operation, pointers }: ClauseRow['places'][number],
  tally: ClauseTally,
  run: RunContext,
  catalogue: Catalogue,
): ClausePlace {
  if (operation === null) return { operation, pointers, exercised: tally.exercised, broken: tally.broken };
  const operationReport = run.operations.find(({ id }) => id === operation);
  const unanswered = operationReport === undefined ? 0 : countFailedRequests(operationReport);
  return {
    operation: formatOperationName(catalogue.operations[operation]),
    pointers,
    exercised: tally.exercisesByOperation.get(operation)?.count ?? 0,
    broken: tally.brokenCountByOperation.get(operation) ?? 0,
    ...omitUndefined({
      unanswered:
        operationReport && unanswered > 0 ? { count: unanswered, requests: operationReport.positives } : undefined,
    }),
  };
}

/**
 * True if the area of a clause, or an operation at which it is judged, was selected. If only some operations were selected and the
 * clause has no place in the contract, the operations that tested it decide.
 */
function isApplicable(
  { clause, places }: ClauseRow,
  { exercisesByOperation, observedOperations }: ClauseTally,
  { facts }: RunContext,
  catalogue: Catalogue,
): boolean {
  const { areas, operations: selected } = facts.target;
  const placesOfClause = places.flatMap(({ operation }) => operation ?? []);
  if (clause.replacedBy !== undefined) return false;
  if (selected !== undefined) {
    const judgedAt = places.length > 0 ? placesOfClause : [...exercisesByOperation.keys(), ...observedOperations];
    if (!judgedAt.some((operation) => selected.includes(operation))) return false;
  }
  if (clause.area !== 'service') return areas.includes(clause.area);
  return (
    placesOfClause.length === 0 ||
    placesOfClause.some((operation) => areas.includes(catalogue.operations[operation].area))
  );
}

function explainNotSelected({ clause: { area, replacedBy } }: ClauseRow, { facts }: RunContext): string {
  const { areas, operations: selected } = facts.target;
  if (replacedBy !== undefined) return `The overlay “${replacedBy}” says something else here.`;
  if (selected !== undefined && (area === 'service' || areas.includes(area)))
    return 'None of the selected operations shows it.';
  return area === 'service' ? 'None of its areas was selected.' : `The area “${areaNames[area]}” was not selected.`;
}

/** Returns why a selected clause was not tested: operations without a success, the reason of a scenario or check, or the counts. */
function explainUntested(row: ClauseRow, run: RunContext, catalogue: Catalogue): string {
  const { id, clause, places } = row;
  const { interrupted, tallies, operations } = run;
  const obstacles = listObstacles(row, run, catalogue);
  const blockers = obstacles.flatMap((operation) => findBlocker(operation, operations) ?? []);
  if (blockers.length > 0) return nameOperationsWithoutSuccess(blockers);
  const [reasonsOfScenarios, reasonsOfChecks] = [tallies.reasonsOfScenarios.get(id), tallies.reasonsOfChecks.get(id)];
  if (reasonsOfScenarios) return joinReasons(reasonsOfScenarios);
  if (tallies.requests === 0) return 'No request was made.';
  if (interrupted !== null) return 'The run ended before it could test this clause.';
  if (obstacles.length > 0) return `The run sent no request of ${joinWithAnd(obstacles)}.`;
  return reasonsOfChecks ? joinReasons(reasonsOfChecks) : explainMissingAnswers(clause, places, run);
}

/** Joins at most three reasons to a text of sentences. */
const joinReasons = (reasons: ReadonlySet<string>): string => [...reasons].slice(0, 3).map(toSentence).join(' ');

const nameOperationsWithoutSuccess = (reports: readonly OperationReport[]): string =>
  `No documented request of ${joinWithAnd([...new Set(reports.map(({ id }) => id))])} succeeded.`;

function explainMissingAnswers(clause: Clause, places: ClauseRow['places'], run: RunContext): string {
  const listNames = places.flatMap(({ operation, pointers }) =>
    pointers.flatMap((pointer) => (pointer.includes('/*') ? `${pointer.split('/*')[0]} of ${operation}` : [])),
  );
  if (listNames.length > 0 && listNames.length === places.length)
    return `No answer had an entry to judge in ${joinWithAnd([...new Set(listNames)])}.`;
  const operationsWithoutSuccess = run.operations.filter(
    ({ area, requests, successes }) => area === clause.area && requests > 0 && successes === 0,
  );
  if (operationsWithoutSuccess.length > 0) return nameOperationsWithoutSuccess(operationsWithoutSuccess);
  if (clause.level === 'open') return 'No answer in this run showed what the bank does here.';
  return `No answer in this run tested this clause${describeUsedCap(clause, run)}.`;
}

/** Names the cap of an area if the run used it up, as a part of a sentence; in all other cases returns an empty text. */
function describeUsedCap({ area }: Clause, { facts: { caps }, tallies: { created } }: RunContext): string {
  const kind = createdKinds.find((createdKind) => operationFacts[creators[createdKind].operation].area === area);
  const cap = kind && caps?.[kind];
  if (kind === undefined || cap === undefined) return '';
  const { variable } = createdResources[kind];
  const createdCount = created.filter(({ what }) => what === creators[kind].what).length;
  if (createdCount < cap) return '';
  return cap === 0 ? `, and ${variable} is 0` : `, and ${variable} (${cap}) was used up`;
}
