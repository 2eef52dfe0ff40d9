/** One walk over the journal: everything the report says is counted here, nothing is judged. */
import { findingKey } from '../../openapi/model/finding.ts';
import { readFact } from '../../openapi/model/fact-lines.ts';
import type { Fact, SeenAtm } from '../../openapi/model/facts.ts';
import type { ClauseId } from '../../openapi/clauses/index.ts';
import type { Kind, OperationId } from '../../openapi/model/exchange.ts';
import type { JournalLine } from '../../openapi/model/journal.ts';
import { emptyTallies, type CoverTally, type Exercise, type RunTallies } from '../model/tally.ts';
import { getOrSet } from '../../openapi/util/group-by.ts';
import { add, addExercise, addViolation, exercise, observe, operationOf, placeKey } from './count.ts';
import type { Catalogue } from '../model/catalogue.ts';
import type { RequestOrigin } from '../model/view-model.ts';

type Line<Kind extends JournalLine['line']> = Extract<JournalLine, { line: Kind }>;
type ExchangeLine = Line<'exchange'>;

/** A set of clauses, and how many exchanges of each operation exercised all of it. */
interface ClauseSet {
  readonly ids: readonly string[];
  readonly counts: Map<OperationId, Exercise>;
  /** Entries of arrays in the answers of these exchanges, by operation and pointer of the entries. */
  readonly entries: Map<OperationId, Map<string, number>>;
}

const clauseSet = (ids: readonly string[]): ClauseSet => ({ ids, counts: new Map(), entries: new Map() });

