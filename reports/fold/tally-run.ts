/** Reads the history once: judges its entries, each alone and all together, and counts everything for the report. */
import { collectComparedExchanges, type Noted } from '../../openapi/checks/history.ts';
import type { ClauseId } from '../../openapi/clauses/index.ts';
import { getOrderIdType } from '../../openapi/model/exchange.ts';
import type { FactRecord } from '../../openapi/model/facts.ts';
import { getFindingKey } from '../../openapi/model/finding.ts';
import type { ExchangeRecord, JournalLine } from '../../openapi/model/journal.ts';
import { readClockOffset } from '../../openapi/util/clock-offset.ts';
import { getOrSet } from '../../openapi/util/group-by.ts';
import type { Catalogue } from '../model/catalogue.ts';
import { getOrigin, type Line, type ScenarioReport } from '../model/report.ts';
import { omitUndefined } from '../text/given.ts';
import * as tally from './tallies.ts';

type Reading = ReturnType<Catalogue['read']>;

interface Walk {
  readonly to: tally.RunTallies;
  readonly catalogue: Catalogue;
  readonly facts: FactRecord[];
  readonly noted: Noted;
  readonly seenKinds: Set<string>;
  ofEveryAnswer: readonly ClauseId[];
}

/** Counts the lines. Also judges clauses over several exchanges, from the notes of all scenarios. */
export function tallyRun(lines: Iterable<JournalLine>, catalogue: Catalogue): tally.RunTallies {
  const to = tally.makeEmptyTallies();
  const noted: Noted = { comparisons: [], contrasts: [], probes: new Map(), outcomes: new Map() };
  const walk: Walk = { to, catalogue, facts: [], noted, seenKinds: new Set(), ofEveryAnswer: [] };
  for (const line of lines)
    (addLineByKind[line.line] as ((walk: Walk, line: JournalLine) => unknown) | undefined)?.(walk, line);
  const judged = catalogue.evaluateRun(walk.facts, collectComparedExchanges(lines, noted));
  for (const one of judged.exercised) tally.countExercised(to, one);
  for (const one of judged.broken) tally.countViolation(to, one);
  for (const { exchanges, ...one } of judged.observed)
    tally.countObservation(to, { ...one, exchange: exchanges[0] ?? '' });
  for (const { clause, why } of judged.untested ?? []) tally.addReason(to.untested, clause, why);
  for (const message of judged.errors ?? []) to.errors.push({ scenario: null, message });
  return to;
}

/** Changes the current scenario, or the one at this index. */
function updateScenario(
  { scenarios }: tally.RunTallies,
  change: (scenario: ScenarioReport) => Partial<ScenarioReport>,
  index = scenarios.length - 1,
): void {
  const scenario = scenarios[index];
  if (scenario !== undefined) scenarios[index] = { ...scenario, ...change(scenario) };
}

const addProvenClause = (to: tally.RunTallies, clause: ClauseId): void =>
  updateScenario(to, ({ proves }) => ({ proves: [...new Set([...proves, clause])] }));

const addLineByKind: { readonly [Kind in JournalLine['line']]?: (walk: Walk, line: Line<Kind>) => unknown } = {
  scenario: (walk, { scenario, title, ofEveryAnswer = [] }) => {
    walk.ofEveryAnswer = ofEveryAnswer;
    walk.to.scenarios.push({ id: scenario, title, proves: [], durationMs: null });
  },
  end: ({ to }, { scenario, durationMs }) => {
    const index = to.scenarios.findLastIndex(({ id }) => id === scenario);
    updateScenario(to, () => ({ durationMs }), index);
  },
  entry: (walk, { entry }) => countEntry(walk, entry),
  comparison: ({ to, noted }, { line: _, ...comparison }) => {
    addProvenClause(to, comparison.clause);
    noted.comparisons.push(comparison);
  },
  contrast: ({ to, noted }, { line: _, ...contrast }) => {
    addProvenClause(to, contrast.clause);
    noted.contrasts.push(contrast);
  },
  counterexample: ({ to }, line) => getOrSet(to.counterexamples, tally.makePlaceKey(line), () => line),
  cases: ({ to }, { line: _, ...property }) =>
    updateScenario(to, ({ cases = [] }) => ({ cases: [...cases, property] })),
  observation: ({ to }, line) => tally.countObservation(to, line),
  unexercised: ({ to }, { clause, why }) => tally.addReason(to.whys, clause, why),
  created: ({ to }, { what, id, amount = null, currency = null, exchange, perhaps = false }) =>
    to.created.push({ what, id, amount, currency, exchange, perhaps }),
  classification: ({ to }, line) => to.classifications.set(getFindingKey(line), line.classification),
  concurrency: ({ to }, line) => {
    if (line.tick > (to.concurrency.get(line.run)?.tick ?? 0)) to.concurrency.set(line.run, line);
  },
  interrupted: ({ to }, { why }) => (to.interrupted ??= why),
  error: ({ to }, { scenario, message }) => to.errors.push({ scenario, message }),
};

const UNDECIDED_PATTERN_REASON = 'its pattern takes too many steps on a text of the bank';
/** An entry of the history has about this many characters besides its bodies. */
const ENTRY_OVERHEAD_CHARACTERS = 1500;

