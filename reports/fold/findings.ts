/** Makes findings from violations: one for each kind of violation at each place. */
import { getListPointer, getFindingKey, type Violation } from '../../openapi/model/finding.ts';
import { getScenario, type OperationId } from '../../openapi/model/exchange.ts';
import type { ExchangeRecord } from '../../openapi/model/journal.ts';
import { clauseClasses, getClauseClass, sections } from '../../openapi/clauses/clause.ts';
import { writeFindingCurl } from '../text/curl.ts';
import { restoreOriginalDigits } from '../text/difference.ts';
import { FURTHER_FORMS_TEXT } from '../../openapi/util/value-form.ts';
import type { Conditions } from './conditions.ts';
import { type Catalogue, makePlaceKey, type ViolationTally, type RunTallies } from '../model/tallies.ts';
import { formatOperationName, grouped, joinFirstItems } from '../text/phrases.ts';
import { omitUndefined, type Finding, type Line, type ReceivedValue } from '../model/report.ts';
import { getSeverity } from './verdict.ts';

export interface LocatedFinding {
  readonly finding: Finding;
  readonly operation: OperationId;
}

/** Matches the clauses about refused documented requests. */
const REFUSAL_CLAUSE = /\.(?:refusal-explained|listed-is-taken|is-taken)$/;

interface Context {
  readonly tallies: RunTallies;
  readonly catalogue: Catalogue;
  readonly conditions: Conditions;
}

/**
 * The order of findings in all reports: failures before warnings, then by class, then by the number of answers that show it. Equal
 * findings keep the order of the document.
 */
export const compareFindings = (a: Finding, b: Finding): number =>
  Number(a.verdict === 'warning') - Number(b.verdict === 'warning') ||
  clauseClasses.indexOf(a.class) - clauseClasses.indexOf(b.class) ||
  b.answers - a.answers;

/** Returns the findings of a run: failures before warnings, then in the order of the document: a cause before its consequences. */
export function makeFindings(context: Context): LocatedFinding[] {
  const { tallies, catalogue } = context;
  const isAccepted = (operation: OperationId): boolean =>
    tallies.operations.get(operation)?.outcomes.has('accepted') ?? false;
  // A violation of the kind `refused` counts only if no answer tested its clause.
  const counted = [...tallies.breaks].filter(
    ([, { first }]) => first.kind !== 'refused' || countTested(first, tallies) === undefined,
  );
  // If a finding explains why an operation accepted no request, its other refusals are not findings.
  const refusing = new Set(
    counted.flatMap(([, { first }]) =>
      first.kind === 'refused' && !isAccepted(first.operation) ? first.operation : [],
    ),
  );
  const found = counted.flatMap(([id, tally]): LocatedFinding[] => {
    const { clause, kind, operation } = tally.first;
    const promise = catalogue.clauses[clause];
    const verdict = promise === undefined ? null : getSeverity(promise.level);
    if (promise === undefined || verdict === null) return [];
    if (kind !== 'refused' && REFUSAL_CLAUSE.test(clause) && refusing.has(operation)) return [];
    const { level, statement, source } = promise;
    const stated = { id, clause, level, verdict, statement, source, class: getClauseClass(promise) };
    return [{ finding: { ...stated, ...describeViolation(id, tally, context) }, operation }];
  });
  const order = makeDocumentOrder(catalogue);
  return found.sort(
    ({ finding: a }, { finding: b }) =>
      Number(a.verdict === 'warning') - Number(b.verdict === 'warning') ||
      order(a.clause) - order(b.clause) ||
      b.count - a.count ||
      (a.id < b.id ? -1 : 1),
  );
}

const countTested = ({ clause, operation }: Violation, { exercised }: RunTallies) =>
  exercised.get(clause)?.get(operation);

type FromClause = 'id' | 'clause' | 'level' | 'verdict' | 'statement' | 'source' | 'class';

function describeViolation(id: string, tally: ViolationTally, context: Context): Omit<Finding, FromClause> {
  const { tallies, catalogue, conditions } = context;
  const { operation, pointer, kind, unit } = tally.first;
  const { records } = tallies;
  const shrunk = tallies.counterexamples.get(makePlaceKey(tally.first));
  const shown = findSmallestExchange(tally.first, shrunk?.counterexample.exchange, tallies);
  const { instance, expected, received, exchange, concurrent } = shown;
  const contrast = shown.contrast ?? findContrast(shown, tallies);
  const answers = unit === undefined ? tally.answers.size : tally.count;
  // A server error is compared with its control only. Other accepted requests do not count.
  const tested = kind === 'server-error' ? 0 : (countTested(tally.first, tallies)?.count ?? 0);
  const exercised = Math.max(answers, tested);
  const exercisedValues = countValues(tally, tallies);
  const isAlone = tallies.judgedBreaks.get(exchange)?.some((one) => getFindingKey(one) === id);
  const original = restoreOriginalDigits(records.get(exchange), instance ?? pointer, received);
  return {
    operation: formatOperationName(catalogue.operations[operation]),
    pointer,
    kind,
    ...describeWrongCredentials(tally, expected, original),
    count: tally.count,
    answers,
    exercised,
    ...omitUndefined({
      instance,
      concurrent,
      unit,
      exercisedValues: exercisedValues > exercised ? exercisedValues : undefined,
      only: findOwnCondition(tally, exchange, context),
      alone: isAlone ? (true as const) : undefined,
    }),
    values: listReceived(tally, records, conditions),
    exchange,
    contrast,
    curl: writeFindingCurl({ kind, pointer, exchange, contrast, ...omitUndefined({ concurrent }) }, (one) =>
      records.get(one),
    ),
    classification: tallies.classifications.get(id) ?? null,
    replay: chooseReplay(exchange, tally.first, shrunk),
    counterexample: shrunk?.counterexample ?? null,
  };
}

