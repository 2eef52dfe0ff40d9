/** One walk over the history: everything that the report says is counted here; entries are judged, one by one and together. */
import { findingKey } from '../../openapi/model/finding.ts';
import type { FactRecord } from '../../openapi/model/facts.ts';
import type { ClauseId } from '../../openapi/clauses/index.ts';
import type { ExchangeRecord, JournalLine } from '../../openapi/model/journal.ts';
import { comparedIn, type Noted } from '../../openapi/checks/history.ts';
import { emptyTallies, type CoverTally, type RunTallies } from '../model/tally.ts';
import { getOrSet } from '../../openapi/util/group-by.ts';
import { add, addExercise, addViolation, exercise, observe, operationOf, placeKey } from './count.ts';
import type { Catalogue } from '../model/catalogue.ts';
import { originOf } from '../model/view-model.ts';

type Line<Kind extends JournalLine['line']> = Extract<JournalLine, { line: Kind }>;
type Reading = ReturnType<Catalogue['read']>;

/** Counts what the lines say. Clauses over several exchanges are settled here too, over the facts of all scenarios. */
export function tally(lines: Iterable<JournalLine>, catalogue: Catalogue): RunTallies {
  const to = emptyTallies();
  const { facts, noted } = walk(lines, to, catalogue);
  const settled = catalogue.evaluateRun(facts, comparedIn(lines, noted));
  for (const one of settled.exercised) exercise(to, one.clause, one.operation, one.count, one.exchange);
  for (const one of settled.broken) addViolation(to, one);
  for (const { exchanges, ...one } of settled.observed ?? []) observe(to, { ...one, exchange: exchanges[0] ?? '' });
  return to;
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
  readonly catalogue: Catalogue;
  readonly facts: FactRecord[];
  readonly noted: Noted;
  readonly seenKinds: Set<string>;
  /** Where each scenario stands among those of the report. */
  readonly scenarios: Map<string, number>;
  ofEveryAnswer: readonly ClauseId[];
}

/** What a line of each kind adds. */
const additions: { readonly [Kind in JournalLine['line']]?: (walk: Walk, line: Line<Kind>) => unknown } = {
  scenario: (walk, line) => {
    walk.ofEveryAnswer = line.ofEveryAnswer ?? [];
    walk.scenarios.set(line.scenario, walk.to.scenarios.length);
    walk.to.scenarios.push({ id: line.scenario, title: line.title, proves: [], durationMs: null });
  },
  end: ({ to, scenarios }, { scenario, durationMs }) => {
    const at = scenarios.get(scenario);
    if (at !== undefined) to.scenarios[at] = { ...to.scenarios[at]!, durationMs };
  },
  entry: (walk, { entry }) => entered(walk, entry),
  comparison: ({ to, noted }, { line: _, ...comparison }) => {
    prove(to, comparison.clause);
    noted.comparisons.push(comparison);
  },
  counterexample: ({ to }, line) => {
    const key = placeKey(line.clause, line.operation, line.pointer);
    if (!to.counterexamples.has(key)) to.counterexamples.set(key, line);
  },
  cases: ({ to }, line) => fewerCases(to, line),
  observation: ({ to }, line) => observe(to, line),
  unexercised: ({ to }, { clause, why }) => getOrSet(to.whys, clause, () => new Set()).add(why),
  created: ({ to }, { what, id, amount = null, currency = null, exchange, perhaps = false }) =>
    to.created.push({ what, id, amount, currency, exchange, perhaps }),
  classification: ({ to }, line) => to.classifications.set(findingKey(line), line.classification),
  concurrency: ({ to }, line) => {
    if (line.tick > (to.concurrency.get(line.run)?.tick ?? 0)) to.concurrency.set(line.run, line);
  },
  interrupted: ({ to }, { why }) => (to.interrupted ??= why),
  error: ({ to }, { scenario, message }) => to.errors.push({ scenario, message }),
};

function walk(lines: Iterable<JournalLine>, to: RunTallies, catalogue: Catalogue): Pick<Walk, 'facts' | 'noted'> {
  const state: Walk = {
    to,
    catalogue,
    facts: [],
    noted: { comparisons: [], probes: new Map(), outcomes: new Map() },
    seenKinds: new Set(),
    scenarios: new Map(),
    ofEveryAnswer: [],
  };
  for (const line of lines)
    (additions[line.line] as ((walk: Walk, line: JournalLine) => unknown) | undefined)?.(state, line);
  return state;
}

/** Why a pattern of an overlay was not decided. */
const UNDECIDED = 'its pattern takes too many steps on a text of the bank';
/** Characters that an entry takes beside its bodies. */
const ENTRY_OVERHEAD = 1500;