function countEntry(walk: Walk, entry: ExchangeRecord): void {
  const { to, noted, seenKinds } = walk;
  const { id, operation, kind, request, response, failure, attempts = [] } = entry;
  const status = failure === null ? (response?.status ?? null) : null;
  const reading = walk.catalogue.read(entry);
  noted.outcomes.set(id, reading.outcome);
  if (entry.control !== undefined) noted.probes.set(id, { control: entry.control, again: [] });
  if (entry.repeats !== undefined) noted.probes.get(entry.repeats)?.again.push(id);
  to.sizes.set(id, (response?.body.length ?? 0) + (request.body?.length ?? 0) + ENTRY_OVERHEAD_CHARACTERS);
  to.requests += 1;
  countReading(walk, entry, reading, status);
  countClock(to, entry);
  countRequest(to, entry, reading, status);
  if (kind === 'positive') countPositive(to, entry, reading, status);
  const kinds = [
    `${operation} ${kind} ${status} ${reading.outcome}`,
    ...attempts.map(({ why }) => `again ${operation} ${why}`),
  ];
  if (kinds.some((one) => !seenKinds.has(one))) to.firsts.add(id);
  for (const one of kinds) seenKinds.add(one);
}

function countReading(walk: Walk, { id, operation }: ExchangeRecord, reading: Reading, status: number | null): void {
  const { to, facts, ofEveryAnswer } = walk;
  for (const fact of reading.facts) {
    facts.push({ exchange: id, fact });
    if (fact.rule === 'atms' && fact.drawnFrom !== undefined)
      addJudgedShare(to.shares.compared, fact.atms.length, fact.drawnFrom.atms);
  }
  if (reading.share !== null) addJudgedShare(to.shares.judged, reading.share.judged, reading.share.of);
  for (const clause of reading.undecided) {
    to.undecided.add(clause);
    tally.addReason(to.whys, clause, UNDECIDED_PATTERN_REASON);
  }
  for (const found of reading.breaks) tally.countViolation(to, found);
  for (const seen of reading.seen) tally.countObservation(to, { ...seen, operation, exchange: id });
  const test = (clause: ClauseId) => tally.countExercised(to, { clause, operation, count: 1, exchange: id });
  for (const clause of reading.exercised) {
    const { entries } = test(clause);
    for (const [pointer, count] of Object.entries(reading.entries)) tally.increaseCount(entries, pointer, count);
  }
  if (status !== null) for (const clause of ofEveryAnswer) test(clause);
  to.exercisedBy.set(id, reading.exercised);
  // When the exchange is judged again, the judge does not find violations of the kind `behaviour`.
  const judged = reading.breaks.filter((found) => found.kind !== 'behaviour');
  if (judged.length > 0) to.judgedBreaks.set(id, judged);
}

function addJudgedShare(share: tally.RunTallies['shares']['judged'], seen: number, of: number): void {
  share.answers += 1;
  share.seen += seen;
  share.of += of;
}

function countClock(to: tally.RunTallies, { response, timing }: ExchangeRecord): void {
  const answeredAt = Date.parse(timing.startedAt) + (timing.durationMs ?? 0);
  const offset = readClockOffset(response?.headers ?? [], answeredAt);
  if (offset !== null && Math.abs(offset) < Math.abs(to.clockOffsetMs ?? Infinity)) to.clockOffsetMs = offset;
}

function countRequest(to: tally.RunTallies, entry: ExchangeRecord, { outcome }: Reading, status: number | null): void {
  const counts = tally.getOperationTally(to, entry.operation);
  tally.countTest(counts.ways, getOrigin(entry), 1, entry.id);
  counts[entry.kind === 'positive' ? 'positives' : 'probes'] += 1;
  if (entry.kind === 'positive' && isCountable(entry, status)) {
    counts.countable += 1;
    if (outcome === 'lost' || (status !== null && UNSERVED_STATUSES.has(status))) counts.unserved += 1;
  }
  if (status === null) counts.unanswered += 1;
  else {
    tally.increaseCount(counts.statuses, status);
    counts.latencies.push(Math.round(entry.timing.durationMs * 100) / 100);
  }
}

/** A gateway sends these statuses if the service behind it does not answer (RFC 9110, 15.6). */
const UNSERVED_STATUSES: ReadonlySet<number> = new Set([502, 503, 504]);

/** False for a request that load or the suite itself may have broken off, and for an answer that says when to come again. */
const isCountable = ({ provesNothing, failure, response }: ExchangeRecord, status: number | null): boolean =>
  provesNothing !== true &&
  failure?.kind !== 'too-large' &&
  status !== 429 &&
  !(response?.headers ?? []).some(([name]) => name === 'retry-after');

/** Records a documented request. The type of order_id counts as an input, since both types are documented. */
function countPositive(
  to: tally.RunTallies,
  { id, operation, request }: ExchangeRecord,
  { outcome, value }: Reading,
  status: number | null,
): void {
  const { outcomes, answers } = tally.getOperationTally(to, operation);
  tally.increaseCount(outcomes, outcome);
  tally.increaseCount(answers, String(status ?? 'no answer'));
  const orderIdType = omitUndefined({ [tally.TYPE_OF_ORDER_ID]: getOrderIdType(request) ?? undefined });
  const { data } = (value ?? {}) as { data?: Readonly<Record<string, unknown>> | null };
  const application = outcome === 'accepted' ? data?.['application_id'] : undefined;
  to.positives.set(id, { operation, outcome, inputs: { ...request.asked, ...orderIdType }, application });
}
