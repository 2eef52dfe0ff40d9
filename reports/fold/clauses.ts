/** Decides the verdict and the counts of each clause. If a clause was not tested, adds the reason. */
import { getClauseClass, type Clause } from '../../openapi/clauses/clause.ts';
import { operationIds, type OperationId } from '../../openapi/model/exchange.ts';
import { getOrSet, groupBy } from '../../openapi/util/group-by.ts';
import { memoizeByObject } from '../../openapi/util/memoize.ts';
import { makeDocumentOrder, type Found } from './findings.ts';
import type { Catalogue } from '../model/catalogue.ts';
import type { ClausePlace, ClauseReport, OperationReport } from '../model/report.ts';
import type { Exercise, RunTallies } from './tallies.ts';
import { omitUndefined } from '../text/given.ts';
import { formatOperationName, areaNames, toSentence, joinWithAnd, addCounts } from '../text/phrases.ts';
import { findBlocker } from './untested.ts';
import { countFailedRequests } from './reasons.ts';
import { type RunContext, decideClause } from './verdict.ts';

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
      const places = [...byOperation].map(([operation, at]) => ({
        operation,
        pointers: [...new Set(at.map(({ pointer }) => pointer))],
      }));
      return { id, clause, places };
    })
    .sort((a, b) => order(a.id) - order(b.id));
});

/** Counts answers, or comparisons for checks over several exchanges. */
function countBroken({ breaks }: RunTallies, found: readonly Found[]): Map<string, Map<OperationId, number>> {
  return new Map(
    [...groupBy(found, ({ finding }) => finding.clause)].map(([clause, ofClause]) => [
      clause,
      new Map(
        [...groupBy(ofClause, ({ operation }) => operation)].map(([operation, same]) => {
          const findings = same.map(({ finding }) => finding);
          const compared = addCounts(findings, ({ unit, answers }) => (unit === undefined ? 0 : answers));
          const single = findings.filter(({ unit }) => unit === undefined);
          const answers = new Set(single.flatMap(({ id }) => [...(breaks.get(id)?.answers ?? [])]));
          return [operation, answers.size + compared];
        }),
      ),
    ]),
  );
}

interface Tally {
  readonly exercisedAt: ReadonlyMap<OperationId, Exercise>;
  readonly brokenAt: ReadonlyMap<OperationId, number>;
  readonly exercised: number;
  readonly broken: number;
  readonly observed: number;
}

