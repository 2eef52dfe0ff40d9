/** Writes the summary for the terminal, which can be read in ten seconds. */
import { stripVTControlCharacters, styleText } from 'node:util';
import { groupBy } from '../../openapi/util/group-by.ts';
import { toPrintLine } from '../../openapi/foreign/print.ts';
import { groupCauses, type Cause } from '../fold/root-causes.ts';
import { dependsOnFailedOperations } from '../fold/verdict/reasons.ts';
import type { Report } from '../model/report.ts';
import { shortenText } from '../text/sanitize.ts';
import { describeContrastDifference } from '../text/difference.ts';
import { describeConsequence, getFindingNumber, makeReplayCommand } from '../text/replay.ts';
import { wrapWithIndent } from '../text/wrap.ts';
import {
  describeRepetitions,
  describeRequests,
  describeTestedClauses,
  describeChanges,
  counted,
  describeFewerCases,
  labelFinding,
  takeFirstItems,
  describeConcurrency,
  joinFirstItems,
  joinWithAnd,
  describeFrequency,
  formatPlace,
  describeReceivedValues,
  formatSource,
  formatTargetName,
  formatTime,
  describeVerdict,
} from '../text/phrases.ts';
import { makeCurlLine } from '../text/curl.ts';

interface TerminalOptions {
  readonly color: boolean;
  readonly width?: number;
  readonly path?: string;
  /** True if this process has another exit status than the run. */
  readonly afterwards?: boolean;
}

const MAX_SHOWN_CAUSES = 10;
const MAX_SHOWN_UNTESTED = 6;
const MAX_SHOWN_FAULTS = 3;
/** For each finding, at most this many kinds of received values and this many further places are shown. */
const [MAX_VALUES, MAX_PLACES] = [4, 3];
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
    writeFindings(report, paint),
    // If the configuration is wrong, no request was sent, and the summary only says this.
    ...(report.configuration.length > 0 ? [] : [writeUntestedClauses(report, paint), writeLevelTable(report, paint)]),
    writeFileLines(report, paint, options),
  ];
  const lines = blocks.filter((block) => block.length > 0).flatMap((block) => ['', ...block]);
  const width = Math.max(40, Math.min(options.width ?? Infinity, 110));
  // A command stays on one line, so that it can be copied. In a log, lines have any length.
  const isWhole = (line: string): boolean =>
    options.width === undefined || /^ +(?:replay|request) {3}/.test(stripVTControlCharacters(line));
  const shown = lines
    .map((line) => toPrintLine(line, options.color))
    .flatMap((line) => (isWhole(line) ? line : wrapWithIndent(line, width)));
  return `${shown.join('\n')}\n`;
}

function writeVerdictLines(report: Report, paint: Paint): string[] {
  const { target, verdict, headline, configuration, reasons } = report;
  const ink = ({ conformant: 'green', 'non-conformant': 'red', inconclusive: 'yellow' } as const)[verdict];
  const build = target.build === null ? '' : `, build ${target.build}`;
  const where = target.embedded || target.name === null ? '' : ` at ${target.baseUrl}`;
  const who = configuration.length > 0 ? '' : `  ${formatTargetName(target)}${build}${where}`;
  return [
    `${paint(['bold', ink], `Verdict: ${headline}`)}${who}`,
    ...(reasons.length < 2 ? reasons : reasons.map((reason) => `  - ${reason}`)),
  ];
}

const writeFirstItems = (items: readonly string[], most: number): string[] =>
  takeFirstItems(
    items.map((item) => `  - ${shortenText(item, MAX_SENTENCE_CHARACTERS)}`),
    most,
    (more) => `  and ${more} more in the report`,
  );

function writeComparisons({ suite, against }: Report, paint: Paint): string[] {
  const { overlay, contractDigest } = suite;
  const ofOverlay = overlay && [
    paint(
      ['yellow', 'bold'],
      `The contract was changed by the overlay “${overlay.title}” (${counted(overlay.actions, 'action')})`,
    ),
    paint('dim', `Contract ${contractDigest.slice(0, 16)}…; with the overlay ${overlay.contractDigest.slice(0, 16)}…`),
  ];
  if (against?.changes === undefined) return ofOverlay ?? [];
  const changes = describeChanges(against.changes).map(({ clause, text }) =>
    clause === null ? text : `${clause}: ${text}`,
  );
  const count = changes.length === 0 ? 'nothing' : counted(changes.length, 'thing');
  const since = `Changed since ${formatTime(against.changes.before.startedAt)}: ${count}`;
  return [...(ofOverlay ?? []), paint('bold', since), ...writeFirstItems(changes, MAX_SHOWN_UNTESTED)];
}

