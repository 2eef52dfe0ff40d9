/** Reads the lines of a run once: judges each exchange, then all exchanges together, and counts everything for the report. */
import type { ClauseId } from '../../openapi/clauses/index.ts';
import { findApplication, findComparedShare, readForms } from '../../openapi/api.ts';
import type { RunEvidence } from '../../openapi/evaluate-run.ts';
import { getFindingKey } from '../../openapi/model/finding.ts';
import type { Creation, ExchangeRecord, JournalLine, RunLines } from '../../openapi/model/journal.ts';
import { readClockOffset } from '../../openapi/util/clock-offset.ts';
import { getOrSet } from '../../openapi/util/group-by.ts';
import type { Catalogue } from '../model/tallies.ts';
import { getOrigin, type Line, type RequestedItem, type ScenarioReport } from '../model/report.ts';
import * as tally from '../model/tallies.ts';

type Reading = ReturnType<Catalogue['read']>;

/** The state while the lines are read. */
interface Progress {
  readonly tallies: tally.RunTallies;
  readonly catalogue: Catalogue;
  readonly evidence: RunEvidence;
  /** The kinds of exchanges read so far: operation, kind of request, status and outcome. */
  readonly seenKinds: Set<string>;
  /** The lists of tested clauses. Most exchanges of an operation test the same clauses, and share their list. */
  readonly testedLists: Map<string, readonly ClauseId[]>;
  /** For each exchange that asks the bank to create something: its attempts without an answer. */
  readonly unanswered: Map<string, tally.RunTallies['refused']>;
  /** The clauses that every answer of the current scenario tests. */
  ofEveryAnswer: readonly ClauseId[];
  /** What the run itself judged about the next exchange; null if the lines do not have it. */
  next: Extract<JournalLine, { line: 'reading' }> | null;
}

/** Counts the lines of a run. Also judges the clauses that only several exchanges show. */
export function tallyRun(lines: RunLines, catalogue: Catalogue): tally.RunTallies {
  const tallies = tally.makeEmptyTallies();
  const evidence: RunEvidence = { records: [], comparisons: [], contrasts: [], outcomes: new Map() };
  const progress: Progress = {
    ...{ tallies, catalogue, evidence, seenKinds: new Set(), unanswered: new Map(), testedLists: new Map() },
    ...{ ofEveryAnswer: [], next: null },
  };
  for (const line of lines)
    (addLineByKind[line.line] as ((progress: Progress, line: JournalLine) => unknown) | undefined)?.(progress, line);
  for (const item of [...progress.unanswered.values()].flat()) tallies.created.push({ ...item, perhaps: true });
  const evaluation = catalogue.evaluateRun(evidence, lines);
  for (const exercise of evaluation.exercised) tally.countExercised(tallies, exercise);
  for (const violation of evaluation.broken) tally.countViolation(tallies, violation);
  for (const { exchanges, ...observation } of evaluation.observed)
    tally.countObservation(tallies, { ...observation, exchange: exchanges[0] ?? '' });
  for (const { clause, why } of evaluation.untested) tally.addReason(tallies.untested, clause, why);
  for (const message of evaluation.errors) tallies.errors.push({ scenario: null, message });
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

/** Notes that the current scenario compares exchanges for a clause. */
const addProvenClause = (tallies: tally.RunTallies, clause: ClauseId): void =>
  updateScenario(tallies, ({ proves }) => ({ proves: [...new Set([...proves, clause])] }));

const makeItem = ({ what, id, amount, currency, exchange }: Creation): RequestedItem => ({
  ...{ what, id, exchange },
  ...{ amount: amount ?? null, currency: currency ?? null },
});

const addLineByKind: { readonly [Kind in JournalLine['line']]?: (progress: Progress, line: Line<Kind>) => unknown } = {
  scenario: (progress, { scenario, title, ofEveryAnswer = [] }) => {
    progress.ofEveryAnswer = ofEveryAnswer;
    progress.tallies.scenarios.push({ id: scenario, title, proves: [], durationMs: null });
  },
  end: ({ tallies }, { scenario, durationMs }) => {
    const index = tallies.scenarios.findLastIndex(({ id }) => id === scenario);
    updateScenario(tallies, () => ({ durationMs }), index);
  },
  reading: (progress, line) => {
    progress.next = line;
  },
  entry: (progress, { entry }) => countEntry(progress, entry),
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

/** Why a clause is undecided, as the rest of a sentence. */
const UNDECIDED_PATTERN_REASON = 'its pattern takes too many steps on a text of the bank';
/** An entry of the history has about this many characters besides its bodies. */
const ENTRY_OVERHEAD_CHARACTERS = 1500;

function countEntry(progress: Progress, entry: ExchangeRecord): void {
  const { tallies, evidence, seenKinds } = progress;
  const { id, operation, kind, request, response, failure, attempts = [] } = entry;
  const status = failure === null ? (response?.status ?? null) : null;
  const { next } = progress;
  const reading = progress.catalogue.read(entry, next?.exchange === id ? next.reading : undefined);
  evidence.outcomes.set(id, reading.outcome);
  tallies.sizes.set(id, (response?.body.length ?? 0) + (request.body?.length ?? 0) + ENTRY_OVERHEAD_CHARACTERS);
  tallies.requests += 1;
  countReading(progress, entry, reading, status);
  countClock(tallies, entry);
  countRequest(tallies, entry, reading, status);
  if (kind === 'positive') countPositive(tallies, entry, reading, status);
  const kinds = [
    `${operation} ${kind} ${status} ${reading.outcome}`,
    ...attempts.map(({ why }) => `again ${operation} ${why}`),
  ];
  if (kinds.some((kindOfExchange) => !seenKinds.has(kindOfExchange))) tallies.firsts.add(id);
  for (const kindOfExchange of kinds) seenKinds.add(kindOfExchange);
}

function countReading(
  progress: Progress,
  { id, operation }: ExchangeRecord,
  reading: Reading,
  status: number | null,
): void {
  const { tallies, evidence, ofEveryAnswer } = progress;
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
  for (const violation of reading.breaks) tally.countViolation(tallies, violation);
  for (const observation of reading.seen) tally.countObservation(tallies, { ...observation, operation, exchange: id });
  const countTest = (clause: ClauseId) => tally.countExercised(tallies, { clause, operation, count: 1, exchange: id });
  for (const clause of reading.exercised) {
    const { entries } = countTest(clause);
    for (const [pointer, count] of Object.entries(reading.entries)) tally.increaseCount(entries, pointer, count);
  }
  if (status !== null) for (const clause of ofEveryAnswer) countTest(clause);
  tallies.exercisedBy.set(
    id,
    getOrSet(progress.testedLists, reading.exercised.join(), () => reading.exercised),
  );
  // When the exchange is judged again, the judge does not find violations of the kind `behaviour`.
  const violations = reading.breaks.filter((violation) => violation.kind !== 'behaviour');
  if (violations.length > 0) tallies.judgedBreaks.set(id, violations);
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

/**
 * True if a failure of this request is a failure of the bank. False if load or the suite itself may have ended the request, for 429,
 * and for an answer with Retry-After.
 */
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
