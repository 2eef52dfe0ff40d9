/** Makes the findings of the report from the counted violations: one finding for each kind of violation at each place. */
import { getListPointer, getFindingKey, type Violation } from '../../openapi/model/finding.ts';
import { getScenario, type OperationId } from '../../openapi/model/exchange.ts';
import type { ExchangeRecord } from '../../openapi/model/journal.ts';
import { clauseClasses, getClauseClass, sections } from '../../openapi/clauses/clause.ts';
import { writeFindingCurl } from '../text/curl.ts';
import { restoreOriginalDigits } from '../text/difference.ts';
import { FURTHER_FORMS_TEXT } from '../../openapi/util/value-form.ts';
import type { Conditions } from './conditions.ts';
import { type Catalogue, makePlaceKey, type FindingTally, type RunTallies } from '../model/tallies.ts';
import { formatOperationName, grouped, joinFirstItems } from '../text/phrases.ts';
import { omitUndefined, type Finding, type Line, type ReceivedValue } from '../model/report.ts';
import { getSeverity } from './verdict.ts';

/** Matches the clauses about refused documented requests. */
const REFUSAL_CLAUSE = /\.(?:refusal-explained|listed-is-taken|is-taken)$/;

/** The data that a finding is made from. */
interface FindingContext {
  readonly tallies: RunTallies;
  readonly catalogue: Catalogue;
  readonly conditions: Conditions;
}

/**
 * The order of findings in all reports: failures before warnings, then by class, then by the number of answers that show it. Equal
 * findings keep the order of the document.
 */
export const compareFindings = (findingA: Finding, findingB: Finding): number =>
  rankVerdict(findingA) - rankVerdict(findingB) ||
  clauseClasses.indexOf(findingA.class) - clauseClasses.indexOf(findingB.class) ||
  findingB.answers - findingA.answers;

/** Failures have the rank 0, warnings the rank 1. */
const rankVerdict = ({ verdict }: Finding): number => (verdict === 'warning' ? 1 : 0);

/** Returns the findings of a run: failures before warnings, then in the order of the document. This order finds causes before effects. */
export function makeFindings(context: FindingContext): Finding[] {
  const rankClause = makeDocumentOrder(context.catalogue);
  return listTallies(context.tallies)
    .flatMap(([id, tally]) => makeFinding(id, tally, context) ?? [])
    .sort(
      (a, b) =>
        rankVerdict(a) - rankVerdict(b) ||
        rankClause(a.clause) - rankClause(b.clause) ||
        b.count - a.count ||
        (a.id < b.id ? -1 : 1),
    );
}

/** Returns the tallies by the ids of their findings. Leaves out refusals that another finding explains. */
function listTallies(tallies: RunTallies): readonly (readonly [id: string, tally: FindingTally])[] {
  const isAccepted = (operation: OperationId): boolean =>
    tallies.operations.get(operation)?.outcomes.has('accepted') ?? false;
  // A violation of the kind `refused` counts only if no answer tested its clause.
  const unrefuted = [...tallies.tallyByFinding].filter(
    ([, { first }]) => first.kind !== 'refused' || getTestCount(first, tallies) === undefined,
  );
  // If a finding explains why an operation accepted no request, other refusals by this operation are no findings.
  const operationsThatRefuseAll = new Set(
    unrefuted.flatMap(([, { first }]) =>
      first.kind === 'refused' && !isAccepted(first.operation) ? first.operation : [],
    ),
  );
  return unrefuted.filter(
    ([, { first }]) =>
      first.kind === 'refused' || !REFUSAL_CLAUSE.test(first.clause) || !operationsThatRefuseAll.has(first.operation),
  );
}

/** Returns the count of the exchanges that tested a clause at an operation; undefined if there was none. */
const getTestCount = ({ clause, operation }: Violation, { exercisesByClause }: RunTallies) =>
  exercisesByClause.get(clause)?.get(operation);

/** Makes the finding of a tally; null if its clause is an open point. */
function makeFinding(id: string, tally: FindingTally, context: FindingContext): Finding | null {
  const { clause } = tally.first;
  const clauseOfFinding = context.catalogue.clauses[clause];
  const verdict = clauseOfFinding === undefined ? null : getSeverity(clauseOfFinding.level);
  if (clauseOfFinding === undefined || verdict === null) return null;
  const { level, statement, source } = clauseOfFinding;
  const fromClause = { id, clause, level, verdict, statement, source, class: getClauseClass(clauseOfFinding) };
  return { ...fromClause, ...describeTally(id, tally, context) };
}

/** The members of a finding that come from its clause. */
type FromClause = 'id' | 'clause' | 'level' | 'verdict' | 'statement' | 'source' | 'class';