function entered({ to, catalogue, facts, noted, ofEveryAnswer, seenKinds }: Walk, entry: ExchangeRecord): void {
  const { id, operation, kind, request, response, failure, attempts = [] } = entry;
  const status = failure === null ? (response?.status ?? null) : null;
  const reading = catalogue.read(entry);
  noted.outcomes.set(id, reading.outcome);
  if (entry.control !== undefined) noted.probes.set(id, { control: entry.control, again: [] });
  if (entry.repeats !== undefined) noted.probes.get(entry.repeats)?.again.push(id);
  to.sizes.set(id, (response?.body.length ?? 0) + (request.body?.length ?? 0) + ENTRY_OVERHEAD);
  for (const fact of reading.facts) {
    facts.push({ exchange: id, fact });
    if (fact.rule === 'atms' && fact.drawnFrom !== undefined)
      addShare(to.shares.compared, fact.atms.length, fact.drawnFrom.atms);
  }
  if (reading.share !== null) addShare(to.shares.judged, reading.share.judged, reading.share.of);
  for (const clause of reading.undecided) {
    to.undecided.add(clause);
    getOrSet(to.whys, clause, () => new Set()).add(UNDECIDED);
  }
  for (const found of reading.breaks) addViolation(to, found);
  for (const seen of reading.seen) observe(to, { ...seen, operation, exchange: id });
  for (const clause of reading.exercised) {
    const { entries } = exercise(to, clause, operation, 1, id);
    for (const pointer in reading.entries) add(entries, pointer, reading.entries[pointer] ?? 0);
  }
  if (status !== null) for (const clause of ofEveryAnswer) exercise(to, clause, operation, 1, id);
  sent(to, entry, status, reading);
  const kinds = [
    `${operation} ${kind} ${status} ${reading.outcome}`,
    ...attempts.map(({ why }) => `again ${operation} ${why}`),
  ];
  if (kinds.filter((one) => isNew(seenKinds, one)).length > 0) to.firsts.add(id);
}

function addShare(share: RunTallies['shares']['judged'], seen: number, of: number): void {
  share.answers += 1;
  share.seen += seen;
  share.of += of;
}

function sent(to: RunTallies, entry: ExchangeRecord, status: number | null, reading: Reading): void {
  const { id, operation, kind, timing } = entry;
  const { outcome, exercised, breaks } = reading;
  const tally = operationOf(to, operation);
  to.requests += 1;
  to.exercisedBy.set(id, exercised);
  // What is no verdict of the judge is not looked for where an exchange is judged again.
  const judged = breaks.filter((found) => found.kind !== 'behaviour');
  if (judged.length > 0) to.judgedBreaks.set(id, judged);
  addExercise(tally.ways, originOf(entry), 1, id);
  if (kind === 'positive') {
    tally.positives += 1;
    tally.outcomes.set(outcome, (tally.outcomes.get(outcome) ?? 0) + 1);
    if (outcome === 'accepted') succeeded(to, entry, reading);
  } else tally.probes += 1;
  if (status === null) tally.unanswered += 1;
  else {
    tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
    tally.latencies.push(Math.round(timing.durationMs * 100) / 100);
  }
}

/** Installments of one list that are counted. */
const MAX_INSTALLMENTS = 40;

/** A step of a flow, and the installments of a currency that it offered or made a link with. */
function succeeded(to: RunTallies, { id, operation, request: { asked }, timing }: ExchangeRecord, { value }: Reading) {
  const data = (value as { data?: Readonly<Record<string, unknown>> | null } | undefined)?.data ?? {};
  to.steps.push({ id, operation, asked, startedAt: timing.startedAt, application: data['application_id'] });
  const { currency_code: currency, installment } = asked;
  const isLink = operation === 'createPaymentLink';
  const offered = operation === 'listInstallments' ? data['installments'] : null;
  if (typeof currency !== 'string' || (!isLink && !Array.isArray(offered))) return;
  const row = getOrSet(to.covers, currency, () => new Map<number, CoverTally>());
  const listed = (offered as ({ value?: unknown } | null)[] | null)?.map((one) => one?.value) ?? [Number(installment)];
  for (const one of listed.filter((one) => typeof one === 'number').slice(0, MAX_INSTALLMENTS))
    getOrSet(row, one, () => ({ offered: 0, links: 0 }))[isLink ? 'links' : 'offered'] += 1;
}

function isNew(seen: Set<string>, key: string): boolean {
  return seen.size < seen.add(key).size;
}