function findOwnCondition(tally: ViolationTally, exchange: string, { tallies, conditions }: Context) {
  const { first, answers } = tally;
  const isCrash = first.pointer === 'response/status' && tallies.positives.get(exchange)?.outcome === 'crashed';
  return (isCrash ? conditions.describeCrashes(first.operation) : conditions.describe(first, answers)) ?? undefined;
}

/** A finding that did not occur again alone is replayed with all cases of its scenario. */
function chooseReplay(exchange: string, first: Violation, shrunk: Line<'counterexample'> | undefined): string {
  if (shrunk !== undefined && shrunk.counterexample.state !== 'did not recur alone') return shrunk.replay;
  return [...new Set([exchange, first.contrast ?? exchange].map(getScenario))].join(',');
}

const MAX_LISTED_EXPECTATIONS = 4;

/** If the bank accepted several wrong credentials, says how many and which, and not only the first. */
function describeWrongCredentials({ first, count, expected: all }: ViolationTally, expected: string, received: string) {
  if (first.kind !== 'behaviour' || !first.pointer.startsWith('request/header/') || all.size < 2)
    return { expected, received };
  return {
    expected: joinFirstItems([...all], MAX_LISTED_EXPECTATIONS),
    received: `data for ${grouped(count)} wrong values, for example ${received}`,
  };
}

const listReceived = (
  { first: { unit }, forms }: ViolationTally,
  records: RunTallies['records'],
  conditions: Conditions,
): ReceivedValue[] =>
  [...forms]
    .map(([form, { first, count, answers }]) => ({
      value:
        form === FURTHER_FORMS_TEXT
          ? form
          : restoreOriginalDigits(records.get(first.exchange), first.instance ?? first.pointer, first.received),
      exchange: first.exchange,
      count,
      answers: unit === undefined ? answers.size : count,
      ...omitUndefined({ only: forms.size > 1 ? (conditions.describe(first, answers) ?? undefined) : undefined }),
    }))
    // Values that are not shown come last, also if they are many.
    .sort(
      (a, b) => Number(a.value === FURTHER_FORMS_TEXT) - Number(b.value === FURTHER_FORMS_TEXT) || b.count - a.count,
    );

/** Counts the values of an array that tested the clause; 0 at other places. */
function countValues({ first, count }: ViolationTally, runTallies: RunTallies): number {
  const entries = first.instance === undefined ? null : getListPointer(first.pointer);
  return entries === null ? 0 : Math.max(count, countTested(first, runTallies)?.entries.get(entries) ?? 0);
}

/** Returns the violation in the smallest exchange that shows it: value, evidence and command are then from the same exchange. */
function findSmallestExchange(first: Violation, exchange: string | undefined, { judgedBreaks }: RunTallies): Violation {
  const same = judgedBreaks.get(exchange ?? '')?.find((one) => getFindingKey(one) === getFindingKey(first));
  return same === undefined
    ? first
    : { ...same, ...omitUndefined({ contrast: first.contrast, concurrent: first.concurrent }) };
}

/** Finds the exchange with the most similar request, of those that kept the clause at the same operation. */
function findContrast({ clause, operation, exchange }: Violation, runTallies: RunTallies): string | null {
  const { records, exercisedBy, judgedBreaks } = runTallies;
  const shown = records.get(exchange);
  if (shown === undefined) return null;
  let [nearest, least]: [string | null, number] = [null, Infinity];
  for (const [id, record] of records) {
    if (id === exchange || record.operation !== operation || record.kind !== shown.kind) continue;
    if (!exercisedBy.get(id)?.includes(clause)) continue;
    if (judgedBreaks.get(id)?.some((found) => found.clause === clause)) continue;
    const distance = countDifferences(record, shown);
    if (distance < least) [nearest, least] = [id, distance];
  }
  return nearest;
}

function countDifferences(a: ExchangeRecord, b: ExchangeRecord): number {
  const [first, second] = [a.request.asked, b.request.asked];
  const names = new Set([...Object.keys(first), ...Object.keys(second)]);
  return [...names].filter((name) => String(first[name]) !== String(second[name])).length;
}

/** Returns a function that ranks a clause by its section, then by the order of the catalogue. */
export function makeDocumentOrder({ clauses }: Catalogue): (clause: string) => number {
  const ranks = new Map(
    Object.entries(clauses).map(([id, { source }], index) => [id, sections.indexOf(source.section) * 10_000 + index]),
  );
  return (clause) => ranks.get(clause)!;
}
