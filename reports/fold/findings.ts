/** Makes findings from violations: one for each kind of violation at each place. The worst comes first. */
import { FURTHER_FORMS_TEXT } from '../../openapi/judgement.ts';
import { getListPointer, getFindingKey, type Violation } from '../../openapi/model/finding.ts';
import { getScenario, type OperationId } from '../../openapi/model/exchange.ts';
import type { ExchangeRecord } from '../../openapi/model/journal.ts';
import { getClauseClass, sections } from '../../openapi/clauses/clause.ts';
import { writeFindingCurl } from '../text/curl.ts';
import { restoreOriginalDigits } from '../text/difference.ts';
import { omitUndefined } from '../text/given.ts';
import type { Conditions } from './conditions.ts';
import { makePlaceKey, type ViolationTally, type RunTallies } from './tallies.ts';
import type { Catalogue } from '../model/catalogue.ts';
import { formatOperationName, grouped, joinFirstItems } from '../text/phrases.ts';
import type { Finding, ReceivedValue } from '../model/report.ts';
import { getSeverity } from './verdict.ts';

export interface Found {
  readonly finding: Finding;
  readonly operation: OperationId;
}

/** Matches the clauses about refused documented requests. */
export const REFUSAL_CLAUSE = /\.(?:refusal-explained|listed-is-taken|is-taken)$/;

/** Returns the findings of a run: failures before warnings, then in the order of the document, then by count. */
export function makeFindings(runTallies: RunTallies, catalogue: Catalogue, conditions: Conditions): Found[] {
  const wasTaken = (operation: OperationId): boolean =>
    runTallies.operations.get(operation)?.outcomes.has('accepted') ?? false;
  // A violation of the kind `refused` counts only if no answer tested its clause.
  const tallies = [...runTallies.breaks].filter(
    ([, { first }]) => first.kind !== 'refused' || countTested(first, runTallies) === undefined,
  );
  // If a finding explains why an operation accepted no request, its other refusals are not findings.
  const refusing = new Set(
    tallies.flatMap(([, { first }]) => (first.kind === 'refused' && !wasTaken(first.operation) ? first.operation : [])),
  );
  const found = tallies.flatMap(([id, tally]): Found[] => {
    const { clause, kind, operation } = tally.first;
    if (kind !== 'refused' && REFUSAL_CLAUSE.test(clause) && refusing.has(operation)) return [];
    const finding = makeFinding(id, tally, runTallies, catalogue, conditions);
    return finding === null ? [] : [{ finding, operation }];
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

function makeFinding(
  id: string,
  tally: ViolationTally,
  runTallies: RunTallies,
  catalogue: Catalogue,
  conditions: Conditions,
): Finding | null {
  const { first, count } = tally;
  const { clause, operation, pointer, kind, unit } = first;
  const promise = catalogue.clauses[clause];
  const verdict = promise ? getSeverity(promise.level) : null;
  if (!promise || verdict === null) return null;
  const { level, statement, source } = promise;
  const { records, judgedBreaks, counterexamples, classifications } = runTallies;
  const shrunk = counterexamples.get(makePlaceKey(first));
  const shown = findSmallestExchange(first, shrunk?.counterexample.exchange, runTallies);
  const { instance, expected, received, exchange, contrast } = shown;
  const record = records.get(exchange);
  const beside = contrast ?? findContrast(shown, runTallies);
  const answers = unit === undefined ? tally.answers.size : count;
  // A server error is compared with its control only. Other accepted requests do not count.
  const others = kind === 'server-error' ? 0 : (countTested(first, runTallies)?.count ?? 0);
  const exercised = Math.max(answers, others);
  const isCrash = pointer === 'response/status' && runTallies.positives.get(exchange)?.outcome === 'crashed';
  const only = isCrash ? conditions.ofCrashes(operation) : conditions.of(first, tally.answers);
  const exercisedValues = countValues(tally, runTallies);
  const isAlone = judgedBreaks.get(exchange)?.some((one) => getFindingKey(one) === id);
  return {
    id,
    clause,
    level,
    verdict,
    operation: formatOperationName(catalogue.operations[operation]),
    pointer,
    ...omitUndefined({ instance }),
    kind,
    statement,
    source,
    class: getClauseClass(promise),
    ...describeWrongCredentials(tally, expected, restoreOriginalDigits(record, instance ?? pointer, received)),
    count,
    answers,
    exercised,
    ...omitUndefined({ unit, exercisedValues: exercisedValues > exercised ? exercisedValues : undefined }),
    ...omitUndefined({ only: only ?? undefined }),
    values: listReceived(tally, records, conditions),
    exchange,
    ...omitUndefined({ alone: isAlone ? (true as const) : undefined }),
    contrast: beside,
    curl: writeFindingCurl({ kind, pointer, exchange, contrast: beside }, (one) => records.get(one)),
    classification: classifications.get(id) ?? null,
    // A finding that did not occur again alone is replayed with all cases of its scenario.
    replay:
      shrunk === undefined || shrunk.counterexample.state === 'did not recur alone'
        ? [...new Set([exchange, first.contrast ?? exchange].map(getScenario))].join(',')
        : shrunk.replay,
    counterexample: shrunk?.counterexample ?? null,
  };
}

const MAX_LISTED_EXPECTATIONS = 4;

/** If the bank accepted several wrong credentials, says how many and which, and not only the first. */
function describeWrongCredentials({ first, count, expected: all }: ViolationTally, expected: string, received: string) {
  if (first.kind !== 'behaviour' || !first.pointer.startsWith('request/header/') || all.size < 2)
    return { expected, received };
  return {
    expected: joinFirstItems([...all], MAX_LISTED_EXPECTATIONS),
    received: `${grouped(count)} wrong values were accepted, for example: ${received}`,
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
      ...omitUndefined({ only: forms.size > 1 ? (conditions.of(first, answers) ?? undefined) : undefined }),
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
  return same === undefined ? first : { ...same, ...omitUndefined({ contrast: first.contrast }) };
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

function countDifferences({ request: one }: ExchangeRecord, { request: other }: ExchangeRecord): number {
  const names = new Set([...Object.keys(one.asked), ...Object.keys(other.asked)]);
  return [...names].filter((name) => String(one.asked[name]) !== String(other.asked[name])).length;
}

/** Returns a function that ranks a clause by its section, then by the order of the catalogue. */
export function makeDocumentOrder({ clauses }: Catalogue): (clause: string) => number {
  const ranks = new Map(
    Object.entries(clauses).map(([id, { source }], at) => [id, sections.indexOf(source.section) * 10_000 + at]),
  );
  return (clause) => ranks.get(clause)!;
}