export function reportClauses(found: readonly Found[], run: RunContext, catalogue: Catalogue): ClauseReport[] {
  const { tallies } = run;
  const brokenAll = countBroken(tallies, found);
  const seenBy = new Map<string, Exercise[]>();
  for (const { point, answers } of tallies.observations.values())
    getOrSet(seenBy, point, () => []).push(...answers.values());
  const silent = new Set(run.operations.filter((one) => one.successes === 0).map((one) => one.id));
  return listClauseRows(catalogue).map((row) => {
    const { id, clause } = row;
    const seen = seenBy.get(id) ?? [];
    const exercisedAt = tallies.exercised.get(id) ?? new Map<OperationId, Exercise>();
    const brokenAt = brokenAll.get(id) ?? new Map<OperationId, number>();
    const observed = addCounts(seen, ({ count }) => count);
    const broken = addCounts([...brokenAt.values()], (count) => count);
    const tested = addCounts([...exercisedAt.values()], ({ count }) => count);
    const exercised = tallies.undecided.has(id) && broken === 0 ? 0 : Math.max(tested, observed, broken);
    const tally: Tally = { exercisedAt, brokenAt, exercised, broken, observed };
    const verdict = decideClause({
      ...tally,
      level: clause.level,
      applicable: isApplicable(row, tally, run, catalogue),
    });
    const places = (row.places.length > 0 ? row.places : listTestedPlaces(row, tally, catalogue)).map((place) =>
      makePlace(place, tally, run, catalogue),
    );
    const single = places.length === 1 ? places[0]! : null;
    const shown = [...exercisedAt.values(), ...seen].find((one) => tallies.records.has(one.exchange));
    return {
      id,
      area: clause.area,
      operation: single?.operation ?? null,
      pointer: single?.pointers.length === 1 ? single.pointers[0]! : null,
      level: clause.level,
      exercise: clause.exercise,
      statement: clause.statement,
      source: clause.source,
      class: getClauseClass(clause),
      verdict,
      exercised,
      broken,
      why:
        verdict === 'inconclusive'
          ? explainUntested(row, silent, run)
          : verdict === 'not-applicable'
            ? explainNotSelected(row, run)
            : null,
      exchange: shown?.exchange ?? null,
      places,
    };
  });
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
  { id, clause, places }: Row,
  tally: Tally,
  { facts, tallies }: RunContext,
  catalogue: Catalogue,
): boolean {
  const { areas, operations: selected } = facts.target;
  if (clause.replacedBy !== undefined) return false;
  if (selected !== undefined) {
    const observed = [...tallies.observations.values()].filter(({ point }) => point === id);
    const shown = [...tally.exercisedAt.keys(), ...observed.map(({ operation }) => operation)];
    const at = places.length > 0 ? places.flatMap(({ operation }) => operation ?? []) : shown;
    if (!at.some((operation) => selected.includes(operation))) return false;
  }
  if (clause.area !== 'service') return areas.includes(clause.area);
  const known = places.flatMap(({ operation }) => operation ?? []);
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
function explainUntested({ id, clause, places }: Row, silent: ReadonlySet<OperationId>, run: RunContext): string {
  const { interrupted, tallies, operations } = run;
  const writeReasons = (reasons: ReadonlySet<string>): string => [...reasons].slice(0, 3).map(toSentence).join(' ');
  const [stated, judged] = [tallies.whys.get(id), tallies.untested.get(id)];
  const at = places.flatMap(({ operation }) => operation ?? []);
  const isSilent = at.length > 0 && at.length === places.length && at.every((operation) => silent.has(operation));
  const without = (some: readonly OperationReport[]): string =>
    `No documented request of ${joinWithAnd([...new Set(some.map((one) => one.id))])} succeeded.`;
  const blockers = isSilent ? at.flatMap((operation) => findBlocker(operation, operations) ?? []) : [];
  if (blockers.length > 0) return without(blockers);
  if (stated) return writeReasons(stated);
  if (tallies.requests === 0) return 'No request was made.';
  if (interrupted !== null) return 'The run ended before it could test this clause.';
  if (isSilent) return `The run sent no request of ${joinWithAnd(at)}.`;
  if (judged) return writeReasons(judged);
  const lists = places.flatMap(({ operation, pointers }) =>
    pointers.flatMap((pointer) => (pointer.includes('/*') ? `${pointer.split('/*')[0]} of ${operation}` : [])),
  );
  if (lists.length > 0 && lists.length === places.length)
    return `No answer had an entry to judge in ${joinWithAnd([...new Set(lists)])}.`;
  const missing = operations.filter((one) => one.area === clause.area && one.requests > 0 && one.successes === 0);
  if (missing.length > 0) return without(missing);
  if (clause.level === 'open') return 'No answer in this run showed what the bank does here.';
  return `No answer in this run tested this clause${describeUsedCap(clause, run)}.`;
}

/** Names the cap of an area if it was used up, as a part of a sentence; else an empty text. */
function describeUsedCap({ area }: Clause, { facts: { caps }, tallies: { created } }: RunContext): string {
  if (caps === undefined || (area !== 'loans' && area !== 'payment-links')) return '';
  const [name, kind, cap] =
    area === 'loans'
      ? (['MAX_APPLICATIONS', 'application', caps.applications] as const)
      : (['MAX_LINKS', 'link', caps.links] as const);
  if (created.filter(({ what }) => what === kind).length < cap) return '';
  return cap === 0 ? `, and ${name} is 0` : `, and ${name} (${cap}) was used up`;
}
