/** Writes the summary for the terminal: the verdict, the counts of each area, and one sentence for each cause. */
import { stripVTControlCharacters, styleText } from 'node:util';
import { toPrintLine } from '../../openapi/foreign/print.ts';
import { replaceCommands } from '../../openapi/util/installation.ts';
import { describeKnownFindings } from '../baseline/expected-failures.ts';
import { listRootCauses, type Cause } from '../build/causes.ts';
import type { Report } from '../model/report.ts';
import { describeReferenceDifference } from '../text/difference.ts';
import {
  areaTitles,
  counted,
  describeChanges,
  describeReceivedValues,
  describeRequests,
  EMBEDDED_BANK,
  formatTime,
  grouped,
  takeFirstItems,
  wrapWithIndent,
  writeVersus,
} from '../text/phrases.ts';
import { shortenText } from '../text/sanitize.ts';
import * as overview from './overview.ts';

interface TerminalOptions {
  readonly color: boolean;
  readonly width?: number;
  readonly path?: string;
  /** True if the summary is written later, by a command whose exit status is not the exit status of the run. */
  readonly afterwards?: boolean;
}

const MAX_SHOWN_CAUSES = 10;
const MAX_SHOWN_CHANGES = 6;
const MAX_SHOWN_FAULTS = 3;
/** If there are more causes, each has only two or three lines. The details are in the report. */
const MAX_DETAILED_CAUSES = 2;
const MAX_VALUES = 4;
const MAX_VALUE_LENGTH = 100;
const MAX_SENTENCE_CHARACTERS = 300;

type Paint = (format: Parameters<typeof styleText>[0], text: string) => string;

/** Writes the summary of a report, with a line end at the end. Every line is safe for a terminal and a CI log. */
export function writeTerminalSummary(report: Report, options: TerminalOptions): string {
  const paint: Paint = (format, text) => (options.color ? styleText(format, text, { validateStream: false }) : text);
  const blocks = [
    writeVerdictLines(report, paint),
    writeComparisons(report, paint),
    writeFaults(report, paint),
    ...(report.requests === 0 ? [] : [writeAreaTable(report, paint)]),
    writeFindings(report, paint, options),
    writeFileLines(report, paint, options),
  ];
  const lines = blocks.filter((block) => block.length > 0).flatMap((block) => ['', ...block]);
  const width = Math.max(40, Math.min(options.width ?? Infinity, 110));
  // A command stays on one line, so that it can be copied. In a log, lines are never wrapped.
  const isUnwrapped = (line: string): boolean =>
    options.width === undefined || /^ +(?:replay|request) {3}/.test(stripVTControlCharacters(line));
  const printedLines = lines
    .map((line) => toPrintLine(line, options.color))
    .flatMap((line) => (isUnwrapped(line) ? line : wrapWithIndent(line, width)));
  return `${printedLines.join('\n')}\n`;
}

const signalInks = { pass: 'green', warning: 'yellow', fail: 'red', inconclusive: 'yellow' } as const;

function writeVerdictLines(report: Report, paint: Paint): string[] {
  const { target, configuration } = report;
  const { headline, cause } = overview.describeHeadline(report);
  const reasons = overview.listOtherReasons(report).map((reason) => shortenText(reason, MAX_SENTENCE_CHARACTERS));
  const ink = signalInks[overview.chooseSignal(report)];
  const address = target.embedded || target.name === null ? '' : ` at ${target.baseUrl}`;
  const bank = configuration.length > 0 ? '' : `  ${overview.describeBank(report)}${address}`;
  return [
    `${paint(['bold', ink], `Verdict: ${headline}${cause}`)}${bank}`,
    ...(reasons.length < 2 ? reasons : reasons.map((reason) => `  - ${reason}`)),
  ];
}

const writeFirstItems = (items: readonly string[], maxItems: number): string[] =>
  takeFirstItems(
    items.map((item) => `  - ${shortenText(item, MAX_SENTENCE_CHARACTERS)}`),
    maxItems,
    (more) => `  and ${more} more in the report`,
  );

function writeComparisons({ suite, against }: Report, paint: Paint): string[] {
  const { overlay } = suite;
  const overlayLines = overlay
    ? [
        paint(
          ['yellow', 'bold'],
          `The overlay “${overlay.title}” changed the contract (${counted(overlay.actions, 'action')})`,
        ),
      ]
    : [];
  const knownNotes = describeKnownFindings(against?.known ?? []);
  const knownLines =
    knownNotes.length === 0 ? [] : [paint('bold', 'Known findings'), ...writeFirstItems(knownNotes, MAX_SHOWN_CHANGES)];
  if (against?.changes === undefined) return [...overlayLines, ...knownLines];
  const changes = describeChanges(against.changes).map(({ clause, text }) =>
    clause === null ? text : `${clause}: ${text}`,
  );
  const changeCount = changes.length === 0 ? 'nothing' : counted(changes.length, 'thing');
  const changesTitle = `Changed since ${formatTime(against.changes.before.startedAt)}: ${changeCount}`;
  return [...overlayLines, ...knownLines, paint('bold', changesTitle), ...writeFirstItems(changes, MAX_SHOWN_CHANGES)];
}

