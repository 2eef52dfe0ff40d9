/** Each clause of the catalogue with its verdict, its counts and, where nothing put it to the test, why. */
import type { Clause } from '../../openapi/clauses/clause.ts';
import { operationIds, type Area, type OperationId } from '../../openapi/model/exchange.ts';
import { getOrSet, groupBy } from '../../openapi/util/group-by.ts';
import { memoizeByObject } from '../../openapi/util/memoize.ts';
import { addExercise } from './count.ts';
import { documentOrder, type Found } from './findings.ts';
import type { Catalogue } from '../model/catalogue.ts';
import { operationName, areaName, asSentence, listed } from '../text/phrases.ts';
import type { Caps, ClausePlace, ClauseReport, OperationReport } from '../model/report.ts';
import { clauseVerdict } from './verdict/verdict.ts';
import type { Exercise, RunTallies } from '../model/tally.ts';

/** Where a clause of the catalogue is judged: worked out once, the catalogue does not change. */
interface Row {
  readonly id: string;
  readonly clause: Clause;
  readonly places: readonly {
    readonly operation: OperationId | null;
    readonly pointers: readonly string[];
  }[];
}

/** The catalogue in the order of the document. */
const rows = memoizeByObject((catalogue: Catalogue): readonly Row[] => {
  const ids = Object.keys(catalogue.clauses);
  const rank = new Map(ids.map((id, at) => [id, documentOrder(id, at, catalogue)]));
  return ids
    .map((id) => {
      const byOperation = groupBy(catalogue.placesOf(id), ({ operation }) => operation);
      const places = [...byOperation].map(([operation, at]) => ({
        operation,
        pointers: [...new Set(at.map(({ pointer }) => pointer))],
      }));
      return { id, clause: catalogue.clauses[id]!, places };
    })
    .sort((a, b) => rank.get(a.id)! - rank.get(b.id)!);
});

/** What was counted for one clause. */
interface Tally {
  readonly exercised: number;
  readonly broken: number;
  readonly observed: number;
  readonly exchange: string | null;
  readonly brokenAt: ReadonlyMap<OperationId, number>;
}

/** How many answers of each operation broke each clause; of rules over the run, comparisons. */
function brokenByClause(runTallies: RunTallies, found: readonly Found[]): Map<string, Map<OperationId, number>> {
  const broken = new Map<string, Map<OperationId, { readonly answers: Set<string>; others: number }>>();
  for (const { finding, operation } of found) {
    const at = getOrSet(broken, finding.clause, () => new Map());
    const count = getOrSet(at, operation, () => ({ answers: new Set<string>(), others: 0 }));
    if (finding.unit !== undefined) count.others += finding.answers;
    else for (const one of runTallies.breaks.get(finding.id)?.answers ?? []) count.answers.add(one);
  }
  return mapValues(broken, (at) => mapValues(at, ({ answers, others }) => answers.size + others));
}

const mapValues = <Key, From, To>(map: ReadonlyMap<Key, From>, of: (value: From) => To): Map<Key, To> =>
  new Map([...map].map(([key, value]) => [key, of(value)]));

/** How often each open point was observed, and an exchange that showed it. */
function observedByPoint({ observations }: RunTallies): Map<string, Exercise> {
  const observed = new Map<string, Exercise>();
  for (const { point, answers } of observations.values())
    for (const { count, exchange } of answers.values()) {
      addExercise(observed, point, count, exchange);
    }
  return observed;
}

