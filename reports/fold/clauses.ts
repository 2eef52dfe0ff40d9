/** Decides the verdict and the counts of each clause. If a clause was not tested, adds the reason. */
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
import { makeDocumentOrder, type LocatedFinding } from './findings.ts';
import { omitUndefined, type ClausePlace, type ClauseReport, type OperationReport } from '../model/report.ts';
import type { Catalogue, Exercise, RunTallies } from '../model/tallies.ts';
import { formatOperationName, areaNames, toSentence, joinWithAnd, addCounts } from '../text/phrases.ts';
import { findBlocker } from './untested.ts';
import { countFailedRequests } from './reasons.ts';
import type { RunContext } from '../model/tallies.ts';
import { decideClause } from './verdict.ts';

interface Row {
  readonly id: string;
  readonly clause: Clause;
  readonly places: readonly { readonly operation: OperationId | null; readonly pointers: readonly string[] }[];
}

const listClauseRows = memoizeByObject((catalogue: Catalogue): readonly Row[] => {
  const order = makeDocumentOrder(catalogue);
  return Object.entries(catalogue.clauses)
    .map(([id, clause]) => {
      const byOperation = groupBy(catalogue.placesOf(id), ({ operation }) => operation);
      const places = [...byOperation].map(([operation, locations]) => ({
        operation,
        pointers: [...new Set(locations.map(({ pointer }) => pointer))],
      }));
      return { id, clause, places };
    })
    .sort((a, b) => order(a.id) - order(b.id));
});

/** Counts the answers that broke a clause at each operation, or the comparisons of a check over several exchanges. */
function countBroken({ breaks }: RunTallies, found: readonly LocatedFinding[]): ReadonlyMap<OperationId, number> {
  return new Map(
    [...groupBy(found, ({ operation }) => operation)].map(([operation, same]) => {
      const [single, compared] = partition(
        same.map(({ finding }) => finding),
        ({ unit }) => unit === undefined,
      );
      const answers = new Set(single.flatMap(({ id }) => [...(breaks.get(id)?.answers ?? [])]));
      return [operation, answers.size + addCounts(compared, (finding) => finding.answers)];
    }),
  );
}

interface Tally {
  readonly exercisedAt: ReadonlyMap<OperationId, Exercise>;
  readonly brokenAt: ReadonlyMap<OperationId, number>;
  /** The answers to an open point, and the operations that gave them. */
  readonly seen: readonly Exercise[];
  readonly observedAt: readonly OperationId[];
  readonly exercised: number;
  readonly broken: number;
}

export function reportClauses(found: readonly LocatedFinding[], run: RunContext, catalogue: Catalogue): ClauseReport[] {
  const foundBy = groupBy(found, ({ finding }) => finding.clause);
  const seenBy = groupBy([...run.tallies.observations.values()], ({ point }) => point);
  return listClauseRows(catalogue).map((row) => {
    const observed = seenBy.get(row.id) ?? [];
    const seen = observed.flatMap(({ answers }) => [...answers.values()]);
    const exercisedAt = run.tallies.exercised.get(row.id) ?? new Map<OperationId, Exercise>();
    const brokenAt = countBroken(run.tallies, foundBy.get(row.id) ?? []);
    const broken = addCounts([...brokenAt.values()], (count) => count);
    const counts = [[...exercisedAt.values()], seen].map((some) => addCounts(some, ({ count }) => count));
    const exercised = run.tallies.undecided.has(row.id) && broken === 0 ? 0 : Math.max(...counts, broken);
    const observedAt = observed.map(({ operation }) => operation);
    return reportClause(row, { exercisedAt, brokenAt, seen, observedAt, exercised, broken }, run, catalogue);
  });
}

function reportClause(row: Row, tally: Tally, run: RunContext, catalogue: Catalogue): ClauseReport {
  const { area, level, exercise, statement, source } = row.clause;
  const applicable = isApplicable(row, tally, run, catalogue);
  const observed = addCounts(tally.seen, ({ count }) => count);
  const verdict = decideClause({ ...tally, level, applicable, observed });
  const shownPlaces = row.places.length > 0 ? row.places : listTestedPlaces(row, tally, catalogue);
  const places = shownPlaces.map((place) => makePlace(place, tally, run, catalogue));
  const only = places.length === 1 ? places[0] : undefined;
  const shown = [...tally.exercisedAt.values(), ...tally.seen].find(({ exchange }) =>
    run.tallies.records.has(exchange),
  );
  const explain = { inconclusive: explainUntested, 'not-applicable': explainNotSelected };
  return {
    id: row.id,
    area,
    operation: only?.operation ?? null,
    pointer: only?.pointers.length === 1 ? only.pointers[0]! : null,
    level,
    exercise,
    statement,
    source,
    class: getClauseClass(row.clause),
    verdict,
    exercised: tally.exercised,
    broken: tally.broken,
    why: verdict === 'inconclusive' || verdict === 'not-applicable' ? explain[verdict](row, run) : null,
    exchange: shown?.exchange ?? null,
    places,
  };
}