/** Counts what the lines say. Clauses over several exchanges are settled here too, over the facts of all scenarios. */
export function tally(lines: readonly JournalLine[], catalogue: Catalogue): RunTallies {
  const runTallies = emptyTallies();
  for (const line of lines) if (line.line === 'record') runTallies.records.set(line.record.id, line.record);
  const facts = walk(lines, runTallies);
  const settled = catalogue.evaluateRun(facts);
  for (const one of settled.exercised) exercise(runTallies, one.clause, one.operation, one.count, one.exchange);
  for (const one of settled.broken) addViolation(runTallies, one);
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

/** A walk over the lines: what they add up to, and what of the scenario being read explains the next line. */
interface Walk {
  readonly to: RunTallies;
  readonly facts: { exchange: string; fact: Fact }[];
  readonly seenKinds: Set<string>;
  readonly allSets: ClauseSet[];
  /** Where each scenario stands among those of the report. */
  readonly scenarios: Map<string, number>;
  /** The clause sets of the scenario that is read, by their numbers. */
  sets: Map<number, ClauseSet>;
  /** The ATMs that it was shown, by their numbers. */
  atms: Map<number, SeenAtm>;
  ofEveryAnswer: ClauseSet;
}

/** What a line of each kind adds. */
const additions: { readonly [Kind in JournalLine['line']]?: (walk: Walk, line: Line<Kind>) => unknown } = {
  scenario: (walk, line) => {
    walk.sets = new Map();
    walk.atms = new Map();
    walk.allSets.push((walk.ofEveryAnswer = clauseSet(line.ofEveryAnswer ?? [])));
    walk.scenarios.set(line.scenario, walk.to.scenarios.length);
    walk.to.scenarios.push({ id: line.scenario, title: line.title, proves: [], durationMs: null });
  },
  end: ({ to, scenarios }, { scenario, durationMs }) => {
    const at = scenarios.get(scenario);
    if (at !== undefined) to.scenarios[at] = { ...to.scenarios[at]!, durationMs };
  },
  clauses: ({ sets, allSets }, line) => {
    const set = clauseSet(line.ids);
    sets.set(line.set, set);
    allSets.push(set);
  },
  exchange: exchanged,
  finding: ({ to }, line) => {
    addViolation(to, line);
    noteJudged(to, line);
  },
  counterexample: ({ to }, line) => {
    const key = placeKey(line.clause, line.operation, line.pointer);
    if (!to.counterexamples.has(key)) to.counterexamples.set(key, line);
  },
  exercised: ({ to }, line) => {
    prove(to, line.clause);
    exercise(to, line.clause, line.operation, 1, line.exchange);
  },
  cases: ({ to }, line) => fewerCases(to, line),
  atm: ({ atms }, { number, atm }) => atms.set(number, atm),
  fact: ({ to, facts, atms }, { exchange, fact }) => {
    facts.push({ exchange, fact: readFact(fact, atms) });
    if (fact.rule === 'atms' && fact.drawnFrom !== undefined)
      addShare(to.shares.compared, fact.atms.length, fact.drawnFrom.atms);
  },
  observation: ({ to }, line) => observe(to, line),
  unexercised: ({ to }, { clause, why, undecided }) => {
    getOrSet(to.whys, clause, () => new Set()).add(why);
    if (undecided === true) to.undecided.add(clause);
  },
  created: ({ to }, { what, id, amount = null, currency = null, exchange, perhaps = false }) =>
    to.created.push({ what, id, amount, currency, exchange, perhaps }),
  classification: ({ to }, line) => to.classifications.set(findingKey(line), line.classification),
  concurrency: ({ to }, line) => {
    if (line.tick > (to.concurrency.get(line.run)?.tick ?? 0)) to.concurrency.set(line.run, line);
  },
  interrupted: ({ to }, { why }) => (to.interrupted ??= why),
  error: ({ to }, { scenario, message }) => to.errors.push({ scenario, message }),
};

function walk(lines: readonly JournalLine[], to: RunTallies): Walk['facts'] {
  const state: Walk = {
    to,
    facts: [],
    seenKinds: new Set(),
    allSets: [],
    scenarios: new Map(),
    sets: new Map(),
    atms: new Map(),
    ofEveryAnswer: clauseSet([]),
  };
  for (const line of lines)
    (additions[line.line] as ((walk: Walk, line: JournalLine) => unknown) | undefined)?.(state, line);
  for (const set of state.allSets) addUp(to, set);
  return state.facts;
}

/** Spreads what was counted of a set over its clauses. */
function addUp(to: RunTallies, { ids, counts, entries }: ClauseSet): void {
  for (const [operation, { count, exchange }] of counts)
    for (const clause of ids) exercise(to, clause, operation, count, exchange);
  for (const [operation, pointers] of entries)
    for (const [pointer, count] of pointers)
      for (const clause of ids) add(to.entries, placeKey(clause, operation, pointer), count);
}

function addShare(share: RunTallies['shares']['judged'], seen: number, of: number): void {
  share.answers += 1;
  share.seen += seen;
  share.of += of;
}

function exchanged({ to, sets, ofEveryAnswer, seenKinds }: Walk, line: ExchangeLine): void {
  const set = sets.get(line.set);
  sent(to, line, set?.ids ?? []);
  addExercise(set?.counts, line.operation, 1, line.id, to.records);
  if (line.status !== null) addExercise(ofEveryAnswer.counts, line.operation, 1, line.id, to.records);
  countEntries(set?.entries, line);
  if (line.share !== undefined) addShare(to.shares.judged, line.share.judged, line.share.of);
  const kind = `${line.operation} ${line.kind} ${line.status} ${line.outcome}`;
  if (to.records.has(line.id) && isNew(seenKinds, kind)) to.firsts.add(line.id);
}

function sent(to: RunTallies, line: ExchangeLine, clauses: readonly string[]): void {
  const tally = operationOf(to, line.operation);
  const positive: Kind = 'positive';
  to.requests += 1;
  const way: RequestOrigin = line.kind === 'probe' ? 'probe' : line.property === undefined ? 'flow' : 'property';
  to.judged.set(line.id, { outcome: line.outcome, way, clauses });
  addExercise(tally.ways, way, 1, line.id, to.records);
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

function covered(to: RunTallies, { operation, covers }: ExchangeLine): void {
  if (covers === undefined) return;
  const row = getOrSet(to.covers, covers.currency, () => new Map<number, CoverTally>());
  for (const value of covers.installments) {
    const cell = getOrSet(row, value, () => ({ offered: 0, links: 0 }));
    cell[operation === 'createPaymentLink' ? 'links' : 'offered'] += 1;
  }
}

function countEntries(to: ClauseSet['entries'] | undefined, { operation, entries = {} }: ExchangeLine): void {
  if (to === undefined) return;
  const counts = getOrSet(to, operation, () => new Map());
  for (const [pointer, count] of Object.entries(entries)) add(counts, pointer, count);
}

/** A break that the judge saw in an exchange that is kept; what a scenario concluded from several is not the judge's. */
function noteJudged(to: RunTallies, { line: _, ...found }: Extract<JournalLine, { line: 'finding' }>): void {
  if (!to.records.has(found.exchange) || found.kind === 'behaviour') return;
  if (to.judged.get(found.exchange)?.clauses.includes(found.clause) !== true) return;
  getOrSet(to.judgedBreaks, found.exchange, () => []).push(found);
}

function isNew(seen: Set<string>, key: string): boolean {
  return seen.size < seen.add(key).size;
}
