/** Writes the summary of a CI job in Markdown, for a reviewer. Foreign text cannot become mark-up. */
import { causesOf, type Cause } from '../fold/root-causes.ts';
import type { Report } from '../model/report.ts';
import { consequenceInWords, replayCommand } from '../text/replay.ts';
import { oneLine, shortened } from '../text/sanitize.ts';
import {
  askedInWords,
  behaviourTested,
  counted,
  findingLabel,
  firstOf,
  listedUpTo,
  mustsNotTested,
  oftenInWords,
  placeName,
  receivedInWords,
  sourceName,
  targetName,
} from '../text/phrases.ts';

const MAX_CAUSES = 50;
const MAX_MISSED = 30;
const MAX_COMMANDS = 20;
const MAX_CURL = 2_000;
const MAX_SENTENCE = 600;
/** A summary has at most this many bytes. GitHub accepts 1 MiB per step. */
const MAX_BYTES = 512 * 1024;

/** Escapes a text for Markdown: writes every sign as its number. */
function plain(text: string, most = 300): string {
  return shortened(oneLine(text), most).replace(/[!-/:-@[-`{-~]/g, (sign) => `&#${sign.codePointAt(0)};`);
}

const code = (text: string, most?: number): string => `<code>${plain(text, most)}</code>`;

const signs = { conformant: '🟢', 'non-conformant': '🔴', inconclusive: '🟡' } as const;

/** Makes a closed block of lines; an empty list without lines. */
const details = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`<details><summary>${title}</summary>`, '', ...lines, '', '</details>', ''];

/** Writes the summary as Markdown. */
export function jobSummary(report: Report): string {
  const { target, gate, suite, counts, errors } = report;
  const causes = causesOf(report.findings);
  const missed = [
    ...report.notExercised.operations.map(({ id, why }) => `- ${code(id)}: ${plain(why)}`),
    ...mustsNotTested(report).map(
      ([why, ids]) => `- ${counted(ids.length, 'clause')}: ${plain(why)} (${plain(listedUpTo(ids, 3))})`,
    ),
  ];
  const faults = errors.map(({ message }) => shortened(message, 200));
  const build = target.build === null ? '' : `, build ${plain(target.build)}`;
  const lines = [
    `## ${signs[report.verdict]} ${plain(report.headline)}: ${plain(targetName(target))}${build}`,
    '',
    ...report.reasons.map((reason) => `${plain(reason, MAX_SENTENCE)}  `),
    `${plain(behaviourTested(report), MAX_SENTENCE)}  `,
    '',
    `**${gate.pass ? 'Gate passed' : 'Gate failed'}**: ${plain(gate.reasons.join('; '), MAX_SENTENCE)} (exit status ${gate.exitStatus})`,
    '',
    `must: ${counts.must.fail} broken, ${counts.must.pass} kept, ${counts.must.inconclusive} not tested · should: ${counted(counts.should.warning, 'warning')}, ${counts.should.pass} kept · open: ${counts.open.observed} observed`,
    '',
    ...(causes.length === 0 ? [] : findings(causes, report)),
    ...details(
      'Not tested',
      firstOf(missed, MAX_MISSED, (more) => `- and ${more} more`),
    ),
    ...(errors.length === 0
      ? []
      : [
          `**The suite itself broke** (${counted(errors.length, 'fault')}); this says nothing about the bank: ${plain(listedUpTo(faults, 2), MAX_SENTENCE)}`,
          '',
        ]),
    `${report.recording === undefined ? askedInWords(report) : plain(askedInWords(report))}, suite ${plain(suite.version)}, contract ${code(suite.contractDigest.slice(0, 12))}`,
    '',
  ];
  const text = lines.join('\n');
  if (Buffer.byteLength(text) <= MAX_BYTES) return text;
  const kept = Buffer.from(text).subarray(0, MAX_BYTES).toString('utf8');
  return `${kept.slice(0, kept.lastIndexOf('\n'))}\n\nThe rest is in the report.\n`;
}

/** Writes the causes as a table, with commands to replay them. */
function findings(causes: readonly Cause[], report: Report): string[] {
  const rows = causes.slice(0, MAX_CAUSES).map(({ worst, findings: same }) => {
    const places = same.length > 1 ? ` and ${counted(same.length - 1, 'more place')}` : '';
    const label = plain(findingLabel(worst));
    return `| ${worst.verdict === 'fail' ? `**${label}**` : label} | ${plain(worst.statement)} ${code(worst.clause)} (${plain(sourceName(worst.source))})${consequenceInWords(
      report,
      worst,
    )
      .map((words) => `<br>${plain(words)}`)
      .join(
        '',
      )} | ${code(worst.operation)} at ${code(placeName(worst.pointer))}${places} | ${plain(worst.expected, 160)} | ${receivedInWords(
      worst,
    )
      .map((received) => code(received, 160))
      .join('<br>')} | ${oftenInWords(worst)} |`;
  });
  const commands = causes.slice(0, MAX_COMMANDS).flatMap(({ worst }) => {
    const shown = [replayCommand(report, worst), worst.curl].flatMap((command) => command ?? []);
    const words = shown.map((command) => code(command, MAX_CURL)).join(', or ');
    return shown.length === 0 ? [] : `- ${code(worst.clause)}: ${words}`;
  });
  const more = causes.length - MAX_CAUSES;
  return [
    '| | Clause | Where | Expected | Received | Seen |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
    ...details('Replay', commands),
    ...(more > 0 ? [`and ${more} more in the report`, ''] : []),
  ];
}
