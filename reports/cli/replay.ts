/** `npm run replay`: asks a finding again with the settings that led to it, and says whether it still shows. */
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { defineCommand, runIfMain } from '../../openapi/util/command.ts';
import { replayEnvironment } from '../../fixtures/config/variables/recorded.ts';
import { fileNames } from '../formats/paths.ts';
import { readReport } from '../journal/read-report.ts';
import type { Finding, Report } from '../model/report.ts';
import { counted, oftenInWords } from '../text/phrases.ts';
import { oneLine, shortened, visible } from '../text/sanitize.ts';

const usage = `Sends the requests of a finding again: same scenario, seed and settings, with fresh ids.

  npm run replay -- <conformance.json> <number or id of the finding> [options]

  --base-url <url>   another address than that in the report
  --help             this text

Credentials come from the environment or .env, as for a run. The report of the replay goes to the folder
"replay" beside the given report. Exit status: 1 reproduced, 0 not reproduced, 2 could not be asked.
`;

const REPLAY_FOLDER = 'replay';
const MAX_RECEIVED = 300;

type Replayed =
  | { readonly as: 'reproduced'; readonly finding: Finding; readonly report: Report }
  | { readonly as: 'not reproduced' | 'not asked'; readonly why: string; readonly report: Report | null };

function findingIn({ findings }: Report, file: string, named: string): Finding {
  const found =
    findings.find(({ id }) => id === named) ?? (/^\d+$/.test(named) ? findings[Number(named) - 1] : undefined);
  if (found !== undefined) return found;
  throw new Error(
    findings.length === 0
      ? `${file} has no finding to replay.`
      : `${file} has no finding ${JSON.stringify(named)}: give a number from 1 to ${findings.length}, or the id of a finding.`,
  );
}

/** Runs the suite with these settings and gives the report that it wrote to `folder`, or null. */
async function run(settings: Readonly<Record<string, string>>, folder: string): Promise<Report | null> {
  rmSync(path.join(folder, fileNames.json), { force: true });
  const cli = require.resolve('@playwright/test/cli');
  const config = path.join(__dirname, '../../playwright.config.ts');
  const words = [cli, 'test', `--config=${config}`, '--project=conformance'];
  const child = spawn(process.execPath, words, { env: replayEnvironment(settings), stdio: 'ignore' });
  await new Promise((done, fail) => child.once('close', done).once('error', fail));
  try {
    return readReport(path.join(folder, fileNames.json));
  } catch {
    return null;
  }
}

/** What a replay says about a finding: seen again, kept where its clause was put to the test, or not asked. */
function compared(finding: Finding, report: Report | null): Replayed {
  if (report === null) return { as: 'not asked', why: 'the run wrote no report.', report };
  const fault = report.configuration[0] ?? report.errors[0]?.message;
  const same = report.findings.filter(
    ({ clause, operation, pointer }) =>
      clause === finding.clause && operation === finding.operation && pointer === finding.pointer,
  );
  const again = same.find(({ id }) => id === finding.id) ?? same[0];
  if (again !== undefined) return { as: 'reproduced', finding: again, report };
  if (fault !== undefined) return { as: 'not asked', why: oneLine(fault), report };
  const clause = report.clauses.find(({ id }) => id === finding.clause);
  const { places = [], exercised = 0 } = clause ?? {};
  const tested =
    places.length === 0 ? exercised : (places.find(({ operation }) => operation === finding.operation)?.exercised ?? 0);
  if (tested === 0)
    return { as: 'not asked', why: clause?.why ?? report.reasons[0] ?? 'nothing put it to the test.', report };
  return {
    as: 'not reproduced',
    why: `${finding.clause} was kept in ${counted(tested, (finding.unit ?? 'answers').slice(0, -1))}.`,
    report,
  };
}

/** True of a finding that one exchange, or the scenario that made it, shows by itself. */
export function isOfOneScenario({ kind, alone, classification, answers, exercised }: Finding): boolean {
  const as = classification?.as;
  if (as === 'state-dependent') return false;
  // Of a refused documented request: one that is accepted settles it.
  if (kind === 'behaviour' || kind === 'refused') return true;
  const comesAndGoes = as !== 'deterministic' && answers < exercised;
  return !comesAndGoes && alone === true;
}

async function replayed(
  finding: Finding,
  report: Report,
  folder: string,
  baseUrl: string | undefined,
): Promise<Replayed> {
  const { suite, target } = report;
  const url = baseUrl ?? (target.embedded ? undefined : target.baseUrl);
  const area = report.operations.find(({ method, path: at }) => `${method} ${at}` === finding.operation)?.area;
  const { REPLAY: _, ...given } = suite.settings ?? {};
  const settings = {
    ...given,
    SEED: String(suite.seed),
    RUNS: String(suite.runs),
    AREAS: area ?? target.areas.join(','),
    ...(url === undefined ? {} : { BASE_URL: url }),
  };
  const own = path.join(folder, REPLAY_FOLDER);
  const alone = compared(finding, await run({ ...settings, REPORT_DIR: folder, REPLAY: finding.replay }, own));
  const isSettled =
    alone.as === 'not reproduced' ? isOfOneScenario(finding) : (alone.report?.configuration.length ?? 1) > 0;
  if (alone.as === 'reproduced' || isSettled) return alone;
  // What rests on several scenarios shows only where the others of its area ask too.
  return compared(finding, await run({ ...settings, REPORT_DIR: own }, own));
}

/** `npm run replay`. */
export const replayCommand = defineCommand({
  usage,
  options: { 'base-url': { type: 'string' } },
  positionals: [2, 2],
  async run({ values, positionals: [file = '', named = ''] }, print) {
    const report = readReport(file, { isOlderUsable: false });
    const finding = findingIn(report, file, named);
    const folder = path.resolve(path.dirname(file));
    print(`Asking again: ${finding.clause} at ${visible(finding.operation)}, seed ${report.suite.seed}\n`);
    const result = await replayed(finding, report, folder, values['base-url']);
    const page = path.relative(process.cwd(), path.join(folder, REPLAY_FOLDER, fileNames.html));
    const asked = result.report === null ? '' : `${counted(result.report.requests, 'request')}; report: ${page}\n`;
    if (result.as === 'reproduced') {
      const received = shortened(oneLine(result.finding.received), MAX_RECEIVED);
      print(`Reproduced: expected ${oneLine(result.finding.expected)}, received ${received}\n${asked}`);
      return 1;
    }
    if (result.as === 'not asked') {
      print(`Could not be asked: ${visible(result.why)}\n${asked}`);
      return 2;
    }
    const seldom =
      finding.answers < finding.exercised ? ` It had shown ${oftenInWords(finding)}: ask it several times.` : '';
    print(`Not reproduced: fixed? ${visible(result.why)}${seldom}\n${asked}`);
    return 0;
  },
});

void runIfMain(__filename, replayCommand);
