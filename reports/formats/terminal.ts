/** The summary on the terminal: what a person reads in ten seconds. */
import { styleText } from 'node:util';
import { printableLine } from '../../openapi/foreign/print.ts';
import { groupBy } from '../../openapi/util/group-by.ts';
import { hangsOn } from '../fold/verdict/reasons.ts';
import { causesOf, type Cause } from '../fold/root-causes.ts';
import type { ClauseReport, Finding, Report } from '../model/report.ts';
import { oneLine, shortened } from '../text/sanitize.ts';
import { replayCommand } from '../text/replay.ts';
import {
  counted,
  duration,
  keptConcurrency,
  listed,
  listedUpTo,
  fewerCasesInWords,
  oftenInWords,
  recordingInWords,
  sourceName,
  targetName,
  verdictName,
  verdictWord,
} from '../text/phrases.ts';

interface TerminalOptions {
  /** True where colours may be used. */
  readonly color: boolean;
  readonly width?: number;
  /** Path of the page to open, as it is shown. */
  readonly path?: string;
  /** True where this process does not exit as the run did. */
  readonly afterwards?: boolean;
}

const MAX_CAUSES = 10;
const MAX_MISSED = 6;

type Paint = (text: string) => string;

type Inks = Readonly<Record<'bold' | 'dim' | 'red' | 'yellow' | 'green', Paint>>;

/** The summary of a report. Ends with an end of line; every line is safe for a terminal and a CI log. */
export function summary(report: Report, options: TerminalOptions): string {
  const inks = inksOf(options.color);
  const width = Math.max(40, Math.min(options.width ?? 100, 110));
  const blocks = [
    head(report, inks, width),
    beside(report, inks, width),
    faults(report, inks, width),
    findings(report, inks, width),
    // Where the configuration is at fault nothing was asked, and there is one thing to say.
    ...(report.configuration.length > 0 ? [] : [missed(report, inks, width), table(report, inks)]),
    foot(report, inks, width, options),
  ];
  const lines = blocks.filter((block) => block.length > 0).flatMap((block) => ['', ...block]);
  return `${lines.map((line) => printableLine(line, options.color)).join('\n')}\n`;
}

function head(report: Report, { bold, red, yellow, green }: Inks, width: number): string[] {
  const ink = { conformant: green, 'non-conformant': red, inconclusive: yellow }[report.verdict];
  const { target } = report;
  const build = target.build === null ? '' : `, build ${target.build}`;
  const where = target.embedded || target.name === null ? '' : ` at ${target.baseUrl}`;
  const who = report.configuration.length > 0 ? '' : `  ${targetName(target)}${build}${where}`;
  const [first = '', ...more] = report.reasons;
  return [
    `${ink(bold(`Verdict: ${report.headline}`))}${who}`,
    ...(more.length === 0 ? wrapped(first, width) : [first, ...more].flatMap((one) => hanging(one, '  - ', width))),
  ];
}

/** The overlay of the run, and what changed since an earlier run. */
function beside({ suite, against }: Report, { bold, yellow, dim }: Inks, width: number): string[] {
  const { overlay } = suite;
  const lines: string[] = [];
  if (overlay !== undefined)
    lines.push(
      yellow(
        bold(`The contract was changed by the overlay “${overlay.title}” (${counted(overlay.actions, 'action')})`),
      ),
      dim(`Contract ${suite.contractDigest.slice(0, 16)}…; with the overlay ${overlay.contractDigest.slice(0, 16)}…`),
    );
  const changes = against?.changes;
  if (changes === undefined) return lines;
  const stated = [
    ...(changes.verdict === null ? [] : [`the verdict: before ${changes.verdict[0]}, now ${changes.verdict[1]}`]),
    ...changes.clauses.map((one) => `${one.clause}: before ${verdictName(one.before)}, now ${verdictName(one.now)}`),
    ...changes.answers.map(
      (one) =>
        `${one.point}${one.about === null ? '' : `, ${one.about}`}: before ${one.before.join('; ')}, now ${one.now.join('; ')}`,
    ),
    ...changes.latency.map((one) => `${one.operation}: before ${one.before} ms, now ${one.now} ms (median)`),
  ];
  lines.push(
    bold(
      `Changed since ${changes.before.startedAt}: ${stated.length === 0 ? 'nothing' : counted(stated.length, 'thing')}`,
    ),
  );
  for (const one of stated.slice(0, MAX_MISSED)) lines.push(...hanging(shortened(one, 300), '  - ', width));
  if (stated.length > MAX_MISSED) lines.push(`  and ${stated.length - MAX_MISSED} more in the report`);
  return lines;
}

function faults(report: Report, { bold, yellow }: Inks, width: number): string[] {
  if (report.errors.length === 0) return [];
  const shown = report.errors.slice(0, 3).flatMap(({ scenario, message }) => {
    const first = message.split('\n').find((line) => line.trim() !== '') ?? '';
    return hanging(`${scenario === null ? '' : `“${scenario}”: `}${shortened(first, 300)}`, '  - ', width);
  });
  const more = report.errors.length - 3;
  if (more > 0) shown.push(`  and ${more} more in the report`);
  return [
    yellow(
      bold(`The suite itself broke (${counted(report.errors.length, 'fault')}); this says nothing about the bank`),
    ),
    ...shown,
  ];
}

function findings(report: Report, inks: Inks, width: number): string[] {
  const causes = causesOf(report.findings);
  const shown = causes.slice(0, MAX_CAUSES).flatMap((cause) => one(report, cause, inks, width));
  const more = causes.length - MAX_CAUSES;
  return more > 0 ? [...shown, `and ${more} more in the report`] : shown;
}

