/** Writes the summary for the terminal, to read in ten seconds. */
import { stripVTControlCharacters, styleText } from 'node:util';
import { toPrintLine } from '../../openapi/foreign/print.ts';
import { groupBy } from '../../openapi/util/group-by.ts';
import { dependsOnSilent } from '../fold/verdict/reasons.ts';
import { groupCauses, type Cause } from '../fold/root-causes.ts';
import type { Report } from '../model/report.ts';
import { shorten } from '../text/sanitize.ts';
import { describeUnlike } from '../text/difference.ts';
import { getNumber, replayCommand } from '../text/replay.ts';
import { wrapHanging, indentLines, wrapText } from '../text/wrap.ts';
import {
  writeRetries,
  describeRequests,
  describeTested,
  describeChanges,
  counted,
  describeFewerCases,
  labelFinding,
  takeFirst,
  describeConcurrency,
  joinWithAnd,
  joinUpTo,
  sayHowOften,
  namePlace,
  writeReceived,
  nameSource,
  nameTarget,
  formatTime,
  describeVerdict,
} from '../text/phrases.ts';

interface TerminalOptions {
  /** True if colours may be used. */
  readonly color: boolean;
  readonly width?: number;
  /** Path of the page to open. */
  readonly path?: string;
  /** True if this process has another exit status than the run. */
  readonly afterwards?: boolean;
}

const MAX_SHOWN_CAUSES = 10;
const MAX_UNTESTED = 6;
const MAX_SHOWN_FAULTS = 3;
/** At most this many kinds of received values, and of further places, are shown per finding. */
const [MAX_VALUES, MAX_PLACES] = [4, 3];
/** One of several received values has at most this many characters. */
const MAX_VALUE_LENGTH = 100;
const MAX_CHARACTERS = 300;

type Paint = (text: string) => string;
type Inks = Readonly<Record<'bold' | 'dim' | 'red' | 'yellow' | 'green', Paint>>;

/** Writes the summary of a report, with a final line end. Every line is safe for a terminal and a CI log. */
export function summarize(report: Report, options: TerminalOptions): string {
  const inks = makeInks(options.color);
  const width = Math.max(40, Math.min(options.width ?? 100, 110));
  const blocks = [
    writeHead(report, inks, width),
    writeComparisons(report, inks, width),
    writeFaults(report, inks, width),
    writeFindings(report, inks, width),
    // If the configuration is wrong, no request was sent: the summary only says this.
    ...(report.configuration.length > 0 ? [] : [writeUntested(report, inks, width), writeTable(report, inks, width)]),
    writeFoot(report, inks, width, options),
  ];
  const lines = blocks.filter((block) => block.length > 0).flatMap((block) => ['', ...block]);
  // A command stays on one line, so that it can be copied. A log has lines of any length.
  const isWhole = (line: string): boolean =>
    options.width === undefined || /^ +(?:replay|request) {3}/.test(stripVTControlCharacters(line));
  const shown = lines
    .map((line) => toPrintLine(line, options.color))
    .flatMap((line) => (isWhole(line) ? line : wrapHanging(line, width)));
  return `${shown.join('\n')}\n`;
}

function writeHead(report: Report, { bold, red, yellow, green }: Inks, width: number): string[] {
  const { target, verdict, headline, configuration, reasons } = report;
  const ink = { conformant: green, 'non-conformant': red, inconclusive: yellow }[verdict];
  const build = target.build === null ? '' : `, build ${target.build}`;
  const where = target.embedded || target.name === null ? '' : ` at ${target.baseUrl}`;
  const who = configuration.length > 0 ? '' : `  ${nameTarget(target)}${build}${where}`;
  return [
    `${ink(bold(`Verdict: ${headline}`))}${who}`,
    ...(reasons.length < 2
      ? wrapText(reasons[0] ?? '', width)
      : reasons.flatMap((one) => indentLines(one, '  - ', width))),
  ];
}

/** Lists the first items, one per line, and the number of further items. */
const writePoints = (items: readonly string[], most: number, width: number): string[] =>
  takeFirst(
    items.map((item) => indentLines(shorten(item, MAX_CHARACTERS), '  - ', width)),
    most,
    (more) => [`  and ${more} more in the report`],
  ).flat();

