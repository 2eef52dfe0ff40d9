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
interface TallyState {
  readonly tallies: tally.RunTallies;
  readonly catalogue: Catalogue;
  readonly evidence: RunEvidence;
  /** The kinds of exchanges read so far: operation, kind of request, status and outcome. */
  readonly seenKinds: Set<string>;
  /** The lists of tested clauses. Most exchanges of an operation test the same clauses, and share their list. */
  readonly sharedClauseLists: Map<string, readonly ClauseId[]>;
  /** For each exchange that asks the bank to create something: its attempts without an answer. */
  readonly unansweredCreations: Map<string, tally.RunTallies['refused']>;
  /** The clauses that every answer of the current scenario tests. */
  clausesOfEveryAnswer: readonly ClauseId[];
  /** What the run itself judged about the next exchange; null if the lines do not have it. */
  nextReading: Extract<JournalLine, { line: 'reading' }> | null;
}

/** Counts the lines of a run. Also judges the clauses that only several exchanges show. */
export function tallyRun(lines: RunLines, catalogue: Catalogue): tally.RunTallies {
  const tallies = tally.makeEmptyTallies();
  const evidence: RunEvidence = { records: [], comparisons: [], contrasts: [], outcomes: new Map() };
  const progress: TallyState = {
    ...{
      tallies,
      catalogue,
      evidence,
      seenKinds: new Set(),
      unansweredCreations: new Map(),
      sharedClauseLists: new Map(),
    },
    ...{ clausesOfEveryAnswer: [], nextReading: null },
  };
  type AddLine = (state: TallyState, line: JournalLine) => unknown;
  for (const line of lines) {
    const addLine = addLineByKind[line.line] as AddLine | undefined;
    addLine?.(progress, line);
  }
  for (const item of [...progress.unansweredCreations.values()].flat())
    tallies.created.push({ ...item, perhaps: true });
  const evaluation = catalogue.evaluateRun(evidence, lines);
  for (const exercise of evaluation.exercised) tally.countExercised(tallies, exercise);
  for (const violation of evaluation.broken) tally.countViolation(tallies, violation);
  for (const { exchanges, ...observation } of evaluation.observed)
    tally.countObservation(tallies, { ...observation, exchange: exchanges[0] ?? '' });
  for (const { clause, why } of evaluation.untested) tally.addReason(tallies.reasonsOfChecks, clause, why);
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

const addLineByKind: { readonly [Kind in JournalLine['line']]?: (progress: TallyState, line: Line<Kind>) => unknown } =
  {
    scenario: (progress, { scenario, title, ofEveryAnswer = [] }) => {
      progress.clausesOfEveryAnswer = ofEveryAnswer;
      progress.tallies.scenarios.push({ id: scenario, title, proves: [], durationMs: null });
    },
    end: ({ tallies }, { scenario, durationMs }) => {
      const index = tallies.scenarios.findLastIndex(({ id }) => id === scenario);
      updateScenario(tallies, () => ({ durationMs }), index);
    },
    reading: (progress, line) => {
      progress.nextReading = line;
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
    unexercised: ({ tallies }, { clause, why }) => tally.addReason(tallies.reasonsOfScenarios, clause, why),
    'creation-sent': ({ unansweredCreations }, line) =>
      getOrSet(unansweredCreations, line.exchange, () => []).push(makeItem(line)),
    created: ({ tallies, unansweredCreations }, line) => {
      unansweredCreations.get(line.exchange)?.pop();
      tallies.created.push({ ...makeItem(line), perhaps: false });
    },
    'creation-refused': ({ tallies, unansweredCreations }, { exchange }) =>
      tallies.refused.push(...[unansweredCreations.get(exchange)?.pop() ?? []].flat()),
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

function countEntry(progress: TallyState, entry: ExchangeRecord): void {
  const { tallies, evidence, seenKinds } = progress;
  const { id, operation, kind, request, response, failure, attempts = [] } = entry;
  const status = failure === null ? (response?.status ?? null) : null;
  const { nextReading } = progress;
  const reading = progress.catalogue.read(entry, nextReading?.exchange === id ? nextReading.reading : undefined);
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
  if (kinds.some((kindOfExchange) => !seenKinds.has(kindOfExchange))) tallies.firstOfEachKind.add(id);
  for (const kindOfExchange of kinds) seenKinds.add(kindOfExchange);
}

function countReading(
  progress: TallyState,
  { id, operation }: ExchangeRecord,
  reading: Reading,
  status: number | null,
): void {
  const { tallies, evidence, clausesOfEveryAnswer } = progress;
  for (const record of reading.facts) {
    evidence.records.push(record);
    const comparedShare = findComparedShare(record);
    if (comparedShare !== null) addJudgedShare(tallies.shares.compared, comparedShare.seen, comparedShare.of);
  }
  if (reading.share !== null) addJudgedShare(tallies.shares.judged, reading.share.judged, reading.share.of);
  for (const clause of reading.undecided) {
    tallies.undecidedClauses.add(clause);
    tally.addReason(tallies.reasonsOfScenarios, clause, UNDECIDED_PATTERN_REASON);
  }
  for (const violation of reading.breaks) tally.countViolation(tallies, violation);
  for (const observation of reading.seen) tally.countObservation(tallies, { ...observation, operation, exchange: id });
  const countTest = (clause: ClauseId) => tally.countExercised(tallies, { clause, operation, count: 1, exchange: id });
  for (const clause of reading.exercised) {
    const { entries } = countTest(clause);
    for (const [pointer, count] of Object.entries(reading.entries)) tally.increaseCount(entries, pointer, count);
  }
  if (status !== null) for (const clause of clausesOfEveryAnswer) countTest(clause);
  tallies.clausesByExchange.set(
    id,
    getOrSet(progress.sharedClauseLists, reading.exercised.join(), () => reading.exercised),
  );
  // When the exchange is judged again, the judge does not find violations of the kind `behaviour`.
  const violations = reading.breaks.filter((violation) => violation.kind !== 'behaviour');
  if (violations.length > 0) tallies.violationsByExchange.set(id, violations);
}

function addJudgedShare(share: tally.RunTallies['shares']['judged'], seenEntries: number, of: number): void {
  share.answers += 1;
  share.seen += seenEntries;
  share.of += of;
}

function countClock(tallies: tally.RunTallies, { response, timing }: ExchangeRecord): void {
  const answeredAt = Date.parse(timing.startedAt) + (timing.durationMs ?? 0);
  const offsetMs = readClockOffset(response?.headers ?? [], answeredAt);
  if (offsetMs !== null && Math.abs(offsetMs) < Math.abs(tallies.clockOffsetMs ?? Infinity))
    tallies.clockOffsetMs = offsetMs;
}

function countRequest(
  tallies: tally.RunTallies,
  entry: ExchangeRecord,
  { outcome }: Reading,
  status: number | null,
): void {
  const operationTally = tally.getOperationTally(tallies, entry.operation);
  tally.countTest(operationTally.requestsByOrigin, getOrigin(entry), 1, entry.id);
  operationTally[entry.kind === 'positive' ? 'positives' : 'probes'] += 1;
  if (entry.kind === 'positive' && isCountable(entry, status)) {
    operationTally.attributable += 1;
    if (outcome === 'lost' || (status !== null && UNSERVED_STATUSES.has(status))) operationTally.unserved += 1;
  }
  if (entry.failure?.kind === 'too-large') operationTally.tooLargeReason ??= entry.failure.message;
  if (status === null) operationTally.unanswered += 1;
  else {
    tally.increaseCount(operationTally.statuses, status);
    operationTally.latencies.push(Math.round(entry.timing.durationMs * 100) / 100);
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
  tallies.documentedRequests.set(id, {
    operation,
    outcome,
    inputs: { ...request.asked, ...readForms(request) },
    application,
  });
}
