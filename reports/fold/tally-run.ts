/** Reads the history once: judges its entries, each alone and all together, and counts everything for the report. */
import type { ClauseId } from '../../openapi/clauses/index.ts';
import { findApplication, findComparedShare, readForms } from '../../openapi/api.ts';
import type { RunEvidence } from '../../openapi/evaluate-run.ts';
import { getFindingKey } from '../../openapi/model/finding.ts';
import type { Creation, ExchangeRecord, JournalLine } from '../../openapi/model/journal.ts';
import type { RunLines } from '../../openapi/history/run-lines.ts';
import { readClockOffset } from '../../openapi/util/clock-offset.ts';
import { getOrSet } from '../../openapi/util/group-by.ts';
import type { Catalogue } from '../model/tallies.ts';
import { getOrigin, type Line, type RequestedItem, type ScenarioReport } from '../model/report.ts';
import * as tally from '../model/tallies.ts';

type Reading = ReturnType<Catalogue['read']>;

interface Walk {
  readonly tallies: tally.RunTallies;
  readonly catalogue: Catalogue;
  readonly evidence: RunEvidence;
  readonly seenKinds: Set<string>;
  /** The lists of tested clauses. Most exchanges of an operation test the same clauses, and share their list. */
  readonly testedLists: Map<string, readonly ClauseId[]>;
  /** For each exchange that asks the bank to create something: its sendings without an answer. */
  readonly unanswered: Map<string, tally.RunTallies['refused']>;
  ofEveryAnswer: readonly ClauseId[];
  /** What the run read in the next exchange, if the lines are those of a journal. */
  next: Extract<JournalLine, { line: 'reading' }> | null;
}

/** Counts the lines. Also judges clauses over several exchanges, from the notes of all scenarios. */
export function tallyRun(lines: RunLines, catalogue: Catalogue): tally.RunTallies {
  const tallies = tally.makeEmptyTallies();
  const evidence: RunEvidence = { records: [], comparisons: [], contrasts: [], outcomes: new Map() };
  const walk: Walk = {
    ...{ tallies, catalogue, evidence, seenKinds: new Set(), unanswered: new Map(), testedLists: new Map() },
    ...{ ofEveryAnswer: [], next: null },
  };
  for (const line of lines)
    (addLineByKind[line.line] as ((walk: Walk, line: JournalLine) => unknown) | undefined)?.(walk, line);
  for (const item of [...walk.unanswered.values()].flat()) tallies.created.push({ ...item, perhaps: true });
  const judged = catalogue.evaluateRun(evidence, lines);
  for (const one of judged.exercised) tally.countExercised(tallies, one);
  for (const one of judged.broken) tally.countViolation(tallies, one);
  for (const { exchanges, ...one } of judged.observed)
    tally.countObservation(tallies, { ...one, exchange: exchanges[0] ?? '' });
  for (const { clause, why } of judged.untested) tally.addReason(tallies.untested, clause, why);
  for (const message of judged.errors) tallies.errors.push({ scenario: null, message });
  return tallies;
}

function updateScenario(
  { scenarios }: tally.RunTallies,
  change: (scenario: ScenarioReport) => Partial<ScenarioReport>,
  index = scenarios.length - 1,
): void {
  const scenario = scenarios[index];
  if (scenario !== undefined) scenarios[index] = { ...scenario, ...change(scenario) };
}

const addProvenClause = (tallies: tally.RunTallies, clause: ClauseId): void =>
  updateScenario(tallies, ({ proves }) => ({ proves: [...new Set([...proves, clause])] }));

const makeItem = ({ what, id, amount, currency, exchange }: Creation): RequestedItem => ({
  ...{ what, id, exchange },
  ...{ amount: amount ?? null, currency: currency ?? null },
});

