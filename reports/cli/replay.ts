/** `npm run replay`: sends the requests of a finding again with the settings of its user, and says whether the finding occurs again. */
import { createdKinds, createdResources, creators, type Created } from '../../openapi/api.ts';
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { defineCommand, runIfMain } from '../../openapi/util/command.ts';
import { parseAddress } from '../../fixtures/run/config/base-url.ts';
import { isLink } from '../../openapi/files/own-files.ts';
import { describePlan, describeSources } from '../../fixtures/run/config/plan.ts';
import { readEnvironment } from '../../fixtures/run/config/process-env.ts';
import { defaultCaps } from '../../fixtures/run/config/variables/index.ts';
import {
  listDifferingSettings,
  makeReplayEnvironment,
  makeTarget,
} from '../../fixtures/run/config/variables/recorded.ts';
import { collectScenarios } from '../../fixtures/runner/index.ts';
import { divideBudgets } from '../../fixtures/runner/run-scenario.ts';
import { fileNames } from '../formats/paths.ts';
import { readOverlay, readReportFile } from '../journal/read-report.ts';
import { omitUndefined, type Finding, type Report } from '../model/report.ts';
import { renderSentRequest } from '../text/difference.ts';
import {
  counted,
  joinWithAnd,
  describeFrequency,
  formatOperationName,
  addCounts,
  writePlan,
  writeVersus,
} from '../text/phrases.ts';
import { describeRaceTimes } from '../text/race.ts';
import { toOneLine, shortenText } from '../text/sanitize.ts';

const usage = `Sends the requests of a finding again: same scenario and seed, with fresh ids and your own settings.

  npm run replay -- <conformance.json> <number or id of the finding> [options]

  --base-url <url>   the bank to ask, where it is not that of the report
  --overlay <file>   the overlay of the run, if it had one; also --hooks
  --dry-run          says what would be asked, and sends nothing: needs no bank and no credentials
  --help             this text

Credentials come from the environment or from a file that you give with --env-file, and so does the address: a report may be
anybody's, and so may the folder around it. A .env that lies there is not read, and no setting, file, module or host of
the report is used. The report of the replay goes to the folder "replay" beside the given report. Exit status:
1 reproduced, 0 not reproduced, 2 could not be asked.
`;

const REPLAY_FOLDER = 'replay';
const MAX_RECEIVED_LENGTH = 300;

function findFinding({ findings }: Report, file: string, named: string): Finding {
  const found =
    findings.find(({ id }) => id === named) ?? (/^\d+$/.test(named) ? findings[Number(named) - 1] : undefined);
  if (found !== undefined) return found;
  if (findings.length === 0) throw new Error(`${file} has no finding to replay.`);
  throw new Error(
    `${file} has no finding ${JSON.stringify(named)}: give a number from 1 to ${findings.length}, or the id of a finding.`,
  );
}

const unusedCredentials = { CLIENT_ID: 'none', CLIENT_SECRET: 'none', ACCESS_TOKEN: 'none', ACCESS_TOKEN_COMMAND: '' };

type Settings = Readonly<Record<string, string>>;

/** Runs the suite with these settings. Returns the report in `folder`, or null. */
async function runSuite(settings: Settings, folder: string): Promise<Report | null> {
  rmSync(path.join(folder, fileNames.json), { force: true });
  const cli = require.resolve('@playwright/test/cli');
  const config = path.join(__dirname, '../../playwright.config.ts');
  const words = [cli, 'test', `--config=${config}`, '--project=conformance'];
  const child = spawn(process.execPath, words, { env: makeReplayEnvironment(settings), stdio: 'ignore' });
  await new Promise((done, fail) => child.once('close', done).once('error', fail));
  try {
    return readReportFile(path.join(folder, fileNames.json));
  } catch {
    return null;
  }
}

interface Replayed {
  readonly as: 'reproduced' | 'not reproduced' | 'not asked';
  readonly said: string;
}

function describeContrast(finding: Finding, report: Report): string[] {
  const race = describeRaceTimes(report, finding);
  if (race.length > 0) return race.map((times) => `  at once ${times}`);
  const [sent, beside] = [report.exchanges[finding.exchange], report.exchanges[finding.contrast ?? '']];
  if (sent === undefined || beside === undefined) return [];
  return Object.entries({ sent, beside }).map(([side, record]) => {
    const request = shortenText(toOneLine(renderSentRequest(record).replace('\n', ' ')), MAX_RECEIVED_LENGTH);
    const came = record.response === null ? 'no answer' : `status ${record.response.status}`;
    return `  ${side.padEnd(7)} ${request}: ${came}`;
  });
}