function writeFaults({ errors }: Report, paint: Paint): string[] {
  if (errors.length === 0) return [];
  const title = `The suite itself broke (${counted(errors.length, 'fault')}); the bank is not the reason`;
  const faults = errors.map(({ scenario, message }) => {
    const firstLine = message.split('\n').find((line) => line.trim() !== '') ?? '';
    return `${scenario === null ? '' : `“${scenario}”: `}${firstLine}`;
  });
  return [paint(['yellow', 'bold'], title), ...writeFirstItems(faults, MAX_SHOWN_FAULTS)];
}

function writeAreaTable(report: Report, paint: Paint): string[] {
  const inks = { fail: 'red', warning: 'yellow', inconclusive: 'cyan', pass: 'green' } as const;
  const rows = overview.countByArea(report).filter(({ counts }) => counts.some((count) => count > 0));
  const writeCell = ({ name, verdict }: (typeof overview.countColumns)[number], clauseCount: number): string => {
    const cell = (clauseCount === 0 ? '-' : grouped(clauseCount)).padStart(name.length + 3);
    return paint(clauseCount === 0 ? 'dim' : inks[verdict], cell);
  };
  return [
    paint('dim', `${''.padEnd(16)}${overview.countColumns.map(({ name }) => `   ${name}`).join('')}`),
    ...rows.map(({ area, counts }) => {
      const cells = overview.countColumns.map((column, index) => writeCell(column, counts[index]!));
      return `${areaTitles[area].padEnd(16)}${cells.join('')}`;
    }),
  ];
}

function writeFindings(report: Report, paint: Paint, { width = Infinity }: TerminalOptions): string[] {
  const { causes, listConsequences } = listRootCauses(report.findings);
  const maxLength = Math.min(width, MAX_SENTENCE_CHARACTERS) - 5;
  const writeCause = (cause: Cause): string[] => {
    const [worst] = cause;
    const { places, received, untested } = overview.describeCause(report, cause);
    const effectSentences = listConsequences(cause).map((effect) => writeSentence(report, effect, paint).trim());
    return [
      writeSentence(report, cause, paint),
      ...(causes.length > MAX_DETAILED_CAUSES
        ? [shortenText(`     ${places}; ${writeVersus(worst.expected, received)}`, maxLength)]
        : writeDetails(report, cause, paint)),
      ...effectSentences.map(
        (sentence) => `     probably a consequence of no. ${overview.getFindingNumber(report, worst)}:  ${sentence}`,
      ),
      ...(untested === null ? [] : [paint('dim', `     This fault prevented tests of ${untested}`)]),
    ];
  };
  return takeFirstItems(causes.map(writeCause), MAX_SHOWN_CAUSES, (more) => [`and ${more} more in the report`]).flat();
}

function writeSentence(report: Report, [worst]: Cause, paint: Paint): string {
  const { number, label, title } = overview.describeFinding(report, worst);
  const ink = worst.verdict === 'fail' ? 'red' : 'yellow';
  return `${paint('dim', String(number).padStart(3))}  ${paint([ink, 'bold'], label)}  ${title}`;
}

function writeDetails(report: Report, cause: Cause, paint: Paint): string[] {
  const [worst] = cause;
  const { source, repetitionNotes, raceNotes, replayCommand, curlCommand } = overview.describeFinding(report, worst);
  const received = describeReceivedValues(worst, MAX_VALUE_LENGTH);
  const parts = {
    clause: [`${worst.clause} (${source})`],
    where: [`${overview.describeCause(report, cause).places}, ${worst.instance ?? worst.pointer}`],
    expected: [worst.expected],
    received: takeFirstItems(received, MAX_VALUES, (more) => `and ${more} more kinds in the report`),
    compare: describeReferenceDifference(report, worst),
    'at once': raceNotes,
    again: repetitionNotes,
  };
  return [
    ...Object.entries(parts).flatMap(([name, texts]) =>
      texts.map(
        (text, index) => `     ${(index === 0 ? name : '').padEnd(10)}${shortenText(text, MAX_SENTENCE_CHARACTERS)}`,
      ),
    ),
    ...(replayCommand === null ? [] : [`     replay    ${replayCommand}`]),
    ...(curlCommand === null ? [] : [paint('dim', `     request   ${curlCommand}`)]),
  ];
}

function writeFileLines(report: Report, paint: Paint, options: TerminalOptions): string[] {
  const { gate, configuration } = report;
  const { outcome, reasonText, untestedNote } = overview.describeGate(report);
  const finding = overview.chooseFinding(report);
  const exit = options.afterwards === true ? '' : ` (exit status ${gate.exitStatus})`;
  const number = finding === undefined ? 1 : overview.getFindingNumber(report, finding);
  const command = replaceCommands(`npm run report -- ${overview.locateReport(report)} --finding ${number}`);
  const reasonNote = options.path === undefined ? '' : `: ${options.path}#not-tested says why`;
  const requests = configuration.length > 0 ? [] : [describeRequests(report)];
  const file = options.path === undefined ? [] : [`Report: ${paint('bold', options.path)}`];
  return [
    `${outcome}: ${reasonText}${exit}`,
    ...(untestedNote === '' ? [] : [`${untestedNote}${reasonNote}`]),
    [...requests, ...file].join('. '),
    ...(options.path === undefined || finding === undefined
      ? []
      : [`This command shows finding ${number} with its requests: ${command}`]),
    ...(report.target.embedded ? [paint('yellow', `BASE_URL is not set: this run judged ${EMBEDDED_BANK}.`)] : []),
  ];
}