/** Shows the overlay of the run, and the changes since an earlier run. */
function writeComparisons({ suite, against }: Report, { bold, yellow, dim }: Inks, width: number): string[] {
  const { overlay, contractDigest } = suite;
  const lines: string[] = [];
  if (overlay !== undefined) {
    const title = `The contract was changed by the overlay “${overlay.title}” (${counted(overlay.actions, 'action')})`;
    lines.push(
      yellow(bold(title)),
      dim(`Contract ${contractDigest.slice(0, 16)}…; with the overlay ${overlay.contractDigest.slice(0, 16)}…`),
    );
  }
  if (against?.changes === undefined) return lines;
  const changes = describeChanges(against.changes).map(({ clause, text }) =>
    clause === null ? text : `${clause}: ${text}`,
  );
  const count = changes.length === 0 ? 'nothing' : counted(changes.length, 'thing');
  const since = `Changed since ${formatTime(against.changes.before.startedAt)}: ${count}`;
  return [...lines, bold(since), ...writePoints(changes, MAX_UNTESTED, width)];
}

function writeFaults({ errors }: Report, { bold, yellow }: Inks, width: number): string[] {
  if (errors.length === 0) return [];
  const title = `The suite itself broke (${counted(errors.length, 'fault')}); this says nothing about the bank`;
  const said = errors.map(({ scenario, message }) => {
    const first = message.split('\n').find((line) => line.trim() !== '') ?? '';
    return `${scenario === null ? '' : `“${scenario}”: `}${first}`;
  });
  return [yellow(bold(title)), ...writePoints(said, MAX_SHOWN_FAULTS, width)];
}

const writeFindings = (report: Report, inks: Inks, width: number): string[] =>
  takeFirst(
    groupCauses(report.findings).map((cause) =>
      (cause.consequenceOf === null ? writeFinding : writeConsequences)(report, cause, inks, width),
    ),
    MAX_SHOWN_CAUSES,
    (more) => [`and ${more} more in the report`],
  ).flat();

function writeFinding(
  report: Report,
  { worst, findings: all }: Cause,
  { bold, dim, red, yellow }: Inks,
  width: number,
): string[] {
  const ink = worst.verdict === 'fail' ? red : yellow;
  const place = worst.instance ?? namePlace(worst.pointer);
  const replay = replayCommand(report, worst);
  const others = all
    .filter((one) => one !== worst)
    .map((one) => `${one.operation} ${namePlace(one.pointer)}: ${writeReceived(one)[0] ?? ''}`);
  const parts: readonly (readonly [name: string, texts: readonly string[]])[] = [
    ['clause', [worst.statement]],
    ['document', [nameSource(worst.source)]],
    ['expected', [worst.expected]],
    [
      'received',
      takeFirst(writeReceived(worst, MAX_VALUE_LENGTH), MAX_VALUES, (more) => `and ${more} more kinds in the report`),
    ],
    ['unlike', describeUnlike(report, worst)],
    ['again', writeRetries(worst)],
    ['also at', takeFirst(others, MAX_PLACES, (more) => `${counted(more, 'more place')} in the report`)],
  ];
  return [
    `${ink(bold(labelFinding(worst)))} ${bold(worst.clause)}  ${worst.operation}  ${place}${dim(`  ${sayHowOften(worst)}, no. ${getNumber(report, worst)}`)}`,
    ...parts.flatMap(([name, texts]) =>
      texts.flatMap((text, at) =>
        indentLines(shorten(text, MAX_CHARACTERS), `     ${(at === 0 ? name : '').padEnd(10)}`, width),
      ),
    ),
    ...(replay === null ? [] : [`     replay    ${replay}`]),
    ...(worst.curl === null ? [] : [dim(`     request   ${worst.curl}`)]),
  ];
}

