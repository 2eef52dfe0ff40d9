/** Writes the summary of a CI job in Markdown, for a reviewer. Text of the bank cannot become mark-up. */
import { groupCauses, type Cause } from '../fold/causes.ts';
import type { Report } from '../model/report.ts';
import { describeConsequence, makeReplayCommand } from '../text/replay.ts';
import { toOneLine, shortenText } from '../text/sanitize.ts';
import {
  areaTitles,
  describeRequests,
  counted,
  labelFinding,
  takeFirstItems,
  joinFirstItems,
  listUntested,
  describeFrequency,
  formatPlace,
  describeReceivedValues,
  formatSource,
  formatTargetName,
} from '../text/phrases.ts';
import { makeCurlLine } from '../text/curl.ts';
import { countByArea } from './overview.ts';

const MAX_SHOWN_CAUSES = 50;
const MAX_SHOWN_UNTESTED_CLAUSES = 30;
const MAX_REPLAY_COMMANDS = 20;
const MAX_CURL_LENGTH = 2_000;
const MAX_SENTENCE_LENGTH = 600;
/** A summary has at most this many bytes. GitHub accepts 1 MiB per step. */
const MAX_SUMMARY_BYTES = 512 * 1024;

function escapePlain(text: string, most = 300): string {
  return shortenText(toOneLine(text), most).replace(/[!-/:-@[-`{-~]/g, (sign) => `&#${sign.codePointAt(0)};`);
}

const writeCode = (text: string, most?: number): string => `<code>${escapePlain(text, most)}</code>`;

const verdictSigns = { conformant: '🟢', 'non-conformant': '🔴', inconclusive: '🟡' } as const;

const writeDetails = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`<details><summary>${title}</summary>`, '', ...lines, '', '</details>', ''];

export function writeSummary(report: Report): string {
  const { target, gate, suite, errors } = report;
  const causes = groupCauses(report.findings);
  const missed = [
    ...report.notExercised.operations.map(({ id, why }) => `- ${writeCode(id)}: ${escapePlain(why)}`),
    ...listUntested(report).map(
      ([why, ids]) =>
        `- ${counted(ids.length, 'clause')}: ${escapePlain(why)} (${escapePlain(joinFirstItems(ids, 3))})`,
    ),
  ];
  const faults = errors.map(({ message }) => shortenText(message, 200));
  const build = target.build === null ? '' : `, build ${escapePlain(target.build)}`;
  const lines = [
    `## ${verdictSigns[report.verdict]} ${escapePlain(report.headline)}: ${escapePlain(formatTargetName(target))}${build}`,
    '',
    ...report.reasons.map((reason) => `${escapePlain(reason, MAX_SENTENCE_LENGTH)}  `),
    '',
    `**${gate.pass ? 'Gate passed' : 'Gate failed'}**: ${escapePlain(gate.reasons.join('; '), MAX_SENTENCE_LENGTH)} (exit status ${gate.exitStatus})`,
    '',
    '| Area | broken | warned | not tested | kept |',
    '|---|--:|--:|--:|--:|',
    ...countByArea(report).map(
      ({ area, broken, warned, untested, kept }) =>
        `| ${areaTitles[area]} | ${broken} | ${warned} | ${untested} | ${kept} |`,
    ),
    '',
    ...(causes.length === 0 ? [] : writeFindings(causes, report)),
    ...writeDetails(
      'Not tested',
      takeFirstItems(missed, MAX_SHOWN_UNTESTED_CLAUSES, (more) => `- and ${more} more`),
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
  const kept = Buffer.from(text).subarray(0, MAX_SUMMARY_BYTES).toString('utf8');
  return `${kept.slice(0, kept.lastIndexOf('\n'))}\n\nThe rest is in the report.\n`;
}

function writeFindings(causes: readonly Cause[], report: Report): string[] {
  const rows = causes.slice(0, MAX_SHOWN_CAUSES).map(({ worst, findings: same }) => {
    const places = same.length > 1 ? ` and ${counted(same.length - 1, 'more place')}` : '';
    const label = escapePlain(labelFinding(worst));
    return `| ${worst.verdict === 'fail' ? `**${label}**` : label} | ${escapePlain(worst.statement)} ${writeCode(worst.clause)} (${escapePlain(formatSource(worst.source))})${describeConsequence(
      report,
      worst,
    )
      .map((words) => `<br>${escapePlain(words)}`)
      .join(
        '',
      )} | ${writeCode(worst.operation)} at ${writeCode(formatPlace(worst.pointer))}${places} | ${escapePlain(worst.expected, 160)} | ${describeReceivedValues(
      worst,
    )
      .map((received) => writeCode(received, 160))
      .join('<br>')} | ${describeFrequency(worst)} |`;
  });
  const commands = causes.slice(0, MAX_REPLAY_COMMANDS).flatMap(({ worst }) => {
    const shown = [makeReplayCommand(report, worst), makeCurlLine(report, worst)].flatMap((command) => command ?? []);
    const words = shown.map((command) => writeCode(command, MAX_CURL_LENGTH)).join(', or ');
    return shown.length === 0 ? [] : `- ${writeCode(worst.clause)}: ${words}`;
  });
  const more = causes.length - MAX_SHOWN_CAUSES;
  return [
    '| | Clause | Where | Expected | Received | Seen |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
    ...writeDetails('Replay', commands),
    ...(more > 0 ? [`and ${more} more in the report`, ''] : []),
  ];
}
