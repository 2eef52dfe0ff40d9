/** Makes the command to replay a finding. */
import { withCommands } from '../../openapi/util/installation.ts';
import type { Finding, Report } from '../model/report.ts';
import { quoted } from './curl.ts';

/** Returns the number of a finding in its report, from 1. */
export const numberOf = ({ findings }: Pick<Report, 'findings'>, { id }: Pick<Finding, 'id'>): number =>
  findings.findIndex((one) => one.id === id) + 1;

/** Says which finding this finding probably follows from; an empty list if there is none. */
export function consequenceInWords(report: Pick<Report, 'findings'>, { consequenceOf }: Finding): string[] {
  const cause = report.findings.find(({ id }) => id === consequenceOf);
  return cause === undefined ? [] : [`Probably a consequence of no. ${numberOf(report, cause)}, ${cause.clause}.`];
}

/** `npm run replay -- reports/out/conformance.json 3`: the third finding of that report; null for recorded traffic. */
export function replayCommand(report: Report, finding: Finding): string | null {
  const { suite, recording } = report;
  if (recording !== undefined) return null;
  const folder = (suite.settings?.['REPORT_DIR'] ?? 'reports/out').replace(/[\\/]+$/, '');
  // A path that begins with a dash would be read as an option.
  const file = `${folder.startsWith('-') ? './' : ''}${folder}/conformance.json`;
  return withCommands(`npm run replay -- ${quoted(file)} ${numberOf(report, finding)}`);
}