/** Shows a finding that probably follows from another finding, in short. */
function writeConsequences(report: Report, { worst, consequenceOf }: Cause, { bold }: Inks, width: number): string[] {
  const cause = consequenceOf === null ? '' : `probably a consequence of no. ${getNumber(report, consequenceOf)}`;
  const received = writeReceived(worst).join('; ');
  const lead = '     follows   ';
  return [
    ...indentLines(`no. ${getNumber(report, worst)}, ${cause}: ${labelFinding(worst)}`, lead, width),
    ...indentLines(`${bold(worst.clause)}  ${worst.operation}  ${namePlace(worst.pointer)}`, ' '.repeat(15), width),
    ...indentLines(shorten(`expected ${worst.expected}; received ${received}`, MAX_CHARACTERS), ' '.repeat(15), width),
  ];
}

/** Shows what was not tested, and why, if the reasons of the verdict do not say it. */
function writeUntested(report: Report, { bold, yellow }: Inks, width: number): string[] {
  const { operations } = report.notExercised;
  const clauses = report.clauses.filter((clause) => clause.level === 'must' && clause.verdict === 'inconclusive');
  if (operations.length + clauses.length === 0) return [];
  const succeeded = new Set(report.operations.flatMap(({ area, successes }) => (successes > 0 ? area : [])));
  const unsaid = new Set(
    report.operations.flatMap(({ id, area, requests }) =>
      requests === 0 && (report.interrupted !== null || !succeeded.has(area)) ? id : [],
    ),
  );
  const byReason = (items: readonly { readonly id: string; readonly why: string | null }[]) =>
    [...groupBy(items, ({ why }) => why ?? '')].map(([why, same]) => [same.map(({ id }) => id), why] as const);
  const lines = [
    ...byReason(operations.filter(({ id }) => unsaid.has(id))).map(([ids, why]) => `${joinWithAnd(ids)}: ${why}`),
    ...byReason(clauses.filter((clause) => !dependsOnSilent(clause, operations, report.operations))).map(
      ([ids, why]) => `${joinUpTo(ids, 3)}: ${why}`,
    ),
  ];
  const asked = operations.length > 0 ? `; ${counted(operations.length, 'operation')} never succeeded` : '';
  return [
    yellow(bold(`Not tested: ${counted(clauses.length, 'clause')}${asked}`)),
    ...writePoints(lines, MAX_UNTESTED, width),
  ];
}

const verdictOrder = ['fail', 'warning', 'pass', 'observed', 'inconclusive', 'not-applicable'] as const;

function writeTable(report: Report, { dim }: Inks, width: number): string[] {
  const levels = Object.entries(report.counts).map(([level, counts]) => {
    const shown = verdictOrder.filter((verdict) => counts[verdict] > 0);
    const parts = shown.map((verdict) => `${counts[verdict]} ${describeVerdict(verdict, counts[verdict])}`);
    return `${dim(level.padEnd(8))}${parts.join(', ')}`;
  });
  return [...levels, ...wrapText(describeTested(report), width)];
}

function writeFoot(report: Report, { bold, dim }: Inks, width: number, options: TerminalOptions): string[] {
  const { gate, configuration } = report;
  const exit = options.afterwards === true ? '' : ` (exit status ${gate.exitStatus})`;
  const kept = describeConcurrency(report);
  const fewer = describeFewerCases(report);
  return [
    ...indentLines(`${gate.reasons.join('; ')}${exit}`, gate.pass ? 'Gate passed: ' : 'Gate failed: ', width),
    ...(configuration.length > 0 ? [] : wrapText(describeRequests(report), width).map(dim)),
    ...(kept === null ? [] : indentLines(kept, 'In flight: ', width).map(dim)),
    ...(fewer.length === 0 ? [] : indentLines(fewer.join('; '), 'Random cases: ', width).map(dim)),
    ...(options.path === undefined ? [] : [`Report: ${bold(options.path)}`]),
  ];
}

const makeInks = (color: boolean): Inks => {
  const ink =
    (format: keyof Inks): Paint =>
    (text) =>
      color ? styleText(format, text, { validateStream: false }) : text;
  return { bold: ink('bold'), dim: ink('dim'), red: ink('red'), yellow: ink('yellow'), green: ink('green') };
};
