/** Small helpers to say things in words. */
import { counted, grouped } from '../../openapi/util/counted.ts';
import { groupBy } from '../../openapi/util/group-by.ts';
import type { RecordingReport } from '../model/recording.ts';
import { areas, type Area, type OperationId } from '../../openapi/model/exchange.ts';
import type { Source } from '../../openapi/clauses/clause.ts';
import type { LoadSign } from '../../openapi/model/journal.ts';
import type { ClauseVerdict, Finding, Report, RequirementFacts, Target } from '../model/report.ts';

export { counted, grouped };

/** The must clauses that could not be tested, by the reason. */
export const mustsNotTested = ({ notExercised }: Report): readonly (readonly [why: string, ids: readonly string[]])[] =>
  [
    ...groupBy(
      notExercised.clauses.filter(({ level }) => level === 'must'),
      ({ why }) => why,
    ),
  ].map(([why, same]) => [why, same.map(({ clause }) => clause)]);

/** The areas as a sentence calls them. */
export const areaName: Readonly<Record<Area, string>> = {
  loans: 'revolving loans',
  'payment-links': 'payment links',
  atms: 'ATM locator',
};

/** The areas as a heading calls them. */
export const areaTitle: Readonly<Record<Area | 'service', string>> = {
  service: 'All areas',
  loans: 'Revolving Loans',
  'payment-links': 'Pay-by-Link',
  atms: 'ATM Locator',
};

const verdictNames: Readonly<Record<ClauseVerdict, string>> = {
  pass: 'kept',
  fail: 'broken',
  warning: 'warning',
  inconclusive: 'not tested',
  'not-applicable': 'not selected',
  observed: 'observed',
};

/** The one word for the verdict of a clause; any other text stays as it is. */
export const verdictName = (verdict: string): string =>
  (verdictNames as Readonly<Record<string, string>>)[verdict] ?? verdict;

/** The word for so many clauses of a verdict. */
export const verdictWord = (verdict: ClauseVerdict, count: number): string =>
  verdict === 'warning' && count !== 1 ? 'warnings' : verdictName(verdict);

/** `one`, `one and two`, `one, two and three`. */
export function listed(items: readonly string[]): string {
  if (items.length < 2) return items.join('');
  return `${items.slice(0, -1).join(', ')} and ${items[items.length - 1]!}`;
}

/** A text that begins like a sentence and ends like one. */
export function asSentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}

/** The first few of many, and how many more there are. */
export function listedUpTo(items: readonly string[], most: number): string {
  if (items.length <= most) return listed(items);
  return `${items.slice(0, most).join(', ')} and ${items.length - most} more`;
}

/** `(ATM locator only)`, `(only operations a and b)` with a leading space, or nothing where all was judged. */
export function onlySelected(run: {
  readonly areas: readonly Area[];
  readonly selected?: readonly OperationId[] | null;
}): string {
  const { areas: selected, selected: operations = null } = run;
  if (operations !== null)
    return ` (only ${operations.length === 1 ? 'operation' : 'operations'} ${listed(operations)})`;
  if (areas.every((area) => selected.includes(area))) return '';
  const names = areas.filter((area) => selected.includes(area)).map((area) => areaName[area]);
  return names.length === 0 ? '' : ` (${listed(names)} only)`;
}

/** Who was judged, as a sentence says it. */
export function targetName({ name, embedded, baseUrl }: Target): string {
  return name ?? (embedded ? 'the embedded reference bank' : baseUrl === '' ? 'an unknown target' : baseUrl);
}

/** Statuses and broken connections in a sentence: `3 × 404, 2 × no answer`. */
export function answersInWords(statuses: Readonly<Record<string, number>>, unanswered: number): string {
  const parts = Object.entries(statuses).map(([status, n]) => (n === 1 ? status : `${n} × ${status}`));
  if (unanswered > 0) parts.push(`${unanswered} × no answer`);
  return parts.join(', ');
}

/** `0.4 s`, `12 s`, `2 min 5 s`, `3 h 20 min`. */
export function duration(ms: number): string {
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 120 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** `METHOD path-template`, the way operations are named in the report. */
export function operationName({ method, path }: { readonly method: string; readonly path: string }): string {
  return `${method} ${path}`;
}

/** How often a finding was seen: `in 14 of 38 answers (48 of 114 values)`, `in 3 of 37 comparisons`. */
export function oftenInWords({ answers, exercised, unit, count, values }: Finding): string {
  const of = (some: number, all: number, one: string): string =>
    `${all > some ? `${grouped(some)} of ` : ''}${counted(all, one)}`;
  return `in ${of(answers, exercised, (unit ?? 'answers').slice(0, -1))}${values === undefined ? '' : ` (${of(count, values, 'value')})`}`;
}

/** Properties of which fewer cases were asked than RUNS says: `payment links: 4 of 25, limited by MAX_LINKS`. */
export function fewerCasesInWords({ scenarios, interrupted }: Pick<Report, 'scenarios' | 'interrupted'>): string[] {
  const all = scenarios.flatMap(({ cases = [] }) => cases);
  const byCause = groupBy(all, ({ why }) => (why === interrupted ? 'the run ended early' : why));
  return [...byCause].map(
    ([why, same]) => `${listed(same.map(({ label, asked, of }) => `${label}: ${asked} of ${of}`))}, ${why}`,
  );
}

/** `2026.1`, `2026.1 (draft)`. */
export function setName({ set, frozen }: RequirementFacts): string {
  return `${set}${frozen ? '' : ' (draft)'}`;
}

/** What recorded traffic held: `120 recorded exchanges judged, nothing was sent; …`. */
export function recordingInWords({ source, judged, others, incomplete, deviations }: RecordingReport): string {
  const left = deviations.slice(0, 3).map(({ why, count }) => `${why} (${grouped(count)})`);
  return [
    `${counted(judged, 'recorded exchange')} judged (${source}), nothing was sent`,
    ...(others > 0
      ? [`${counted(others, 'other exchange')} left out: their address is not that of a documented operation`]
      : []),
    ...(incomplete > 0
      ? [`${counted(incomplete, 'exchange')} left out: the answer was not recorded completely, or came from a cache`]
      : []),
    ...(left.length > 0 ? [`most frequent differences between requests and document: ${left.join(', ')}`] : []),
  ].join('; ');
}

/** Where the document says something: `Resources and their fields, Offer object, interest_rate`. */
export function sourceName({ section, table, row }: Source): string {
  return [section, table, row].filter((part) => part !== undefined).join(', ');
}

const loadSign: Readonly<Record<LoadSign, string>> = {
  latency: 'latency doubled',
  throttled: 'the bank said that requests were too many',
  unavailable: 'status 502, 503 or 504',
  timeout: 'no answer in time',
  'no-answer': 'no answer',
};

/** `at most 6 requests at once: latency doubled at 12 (31 ms, then 95 ms)`, or null where the target kept up. */
export function keptConcurrency({ concurrency }: Pick<Report, 'concurrency'>): string | null {
  const kept = concurrency?.kept;
  if (kept === undefined) return null;
  const { limit, sign, at, latencyMs } = kept;
  const grown = latencyMs === undefined ? '' : ` (${latencyMs.calm} ms, then ${latencyMs.loaded} ms)`;
  return `at most ${counted(limit, 'request')} at once: ${loadSign[sign]} at ${at}${grown}`;
}
