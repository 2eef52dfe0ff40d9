/** Annotations of GitHub Actions: the worst findings as commands in the log. Foreign text cannot become a command. */
import { causesOf } from '../fold/root-causes.ts';
import type { Finding, Report } from '../model/report.ts';
import { oftenInWords } from '../text/phrases.ts';
import { shortened, visible } from '../text/sanitize.ts';
import { contractLine, contractPath } from './contract-lines.ts';

/** GitHub shows ten errors and ten warnings of one step. */
const MAX_PER_KIND = 10;
const MAX_CHARACTERS = 2_000;

const data = (text: string): string =>
  shortened(visible(text), MAX_CHARACTERS).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** The annotations, one a line; empty where there is nothing to say. */
export function annotations(report: Report): string {
  const causes = causesOf(report.findings);
  const lines = (['fail', 'warning'] as const).flatMap((verdict) => {
    const mine = causes.filter(({ worst }) => worst.verdict === verdict);
    // The last one of a kind says how many more there are.
    const shown = mine.length > MAX_PER_KIND ? MAX_PER_KIND - 1 : mine.length;
    const command = verdict === 'fail' ? 'error' : 'warning';
    return [
      ...mine.slice(0, shown).map(({ worst, findings }) => annotation(command, worst, findings.length)),
      ...(mine.length > shown
        ? [`::${command} title=${property('More in the report')}::${data(`and ${mine.length - shown} more causes`)}`]
        : []),
    ];
  });
  for (const reason of report.verdict === 'inconclusive' ? report.reasons.slice(0, 1) : [])
    lines.push(`::error title=${property('Inconclusive')}::${data(reason)}`);
  return lines.map((line) => `${line}\n`).join('');
}

function annotation(command: 'error' | 'warning', finding: Finding, places: number): string {
  const { clause, operation, pointer, statement, expected, received } = finding;
  const where = `${operation} at ${pointer === '' ? 'the whole body' : pointer}${places > 1 ? ` and ${places - 1} more` : ''}`;
  const line = contractLine(clause, operation);
  const text = `${statement}\nexpected ${shortened(expected, 400)}\nreceived ${shortened(received, 400)}\n${where}, ${oftenInWords(finding)}`;
  return `::${command} file=${contractPath},line=${line},title=${property(clause)}::${data(text)}`;
}
