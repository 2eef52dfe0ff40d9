/** Reads the history once: judges its entries, each alone and all together, and counts everything for the report. */
import { readClockOffset } from '../../openapi/util/clock-offset.ts';
import { getFindingKey } from '../../openapi/model/finding.ts';
import type { FactRecord } from '../../openapi/model/facts.ts';
import { getOrderIdType } from '../../openapi/model/exchange.ts';
import type { ClauseId } from '../../openapi/clauses/index.ts';
import type { ExchangeRecord, JournalLine } from '../../openapi/model/journal.ts';
import type { Outcome } from '../../openapi/model/outcome.ts';
import { collectComparedExchanges, type Noted } from '../../openapi/checks/history.ts';
import { getOrSet } from '../../openapi/util/group-by.ts';
import {
  increaseCount,
  countTest,
  countViolation,
  countExercised,
  countObservation,
  getOperationTally,
  makePlaceKey,
  makeEmptyTallies,
  TYPE_OF_ORDER_ID,
  type RunTallies,
} from './tallies.ts';
import type { Catalogue } from '../model/catalogue.ts';
import { getOrigin, type Line, type ScenarioReport } from '../model/report.ts';
import { omitUndefined } from '../text/given.ts';

type Reading = ReturnType<Catalogue['read']>;

interface Walk {
  readonly to: RunTallies;
  readonly catalogue: Catalogue;
  readonly facts: FactRecord[];
  readonly noted: Noted;
  readonly seenKinds: Set<string>;
  ofEveryAnswer: readonly ClauseId[];
}

/** Counts the lines. Also judges clauses over several exchanges, from the notes of all scenarios. */
export function tallyRun(lines: Iterable<JournalLine>, catalogue: Catalogue): RunTallies {
  const to = makeEmptyTallies();
  const noted: Noted = { comparisons: [], contrasts: [], probes: new Map(), outcomes: new Map() };
  const walk: Walk = { to, catalogue, facts: [], noted, seenKinds: new Set(), ofEveryAnswer: [] };
  for (const line of lines)
    (addLineByKind[line.line] as ((walk: Walk, line: JournalLine) => unknown) | undefined)?.(walk, line);
  const {
    exercised,
    broken,
    observed,
    untested = [],
    errors = [],
  } = catalogue.evaluateRun(walk.facts, collectComparedExchanges(lines, noted));
  for (const one of exercised) countExercised(to, one);
  for (const one of broken) countViolation(to, one);
  for (const { exchanges, ...one } of observed) countObservation(to, { ...one, exchange: exchanges[0] ?? '' });
  for (const { clause, why } of untested) getOrSet(to.untested, clause, () => new Set()).add(why);
  for (const message of errors) to.errors.push({ scenario: null, message });
  return to;
}

/** Changes the current scenario, or the scenario with this id. */
function updateScenario(
  { scenarios }: RunTallies,
  change: (scenario: ScenarioReport) => Partial<ScenarioReport>,
  at = scenarios.length - 1,
): void {
  const scenario = scenarios[at];
  if (scenario !== undefined) scenarios[at] = { ...scenario, ...change(scenario) };
}

const addProvenClause = (to: RunTallies, clause: ClauseId): void =>
  updateScenario(to, ({ proves }) => ({ proves: [...new Set([...proves, clause])] }));

