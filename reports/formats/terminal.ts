/** Writes the summary for the terminal, to read in ten seconds. */
import { stripVTControlCharacters, styleText } from 'node:util';
import { printableLine } from '../../openapi/foreign/print.ts';
import { groupBy, partition } from '../../openapi/util/group-by.ts';
import { dependsOn } from '../fold/verdict/reasons.ts';
import { causesOf, isSamePlace, type Cause } from '../fold/root-causes.ts';
import type { Finding, Report } from '../model/report.ts';
import { given } from '../text/given.ts';
import { shortened } from '../text/sanitize.ts';
import { unlikeOthers } from '../text/difference.ts';
import { numberOf, replayCommand } from '../text/replay.ts';
import { hangingLines, indentLines, wrapText } from '../text/wrap.ts';
import {
  againInWords,
  askedInWords,
  behaviourTested,
  changesInWords,
  counted,
  fewerCasesInWords,
  findingLabel,
  firstOf,
  keptConcurrency,
  listed,
  listedUpTo,
  oftenInWords,
  placeName,
  receivedInWords,
  sourceName,
  sumOf,
  targetName,
  timeInWords,
  verdictWord,
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

const MAX_CAUSES = 10;
const MAX_MISSED = 6;
const MAX_FAULTS = 3;
/** So many kinds of received values, and so many further places, are shown with a finding. */
const [MAX_VALUES, MAX_PLACES] = [4, 3];
/** One of several received values has at most this many characters. */
const MAX_VALUE = 100;
const MAX_CHARACTERS = 300;

type Paint = (text: string) => string;
type Inks = Readonly<Record<'bold' | 'dim' | 'red' | 'yellow' | 'green', Paint>>;

/** Writes the summary of a report, with a final line end. Every line is safe for a terminal and a CI log. */
export function summary(report: Report, options: TerminalOptions): string {
  const inks = inksOf(options.color);
  const width = Math.max(40, Math.min(options.width ?? 100, 110));
  const blocks = [
    head(report, inks, width),
    comparisons(report, inks, width),
    faults(report, inks, width),
    findings(report, inks, width),
    // If the configuration is wrong, no request was sent: the summary only says this.
    ...(report.configuration.length > 0 ? [] : [untestedLines(report, inks, width), table(report, inks, width)]),
    foot(report, inks, width, options),
  ];
  const lines = blocks.filter((block) => block.length > 0).flatMap((block) => ['', ...block]);
  // A command stays on one line, so that it can be copied. A log has lines of any length.
  const isWhole = (line: string): boolean =>
    options.width === undefined || /^ +(?:replay|request) {3}/.test(stripVTControlCharacters(line));
  const shown = lines
    .map((line) => printableLine(line, options.color))
    .flatMap((line) => (isWhole(line) ? line : hangingLines(line, width)));
  return `${shown.join('\n')}\n`;
}

function head(report: Report, { bold, red, yellow, green }: Inks, width: number): string[] {
  const { target, verdict, headline, configuration, reasons } = report;
  const ink = { conformant: green, 'non-conformant': red, inconclusive: yellow }[verdict];
  const build = target.build === null ? '' : `, build ${target.build}`;
  const where = target.embedded || target.name === null ? '' : ` at ${target.baseUrl}`;
  const who = configuration.length > 0 ? '' : `  ${targetName(target)}${build}${where}`;
  return [
    `${ink(bold(`Verdict: ${headline}`))}${who}`,
    ...(reasons.length < 2
      ? wrapText(reasons[0] ?? '', width)
      : reasons.flatMap((one) => indentLines(one, '  - ', width))),
  ];
}

/** Lists the first items, one per line, and the number of further items. */
const points = (items: readonly string[], most: number, width: number): string[] =>
  firstOf(
    items.map((item) => indentLines(shortened(item, MAX_CHARACTERS), '  - ', width)),
    most,
    (more) => [`  and ${more} more in the report`],
  ).flat();

/** Shows the overlay of the run, and the changes since an earlier run. */
function comparisons({ suite, against }: Report, { bold, yellow, dim }: Inks, width: number): string[] {
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
  const changes = changesInWords(against.changes).map(({ clause, text }) =>
    clause === null ? text : `${clause}: ${text}`,
  );
  const count = changes.length === 0 ? 'nothing' : counted(changes.length, 'thing');
  const since = `Changed since ${timeInWords(against.changes.before.startedAt)}: ${count}`;
  return [...lines, bold(since), ...points(changes, MAX_MISSED, width)];
}

function faults({ errors }: Report, { bold, yellow }: Inks, width: number): string[] {
  if (errors.length === 0) return [];
  const title = `The suite itself broke (${counted(errors.length, 'fault')}); this says nothing about the bank`;
  const said = errors.map(({ scenario, message }) => {
    const first = message.split('\n').find((line) => line.trim() !== '') ?? '';
    return `${scenario === null ? '' : `“${scenario}”: `}${first}`;
  });
  return [yellow(bold(title)), ...points(said, MAX_FAULTS, width)];
}

const findings = (report: Report, inks: Inks, width: number): string[] =>
  firstOf(
    causesOf(report.findings).map((cause) =>
      (cause.consequenceOf === null ? findingLines : consequenceLines)(report, cause, inks, width),
    ),
    MAX_CAUSES,
    (more) => [`and ${more} more in the report`],
  ).flat();

/** Makes one finding of those at the place of `worst`, in which equal values are one row. */
function joinFindings({ only: _, ...worst }: Finding, here: readonly Finding[]): Finding {
  const all = here.flatMap(({ values, only }) =>
    values.map((one) => ({ ...one, ...given({ only: one.only ?? only }) })),
  );
  const values = [...groupBy(all, ({ value, only }) => `${only ?? ''} ${value}`).values()].map((same) => ({
    ...same[0],
    count: sumOf(same, ({ count }) => count),
  }));
  const answers = sumOf(here, (one) => one.answers);
  return {
    ...worst,
    // A larger sum has answers that show several of the findings.
    answers: answers > worst.exercised ? worst.answers : answers,
    count: sumOf(here, ({ count }) => count),
    values,
    ...given({ only: values.length === 1 ? values[0]?.only : undefined }),
  };
}

function findingLines(
  report: Report,
  { worst, findings: all }: Cause,
  { bold, dim, red, yellow }: Inks,
  width: number,
): string[] {
  const ink = worst.verdict === 'fail' ? red : yellow;
  const place = worst.instance ?? placeName(worst.pointer);
  const replay = replayCommand(report, worst);
  const [here, elsewhere] = partition(all, (one) => isSamePlace(one, worst));
  const together = here.length > 1 ? joinFindings(worst, here) : worst;
  const others = elsewhere.map((one) => `${one.operation} ${placeName(one.pointer)}: ${receivedInWords(one)[0] ?? ''}`);
  const parts: readonly (readonly [name: string, texts: readonly string[]])[] = [
    ['clause', [worst.statement]],
    ['document', [sourceName(worst.source)]],
    ['expected', [...new Set(here.map(({ expected }) => expected))]],
    [
      'received',
      firstOf(
        receivedInWords(together, here.length > 1, MAX_VALUE),
        MAX_VALUES,
        (more) => `and ${more} more kinds in the report`,
      ),
    ],
    ['unlike', unlikeOthers(report, worst)],
    ['again', againInWords(worst)],
    ['also at', firstOf(others, MAX_PLACES, (more) => `${counted(more, 'more place')} in the report`)],
  ];
  return [
    `${ink(bold(findingLabel(worst)))} ${bold(worst.clause)}  ${worst.operation}  ${place}${dim(`  ${oftenInWords(together)}`)}`,
    ...parts.flatMap(([name, texts]) =>
      texts.flatMap((text, at) =>
        indentLines(shortened(text, MAX_CHARACTERS), `     ${(at === 0 ? name : '').padEnd(10)}`, width),
      ),
    ),
    ...(replay === null ? [] : [`     replay    ${replay}`]),
    ...(worst.curl === null ? [] : [dim(`     request   ${worst.curl}`)]),
  ];
}

/** Shows a finding that probably follows from another finding, in short. */
function consequenceLines(report: Report, { worst, consequenceOf }: Cause, { bold }: Inks, width: number): string[] {
  const cause = consequenceOf === null ? '' : `probably a consequence of no. ${numberOf(report, consequenceOf)}`;
  const received = receivedInWords(worst).join('; ');
  const lead = '     follows   ';
  return [
    ...indentLines(`no. ${numberOf(report, worst)}, ${cause}: ${findingLabel(worst)}`, lead, width),
    ...indentLines(`${bold(worst.clause)}  ${worst.operation}  ${placeName(worst.pointer)}`, ' '.repeat(15), width),
    ...indentLines(
      shortened(`expected ${worst.expected}; received ${received}`, MAX_CHARACTERS),
      ' '.repeat(15),
      width,
    ),
  ];
}

/** Shows what was not tested, and why, if the reasons of the verdict do not say it. */
function untestedLines(report: Report, { bold, yellow }: Inks, width: number): string[] {
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
    ...byReason(operations.filter(({ id }) => unsaid.has(id))).map(([ids, why]) => `${listed(ids)}: ${why}`),
    ...byReason(clauses.filter((clause) => !dependsOn(clause, operations, report.operations))).map(
      ([ids, why]) => `${listedUpTo(ids, 3)}: ${why}`,
    ),
  ];
  const asked = operations.length > 0 ? `; ${counted(operations.length, 'operation')} never succeeded` : '';
  return [
    yellow(bold(`Not tested: ${counted(clauses.length, 'clause')}${asked}`)),
    ...points(lines, MAX_MISSED, width),
  ];
}

