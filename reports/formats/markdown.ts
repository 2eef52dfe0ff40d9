/** Writes the summary of a CI job in Markdown, for a reviewer. Text of the bank cannot become mark-up. */
import { describeKnownFindings } from '../baseline/expected-failures.ts';
import { groupCauses, type Cause } from '../fold/causes.ts';
import type { Report } from '../model/report.ts';
import { toOneLine, shortenText } from '../text/sanitize.ts';
import { areaTitles, describeRequests, counted, takeFirstItems, joinFirstItems, formatPlace } from '../text/phrases.ts';
import {
  chooseSignal,
  countByArea,
  countColumns,
  describeBank,
  describeFinding,
  describeGate,
  describeHeadline,
  listOtherReasons,
  listUntested,
} from './overview.ts';

const MAX_SHOWN_CAUSES = 50;
const MAX_SHOWN_UNTESTED_CLAUSES = 30;
const MAX_REPLAY_COMMANDS = 20;
const MAX_CURL_LENGTH = 2_000;
const MAX_SENTENCE_LENGTH = 600;
/** A summary has at most this many bytes. GitHub accepts 1 MiB per step. */
const MAX_SUMMARY_BYTES = 512 * 1024;

function escapePlain(text: string, maxLength = 300): string {
  return shortenText(toOneLine(text), maxLength).replace(/[!-/:-@[-`{-~]/g, (sign) => `&#${sign.codePointAt(0)};`);
}

const writeCode = (text: string, maxLength?: number): string => `<code>${escapePlain(text, maxLength)}</code>`;

const signs = { pass: '🟢', warning: '🟠', fail: '🔴', inconclusive: '🟡' } as const;

const writeDetails = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`<details><summary>${title}</summary>`, '', ...lines, '', '</details>', ''];

export function writeSummary(report: Report): string {
  const { gate, suite, errors } = report;
  const causes = groupCauses(report.findings);
  const untestedLines = [
    ...report.notExercised.operations.map(({ id, why }) => `- ${writeCode(id)}: ${escapePlain(why)}`),
    ...listUntested(report).map(
      ([why, clauses]) =>
        `- ${counted(clauses.length, 'clause')}: ${escapePlain(why)} (${escapePlain(
          joinFirstItems(
            clauses.map(({ id }) => id),
            3,
          ),
        )})`,
    ),
  ];
  const faults = errors.map(({ message }) => shortenText(message, 200));
  const { outcome, because, untested } = describeGate(report);
  const { headline, cause } = describeHeadline(report);
  const lines = [
    `## ${signs[chooseSignal(report)]} ${escapePlain(`${headline}${cause}`)}: ${escapePlain(describeBank(report))}`,
    '',
    ...listOtherReasons(report).map((reason) => `${escapePlain(reason, MAX_SENTENCE_LENGTH)}  `),
    '',
    `**${outcome}**: ${escapePlain(because, MAX_SENTENCE_LENGTH)} (exit status ${gate.exitStatus})${untested === '' ? '' : `. ${escapePlain(untested)}: see “Not tested”.`}`,
    '',
    ...describeKnownFindings(report.against?.known ?? []).map((note) => `- ${escapePlain(note, MAX_SENTENCE_LENGTH)}`),
    '',
    `| Area | ${countColumns.map(({ name }) => name).join(' | ')} |`,
    '|---|--:|--:|--:|--:|',
    ...countByArea(report).map(({ area, counts }) => `| ${areaTitles[area]} | ${counts.join(' | ')} |`),
    '',
    ...(causes.length === 0 ? [] : writeFindings(causes, report)),
    ...writeDetails(
      'Not tested',
      takeFirstItems(untestedLines, MAX_SHOWN_UNTESTED_CLAUSES, (more) => `- and ${more} more`),
    ),
    ...(errors.length === 0
      ? []
      : [
          `**The suite itself broke** (${counted(errors.length, 'fault')}); the bank is not the reason: ${escapePlain(joinFirstItems(faults, 2), MAX_SENTENCE_LENGTH)}`,
          '',
        ]),
    `${report.recording === undefined ? describeRequests(report) : escapePlain(describeRequests(report))}, suite ${escapePlain(suite.version)}, contract ${writeCode(suite.contractDigest.slice(0, 12))}`,
    '',
  ];
  const text = lines.join('\n');
  if (Buffer.byteLength(text) <= MAX_SUMMARY_BYTES) return text;
  const shortenedText = Buffer.from(text).subarray(0, MAX_SUMMARY_BYTES).toString('utf8');
  return `${shortenedText.slice(0, shortenedText.lastIndexOf('\n'))}\n\nThe summary was cut off here: the report has everything.\n`;
}

function writeFindings(causes: readonly Cause[], report: Report): string[] {
  const shownCauses = causes.slice(0, MAX_SHOWN_CAUSES);
  const commands = causes.slice(0, MAX_REPLAY_COMMANDS).flatMap(([worst]) => {
    const { replay, curl } = describeFinding(report, worst);
    const codes = [replay, curl].flatMap((command) => (command === null ? [] : writeCode(command, MAX_CURL_LENGTH)));
    return codes.length === 0 ? [] : `- ${writeCode(worst.clause)}: ${codes.join(', or ')}`;
  });
  const more = causes.length - MAX_SHOWN_CAUSES;
  return [
    '| | Clause | Where | Expected | Received | Seen |',
    '|---|---|---|---|---|---|',
    ...shownCauses.map((cause) => `| ${listCells(cause, report).join(' | ')} |`),
    '',
    ...writeDetails('Replay', commands),
    ...(more > 0 ? [`and ${more} more in the report`, ''] : []),
  ];
}

function listCells([worst, ...others]: Cause, report: Report): string[] {
  const { label, title, source, received, frequency, consequence } = describeFinding(report, worst);
  const places = others.length > 0 ? ` and ${counted(others.length, 'more place')}` : '';
  const clause = `${escapePlain(title)} ${writeCode(worst.clause)} (${escapePlain(source)})`;
  return [
    worst.verdict === 'fail' ? `**${escapePlain(label)}**` : escapePlain(label),
    [clause, ...consequence.map((words) => escapePlain(words))].join('<br>'),
    `${writeCode(worst.operation)} at ${writeCode(formatPlace(worst.pointer))}${places}`,
    escapePlain(worst.expected, 160),
    received.map((value) => writeCode(value, 160)).join('<br>'),
    frequency,
  ];
}
