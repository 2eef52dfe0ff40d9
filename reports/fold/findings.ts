/** Breaks become findings: one for each way to break a clause at a place, the worst first. */
import { entriesPointer, findingKey, type Violation } from '../../openapi/model/finding.ts';
import { scenarioOf, type OperationId } from '../../openapi/model/exchange.ts';
import type { ExchangeRecord } from '../../openapi/model/journal.ts';
import { sections } from '../../openapi/clauses/clause.ts';
import { curl, curlAfter } from '../text/curl.ts';
import { answeredBy } from './answered-by.ts';
import { placeKey } from './count.ts';
import type { Catalogue } from '../model/catalogue.ts';
import { operationName } from '../text/phrases.ts';
import type { Finding } from '../model/report.ts';
import { severity } from './verdict/verdict.ts';
import type { ViolationTally, RunTallies } from '../model/tally.ts';

/** A finding, and what the fold needs of it beside. */
export interface Found {
  readonly finding: Finding;
  readonly operation: OperationId;
}

/** Clauses on documented requests that are refused. */
export const ofRefusals = /\.(?:refusal-explained|listed-is-taken|is-taken)$/;

/** The findings of a run, worst first: failures before warnings, then in the order of the document, then by count. */
export function findingsOf(runTallies: RunTallies, catalogue: Catalogue): Found[] {
  const found: Found[] = [];
  const tallies = [...runTallies.breaks].filter(([, tally]) => !wasABusinessRule(tally, runTallies));
  // Where no documented request was ever taken, and for its form, that is why each is refused.
  const refusing = new Set(
    tallies.flatMap(([, { first }]) =>
      first.kind === 'refused' && !hasTaken(first.operation, runTallies) ? [first.operation] : [],
    ),
  );
  for (const [id, tally] of tallies) {
    const { clause, kind, operation } = tally.first;
    if (kind !== 'refused' && ofRefusals.test(clause) && refusing.has(operation)) continue;
    const finding = findingOf(id, tally, runTallies, catalogue);
    if (finding) found.push({ finding, operation });
  }
  const rank = new Map(Object.keys(catalogue.clauses).map((id, at) => [id, documentOrder(id, at, catalogue)]));
  return found.sort(
    ({ finding: a }, { finding: b }) =>
      Number(a.verdict === 'warning') - Number(b.verdict === 'warning') ||
      rank.get(a.clause)! - rank.get(b.clause)! ||
      b.count - a.count ||
      (a.id < b.id ? -1 : 1),
  );
}

const hasTaken = (operation: OperationId, { operations }: RunTallies): boolean =>
  operations.get(operation)?.outcomes.has('accepted') ?? false;

/**
 * A documented request was refused and its undocumented mutation accepted: that proves something only when the
 * documented form was never accepted at that operation in the whole run. Only the fold sees the whole run.
 */
function wasABusinessRule({ first }: ViolationTally, runTallies: RunTallies): boolean {
  if (first.kind !== 'refused') return false;
  return (runTallies.exercised.get(first.clause)?.get(first.operation)?.count ?? 0) > 0;
}

/** The scenarios in which these exchanges took place. */
function scenariosOf(...exchanges: readonly (string | undefined)[]): string {
  return [...new Set(exchanges.flatMap((id) => (id === undefined ? [] : [scenarioOf(id)])))].join(',');
}

