/** Writes the words and sentences that the formats share: counts, durations, lists, findings and changes. */
import { countOf, groupDigits } from '../../openapi/util/counted.ts';
import { truncate } from '../../openapi/util/truncate.ts';
import { groupBy } from '../../openapi/util/group-by.ts';
import { areaFacts, makeForEachArea, operationFacts, type Area } from '../../openapi/api.ts';
import type { Source } from '../../openapi/clauses/clause.ts';
import type { ExchangeRecord, LoadSign } from '../../openapi/model/journal.ts';
import type { Changes, RecordingReport, Finding, Report, JudgedBank } from '../model/report.ts';
import { stripVTControlCharacters } from 'node:util';

export { countOf as counted, groupDigits as grouped };

/** Adds the counts of all items. */
export const addCounts = <Item>(items: readonly Item[], getCount: (item: Item) => number): number =>
  items.reduce((sum, item) => sum + getCount(item), 0);

/** Returns at most `maxItems` items. If there are more, `makeNote` makes the last item from the number of those left out. */
export const takeFirstItems = <Item>(
  items: readonly Item[],
  maxItems: number,
  makeNote: (leftOut: number) => Item,
): Item[] => (items.length > maxItems ? [...items.slice(0, maxItems), makeNote(items.length - maxItems)] : [...items]);

export const areaNames = makeForEachArea((area) => areaFacts[area].name);

export const areaTitles: Readonly<Record<Area | 'service', string>> = {
  service: 'Shared clauses',
  ...makeForEachArea((area) => areaFacts[area].title),
};

const verdictNames: Readonly<Record<string, string>> = {
  pass: 'kept',
  fail: 'broken',
  warning: 'warning',
  inconclusive: 'not tested',
  'not-applicable': 'not selected',
  observed: 'observed',
};

export const formatVerdict = (verdict: string): string => verdictNames[verdict] ?? verdict;

/** Writes the plan of a run or a replay as lines. An empty plan has no lines. */
export const writePlan = (sentences: readonly string[]): string[] =>
  sentences.length === 0 ? [] : ['Plan:', ...sentences.map((sentence) => `  - ${sentence}`)];

/** Joins items: `a`, `a and b`, `a, b and c`. */
export const joinWithAnd = (items: readonly string[]): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items[items.length - 1]!}`;

/** Joins at most `maxItems` items: `a, b and 3 more`. */
export const joinFirstItems = (items: readonly string[], maxItems: number): string =>
  items.length <= maxItems
    ? joinWithAnd(items)
    : `${items.slice(0, maxItems).join(', ')} and ${items.length - maxItems} more`;

export const toSentence = (text: string): string =>
  `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;

/** The name of the embedded bank says clearly that this is no real bank: in CI, a missing BASE_URL must not stay unnoticed. */
export const EMBEDDED_BANK = 'the embedded reference bank, not yours';

/** Names the judged bank. */
export const formatTargetName = ({ name, embedded, baseUrl }: JudgedBank): string =>
  embedded
    ? [name, EMBEDDED_BANK].filter((part) => part !== null).join(': ')
    : (name ?? (baseUrl || 'an unknown bank'));

