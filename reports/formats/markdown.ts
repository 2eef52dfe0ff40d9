/** Writes the summary of a CI job in Markdown, for a reviewer. Text of the bank cannot become mark-up. */
import { describeKnownFindings } from '../baseline/expected-failures.ts';
import { groupCauses, type Cause } from '../build/causes.ts';
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

function escapeMarkdown(text: string, maxLength = 300): string {
  return shortenText(toOneLine(text), maxLength).replace(/[!-/:-@[-`{-~]/g, (sign) => `&#${sign.codePointAt(0)};`);
}

const writeCode = (text: string, maxLength?: number): string => `<code>${escapeMarkdown(text, maxLength)}</code>`;

const signalSigns = { pass: '🟢', warning: '🟠', fail: '🔴', inconclusive: '🟡' } as const;

const writeDetails = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`<details><summary>${title}</summary>`, '', ...lines, '', '</details>', ''];

export function writeSummary(report: Report): string {
  const { gate, suite, errors } = report;
  const causes = groupCauses(report.findings);
  const untestedLines = [
    ...report.notExercised.operations.map(({ id, why }) => `- ${writeCode(id)}: ${escapeMarkdown(why)}`),
    ...listUntested(report).map(([why, clauses]) => {
      const clauseIds = clauses.map(({ id }) => id);
      return `- ${counted(clauses.length, 'clause')}: ${escapeMarkdown(why)} (${escapeMarkdown(joinFirstItems(clauseIds, 3))})`;
    }),
  ];
  const requestsText = describeRequests(report);

  const faultMessages = errors.map(({ message }) => shortenText(message, 200));
  const { outcome, reasonText, untestedNote } = describeGate(report);
  const notTestedLink = untestedNote === '' ? '' : `. ${escapeMarkdown(untestedNote)}: see “Not tested”.`;
  const { headline, cause } = describeHeadline(report);
  const lines = [
    `## ${signalSigns[chooseSignal(report)]} ${escapeMarkdown(`${headline}${cause}`)}: ${escapeMarkdown(describeBank(report))}`,
    '',
    ...listOtherReasons(report).map((reason) => `${escapeMarkdown(reason, MAX_SENTENCE_LENGTH)}  `),
    '',
    `**${outcome}**: ${escapeMarkdown(reasonText, MAX_SENTENCE_LENGTH)} (exit status ${gate.exitStatus})${notTestedLink}`,
    '',
    ...describeKnownFindings(report.against?.known ?? []).map(
      (note) => `- ${escapeMarkdown(note, MAX_SENTENCE_LENGTH)}`,
    ),
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
          `**The suite itself broke** (${counted(errors.length, 'fault')}); the bank is not the reason: ${escapeMarkdown(joinFirstItems(faultMessages, 2), MAX_SENTENCE_LENGTH)}`,
          '',
        ]),
    `${report.recording === undefined ? requestsText : escapeMarkdown(requestsText)}, suite ${escapeMarkdown(suite.version)}, contract ${writeCode(suite.contractDigest.slice(0, 12))}`,
    '',
  ];
  const text = lines.join('\n');
  if (Buffer.byteLength(text) <= MAX_SUMMARY_BYTES) return text;
  const shortenedText = Buffer.from(text).subarray(0, MAX_SUMMARY_BYTES).toString('utf8');
  return `${shortenedText.slice(0, shortenedText.lastIndexOf('\n'))}\n\nThe summary was cut off here: the report has everything.\n`;
}

function writeFindings(causes: readonly Cause[], report: Report): string[] {
  const shownCauses = causes.slice(0, MAX_SHOWN_CAUSES);
  const commandLines = causes.slice(0, MAX_REPLAY_COMMANDS).flatMap(([worstFinding]) => {
    const { replayCommand, curlCommand } = describeFinding(report, worstFinding);
    const commandTexts = [replayCommand, curlCommand].flatMap((command) =>
      command === null ? [] : writeCode(command, MAX_CURL_LENGTH),
    );
    return commandTexts.length === 0 ? [] : `- ${writeCode(worstFinding.clause)}: ${commandTexts.join(', or ')}`;
  });
  const leftOutCount = causes.length - MAX_SHOWN_CAUSES;
  return [
    '| | Clause | Where | Expected | Received | Seen |',
    '|---|---|---|---|---|---|',
    ...shownCauses.map((cause) => `| ${listCells(cause, report).join(' | ')} |`),
    '',
    ...writeDetails('Replay', commandLines),
    ...(leftOutCount > 0 ? [`and ${leftOutCount} more in the report`, ''] : []),
  ];
}

function listCells([worstFinding, ...otherFindings]: Cause, report: Report): string[] {
  const { label, title, source, receivedValues, frequency, consequenceNotes } = describeFinding(report, worstFinding);
  const moreNote = otherFindings.length > 0 ? ` and ${counted(otherFindings.length, 'more place')}` : '';
  const clause = `${escapeMarkdown(title)} ${writeCode(worstFinding.clause)} (${escapeMarkdown(source)})`;
  return [
    worstFinding.verdict === 'fail' ? `**${escapeMarkdown(label)}**` : escapeMarkdown(label),
    [clause, ...consequenceNotes.map((words) => escapeMarkdown(words))].join('<br>'),
    `${writeCode(worstFinding.operation)} at ${writeCode(formatPlace(worstFinding.pointer))}${moreNote}`,
    escapeMarkdown(worstFinding.expected, 160),
    receivedValues.map((value) => writeCode(value, 160)).join('<br>'),
    frequency,
  ];
}