/** Counts by clause. */
export function tallyClauses(
  runTallies: RunTallies,
  found: readonly Found[],
  catalogue: Catalogue,
): Map<string, Tally> {
  const { records } = runTallies;
  const broken = brokenByClause(runTallies, found);
  const observed = observedByPoint(runTallies);
  const tallies = new Map<string, Tally>();
  for (const { id } of rows(catalogue)) {
    const exercises = [...(runTallies.exercised.get(id)?.values() ?? [])];
    const exercised = exercises.reduce((sum, { count }) => sum + count, 0);
    const brokenAt = broken.get(id) ?? new Map<OperationId, number>();
    const violations = [...brokenAt.values()].reduce((sum, count) => sum + count, 0);
    const seen = observed.get(id);
    const shown = [...exercises, ...(seen === undefined ? [] : [seen])].find(({ exchange }) => records.has(exchange));
    tallies.set(id, {
      exercised:
        runTallies.undecided.has(id) && violations === 0 ? 0 : Math.max(exercised, seen?.count ?? 0, violations),
      broken: violations,
      observed: seen?.count ?? 0,
      exchange: shown?.exchange ?? null,
      brokenAt,
    });
  }
  return tallies;
}

interface Context {
  readonly runTallies: RunTallies;
  readonly catalogue: Catalogue;
  readonly areas: readonly Area[];
  /** Null where all operations of these areas are judged. */
  readonly selected: readonly OperationId[] | null;
  readonly operations: readonly OperationReport[];
  readonly interrupted: string | null;
  /** What the run could create at most, where that is known. */
  readonly caps?: Caps;
}

/** The clauses of the report, in the order of the document. */
export function clauseReports(tallies: ReadonlyMap<string, Tally>, context: Context): ClauseReport[] {
  const silent = new Set(context.operations.filter((one) => one.successes === 0).map((one) => one.id));
  return rows(context.catalogue).map((row) => {
    const { id, clause } = row;
    const tally = tallies.get(id)!;
    const outside = context.catalogue.outside?.has(id) === true;
    const verdict = clauseVerdict({
      ...tally,
      level: clause.level,
      applicable: isApplicable(row, context),
      observed: outside ? tally.exercised : tally.observed,
    });
    const places = (row.places.length > 0 ? row.places : seenAt(row, tally, context)).map((place) =>
      placeOf(id, place, tally, context),
    );
    const single = places.length === 1 ? places[0]! : null;
    return {
      id,
      area: clause.area,
      operation: single?.operation ?? null,
      pointer: single?.pointers.length === 1 ? single.pointers[0]! : null,
      level: clause.level,
      exercise: clause.exercise,
      statement: clause.statement,
      source: clause.source,
      ...(clause.class === undefined ? {} : { class: clause.class }),
      ...(outside ? { outside } : {}),
      verdict,
      exercised: tally.exercised,
      broken: tally.broken,
      why:
        verdict === 'inconclusive'
          ? why(row, silent, context)
          : verdict === 'not-applicable'
            ? notSelected(row, context)
            : null,
      exchange: tally.exchange,
      places,
    };
  });
}

/**
 * Where a clause that does not stand in the contract was put to the test: rules and scenarios judge it there. A `must` that
 * was not is about the answers of which the same place of the document speaks.
 */
function seenAt({ id, clause }: Row, tally: Tally, { runTallies, catalogue }: Context): Row['places'] {
  const seen = [...(runTallies.exercised.get(id)?.keys() ?? []), ...tally.brokenAt.keys()];
  const { section, table, row } = clause.source;
  const isKin = ({ clause: { source } }: Row): boolean =>
    source.section === section && source.table === table && source.row === row;
  const kin = seen.length > 0 || clause.level !== 'must' || row === undefined ? [] : rows(catalogue).filter(isKin);
  const operations = new Set([
    ...seen,
    ...kin.flatMap(({ places }) => places.flatMap(({ operation }) => operation ?? [])),
  ]);
  return operationIds
    .filter((operation) => operations.has(operation))
    .map((operation) => ({ operation, pointers: [] }));
}

function placeOf(
  id: string,
  place: Row['places'][number],
  tally: Tally,
  { runTallies, catalogue, operations }: Context,
): ClausePlace {
  const { operation, pointers } = place;
  if (operation === null) return { operation, pointers, exercised: tally.exercised, broken: tally.broken };
  return {
    operation: operationName(catalogue.operations[operation]),
    pointers,
    exercised: runTallies.exercised.get(id)?.get(operation)?.count ?? 0,
    broken: tally.brokenAt.get(operation) ?? 0,
    ...unansweredAt(operation, operations),
  };
}

