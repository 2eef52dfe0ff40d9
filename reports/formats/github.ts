/** Writes annotations for GitHub Actions: the worst findings as commands in the log. Foreign text cannot become a command. */
import { causesOf, type Cause } from '../fold/root-causes.ts';
import type { Report } from '../model/report.ts';
import { findingLabel, firstOf, oftenInWords, placeName, receivedInWords } from '../text/phrases.ts';
import { shortened, visible } from '../text/sanitize.ts';

/** GitHub shows at most ten errors, ten warnings and ten notices per step. */
const MAX_PER_KIND = 10;
const MAX_CHARACTERS = 2_000;

const data = (text: string): string =>
  shortened(visible(text), MAX_CHARACTERS).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** Returns the annotations, one per line; an empty text if there are none. */
export function annotations(report: Report): string {
  const causes = causesOf(report.findings);
  const lines = (['error', 'warning', 'notice'] as const).flatMap((command) => {
    const all = causes
      .filter((cause) => commandOf(cause) === command)
      .map((cause) => annotation(command, cause, report));
    // The last annotation of a kind says how many more there are.
    return firstOf(all, all.length > MAX_PER_KIND ? MAX_PER_KIND - 1 : MAX_PER_KIND, (more) => {
      return `::${command} title=${property('More in the report')}::${data(`and ${more} more causes`)}`;
    });
  });
  if (report.verdict === 'inconclusive')
    lines.push(`::error title=${property('Inconclusive')}::${data(report.reasons[0] ?? '')}`);
  return lines.map((line) => `${line}\n`).join('');
}

/** Returns the command for a cause: `notice` if all of its findings are tolerated, as these do not fail the gate. */
function commandOf({ worst, findings }: Cause): 'error' | 'warning' | 'notice' {
  if (findings.every(({ known }) => known !== undefined)) return 'notice';
  return worst.verdict === 'fail' ? 'error' : 'warning';
}

function annotation(command: string, { worst, findings }: Cause, { suite }: Report): string {
  const { clause, operation, pointer, statement, expected } = worst;
  const more = findings.length > 1 ? ` and ${findings.length - 1} more` : '';
  const text = [
    statement,
    `expected ${shortened(expected, 400)}`,
    ...receivedInWords(worst).map((received) => `received ${shortened(received, 400)}`),
    `${findingLabel(worst)}: ${operation} at ${placeName(pointer)}${more}, ${oftenInWords(worst)}`,
  ];
  const file = suite.repositoryFile === undefined ? '' : `file=${property(suite.repositoryFile)},line=1,`;
  return `::${command} ${file}title=${property(clause)}::${data(text.join('\n'))}`;
}