/** For an untested `must` clause, returns the places of other clauses from the same row of the document. */
function listTestedPlaces({ clause }: Row, { exercisedAt, brokenAt }: Tally, catalogue: Catalogue): Row['places'] {
  const seen = [...exercisedAt.keys(), ...brokenAt.keys()];
  const { section, table, row } = clause.source;
  const isSamePlace = ({ clause: { source } }: Row): boolean =>
    source.section === section && source.table === table && source.row === row;
  const same =
    seen.length > 0 || clause.level !== 'must' || row === undefined
      ? []
      : listClauseRows(catalogue).filter(isSamePlace);
  const operations = new Set([
    ...seen,
    ...same.flatMap(({ places }) => places.flatMap(({ operation }) => operation ?? [])),
  ]);
  return operationIds.filter((id) => operations.has(id)).map((operation) => ({ operation, pointers: [] }));
}

function makePlace(
  { operation, pointers }: Row['places'][number],
  tally: Tally,
  run: RunContext,
  catalogue: Catalogue,
): ClausePlace {
  if (operation === null) return { operation, pointers, exercised: tally.exercised, broken: tally.broken };
  const report = run.operations.find(({ id }) => id === operation);
  const count = report === undefined ? 0 : countFailedRequests(report);
  return {
    operation: formatOperationName(catalogue.operations[operation]),
    pointers,
    exercised: tally.exercisedAt.get(operation)?.count ?? 0,
    broken: tally.brokenAt.get(operation) ?? 0,
    ...omitUndefined({ unanswered: report && count > 0 ? { count, requests: report.positives } : undefined }),
  };
}

/**
 * True if the area of a clause, or an operation at which it is judged, was selected. If only some operations were selected and the
 * clause has no place in the contract, the operations that tested it decide.
 */
function isApplicable(
  { clause, places }: Row,
  { exercisedAt, observedAt }: Tally,
  { facts }: RunContext,
  catalogue: Catalogue,
): boolean {
  const { areas, operations: selected } = facts.target;
  const known = places.flatMap(({ operation }) => operation ?? []);
  if (clause.replacedBy !== undefined) return false;
  if (selected !== undefined) {
    const judgedAt = places.length > 0 ? known : [...exercisedAt.keys(), ...observedAt];
    if (!judgedAt.some((operation) => selected.includes(operation))) return false;
  }
  if (clause.area !== 'service') return areas.includes(clause.area);
  return known.length === 0 || known.some((operation) => areas.includes(catalogue.operations[operation].area));
}

function explainNotSelected({ clause: { area, replacedBy } }: Row, { facts }: RunContext): string {
  const { areas, operations: selected } = facts.target;
  if (replacedBy !== undefined) return `The overlay “${replacedBy}” says something else here.`;
  if (selected !== undefined && (area === 'service' || areas.includes(area)))
    return 'None of the selected operations shows it.';
  return area === 'service' ? 'None of its areas was selected.' : `The area “${areaNames[area]}” was not selected.`;
}

/** Returns why a selected clause was not tested: operations without a success, the reason of a scenario or check, or the counts. */
function explainUntested({ id, clause, places }: Row, run: RunContext): string {
  const { interrupted, tallies, operations } = run;
  const judgedAt = places.flatMap(({ operation }) => operation ?? []);
  const isSilent =
    judgedAt.length > 0 &&
    judgedAt.length === places.length &&
    judgedAt.every((here) => operations.some((one) => one.id === here && one.successes === 0));
  const blockers = isSilent ? judgedAt.flatMap((operation) => findBlocker(operation, operations) ?? []) : [];
  if (blockers.length > 0) return nameSilent(blockers);
  const [stated, judged] = [tallies.whys.get(id), tallies.untested.get(id)];
  if (stated) return joinReasons(stated);
  if (tallies.requests === 0) return 'No request was made.';
  if (interrupted !== null) return 'The run ended before it could test this clause.';
  if (isSilent) return `The run sent no request of ${joinWithAnd(judgedAt)}.`;
  return judged ? joinReasons(judged) : explainUnseen(clause, places, run);
}

const joinReasons = (reasons: ReadonlySet<string>): string => [...reasons].slice(0, 3).map(toSentence).join(' ');

const nameSilent = (silent: readonly OperationReport[]): string =>
  `No documented request of ${joinWithAnd([...new Set(silent.map(({ id }) => id))])} succeeded.`;

function explainUnseen(clause: Clause, places: Row['places'], run: RunContext): string {
  const lists = places.flatMap(({ operation, pointers }) =>
    pointers.flatMap((pointer) => (pointer.includes('/*') ? `${pointer.split('/*')[0]} of ${operation}` : [])),
  );
  if (lists.length > 0 && lists.length === places.length)
    return `No answer had an entry to judge in ${joinWithAnd([...new Set(lists)])}.`;
  const missing = run.operations.filter((one) => one.area === clause.area && one.requests > 0 && one.successes === 0);
  if (missing.length > 0) return nameSilent(missing);
  if (clause.level === 'open') return 'No answer in this run showed what the bank does here.';
  return `No answer in this run tested this clause${describeUsedCap(clause, run)}.`;
}

/** Names the cap of an area if it was used up, as a part of a sentence; else an empty text. */
function describeUsedCap({ area }: Clause, { facts: { caps }, tallies: { created } }: RunContext): string {
  const kind = createdKinds.find((one) => operationFacts[creators[one].operation].area === area);
  const cap = kind && caps?.[kind];
  if (kind === undefined || cap === undefined) return '';
  const { variable } = createdResources[kind];
  if (created.filter(({ what }) => what === creators[kind].what).length < cap) return '';
  return cap === 0 ? `, and ${variable} is 0` : `, and ${variable} (${cap}) was used up`;
}
