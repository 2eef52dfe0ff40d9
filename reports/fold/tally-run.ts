/** One walk over the journal: everything the report says is counted here, nothing is judged. */
import { renderAnswer, renderQuestion } from '../../openapi/model/observation.ts';
import { findingKey, type Violation } from '../../openapi/model/finding.ts';
import type { Fact } from '../../openapi/model/facts.ts';
import type { ClauseId } from '../../openapi/clauses/index.ts';
import type { Kind, OperationId } from '../../openapi/model/exchange.ts';
import type { ExchangeRecord, JournalLine } from '../../openapi/model/journal.ts';
import { emptyTallies } from '../model/tally.ts';
import type { CoverTally, Exercise, RunTallies, OperationTally } from '../model/tally.ts';
import type { Catalogue } from '../model/catalogue.ts';
import type { RequestOrigin } from '../model/view-model.ts';

type ExchangeLine = Extract<JournalLine, { line: 'exchange' }>;

/** A set of clauses, and how many exchanges of each operation exercised all of it. */
interface ClauseSet {
  readonly ids: readonly string[];
  readonly counts: Map<OperationId, Exercise>;
  /** Entries of arrays in the answers of these exchanges, by operation and pointer of the entries. */
  readonly entries: Map<OperationId, Map<string, number>>;
}

const clauseSet = (ids: readonly string[]): ClauseSet => ({ ids, counts: new Map(), entries: new Map() });

/** Counts what the lines tell. Clauses over several exchanges are settled here too, over the facts of all scenarios. */
export function tally(lines: readonly JournalLine[], catalogue: Catalogue): RunTallies {
  const runTallies = emptyTallies();
  for (const line of lines) if (line.line === 'record') runTallies.records.set(line.record.id, line.record);
  const facts = walk(lines, runTallies);
  const settled = catalogue.evaluateRun(facts);
  for (const one of settled.exercised) exercise(runTallies, one.clause, one.operation, one.count, one.exchange);
  for (const one of settled.broken) broke(runTallies, one);
  for (const { exchanges, ...one } of settled.observed ?? []) {
    const exchange = exchanges.find((id) => runTallies.records.has(id)) ?? exchanges[0] ?? '';
    observe(runTallies, { line: 'observation', ...one, exchange });
  }
  return runTallies;
}

/** Notes that the scenario whose lines are read checked a clause. */
function prove({ scenarios }: RunTallies, clause: ClauseId): void {
  const scenario = scenarios.at(-1);
  if (scenario === undefined || scenario.proves.includes(clause)) return;
  scenarios[scenarios.length - 1] = { ...scenario, proves: [...scenario.proves, clause] };
}

/** Notes that the scenario whose lines are read asked fewer cases of a property. */
function fewerCases({ scenarios }: RunTallies, { line: _, ...cases }: Extract<JournalLine, { line: 'cases' }>): void {
  const scenario = scenarios.at(-1);
  if (scenario !== undefined)
    scenarios[scenarios.length - 1] = { ...scenario, cases: [...(scenario.cases ?? []), cases] };
}

function walk(lines: readonly JournalLine[], to: RunTallies): { exchange: string; fact: Fact }[] {
  const facts: { exchange: string; fact: Fact }[] = [];
  const seenKinds = new Set<string>();
  const allSets: ClauseSet[] = [];
  let sets = new Map<number, ClauseSet>();
  let ofEveryAnswer = clauseSet([]);
  let scenarios = new Map<string, number>();
  for (const line of lines) {
    switch (line.line) {
      case 'scenario':
        sets = new Map();
        allSets.push((ofEveryAnswer = clauseSet(line.ofEveryAnswer ?? [])));
        scenarios.set(line.scenario, to.scenarios.length);
        to.scenarios.push({ id: line.scenario, title: line.title, proves: [], durationMs: null });
        break;
      case 'end': {
        const at = scenarios.get(line.scenario);
        if (at !== undefined) to.scenarios[at] = { ...to.scenarios[at]!, durationMs: line.durationMs };
        break;
      }
      case 'clauses': {
        const set = clauseSet(line.ids);
        sets.set(line.set, set);
        allSets.push(set);
        break;
      }
      case 'exchange':
        sent(to, line, sets.get(line.set)?.ids ?? []);
        tell(sets.get(line.set)?.counts, line.operation, 1, line.id, to.records);
        if (line.status !== null) tell(ofEveryAnswer.counts, line.operation, 1, line.id, to.records);
        countEntries(sets.get(line.set)?.entries, line);
        if (
          to.records.has(line.id) &&
          isNew(seenKinds, `${line.operation} ${line.kind} ${line.status} ${line.outcome}`)
        ) {
          to.firsts.add(line.id);
        }
        break;
      case 'finding':
        broke(to, line);
        noteJudged(to, line);
        break;
      case 'counterexample': {
        const key = placeKey(line.clause, line.operation, line.pointer);
        if (!to.counterexamples.has(key)) to.counterexamples.set(key, line);
        break;
      }
      case 'exercised':
        prove(to, line.clause);
        exercise(to, line.clause, line.operation, 1, line.exchange);
        break;
      case 'cases':
        fewerCases(to, line);
        break;
      case 'fact':
        facts.push({ exchange: line.exchange, fact: line.fact });
        break;
      case 'observation':
        observe(to, line);
        break;
      case 'unexercised': {
        const whys = to.whys.get(line.clause);
        if (whys) whys.add(line.why);
        else to.whys.set(line.clause, new Set([line.why]));
        break;
      }
      case 'created':
        to.created.push({
          what: line.what,
          id: line.id,
          amount: line.amount ?? null,
          currency: line.currency ?? null,
          exchange: line.exchange,
        });
        break;
      case 'classification':
        to.classifications.set(findingKey(line), line.classification);
        break;
      case 'concurrency':
        if (line.tick > (to.concurrency.get(line.run)?.tick ?? 0)) to.concurrency.set(line.run, line);
        break;
      case 'interrupted':
        to.interrupted ??= line.why;
        break;
      case 'error':
        to.errors.push({ scenario: line.scenario, message: line.message });
        break;
    }
  }
  for (const set of allSets) {
    for (const [operation, { count, exchange }] of set.counts) {
      for (const clause of set.ids) exercise(to, clause, operation, count, exchange);
    }
    for (const [operation, pointers] of set.entries)
      for (const [pointer, count] of pointers)
        for (const clause of set.ids) add(to.entries, placeKey(clause, operation, pointer), count);
  }
  return facts;
}

