/** Makes the command to replay a finding. */
import { withCommands } from '../../openapi/util/installation.ts';
import type { Finding, Report } from '../model/report.ts';
import { quoted } from './curl.ts';

/** `npm run replay -- reports/out/conformance.json 3`: the third finding of that report; null for recorded traffic. */
export function replayCommand({ findings, suite, recording }: Report, finding: Finding): string | null {
  if (recording !== undefined) return null;
  const folder = (suite.settings?.['REPORT_DIR'] ?? 'reports/out').replace(/[\\/]+$/, '');
  const number = findings.findIndex(({ id }) => id === finding.id) + 1;
  // A path that begins with a dash would be read as an option.
  const file = `${folder.startsWith('-') ? './' : ''}${folder}/conformance.json`;
  return withCommands(`npm run replay -- ${quoted(file)} ${number}`);
}