const addLineByKind: { readonly [Kind in JournalLine['line']]?: (walk: Walk, line: Line<Kind>) => unknown } = {
  scenario: (walk, { scenario, title, ofEveryAnswer = [] }) => {
    walk.ofEveryAnswer = ofEveryAnswer;
    walk.tallies.scenarios.push({ id: scenario, title, proves: [], durationMs: null });
  },
  end: ({ tallies }, { scenario, durationMs }) => {
    const index = tallies.scenarios.findLastIndex(({ id }) => id === scenario);
    updateScenario(tallies, () => ({ durationMs }), index);
  },
  reading: (walk, line) => {
    walk.next = line;
  },
  entry: (walk, { entry }) => countEntry(walk, entry),
  comparison: ({ tallies, evidence }, { line: _, ...comparison }) => {
    addProvenClause(tallies, comparison.clause);
    evidence.comparisons.push(comparison);
  },
  contrast: ({ tallies, evidence }, { line: _, ...contrast }) => {
    addProvenClause(tallies, contrast.clause);
    evidence.contrasts.push(contrast);
  },
  counterexample: ({ tallies }, line) => getOrSet(tallies.counterexamples, tally.makePlaceKey(line), () => line),
  cases: ({ tallies }, { line: _, ...property }) =>
    updateScenario(tallies, ({ cases = [] }) => ({ cases: [...cases, property] })),
  observation: ({ tallies }, line) => tally.countObservation(tallies, line),
  unexercised: ({ tallies }, { clause, why }) => tally.addReason(tallies.whys, clause, why),
  'creation-sent': ({ unanswered }, line) => getOrSet(unanswered, line.exchange, () => []).push(makeItem(line)),
  created: ({ tallies, unanswered }, line) => {
    unanswered.get(line.exchange)?.pop();
    tallies.created.push({ ...makeItem(line), perhaps: false });
  },
  'creation-refused': ({ tallies, unanswered }, { exchange }) =>
    tallies.refused.push(...[unanswered.get(exchange)?.pop() ?? []].flat()),
  classification: ({ tallies }, line) => tallies.classifications.set(getFindingKey(line), line.classification),
  concurrency: ({ tallies }, line) => {
    if (line.tick > (tallies.concurrency.get(line.run)?.tick ?? 0)) tallies.concurrency.set(line.run, line);
  },
  'given-up': ({ tallies }, { operation, why, unread = false }) => tallies.givenUp.set(operation, { why, unread }),
  interrupted: ({ tallies }, { why }) => (tallies.interrupted ??= why),
  error: ({ tallies }, { scenario, message }) => tallies.errors.push({ scenario, message }),
};

const UNDECIDED_PATTERN_REASON = 'its pattern takes too many steps on a text of the bank';
/** An entry of the history has about this many characters besides its bodies. */
const ENTRY_OVERHEAD_CHARACTERS = 1500;

function countEntry(walk: Walk, entry: ExchangeRecord): void {
  const { tallies, evidence, seenKinds } = walk;
  const { id, operation, kind, request, response, failure, attempts = [] } = entry;
  const status = failure === null ? (response?.status ?? null) : null;
  const { next } = walk;
  const reading = walk.catalogue.read(entry, next?.exchange === id ? next.reading : undefined);
  evidence.outcomes.set(id, reading.outcome);
  tallies.sizes.set(id, (response?.body.length ?? 0) + (request.body?.length ?? 0) + ENTRY_OVERHEAD_CHARACTERS);
  tallies.requests += 1;
  countReading(walk, entry, reading, status);
  countClock(tallies, entry);
  countRequest(tallies, entry, reading, status);
  if (kind === 'positive') countPositive(tallies, entry, reading, status);
  const kinds = [
    `${operation} ${kind} ${status} ${reading.outcome}`,
    ...attempts.map(({ why }) => `again ${operation} ${why}`),
  ];
  if (kinds.some((one) => !seenKinds.has(one))) tallies.firsts.add(id);
  for (const one of kinds) seenKinds.add(one);
}