const add = (counts: Map<string, number>, key: string, count: number): unknown =>
  counts.set(key, (counts.get(key) ?? 0) + count);

function countEntries(to: ClauseSet['entries'] | undefined, { operation, entries = {} }: ExchangeLine): void {
  if (to === undefined) return;
  const counts = to.get(operation) ?? new Map<string, number>();
  to.set(operation, counts);
  for (const [pointer, count] of Object.entries(entries)) add(counts, pointer, count);
}

/** Tells the places of a finding apart; a counterexample is joined to all kinds at its place. */
export function placeKey(clause: string, operation: string, pointer: string): string {
  return `${clause} ${operation} ${pointer}`;
}

function isNew(seen: Set<string>, key: string): boolean {
  return seen.size < seen.add(key).size;
}

/** The tally of one operation, made when first asked for. */
function operationOf(to: RunTallies, operation: OperationId): OperationTally {
  let tally = to.operations.get(operation);
  if (!tally) {
    tally = {
      positives: 0,
      probes: 0,
      unanswered: 0,
      outcomes: new Map(),
      statuses: new Map(),
      latencies: [],
      ways: new Map(),
    };
    to.operations.set(operation, tally);
  }
  return tally;
}

/** A break that the judge saw in an exchange that is kept; what a scenario concluded from several is not the judge's. */
function noteJudged(to: RunTallies, { line: _, ...found }: Extract<JournalLine, { line: 'finding' }>): void {
  if (!to.records.has(found.exchange) || found.kind === 'behaviour') return;
  if (to.judged.get(found.exchange)?.clauses.includes(found.clause) !== true) return;
  const known = to.judgedBreaks.get(found.exchange);
  if (known) known.push(found);
  else to.judgedBreaks.set(found.exchange, [found]);
}

function covered(to: RunTallies, { operation, covers }: ExchangeLine): void {
  if (covers === undefined) return;
  const row = to.covers.get(covers.currency) ?? new Map<number, CoverTally>();
  to.covers.set(covers.currency, row);
  for (const value of covers.installments) {
    const cell = row.get(value) ?? { offered: 0, links: 0 };
    row.set(value, cell);
    cell[operation === 'createPaymentLink' ? 'links' : 'offered'] += 1;
  }
}

function sent(to: RunTallies, line: ExchangeLine, clauses: readonly string[]): void {
  const tally = operationOf(to, line.operation);
  const positive: Kind = 'positive';
  to.requests += 1;
  const way: RequestOrigin = line.kind === 'probe' ? 'probe' : line.property === undefined ? 'flow' : 'property';
  to.judged.set(line.id, { outcome: line.outcome, way, clauses });
  tell(tally.ways, way, 1, line.id, to.records);
  covered(to, line);
  if (line.kind === positive) {
    tally.positives += 1;
    tally.outcomes.set(line.outcome, (tally.outcomes.get(line.outcome) ?? 0) + 1);
  } else tally.probes += 1;
  if (line.status === null) tally.unanswered += 1;
  else {
    tally.statuses.set(line.status, (tally.statuses.get(line.status) ?? 0) + 1);
    tally.latencies.push(line.ms);
  }
}

function tell<Key>(
  counts: Map<Key, Exercise> | undefined,
  key: Key,
  count: number,
  exchange: string,
  records: ReadonlyMap<string, ExchangeRecord>,
): void {
  if (counts === undefined) return;
  const known = counts.get(key);
  if (!known) counts.set(key, { count, exchange });
  else {
    known.count += count;
    if (!records.has(known.exchange) && records.has(exchange)) known.exchange = exchange;
  }
}

function exercise(to: RunTallies, clause: string, operation: OperationId, count: number, exchange: string): void {
  let places = to.exercised.get(clause);
  if (!places) to.exercised.set(clause, (places = new Map()));
  tell(places, operation, count, exchange, to.records);
}

/** Counts a break among those of its kind at its place. */
export function broke(to: RunTallies, one: Violation): void {
  const key = findingKey(one);
  const known = to.breaks.get(key);
  if (!known) to.breaks.set(key, { first: one, count: one.count ?? 1, answers: new Set([one.exchange]) });
  else {
    known.count += one.count ?? 1;
    known.answers.add(one.exchange);
    if (!to.records.has(known.first.exchange) && to.records.has(one.exchange)) known.first = one;
  }
}

function observe(to: RunTallies, line: Extract<JournalLine, { line: 'observation' }>): void {
  const { point, operation, question = null, answer } = line;
  const key = `${point} ${operation} ${question === null ? '' : renderQuestion(question)}`;
  let tally = to.observations.get(key);
  if (!tally) {
    tally = { point, operation, question, answers: new Map(), details: new Map() };
    to.observations.set(key, tally);
  }
  const words = renderAnswer(answer);
  tell(tally.answers, words, line.count ?? 1, line.exchange, to.records);
  const known = tally.details.get(words);
  if (known === undefined) tally.details.set(words, { answer, control: line.control ?? null });
  else known.control ??= line.control ?? null;
}