function findingOf(id: string, tally: ViolationTally, runTallies: RunTallies, catalogue: Catalogue): Finding | null {
  const { first } = tally;
  const { clause, operation, pointer, kind } = first;
  const promise = catalogue.clauses[clause];
  const verdict = promise ? severity(promise.level) : null;
  if (!promise || verdict === null) return null;
  const shrunk = runTallies.counterexamples.get(placeKey(clause, operation, pointer));
  const shown = smallest(first, shrunk?.counterexample.exchange, runTallies);
  const { instance, expected, received, exchange, contrast } = shown;
  const { unit } = first;
  const record = runTallies.records.get(exchange);
  // Some look at the credentials of the first request on a connection, or of a moment, alone.
  const before =
    kind === 'behaviour' && pointer.startsWith('request/header/') ? runTallies.records.get(contrast ?? '') : undefined;
  const answers = unit === undefined ? tally.answers.size : tally.count;
  // A pair of requests shows it, and the others that the bank took are no part of it.
  const others = kind === 'server-error' ? 0 : (runTallies.exercised.get(clause)?.get(operation)?.count ?? 0);
  const exercised = Math.max(answers, others);
  const values = valuesAt(first, tally, runTallies);
  const isAlone = runTallies.judgedBreaks.get(exchange)?.some((one) => findingKey(one) === id);
  const beside = contrast ?? nearestFine(shown, runTallies);
  return {
    id,
    clause,
    level: promise.level,
    verdict,
    operation: operationName(catalogue.operations[operation]),
    pointer,
    ...(instance === undefined ? {} : { instance }),
    kind,
    statement: promise.statement,
    source: promise.source,
    ...(promise.class === undefined ? {} : { class: promise.class }),
    expected,
    received: [received, ...answeredBy(record, runTallies.records.get(beside ?? ''))].join('; '),
    count: tally.count,
    answers,
    exercised,
    ...(unit === undefined ? {} : { unit }),
    ...(values === null || values <= exercised ? {} : { values }),
    exchange,
    ...(isAlone ? { alone: isAlone } : {}),
    contrast: beside,
    curl: record === undefined ? null : before === undefined ? curl(record) : curlAfter(before, record),
    classification: runTallies.classifications.get(id) ?? null,
    // What did not show in a case alone is asked for with all cases of its scenario.
    replay:
      shrunk === undefined || shrunk.counterexample.state === 'did not recur alone'
        ? scenariosOf(exchange, first.contrast)
        : shrunk.replay,
    counterexample: shrunk?.counterexample ?? null,
  };
}

/** Values that put the promise to the test at a place in an array; null at other places, and where whole answers were judged. */
function valuesAt({ clause, operation, pointer, instance }: Violation, tally: ViolationTally, runTallies: RunTallies) {
  const entries = instance === undefined ? null : entriesPointer(pointer);
  if (entries === null) return null;
  return Math.max(tally.count, runTallies.exercised.get(clause)?.get(operation)?.entries.get(entries) ?? 0);
}

/** The violation in the smallest exchange that shows it, so that value, evidence and command are those of one exchange. */
function smallest(first: Violation, exchange: string | undefined, runTallies: RunTallies): Violation {
  const there = exchange === undefined ? [] : (runTallies.judgedBreaks.get(exchange) ?? []);
  const same = there.find(
    ({ clause, pointer, kind }) => clause === first.clause && pointer === first.pointer && kind === first.kind,
  );
  return same === undefined
    ? first
    : { ...same, ...(first.contrast === undefined ? {} : { contrast: first.contrast }) };
}

/** Of the kept exchanges that kept the same promise at the same operation, the one whose request differs least. */
function nearestFine({ clause, operation, exchange }: Violation, runTallies: RunTallies): string | null {
  const shown = runTallies.records.get(exchange);
  if (shown === undefined) return null;
  let nearest: string | null = null;
  let least = Infinity;
  for (const [id, record] of runTallies.records) {
    if (id === exchange || record.operation !== operation || record.kind !== shown.kind) continue;
    if (runTallies.exercisedBy.get(id)?.includes(clause) !== true) continue;
    if (runTallies.judgedBreaks.get(id)?.some((found) => found.clause === clause) === true) continue;
    const distance = differences(record, shown);
    if (distance >= least) continue;
    least = distance;
    nearest = id;
  }
  return nearest;
}

/** How many inputs two requests have apart. */
function differences({ request: one }: ExchangeRecord, { request: other }: ExchangeRecord): number {
  const names = new Set([...Object.keys(one.asked), ...Object.keys(other.asked)]);
  return [...names].filter((name) => String(one.asked[name]) !== String(other.asked[name])).length;
}

/** Sections first, then the order of the catalogue within one. */
export function documentOrder(clause: string, at: number, catalogue: Catalogue): number {
  return sections.indexOf(catalogue.clauses[clause]!.source.section) * 10_000 + at;
}