function describeTally(id: string, tally: FindingTally, context: FindingContext): Omit<Finding, FromClause> {
  const { tallies, catalogue, conditions } = context;
  const { operation, pointer, kind, unit } = tally.first;
  const { records } = tallies;
  const counterexampleLine = tallies.counterexamples.get(makePlaceKey(tally.first));
  const violation = findSmallestExchange(tally.first, counterexampleLine?.counterexample.exchange, tallies);
  const { instance, expected, received, exchange, concurrent } = violation;
  const referenceExchange = violation.contrast ?? findMostSimilarExchange(violation, tallies);
  const answers = unit === undefined ? tally.answers.size : tally.count;
  // A server error is compared only with its positive control. Other accepted requests do not count.
  const testCount = kind === 'server-error' ? 0 : (getTestCount(tally.first, tallies)?.count ?? 0);
  const exercised = Math.max(answers, testCount);
  const exercisedValues = countValues(tally, tallies);
  const isVisibleInOneAnswer = tallies.violationsByExchange
    .get(exchange)
    ?.some((violationHere) => getFindingKey(violationHere) === id);
  const receivedText = restoreOriginalDigits(records.get(exchange), instance ?? pointer, received);
  return {
    operation: formatOperationName(catalogue.operations[operation]),
    pointer,
    kind,
    ...describeWrongCredentials(tally, expected, receivedText),
    count: tally.count,
    answers,
    exercised,
    ...omitUndefined({
      instance,
      concurrent,
      unit,
      exercisedValues: exercisedValues > exercised ? exercisedValues : undefined,
      only: findConditionOf(tally, exchange, context),
      alone: isVisibleInOneAnswer ? (true as const) : undefined,
    }),
    values: listReceived(tally, records, conditions),
    exchange,
    contrast: referenceExchange,
    curl: writeFindingCurl(
      { kind, pointer, exchange, contrast: referenceExchange, ...omitUndefined({ concurrent }) },
      (id) => records.get(id),
    ),
    classification: tallies.classifications.get(id) ?? null,
    replay: chooseReplay(exchange, tally.first, counterexampleLine),
    counterexample: counterexampleLine?.counterexample ?? null,
  };
}

/** Returns the condition of a violation, for example `amount has decimals`; undefined if there is none. */
function findConditionOf(tally: FindingTally, exchange: string, { tallies, conditions }: FindingContext) {
  const { first, answers } = tally;
  const isCrash =
    first.pointer === 'response/status' && tallies.documentedRequests.get(exchange)?.outcome === 'crashed';
  return (isCrash ? conditions.describeCrashes(first.operation) : conditions.describe(first, answers)) ?? undefined;
}

/** Returns what to replay: the counterexample, or its whole scenario if the counterexample did not show the finding again. */
function chooseReplay(exchange: string, first: Violation, line: Line<'counterexample'> | undefined): string {
  if (line !== undefined && line.counterexample.state !== 'did not recur alone') return line.replay;
  return [...new Set([exchange, first.contrast ?? exchange].map(getScenario))].join(',');
}

const MAX_LISTED_EXPECTATIONS = 4;

/** If the bank accepted several wrong credentials, describes all of them, and not only the first. */
function describeWrongCredentials(
  { first, count, expected: allExpected }: FindingTally,
  expected: string,
  received: string,
) {
  if (first.kind !== 'behaviour' || !first.pointer.startsWith('request/header/') || allExpected.size < 2)
    return { expected, received };
  return {
    expected: joinFirstItems([...allExpected], MAX_LISTED_EXPECTATIONS),
    received: `data in the answers to ${grouped(count)} wrong header values, for example ${received}`,
  };
}

const listReceived = (
  { first: { unit }, forms }: FindingTally,
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
    // The row `further values` comes last, also if it has the highest count.
    .sort((rowA, rowB) => rankRow(rowA) - rankRow(rowB) || rowB.count - rowA.count);

const rankRow = ({ value }: ReceivedValue): number => (value === FURTHER_FORMS_TEXT ? 1 : 0);

/** Counts the values of an array that tested the clause; 0 at other places. */
function countValues({ first, count }: FindingTally, runTallies: RunTallies): number {
  const listPointer = first.instance === undefined ? null : getListPointer(first.pointer);
  if (listPointer === null) return 0;
  const testedEntries = getTestCount(first, runTallies)?.entries.get(listPointer) ?? 0;
  return Math.max(count, testedEntries);
}

/** Returns the violation as the counterexample shows it, so that value, evidence and command are from the same exchange. */
function findSmallestExchange(
  first: Violation,
  exchange: string | undefined,
  { violationsByExchange }: RunTallies,
): Violation {
  const key = getFindingKey(first);
  const smallestViolation = violationsByExchange
    .get(exchange ?? '')
    ?.find((violation) => getFindingKey(violation) === key);
  return smallestViolation === undefined
    ? first
    : { ...smallestViolation, ...omitUndefined({ contrast: first.contrast, concurrent: first.concurrent }) };
}

/** Finds the exchange with the most similar request that kept the clause at the same operation; null if there is none. */
function findMostSimilarExchange({ clause, operation, exchange }: Violation, runTallies: RunTallies): string | null {
  const { records, clausesByExchange, violationsByExchange } = runTallies;
  const record = records.get(exchange);
  if (record === undefined) return null;
  let [mostSimilar, fewestDifferences]: [string | null, number] = [null, Infinity];
  for (const [id, otherRecord] of records) {
    if (id === exchange || otherRecord.operation !== operation || otherRecord.kind !== record.kind) continue;
    if (!clausesByExchange.get(id)?.includes(clause)) continue;
    if (violationsByExchange.get(id)?.some((violation) => violation.clause === clause)) continue;
    const differences = countDifferences(otherRecord, record);
    if (differences < fewestDifferences) [mostSimilar, fewestDifferences] = [id, differences];
  }
  return mostSimilar;
}

/** Counts the inputs that differ. */
function countDifferences(recordA: ExchangeRecord, recordB: ExchangeRecord): number {
  const [inputsA, inputsB] = [recordA.request.asked, recordB.request.asked];
  const names = new Set([...Object.keys(inputsA), ...Object.keys(inputsB)]);
  return [...names].filter((name) => String(inputsA[name]) !== String(inputsB[name])).length;
}

/** Returns a function that ranks a clause by its section, then by the order of the catalogue. */
export function makeDocumentOrder({ clauses }: Catalogue): (clause: string) => number {
  const ranks = new Map(
    Object.entries(clauses).map(([id, { source }], index) => [id, sections.indexOf(source.section) * 10_000 + index]),
  );
  return (clause) => ranks.get(clause)!;
}
