/** The summary of a CI job: what a reviewer reads before opening the report. Markdown in which foreign text stays text. */
import { causesOf } from '../fold/root-causes.ts';
import type { Report } from '../model/report.ts';
import { replayCommand } from '../text/replay.ts';
import { oneLine, shortened } from '../text/sanitize.ts';
import {
  counted,
  duration,
  listedUpTo,
  mustsNotTested,
  oftenInWords,
  recordingInWords,
  sourceName,
  targetName,
} from '../text/phrases.ts';

const MAX_CAUSES = 50;
const MAX_MISSED = 30;
const MAX_COMMANDS = 20;
const MAX_CURL = 2_000;
/** GitHub takes 1 MiB of one step; a summary is far shorter. */
const MAX_BYTES = 512 * 1024;

/** Text that Markdown takes for nothing but text: every sign is written by its number. */
function plain(text: string, most = 300): string {
  return shortened(oneLine(text), most).replace(/[!-/:-@[-`{-~]/g, (sign) => `&#${sign.codePointAt(0)};`);
}

const code = (text: string, most?: number): string => `<code>${plain(text, most)}</code>`;

const signs = { conformant: '🟢', 'non-conformant': '🔴', inconclusive: '🟡' } as const;

/** The summary as Markdown. */
export function jobSummary(report: Report): string {
  const { target, gate, suite, counts } = report;
  const causes = causesOf(report.findings);
  const rows = causes.slice(0, MAX_CAUSES).map(({ worst, findings }) => {
    const places = findings.length > 1 ? ` and ${counted(findings.length - 1, 'more place')}` : '';
    return `| ${worst.verdict === 'fail' ? '**broken**' : 'warning'} | ${plain(worst.statement)} ${code(worst.clause)} (${plain(sourceName(worst.source))}) | ${code(worst.operation)} at ${code(worst.pointer || 'the whole body')}${places} | ${plain(worst.expected, 160)} | ${code(worst.received, 160)} | ${oftenInWords(worst)} |`;
  });
  const missed = [
    ...report.notExercised.operations.map(({ id, why }) => `- ${code(id)}: ${plain(why)}`),
    ...mustsNotTested(report).map(
      ([why, ids]) => `- ${counted(ids.length, 'clause')}: ${plain(why)} (${plain(listedUpTo(ids, 3))})`,
    ),
  ];
  const lines = [
    `## ${signs[report.verdict]} ${plain(report.headline)}: ${plain(targetName(target))}${target.build === null ? '' : `, build ${plain(target.build)}`}`,
    '',
    ...report.reasons.map((reason) => `${plain(reason, 600)}  `),
    '',
    `**${gate.pass ? 'Gate passed' : 'Gate failed'}**: ${plain(gate.reasons.join('; '), 600)} (exit status ${gate.exitStatus})`,
    '',
    `must: ${counts.must.fail} broken, ${counts.must.pass} kept, ${counts.must.inconclusive} not tested · should: ${counted(counts.should.warning, 'warning')}, ${counts.should.pass} kept · open: ${counts.open.observed} observed`,
    '',
    ...(rows.length === 0
      ? []
      : [
          '| | Clause | Where | Expected | Received | Seen |',
          '|---|---|---|---|---|---|',
          ...rows,
          '',
          ...again(report),
          '',
        ]),
    ...(causes.length > MAX_CAUSES ? [`and ${causes.length - MAX_CAUSES} more in the report`, ''] : []),
    ...(missed.length === 0
      ? []
      : [
          '<details><summary>Not tested</summary>',
          '',
          ...missed.slice(0, MAX_MISSED),
          ...(missed.length > MAX_MISSED ? [`- and ${missed.length - MAX_MISSED} more`] : []),
          '',
          '</details>',
          '',
        ]),
    ...(report.errors.length === 0
      ? []
      : [
          `**The suite itself broke** (${counted(report.errors.length, 'fault')}); this says nothing about the bank: ${plain(
            listedUpTo(
              report.errors.map(({ message }) => shortened(message, 200)),
              2,
            ),
            600,
          )}`,
          '',
        ]),
    `${report.recording === undefined ? `${counted(report.requests, 'request')} in ${duration(report.durationMs)}, seed ${suite.seed}` : plain(recordingInWords(report.recording))}, suite ${plain(suite.version)}, contract ${code(suite.contractDigest.slice(0, 12))}`,
    '',
  ];
  return cutToBytes(lines.join('\n'));
}

/** What asks the findings again, folded away. */
function again(report: Report): string[] {
  const shown = causesOf(report.findings).slice(0, MAX_COMMANDS);
  const commands = shown.flatMap(({ worst }) => {
    const asked = [replayCommand(report, worst), worst.curl].filter((command) => command !== null);
    return asked.length === 0
      ? []
      : [`- ${code(worst.clause)}: ${asked.map((command) => code(command, MAX_CURL)).join(', or ')}`];
  });
  return ['<details><summary>Replay</summary>', '', ...commands, '', '</details>'];
}

function cutToBytes(text: string): string {
  if (Buffer.byteLength(text) <= MAX_BYTES) return text;
  const kept = Buffer.from(text).subarray(0, MAX_BYTES).toString('utf8');
  return `${kept.slice(0, kept.lastIndexOf('\n'))}\n\nThe rest is in the report.\n`;
}