/** How many documented requests of an operation showed nothing of its clauses, where there were any. */
function unansweredAt(operation: OperationId, operations: readonly OperationReport[]): Pick<ClausePlace, 'unanswered'> {
  const { outcomes = {}, positives: requests = 0 } = operations.find(({ id }) => id === operation) ?? {};
  const count = (outcomes.lost ?? 0) + (outcomes.crashed ?? 0);
  return count === 0 ? {} : { unanswered: { count, requests } };
}

/**
 * A clause is applicable where the area it speaks of, or an operation at which it is judged, was selected. Among a few
 * operations a clause without a place in the contract is so where it showed.
 */
function isApplicable({ id, clause, places }: Row, { catalogue, areas, selected, runTallies }: Context): boolean {
  if (clause.replacedBy !== undefined) return false;
  if (selected !== null) {
    const shown = [...runTallies.observations.values()].flatMap(({ point, operation }) =>
      point === id ? operation : [],
    );
    const at =
      places.length > 0
        ? places.map(({ operation }) => operation)
        : [...(runTallies.exercised.get(id)?.keys() ?? []), ...shown];
    if (!at.some((operation) => operation !== null && selected.includes(operation))) return false;
  }
  if (clause.area !== 'service') return areas.includes(clause.area);
  const known = places.filter((place) => place.operation !== null);
  return known.length === 0 || known.some((place) => areas.includes(catalogue.operations[place.operation!].area));
}

function notSelected({ clause }: Row, { areas, selected }: Context): string {
  if (clause.replacedBy !== undefined) return `The overlay “${clause.replacedBy}” says something else here.`;
  if (selected !== null && (clause.area === 'service' || areas.includes(clause.area)))
    return 'None of the selected operations shows it.';
  return clause.area === 'service'
    ? 'None of its areas was selected.'
    : `The area “${areaName[clause.area]}” was not selected.`;
}

/** Why a selected clause was never put to the test: what the scenarios said, else what can be seen from outside. */
function why(row: Row, silent: ReadonlySet<OperationId>, context: Context): string {
  const { runTallies, interrupted } = context;
  const stated = runTallies.whys.get(row.id);
  const at = row.places.map((place) => place.operation);
  const isSilent = at.length > 0 && at.every((operation) => operation !== null && silent.has(operation));
  const wasAsked = context.operations.some(({ id, requests }) => requests > 0 && at.includes(id));
  // What scenarios say of the data of an operation that refused everything is a consequence of that.
  if (stated && !(isSilent && wasAsked)) return [...stated].slice(0, 3).map(asSentence).join(' ');
  if (runTallies.requests === 0) return 'No request was made.';
  if (isSilent && (wasAsked || interrupted === null)) return `${listed(at as OperationId[])} never succeeded.`;
  if (interrupted !== null) return 'The run ended before this was tested.';
  if (row.clause.level === 'open') return 'No answer in this run showed what the bank does here.';
  if (row.clause.exercise === 'conditional') return 'No answer of the bank contained what this is about.';
  const cap = capUsedUp(row.clause, context);
  return `No answer in this run put this to the test${cap === null ? '' : `, and ${cap}`}.`;
}

/** That nothing of a cap was left for a clause of an area, as part of a sentence; null where something was. */
function capUsedUp({ area }: Clause, { caps, runTallies }: Context): string | null {
  if (caps === undefined) return null;
  const isUsedUp = (what: string, cap: number): boolean =>
    runTallies.created.filter((one) => one.what === what).length >= cap;
  const said = (name: string, cap: number): string => (cap === 0 ? `${name} is 0` : `${name} (${cap}) was used up`);
  if (area === 'loans' && isUsedUp('application', caps.applications))
    return said('MAX_APPLICATIONS', caps.applications);
  return area === 'payment-links' && isUsedUp('link', caps.links) ? said('MAX_LINKS', caps.links) : null;
}
