/** Makes the command to replay a finding. */
import { replaceCommands } from '../../openapi/util/installation.ts';
import type { Finding, Report } from '../model/report.ts';
import { quoteForShell } from './curl.ts';

export const getFindingNumber = ({ findings }: Pick<Report, 'findings'>, { id }: Pick<Finding, 'id'>): number =>
  findings.findIndex((one) => one.id === id) + 1;

/** Names the finding of which this finding is probably a consequence; an empty list if there is none. */
export function describeConsequence(report: Pick<Report, 'findings'>, { consequenceOf }: Finding): string[] {
  const cause = report.findings.find(({ id }) => id === consequenceOf);
  return cause === undefined
    ? []
    : [`Probably a consequence of no. ${getFindingNumber(report, cause)}, ${cause.clause}.`];
}

export function locateReport({ suite }: Report): string {
  const folder = (suite.settings?.['REPORT_DIR'] ?? 'reports/out').replace(/[\\/]+$/, '');
  // A path that begins with a dash would be read as an option.
  return quoteForShell(`${folder.startsWith('-') ? './' : ''}${folder}/conformance.json`);
}

/** Returns the command that replays a finding: `npm run replay -- reports/out/conformance.json 3`; null for recorded traffic. */
export const makeReplayCommand = (report: Report, finding: Finding): string | null =>
  report.recording === undefined
    ? replaceCommands(`npm run replay -- ${locateReport(report)} ${getFindingNumber(report, finding)}`)
    : null;