function countReading(walk: Walk, { id, operation }: ExchangeRecord, reading: Reading, status: number | null): void {
  const { tallies, evidence, ofEveryAnswer } = walk;
  for (const record of reading.facts) {
    evidence.records.push(record);
    const compared = findComparedShare(record);
    if (compared !== null) addJudgedShare(tallies.shares.compared, compared.seen, compared.of);
  }
  if (reading.share !== null) addJudgedShare(tallies.shares.judged, reading.share.judged, reading.share.of);
  for (const clause of reading.undecided) {
    tallies.undecided.add(clause);
    tally.addReason(tallies.whys, clause, UNDECIDED_PATTERN_REASON);
  }
  for (const found of reading.breaks) tally.countViolation(tallies, found);
  for (const seen of reading.seen) tally.countObservation(tallies, { ...seen, operation, exchange: id });
  const test = (clause: ClauseId) => tally.countExercised(tallies, { clause, operation, count: 1, exchange: id });
  for (const clause of reading.exercised) {
    const { entries } = test(clause);
    for (const [pointer, count] of Object.entries(reading.entries)) tally.increaseCount(entries, pointer, count);
  }
  if (status !== null) for (const clause of ofEveryAnswer) test(clause);
  tallies.exercisedBy.set(
    id,
    getOrSet(walk.testedLists, reading.exercised.join(), () => reading.exercised),
  );
  // When the exchange is judged again, the judge does not find violations of the kind `behaviour`.
  const judged = reading.breaks.filter((found) => found.kind !== 'behaviour');
  if (judged.length > 0) tallies.judgedBreaks.set(id, judged);
}

function addJudgedShare(share: tally.RunTallies['shares']['judged'], seen: number, of: number): void {
  share.answers += 1;
  share.seen += seen;
  share.of += of;
}

function countClock(tallies: tally.RunTallies, { response, timing }: ExchangeRecord): void {
  const answeredAt = Date.parse(timing.startedAt) + (timing.durationMs ?? 0);
  const offset = readClockOffset(response?.headers ?? [], answeredAt);
  if (offset !== null && Math.abs(offset) < Math.abs(tallies.clockOffsetMs ?? Infinity)) tallies.clockOffsetMs = offset;
}

function countRequest(
  tallies: tally.RunTallies,
  entry: ExchangeRecord,
  { outcome }: Reading,
  status: number | null,
): void {
  const counts = tally.getOperationTally(tallies, entry.operation);
  tally.countTest(counts.ways, getOrigin(entry), 1, entry.id);
  counts[entry.kind === 'positive' ? 'positives' : 'probes'] += 1;
  if (entry.kind === 'positive' && isCountable(entry, status)) {
    counts.countable += 1;
    if (outcome === 'lost' || (status !== null && UNSERVED_STATUSES.has(status))) counts.unserved += 1;
  }
  if (entry.failure?.kind === 'too-large') counts.tooLarge ??= entry.failure.message;
  if (status === null) counts.unanswered += 1;
  else {
    tally.increaseCount(counts.statuses, status);
    counts.latencies.push(Math.round(entry.timing.durationMs * 100) / 100);
  }
}

/** A gateway sends these statuses if the service behind it does not answer (RFC 9110, 15.6). */
const UNSERVED_STATUSES: ReadonlySet<number> = new Set([502, 503, 504]);

/** False for a request that load or the suite itself may have broken off, and for an answer that says when to come again. */
const isCountable = ({ provesNothing, response }: ExchangeRecord, status: number | null): boolean =>
  provesNothing !== true && status !== 429 && !(response?.headers ?? []).some(([name]) => name === 'retry-after');

/** Records a documented request. The type of order_id counts as an input, since both types are documented. */
function countPositive(
  tallies: tally.RunTallies,
  { id, operation, request }: ExchangeRecord,
  { outcome, facts }: Reading,
  status: number | null,
): void {
  const { outcomes, answers } = tally.getOperationTally(tallies, operation);
  tally.increaseCount(outcomes, outcome);
  tally.increaseCount(answers, String(status ?? 'no answer'));
  const application = outcome === 'accepted' ? findApplication(facts, request.asked) : undefined;
  tallies.positives.set(id, { operation, outcome, inputs: { ...request.asked, ...readForms(request) }, application });
}