const addLineByKind: { readonly [Kind in JournalLine['line']]?: (walk: Walk, line: Line<Kind>) => unknown } = {
  scenario: (walk, { scenario, title, ofEveryAnswer = [] }) => {
    walk.ofEveryAnswer = ofEveryAnswer;
    walk.to.scenarios.push({ id: scenario, title, proves: [], durationMs: null });
  },
  end: ({ to }, { scenario, durationMs }) =>
    updateScenario(
      to,
      () => ({ durationMs }),
      to.scenarios.findLastIndex(({ id }) => id === scenario),
    ),
  entry: (walk, { entry }) => countEntry(walk, entry),
  comparison: ({ to, noted }, { line: _, ...comparison }) => {
    addProvenClause(to, comparison.clause);
    noted.comparisons.push(comparison);
  },
  contrast: ({ to, noted }, { line: _, ...contrast }) => {
    addProvenClause(to, contrast.clause);
    noted.contrasts.push(contrast);
  },
  counterexample: ({ to }, line) => getOrSet(to.counterexamples, makePlaceKey(line), () => line),
  cases: ({ to }, { line: _, ...property }) =>
    updateScenario(to, ({ cases = [] }) => ({ cases: [...cases, property] })),
  observation: ({ to }, line) => countObservation(to, line),
  unexercised: ({ to }, { clause, why }) => getOrSet(to.whys, clause, () => new Set()).add(why),
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

function countEntry({ to, catalogue, facts, noted, ofEveryAnswer, seenKinds }: Walk, entry: ExchangeRecord): void {
  const { id, operation, kind, request, response, failure, attempts = [] } = entry;
  const status = failure === null ? (response?.status ?? null) : null;
  const reading = catalogue.read(entry);
  noted.outcomes.set(id, reading.outcome);
  if (entry.control !== undefined) noted.probes.set(id, { control: entry.control, again: [] });
  if (entry.repeats !== undefined) noted.probes.get(entry.repeats)?.again.push(id);
  to.sizes.set(id, (response?.body.length ?? 0) + (request.body?.length ?? 0) + ENTRY_OVERHEAD_CHARACTERS);
  for (const fact of reading.facts) {
    facts.push({ exchange: id, fact });
    if (fact.rule === 'atms' && fact.drawnFrom !== undefined)
      addJudgedShare(to.shares.compared, fact.atms.length, fact.drawnFrom.atms);
  }
  if (reading.share !== null) addJudgedShare(to.shares.judged, reading.share.judged, reading.share.of);
  for (const clause of reading.undecided) {
    to.undecided.add(clause);
    getOrSet(to.whys, clause, () => new Set()).add(UNDECIDED_PATTERN_REASON);
  }
  for (const found of reading.breaks) countViolation(to, found);
  for (const seen of reading.seen) countObservation(to, { ...seen, operation, exchange: id });
  const test = (clause: ClauseId) => countExercised(to, { clause, operation, count: 1, exchange: id });
  for (const clause of reading.exercised) {
    const { entries } = test(clause);
    for (const [pointer, count] of Object.entries(reading.entries)) increaseCount(entries, pointer, count);
  }
  if (status !== null) for (const clause of ofEveryAnswer) test(clause);
  addRequest(to, entry, status, reading);
  const kinds = [
    `${operation} ${kind} ${status} ${reading.outcome}`,
    ...attempts.map(({ why }) => `again ${operation} ${why}`),
  ].filter((one) => !seenKinds.has(one));
  for (const one of kinds) seenKinds.add(one);
  if (kinds.length > 0) to.firsts.add(id);
}

function addJudgedShare(share: RunTallies['shares']['judged'], seen: number, of: number): void {
  share.answers += 1;
  share.seen += seen;
  share.of += of;
}

/** Records a documented request. The type of order_id counts as an input, since both types are documented. */
const makeDocumentedRequest = ({ operation, request }: ExchangeRecord, outcome: Outcome) => ({
  operation,
  outcome,
  inputs: { ...request.asked, ...omitUndefined({ [TYPE_OF_ORDER_ID]: getOrderIdType(request) ?? undefined }) },
});

/** A gateway sends these statuses if the service behind it does not answer (RFC 9110, 15.6). */
const UNSERVED_STATUSES: ReadonlySet<number> = new Set([502, 503, 504]);

/** False for a request that load or the suite itself may have broken off, and for an answer that says when to come again. */
const isCountable = ({ provesNothing, failure, response }: ExchangeRecord, status: number | null): boolean =>
  provesNothing !== true &&
  failure?.kind !== 'too-large' &&
  status !== 429 &&
  !(response?.headers ?? []).some(([name]) => name === 'retry-after');

function addRequest(to: RunTallies, entry: ExchangeRecord, status: number | null, reading: Reading): void {
  const { id, operation, kind, timing } = entry;
  const { asked } = entry.request;
  const { outcome, exercised, breaks } = reading;
  const operationTally = getOperationTally(to, operation);
  to.requests += 1;
  const offset = readClockOffset(
    entry.response?.headers ?? [],
    Date.parse(timing.startedAt) + (timing.durationMs ?? 0),
  );
  if (offset !== null && Math.abs(offset) < Math.abs(to.clockOffsetMs ?? Infinity)) to.clockOffsetMs = offset;
  to.exercisedBy.set(id, exercised);
  // When the exchange is judged again, the judge does not find violations of the kind `behaviour`.
  const judged = breaks.filter((found) => found.kind !== 'behaviour');
  if (judged.length > 0) to.judgedBreaks.set(id, judged);
  countTest(operationTally.ways, getOrigin(entry), 1, id);
  operationTally[kind === 'positive' ? 'positives' : 'probes'] += 1;
  if (kind === 'positive') {
    increaseCount(operationTally.outcomes, outcome);
    if (isCountable(entry, status)) {
      operationTally.countable += 1;
      if (outcome === 'lost' || (status !== null && UNSERVED_STATUSES.has(status))) operationTally.unserved += 1;
    }
    increaseCount(operationTally.answers, String(status ?? 'no answer'));
    to.positives.set(id, makeDocumentedRequest(entry, outcome));
    const { data } = (reading.value ?? {}) as { data?: Readonly<Record<string, unknown>> | null };
    if (outcome === 'accepted')
      to.steps.push({ id, operation, asked, startedAt: timing.startedAt, application: data?.['application_id'] });
  }
  if (status === null) operationTally.unanswered += 1;
  else {
    increaseCount(operationTally.statuses, status);
    operationTally.latencies.push(Math.round(timing.durationMs * 100) / 100);
  }
}