/** Decides whether the finding occurred again, its clause was kept, or its clause was not tested. */
function describeReplay(finding: Finding, report: Report | null): Replayed {
  if (report === null) return { as: 'not asked', said: 'the run wrote no report.' };
  const again = findAgain(finding, report);
  if (again !== undefined) {
    const received = shortenText(toOneLine(again.received), MAX_RECEIVED_LENGTH);
    const said = writeVersus(toOneLine(again.expected), received);
    return { as: 'reproduced', said: [said, ...describeContrast(again, report)].join('\n') };
  }
  const fault = report.configuration[0] ?? report.errors[0]?.message;
  const { tested, why } = countTests(finding, report);
  if (fault !== undefined || tested === 0)
    return { as: 'not asked', said: toOneLine(fault ?? why ?? report.reasons[0] ?? 'no answer tested the clause.') };
  const kept = `${finding.clause} was kept in ${counted(tested, (finding.unit ?? 'answers').slice(0, -1))}.`;
  return { as: 'not reproduced', said: toOneLine(kept) };
}

function findAgain({ id, clause, operation, pointer }: Finding, { findings }: Report): Finding | undefined {
  const same = findings.filter(
    (one) => one.clause === clause && one.operation === operation && one.pointer === pointer,
  );
  return same.find((one) => one.id === id) ?? same[0];
}

/** How often the replay tested the clause of the finding at its operation, or why it did not. */
function countTests({ clause, operation }: Finding, { clauses }: Report) {
  const { places = [], exercised = 0, why = null } = clauses.find(({ id }) => id === clause) ?? {};
  const here = places.find((place) => place.operation === operation);
  return { tested: places.length === 0 ? exercised : (here?.exercised ?? 0), why };
}

/** Two requests at the same time show a fault only sometimes: a replay counts how often. */
const RACE_TRIES = 5;
const isRace = ({ concurrent }: Finding): boolean => concurrent !== undefined;

/** True if one exchange, or its scenario alone, can reproduce the finding. */
export function needsOneScenario(finding: Finding): boolean {
  const { kind, alone, classification, answers, exercised } = finding;
  const as = classification?.as;
  if (isRace(finding)) return true;
  if (as === 'state-dependent') return false;
  // For a documented request that the bank refused, one accepted request is enough.
  if (kind === 'behaviour' || kind === 'refused') return true;
  return alone === true && (as === 'deterministic' || answers >= exercised);
}

interface Plan {
  readonly settings: Settings;
  readonly lines: readonly string[];
}
type Plans = Readonly<Record<'alone' | 'area', Plan>>;

