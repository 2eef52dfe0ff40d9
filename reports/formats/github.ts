/** Writes the worst findings as annotations for GitHub Actions. An annotation is a command in the log, and text of the bank is not. */
import { groupCauses, type Cause } from '../build/causes.ts';
import { failsGate } from '../model/report.ts';
import type { Report } from '../model/report.ts';
import { takeFirstItems } from '../text/phrases.ts';
import { shortenText, escapeHarmful } from '../text/sanitize.ts';
import { describeFinding } from './overview.ts';

/** GitHub shows at most ten errors, ten warnings and ten notices per step. */
const MAX_ANNOTATIONS_PER_KIND = 10;
const MAX_ANNOTATION_CHARACTERS = 2_000;

const escapeData = (text: string): string =>
  shortenText(escapeHarmful(text), MAX_ANNOTATION_CHARACTERS)
    .replaceAll('%', '%25')
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A');
const escapeProperty = (text: string): string => escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** Returns the annotations, one per line; an empty text if there are none. */
export function writeAnnotations(report: Report): string {
  const causes = groupCauses(report.findings);
  const lines = (['error', 'warning', 'notice'] as const).flatMap((command) => {
    const annotations = causes
      .filter((findingsOfCause) => chooseCommand(findingsOfCause, report) === command)
      .map((findingsOfCause) => writeAnnotation(command, findingsOfCause, report));
    // The last annotation of a kind says how many more there are.
    return takeFirstItems(
      annotations,
      annotations.length > MAX_ANNOTATIONS_PER_KIND ? MAX_ANNOTATIONS_PER_KIND - 1 : MAX_ANNOTATIONS_PER_KIND,
      (leftOut) =>
        `::${command} title=${escapeProperty('More in the report')}::${escapeData(`and ${leftOut} more causes`)}`,
    );
  });
  if (report.verdict === 'inconclusive')
    lines.push(`::error title=${escapeProperty('Inconclusive')}::${escapeData(report.reasons[0] ?? '')}`);
  return lines.map((line) => `${line}\n`).join('');
}

/** Returns the command for a cause: `error` if it fails the gate, `notice` if all findings are tolerated. */
function chooseCommand(cause: Cause, { suite }: Report): 'error' | 'warning' | 'notice' {
  if (cause.every(({ known }) => known !== undefined)) return 'notice';
  return cause.some((finding) => failsGate(finding, suite)) ? 'error' : 'warning';
}

function writeAnnotation(command: string, [worstFinding, ...otherFindings]: Cause, report: Report): string {
  const { label, title, receivedValues, place, frequency } = describeFinding(report, worstFinding);
  const file = report.suite.repositoryFile;
  const moreNote = otherFindings.length > 0 ? ` and ${otherFindings.length} more` : '';
  const text = [
    title,
    `expected: ${shortenText(worstFinding.expected, 400)}`,
    ...receivedValues.map((value) => `received: ${shortenText(value, 400)}`),
    `${label}: ${place}${moreNote}, ${frequency}`,
  ];
  const position = file === undefined ? '' : `file=${escapeProperty(file)},line=1,`;
  return `::${command} ${position}title=${escapeProperty(worstFinding.clause)}::${escapeData(text.join('\n'))}`;
}