function writeFaults({ errors }: Report, paint: Paint): string[] {
  if (errors.length === 0) return [];
  const title = `The suite itself broke (${counted(errors.length, 'fault')}); this says nothing about the bank`;
  const said = errors.map(({ scenario, message }) => {
    const first = message.split('\n').find((line) => line.trim() !== '') ?? '';
    return `${scenario === null ? '' : `“${scenario}”: `}${first}`;
  });
  return [paint(['yellow', 'bold'], title), ...writeFirstItems(said, MAX_SHOWN_FAULTS)];
}

const writeFindings = (report: Report, paint: Paint): string[] =>
  takeFirstItems(
    groupCauses(report.findings).map((cause) => writeFinding(report, cause, paint)),
    MAX_SHOWN_CAUSES,
    (more) => [`and ${more} more in the report`],
  ).flat();

/** Writes a finding; a short form if it is probably a consequence of another finding. */
function writeFinding(report: Report, { worst, findings, consequenceOf }: Cause, paint: Paint): string[] {
  const others = findings
    .slice(1)
    .map((one) => `${one.operation} ${formatPlace(one.pointer)}: ${describeReceivedValues(one)[0] ?? ''}`);
  const received = takeFirstItems(
    describeReceivedValues(worst, MAX_VALUE_LENGTH),
    MAX_VALUES,
    (more) => `and ${more} more kinds in the report`,
  );
  const parts: readonly (readonly [name: string, texts: readonly string[]])[] = [
    ['clause', [worst.statement]],
    ['document', [formatSource(worst.source)]],
    ['expected', [worst.expected]],
    ['received', received],
    ['unlike', describeContrastDifference(report, worst)],
    ['again', describeRepetitions(worst)],
    ['also at', takeFirstItems(others, MAX_PLACES, (more) => `${counted(more, 'more place')} in the report`)],
    ['follows', describeConsequence(report, worst)],
  ];
  const isShort = consequenceOf !== null;
  const shown = parts.filter(([name]) => !isShort || ['expected', 'received', 'follows'].includes(name));
  const replay = makeReplayCommand(report, worst);
  const curl = makeCurlLine(report, worst);
  return [
    `${paint([worst.verdict === 'fail' ? 'red' : 'yellow', 'bold'], labelFinding(worst))} ${paint('bold', worst.clause)}  ${worst.operation}  ${worst.instance ?? formatPlace(worst.pointer)}${paint('dim', `  ${describeFrequency(worst)}, no. ${getFindingNumber(report, worst)}`)}`,
    ...shown.flatMap(([name, texts]) =>
      texts.map((text, at) => `     ${(at === 0 ? name : '').padEnd(10)}${shortenText(text, MAX_SENTENCE_CHARACTERS)}`),
    ),
    ...(replay === null || isShort ? [] : [`     replay    ${replay}`]),
    ...(curl === null || isShort ? [] : [paint('dim', `     request   ${curl}`)]),
  ];
}

/** Writes what was not tested, and why, if the reasons of the verdict do not contain it. */
function writeUntestedClauses(report: Report, paint: Paint): string[] {
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
    ...byReason(clauses.filter((clause) => !dependsOnFailedOperations(clause, operations, report.operations))).map(
      ([ids, why]) => `${joinFirstItems(ids, 3)}: ${why}`,
    ),
  ];
  const silent = operations.length > 0 ? `; ${counted(operations.length, 'operation')} never succeeded` : '';
  return [
    paint(['yellow', 'bold'], `Not tested: ${counted(clauses.length, 'clause')}${silent}`),
    ...writeFirstItems(lines, MAX_SHOWN_UNTESTED),
  ];
}

const verdictOrder = ['fail', 'warning', 'pass', 'observed', 'inconclusive', 'not-applicable'] as const;

function writeLevelTable(report: Report, paint: Paint): string[] {
  const levels = Object.entries(report.counts).map(([level, counts]) => {
    const shown = verdictOrder.filter((verdict) => counts[verdict] > 0);
    const parts = shown.map((verdict) => `${counts[verdict]} ${describeVerdict(verdict, counts[verdict])}`);
    return `${paint('dim', level.padEnd(8))}${parts.join(', ')}`;
  });
  return [...levels, describeTestedClauses(report)];
}

function writeFileLines(report: Report, paint: Paint, options: TerminalOptions): string[] {
  const { gate, configuration } = report;
  const exit = options.afterwards === true ? '' : ` (exit status ${gate.exitStatus})`;
  const kept = describeConcurrency(report);
  const fewer = describeFewerCases(report);
  const ofRun = [
    ...(configuration.length > 0 ? [] : [describeRequests(report)]),
    ...(kept === null ? [] : [`In flight: ${kept}`]),
    ...(fewer.length === 0 ? [] : [`Random cases: ${fewer.join('; ')}`]),
  ];
  return [
    `${gate.pass ? 'Gate passed' : 'Gate failed'}: ${gate.reasons.join('; ')}${exit}`,
    ...ofRun.map((line) => paint('dim', line)),
    ...(options.path === undefined ? [] : [`Report: ${paint('bold', options.path)}`]),
  ];
}