/** Returns an address in the form that a run uses; an empty text if a run would not accept it. */
const readAddress = (url: string): string =>
  /^https?:\/\/[^\s\\@?#]+$/i.test(url) && URL.canParse(url) ? parseAddress(url).text : '';

/** Returns the address of the user, or undefined for the embedded bank. It must be the same as in the report. */
function chooseAddress({ target }: Report, named: string | undefined): string | undefined {
  if (named !== undefined) return named;
  const own = readEnvironment()['BASE_URL']?.trim();
  const theirs = target.embedded ? undefined : target.baseUrl;
  const isSame = own === undefined || theirs === undefined ? own === theirs : readAddress(own) === readAddress(theirs);
  if (isSame) return own;
  const set = own === undefined ? 'BASE_URL is not set' : `BASE_URL is ${readAddress(own) || 'no address'}`;
  const judged = theirs === undefined ? 'the embedded bank' : shortenText(toOneLine(theirs), 200);
  throw new Error(
    `The report is on ${judged}, and ${set}: give the bank to ask with --base-url, or your own file with --env-file, since a report gives credentials to no address.`,
  );
}

const loadScenarios = () => collectScenarios(path.join(__dirname, '../../tests'));

function listScenarios({ replay }: Finding) {
  const [ids = ''] = /^[\w-]+(?:,[\w-]+)*(?=$|#[^#\p{Cc}]{1,200}#\d{1,4}(?::\d{1,3}){0,100}$)/u.exec(replay) ?? [];
  const named = ids.split(',').map((id) => loadScenarios().find((one) => one.id === id));
  const known = named.filter((one) => one !== undefined);
  if (known.length === named.length) return known;
  throw new Error(
    `The finding names ${shortenText(JSON.stringify(replay), 100)}, which is no scenario of this version of the suite: replay it with its own.`,
  );
}

const makeCapSettings = (cap: (kind: Created) => number): Settings =>
  Object.fromEntries(createdKinds.map((kind) => [createdResources[kind].variable, String(cap(kind))]));

/** Makes the two plans of a replay: first the scenarios of the finding, then its whole area. Throws an error of one sentence. */
function makePlans(finding: Finding, report: Report, own: Settings): Plans {
  const { suite, target: judged } = report;
  const named = listScenarios(finding);
  const area = report.operations.find((one) => formatOperationName(one) === finding.operation)?.area;
  const settings = { ...own, SEED: String(suite.seed), AREAS: area ?? judged.areas.join(',') };
  const target = makeTarget(settings);
  // Without other scenarios, these scenarios may create their share of a whole run, within the caps.
  const shares = [target.caps, defaultCaps].map((caps) => divideBudgets(loadScenarios(), caps));
  const ofShare = makeCapSettings((name) => {
    // A race uses what other scenarios leave, and has no share of its own.
    if (isRace(finding)) return target.caps[name];
    const sums = shares.map((share) => addCounts(named, ({ id }) => share.get(id)?.[name] ?? 0));
    return Math.min(target.caps[name], Math.max(...sums));
  });
  const least = { ...settings, REPLAY: finding.replay, ...ofShare };
  const differing = listDifferingSettings(suite.settings ?? {}, own);
  const titles = joinWithAnd(named.map(({ title }) => `“${title}”`));
  const where = target.embedded ? 'the embedded bank' : target.baseUrl;
  const lines = [
    `${titles}${finding.replay.includes('#') ? ', one case' : ''}, at ${where}.`,
    ...describeSources(target),
    ...describePlan(makeTarget(least)).filter((line) => !line.includes('full verdict')),
    isRace(finding) && `a race is tried ${RACE_TRIES} times, within these caps.`,
    differing.length > 0 &&
      `${joinWithAnd(differing)} ${differing.length === 1 ? 'was' : 'were'} set otherwise in the run: a replay has your settings alone, so give the same where they matter.`,
  ];
  return {
    alone: { settings: least, lines: lines.filter((line) => line !== false) },
    area: { settings, lines: describePlan(target) },
  };
}

/** The caps hold for both runs of a replay together. */
function reduceCaps(area: Settings, alone: Settings, report: Report | null): Settings {
  const { caps } = makeTarget(area);
  const remaining = makeCapSettings((kind) => {
    const { what } = creators[kind];
    const items = report?.createdResources.items.filter((item) => item.what === what);
    return Math.max(0, caps[kind] - (items?.length ?? Number(alone[createdResources[kind].variable])));
  });
  return { ...area, ...remaining };
}

type Values = Readonly<Partial<Record<'base-url' | 'overlay' | 'hooks', string>>>;

/** The settings that the reader gives: a report says what to ask, and never how. */
function readOwnSettings(report: Report, values: Values, isDry: boolean): Settings {
  const { overlay, hooks } = values;
  const isUnnamed = isDry && !readEnvironment()['BASE_URL'] && !report.target.embedded;
  const url = chooseAddress(report, values['base-url'] ?? (isUnnamed ? report.target.baseUrl : undefined));
  readOverlay(report, overlay ?? (readEnvironment()['OVERLAY']?.trim() || null));
  return {
    ...(omitUndefined({ OVERLAY: overlay, HOOKS: hooks, BASE_URL: url }) as Settings),
    ...(isDry && url !== undefined && unusedCredentials),
  };
}

/** Runs the scenarios of the finding alone, and those of a race several times. The caps hold for all tries together. */
async function replayAlone(finding: Finding, settings: Settings, folder: string, print: (text: string) => void) {
  let left = settings;
  const results: Replayed[] = [];
  for (;;) {
    const report = await runSuite({ ...left, REPORT_DIR: folder }, path.join(folder, REPLAY_FOLDER));
    const result = describeReplay(finding, report);
    const isOver = result.as === 'not asked';
    if (!isRace(finding) || (isOver && results.length === 0)) return { result, report };
    if (!isOver) {
      results.push(result);
      print(`Try ${results.length} of ${RACE_TRIES}: ${result.as}.\n`);
    }
    if (isOver || results.length === RACE_TRIES) return { result: countTries(results), report };
    left = reduceCaps(left, left, report);
  }
}

function countTries(results: readonly Replayed[]): Replayed {
  const seen = results.filter(({ as }) => as === 'reproduced');
  const tries = `in ${seen.length} of ${counted(results.length, 'try', 'tries')}`;
  const end = results.length < RACE_TRIES ? ', and the caps allowed no more' : '';
  const said = `${tries}${end}. The last one: ${(seen.at(-1) ?? results.at(-1))?.said ?? ''}`;
  return { as: seen.length > 0 ? 'reproduced' : 'not reproduced', said };
}

/** Runs the scenarios of the finding, then all of its area if these leave the question open. */
async function runPlans(finding: Finding, { alone, area }: Plans, folder: string, print: (text: string) => void) {
  const inFolder = path.join(folder, REPLAY_FOLDER);
  if (isLink(inFolder))
    throw new Error(`${inFolder} is a symbolic link: remove it, the report of the replay goes there.`);
  const { result, report } = await replayAlone(finding, alone.settings, folder, print);
  const isOpen =
    result.as === 'not asked'
      ? report?.configuration.length === 0
      : result.as === 'not reproduced' && !needsOneScenario(finding);
  if (!isOpen) return { result, report };
  const settings = reduceCaps(area.settings, alone.settings, report);
  const lines = writePlan(describePlan(makeTarget(settings)));
  print(`The finding did not occur alone: now all scenarios of the area run.\n${lines.join('\n')}\n`);
  const further = await runSuite({ ...settings, REPORT_DIR: inFolder }, inFolder);
  return { result: describeReplay(finding, further), report: further };
}

function describeEnd({ as, said }: Replayed, finding: Finding): { readonly exit: number; readonly text: string } {
  const isRare = finding.answers < finding.exercised;
  const rare = isRare ? ` The run had the finding ${describeFrequency(finding)}: replay several times.` : '';
  return {
    reproduced: { exit: 1, text: `Reproduced: ${said}` },
    'not asked': { exit: 2, text: `Could not be asked: ${said}` },
    'not reproduced': { exit: 0, text: `Not reproduced: fixed? ${said}${rare}` },
  }[as];
}

export const replayCommand = defineCommand({
  usage,
  options: {
    'base-url': { type: 'string' },
    overlay: { type: 'string' },
    hooks: { type: 'string' },
    'dry-run': { type: 'boolean' },
  },
  positionals: [2, 2],
  async run({ values, positionals: [file = '', named = ''] }, print) {
    const given = readReportFile(file);
    const finding = findFinding(given, file, named);
    if (given.recording !== undefined)
      throw new Error(`${file} is on recorded traffic: the suite sent nothing that it could send again.`);
    const isDry = values['dry-run'] === true;
    const plans = makePlans(finding, given, readOwnSettings(given, values, isDry));
    const besides = `if the replay does not ${needsOneScenario(finding) ? 'test the clause' : 'show the finding'}, all scenarios of the area follow`;
    const more = plans.area.lines.find((line) => !line.includes(' judged;')) ?? '';
    const what = toOneLine(`${finding.clause} at ${finding.operation}, seed ${given.suite.seed}`);
    print(`${[`Asking again: ${what}`, ...writePlan([...plans.alone.lines, `${besides}: ${more}`])].join('\n')}\n`);
    if (isDry) return 0;
    const folder = path.resolve(path.dirname(file));
    const { result, report } = await runPlans(finding, plans, folder, print);
    const { exit, text } = describeEnd(result, finding);
    const page = path.relative(process.cwd(), path.join(folder, REPLAY_FOLDER, fileNames.html));
    print(`${text}\n${report === null ? '' : `${counted(report.requests, 'request')}; report: ${page}\n`}`);
    return exit;
  },
});

void runIfMain(__filename, replayCommand);