const verdictOrder = ['fail', 'warning', 'pass', 'observed', 'inconclusive', 'not-applicable'] as const;

function table(report: Report, { dim }: Inks, width: number): string[] {
  const levels = Object.entries(report.counts).map(([level, counts]) => {
    const shown = verdictOrder.filter((verdict) => counts[verdict] > 0);
    const parts = shown.map((verdict) => `${counts[verdict]} ${verdictWord(verdict, counts[verdict])}`);
    return `${dim(level.padEnd(8))}${parts.join(', ')}`;
  });
  return [...levels, ...wrapText(behaviourTested(report), width)];
}

function foot(report: Report, { bold, dim }: Inks, width: number, options: TerminalOptions): string[] {
  const { gate, configuration } = report;
  const exit = options.afterwards === true ? '' : ` (exit status ${gate.exitStatus})`;
  const kept = keptConcurrency(report);
  const fewer = fewerCasesInWords(report);
  return [
    ...indentLines(`${gate.reasons.join('; ')}${exit}`, gate.pass ? 'Gate passed: ' : 'Gate failed: ', width),
    ...(configuration.length > 0 ? [] : wrapText(askedInWords(report), width).map(dim)),
    ...(kept === null ? [] : indentLines(kept, 'In flight: ', width).map(dim)),
    ...(fewer.length === 0 ? [] : indentLines(fewer.join('; '), 'Random cases: ', width).map(dim)),
    ...(options.path === undefined ? [] : [`Report: ${bold(options.path)}`]),
  ];
}

const inksOf = (color: boolean): Inks => {
  const ink =
    (format: keyof Inks): Paint =>
    (text) =>
      color ? styleText(format, text, { validateStream: false }) : text;
  return { bold: ink('bold'), dim: ink('dim'), red: ink('red'), yellow: ink('yellow'), green: ink('green') };
};