/** Writes a duration: `0.4 s`, `12 s`, `2 min 5 s`, `3 h 20 min`. */
export function formatDuration(ms: number): string {
  // 9,950 ms and more would be written as 10.0 s.
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 120 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export const formatTime = (startedAt: string): string => `${startedAt.slice(0, 16).replace('T', ' ')} UTC`;

/** Describes what changed since an earlier run. If the verdict of a clause changed, its findings are not described separately. */
export function describeChanges({ verdict, clauses, places = [], answers, latency }: Changes) {
  const describeChange = (before: string, now: string): string => `before ${before}, now ${now}`;
  const hasNewVerdict = (id: string): boolean => clauses.some(({ clause }) => clause === id);
  const describePlaceChange = (before: string | null, now: string | null): string => {
    if (before === null) return `new: ${now}`;
    return now === null ? `no longer ${before}` : describeChange(before, now);
  };
  const makeNote = (text: string) => ({ clause: null, text });
  return [
    ...(verdict === null ? [] : [makeNote(`the verdict: ${describeChange(...verdict)}`)]),
    ...clauses.map(({ clause, before, now }) => ({
      clause,
      text: describeChange(formatVerdict(before), formatVerdict(now)),
    })),
    ...places
      .filter(({ clause }) => !hasNewVerdict(clause))
      .map(({ clause, operation, pointer, before, now }) => ({
        clause,
        text: `${describePlaceChange(before, now)} (${operation} at ${formatPlace(pointer)})`,
      })),
    ...answers.map(({ point, operation, about, before, now }) => ({
      clause: point,
      text: `${operation}${about === null ? '' : `, ${about}`}: ${describeChange(before.join('; '), now.join('; '))}`,
    })),
    ...latency.map(({ operation, before, now }) =>
      makeNote(`${operation}: ${describeChange(`${before} ms`, `${now} ms`)} (median)`),
    ),
  ];
}

export const formatOperationName = ({ method, path }: { readonly method: string; readonly path: string }): string =>
  `${method} ${path}`;

/** Says how often a finding occurred: `in 14 of 38 answers (48 of 114 values)`, `in all 37 comparisons`. */
export function describeFrequency({ answers, exercised, unit, count, exercisedValues: values }: Finding): string {
  const writeShare = (part: number, total: number, unitName: string): string => {
    const totalText = countOf(total, unitName);
    if (part < total) return `${groupDigits(part)} of ${totalText}`;
    return total > 1 ? `all ${totalText}` : totalText;
  };
  const unitName = (unit ?? 'answers').slice(0, -1);
  const valueNote = values === undefined ? '' : ` (${writeShare(count, values, 'value')})`;
  return `in ${writeShare(answers, exercised, unitName)}${valueNote}`;
}

/** Returns one text for each form of values: `104 × "", always and only where amount is a whole number`. A single form has no count. */
export function describeReceivedValues({ received, values, only }: Finding, maxLength = 160): string[] {
  // If two rows have the same condition, `always` is true only for both rows together.
  const isConditionOfSeveralRows = (condition: string): boolean =>
    values.filter((row) => row.only === condition).length > 1;
  const describeCondition = (condition: string | undefined): string =>
    condition === undefined
      ? ''
      : `, ${isConditionOfSeveralRows(condition) ? '' : 'always and '}only where ${condition}`;
  if (values.length < 2) return [`${received}${describeCondition(only)}`];
  const hasCommonCondition = only !== undefined;
  const texts = values.map((row) => {
    const condition = hasCommonCondition ? '' : describeCondition(row.only);
    return `${groupDigits(row.count)} × ${truncate(row.value, maxLength)}${condition}`;
  });
  return hasCommonCondition ? [...texts, `all of these${describeCondition(only)}`] : texts;
}

/** Describes when a finding occurred while its request was repeated; an empty list if it was not repeated. */
export const describeRepetitions = ({ classification }: Finding): string[] =>
  classification === null || classification.of === 0
    ? []
    : [`${classification.why} (${classification.again} of ${countOf(classification.of, 'time')})`];

/** The time of day of an ISO 8601 time: `10:31:05.123`. */
const readTimeOfDay = (time: string): string => time.slice(11, 23);

function describeTimes({ timing: { startedAt, durationMs }, response }: ExchangeRecord): string {
  const answer = response === null ? 'no answer' : `status ${response.status}`;
  return `sent ${readTimeOfDay(startedAt)}, ${answer} after ${Math.round(durationMs)} ms`;
}

/** A bank accepts each step of an application only once, so the commands of a finding do not work again. */
const USED_UP_NOTE = 'the commands need the ids of a new application; a replay opens one';
const usesUpId = ({ operation, request }: ExchangeRecord): boolean => {
  const { usesUp } = operationFacts[operation];
  return usesUp !== null && request.body?.includes(`"${usesUp}"`) === true;
};

const listRace = ({ exchanges }: Report, { exchange, concurrent }: Finding): readonly ExchangeRecord[] =>
  concurrent === undefined ? [] : [exchanges[concurrent], exchanges[exchange]].filter((record) => record !== undefined);

/** Returns one text for each of the two requests; an empty list if the finding is about one request. */
export const describeRaceTimes = (report: Report, finding: Finding): string[] =>
  listRace(report, finding).map(describeTimes);

/** Returns the texts of `describeRaceTimes`, and a note if the ids of the requests are used up. */
export const describeRace = (report: Report, finding: Finding): string[] => [
  ...describeRaceTimes(report, finding),
  ...(listRace(report, finding).some(usesUpId) ? [USED_UP_NOTE] : []),
];

export const formatPlace = (pointer: string): string => (pointer === '' ? 'the whole body' : pointer);

/** Returns the title of a finding. The statement of a clause is true for a good bank, so the title begins with `Broken`. */
export const titleFinding = ({ statement }: Pick<Finding, 'statement'>): string => `Broken: ${statement}`;

/** Writes the expected and the received text: both are parts of a sentence, or sentences. */
export const writeVersus = (expected: string, received: string): string =>
  `expected: ${expected}; received: ${received}`;

/** Writes the label of a finding: `failure`, `warning (money, tolerated until 2025-02-01)`. */
export function labelFinding({ verdict, class: clauseClass, known }: Finding): string {
  const label = verdict === 'fail' ? 'failure' : 'warning';
  const notes = [
    // Most findings are about consistency, so only the other classes are named.
    ...(clauseClass === 'consistency' ? [] : [clauseClass]),
    ...(known === undefined ? [] : [`tolerated until ${known.expires}`]),
  ];
  return notes.length === 0 ? label : `${label} (${notes.join(', ')})`;
}

/** Lists properties with fewer cases than RUNS: `payment links: 4 of 25, limited by MAX_LINKS`. */
export function describeFewerCases({ scenarios, interrupted }: Pick<Report, 'scenarios' | 'interrupted'>): string[] {
  const reducedProperties = scenarios.flatMap(({ cases = [] }) => cases);
  const propertiesByReason = groupBy(reducedProperties, ({ why }) =>
    why === interrupted ? 'the run ended early' : why,
  );
  return [...propertiesByReason].map(
    ([why, properties]) =>
      `${joinWithAnd(properties.map(({ label, asked, of }) => `${label}: ${asked} of ${of}`))}, ${why}`,
  );
}

/** Says how many requests were sent: `120 requests in 4.2 s, seed 7`; for recorded traffic, what it contains. */
export const describeRequests = ({ requests, durationMs, suite, recording }: Report): string =>
  recording === undefined
    ? `${countOf(requests, 'request')} in ${formatDuration(durationMs)}, seed ${suite.seed}`
    : describeRecording(recording);

export const describeLeftOut = (count: number, why: string): string[] =>
  count === 0 ? [] : [`${countOf(count, 'exchange')} left out: ${why}`];

/** Says which exchanges of a recording were not judged, and what else limits the judgement. */
export const listLeftOut = ({ others, incomplete, notes }: RecordingReport): readonly string[] => [
  ...describeLeftOut(others, 'no documented method and path'),
  ...describeLeftOut(incomplete, 'the answer was not recorded completely, or came from a cache'),
  ...notes,
];

function describeRecording(recording: RecordingReport): string {
  const { source, judged, deviations } = recording;
  const deviationTexts = deviations.slice(0, 3).map(({ why, count }) => `${why} (${groupDigits(count)})`);
  return [
    `${countOf(judged, 'recorded exchange')} judged (${source}), nothing was sent`,
    ...listLeftOut(recording),
    ...(deviationTexts.length > 0
      ? [`most frequent differences between requests and document: ${deviationTexts.join(', ')}`]
      : []),
  ].join('; ');
}

/** Returns the source of a clause in the document: `Resources and their fields, Offer object, interest_rate`. */
export const formatSource = ({ section, table, row }: Source): string =>
  [section, table, row].filter((part) => part !== undefined).join(', ');

const loadSignTexts: Readonly<Record<LoadSign, string>> = {
  latency: 'latency doubled',
  throttled: 'the bank said that requests were too many',
  unavailable: 'status 502, 503 or 504',
  timeout: 'no answer in time',
  'no-answer': 'no answer',
};

/** Describes why fewer requests were sent at once: `at most 6 requests at once: latency doubled at 12`. Null without an overload. */
export function describeConcurrency({ concurrency }: Pick<Report, 'concurrency'>): string | null {
  if (concurrency?.kept === undefined) return null;
  const { limit, sign, at, latencyMs } = concurrency.kept;
  const latencyNote = latencyMs === undefined ? '' : ` (${latencyMs.calm} ms, then ${latencyMs.loaded} ms)`;
  return `at most ${countOf(limit, 'request')} at once: ${loadSignTexts[sign]} at ${at}${latencyNote}`;
}

const measureWidth = (text: string): number => stripVTControlCharacters(text).length;

/** Matches what stands before the text of a line: an indent, a list sign, a number or a name. Wrapped lines begin below the text. */
const LINE_START = /^(?: +- | {1,2}\d+ {2}| {5}\w* {2,}| +)/;

/** Breaks a line at blanks. Longer words stay whole. */
export function wrapWithIndent(line: string, width: number): string[] {
  const [lineStart = ''] = LINE_START.exec(stripVTControlCharacters(line)) ?? [];
  const indent = ' '.repeat(lineStart.length || 5);
  // Colour codes may stand before the beginning of the line.
  const textStart = line.indexOf(lineStart) + lineStart.length;
  const [firstWord = '', ...words] = line.slice(textStart).split(' ');
  const lines = [`${line.slice(0, textStart)}${firstWord}`];
  for (const word of words) {
    const longerLine = `${lines.at(-1)} ${word}`;
    if (measureWidth(longerLine) > width) lines.push(`${indent}${word}`);
    else lines[lines.length - 1] = longerLine;
  }
  return lines;
}