function one(
  report: Report,
  { worst: finding, findings: all }: Cause,
  { bold, dim, red, yellow }: Inks,
  width: number,
): string[] {
  const ink = finding.verdict === 'fail' ? red : yellow;
  const more = all.length > 1 ? `, and at ${counted(all.length - 1, 'more place')}` : '';
  const often = dim(`  ${oftenInWords(finding)}${more}`);
  const place = finding.instance ?? (finding.pointer === '' ? 'the whole body' : finding.pointer);
  const replay = replayCommand(report, finding);
  return [
    `${ink(bold(labelOf(finding)))} ${bold(finding.clause)}  ${finding.operation}  ${place}${often}`,
    ...hanging(shortened(finding.statement, 300), '     clause    ', width),
    ...hanging(sourceName(finding.source), '     document  ', width),
    ...hanging(shortened(finding.expected, 300), '     expected  ', width),
    ...hanging(shortened(finding.received, 300), '     received  ', width),
    // Commands are copied whole: they are not broken.
    ...(replay === null ? [] : [`     replay    ${replay}`]),
    ...(finding.curl === null ? [] : [dim(`     request   ${finding.curl}`)]),
  ];
}

/** `broken`, `warning`, `changed answer`, and until when it is tolerated. */
function labelOf({ verdict, kind, known }: Finding): string {
  const label = kind.startsWith('pinned') ? 'changed answer' : verdict === 'fail' ? 'broken' : 'warning';
  return known === undefined ? label : `${label} (tolerated until ${known.expires})`;
}

/** What was not tested, and why where the reasons of the verdict do not say it: of operations without a request, and of clauses beside. */
function missed(report: Report, { bold, yellow }: Inks, width: number): string[] {
  const { operations } = report.notExercised;
  const clauses = report.clauses.filter((clause) => clause.level === 'must' && clause.verdict === 'inconclusive');
  if (operations.length + clauses.length === 0) return [];
  const succeeded = new Set(report.operations.flatMap(({ area, successes }) => (successes > 0 ? [area] : [])));
  const unsaid = new Set(
    report.operations.flatMap(({ id, area, requests }) =>
      requests === 0 && (report.interrupted !== null || !succeeded.has(area)) ? [id] : [],
    ),
  );
  const lines = [
    ...[
      ...groupBy(
        operations.filter(({ id }) => unsaid.has(id)),
        ({ why }) => why,
      ),
    ].map(([why, same]) => `${listed(same.map(({ id }) => id))}: ${why}`),
    ...byReason(clauses.filter((clause) => !hangsOn(clause, operations, report.operations))),
  ];
  const asked = operations.length > 0 ? `; ${counted(operations.length, 'operation')} never succeeded` : '';
  const title = `Not tested: ${counted(clauses.length, 'clause')}${asked}`;
  const shown = lines.slice(0, MAX_MISSED).flatMap((line) => hanging(shortened(line, 300), '  - ', width));
  const more = lines.length - MAX_MISSED;
  return [yellow(bold(title)), ...shown, ...(more > 0 ? [`  and ${more} more in the report`] : [])];
}

/** The clauses that one reason kept from being put to the test share a line. */
function byReason(clauses: readonly ClauseReport[]): string[] {
  return [...groupBy(clauses, ({ why }) => why ?? '')].map(([why, same]) => {
    const ids = same.map(({ id }) => id);
    return `${listedUpTo(ids, 3)}: ${why}`;
  });
}

const verdictOrder = ['fail', 'warning', 'pass', 'observed', 'inconclusive', 'not-applicable'] as const;

function table({ counts }: Report, { dim }: Inks): string[] {
  return (['must', 'should', 'open'] as const).map((level) => {
    const shown = verdictOrder.filter((verdict) => counts[level][verdict] > 0);
    const parts = shown.map((verdict) => `${counts[level][verdict]} ${verdictWord(verdict, counts[level][verdict])}`);
    return `${dim(level.padEnd(8))}${parts.join(', ')}`;
  });
}

function foot(
  report: Report,
  { bold, dim }: Inks,
  width: number,
  { path, afterwards = false }: TerminalOptions,
): string[] {
  const { gate, suite } = report;
  const asked =
    report.recording === undefined
      ? `${counted(report.requests, 'request')} in ${duration(report.durationMs)}, seed ${suite.seed}`
      : recordingInWords(report.recording);
  const lines = hanging(
    `${gate.reasons.join('; ')}${afterwards ? '' : ` (exit status ${gate.exitStatus})`}`,
    gate.pass ? 'Gate passed: ' : 'Gate failed: ',
    width,
  );
  if (report.configuration.length === 0) lines.push(...wrapped(asked, width).map(dim));
  const kept = keptConcurrency(report);
  if (kept !== null) lines.push(...hanging(kept, 'In flight: ', width).map(dim));
  const fewer = fewerCasesInWords(report);
  if (fewer.length > 0) lines.push(...hanging(fewer.join('; '), 'Random cases: ', width).map(dim));
  if (path !== undefined) lines.push(`Report: ${bold(path)}`);
  return lines;
}

/** Breaks a text at blanks so that no line is longer than the width, where its words allow it. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of oneLine(text).split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  lines.push(line);
  return lines;
}

function hanging(text: string, lead: string, width: number): string[] {
  const indent = ' '.repeat(lead.length);
  return wrapped(text, width - lead.length).map((line, at) => (at === 0 ? lead : indent) + line);
}

const inksOf = (color: boolean): Inks => {
  const ink =
    (format: keyof Inks): Paint =>
    (text) =>
      color ? styleText(format, text, { validateStream: false }) : text;
  return { bold: ink('bold'), dim: ink('dim'), red: ink('red'), yellow: ink('yellow'), green: ink('green') };
};
