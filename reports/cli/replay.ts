/** `npm run replay`: sends the requests of a finding again, and says whether the finding occurs again. Uses only settings of the user. */
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
  describeRaceTimes,
  formatOperationName,
  addCounts,
  writePlan,
  writeVersus,
} from '../text/phrases.ts';
import { toOneLine, shortenText } from '../text/sanitize.ts';

const usage = `Sends the requests of a finding again: same scenario and seed, with fresh ids and your own settings.

  npm run replay -- <conformance.json> <number or id of the finding> [options]

  --base-url <url>   the bank to send to, if it is not the bank of the report
  --overlay <file>   the overlay of the run, if it had one; also --hooks
  --dry-run          says what would be sent, and sends nothing: needs no bank and no credentials
  --help             this text

The address and the credentials come from the environment, or from a file that you give with --env-file. A file .env is not read,
and the replay uses no setting, file, module or host of the report, because somebody else may have written the report or the files
beside it. The report of the replay goes to the folder "replay" beside the given report. Exit status:
1 reproduced, 0 not reproduced, 2 could not be sent.
`;

const REPLAY_FOLDER = 'replay';
const MAX_RECEIVED_LENGTH = 300;

/** Finds a finding by its id or its number. Throws an error of one sentence. */
function findFinding({ findings }: Report, file: string, name: string): Finding {
  const findingByNumber = /^\d+$/.test(name) ? findings[Number(name) - 1] : undefined;
  const finding = findings.find(({ id }) => id === name) ?? findingByNumber;
  if (finding !== undefined) return finding;
  if (findings.length === 0) throw new Error(`${file} has no finding to replay.`);
  throw new Error(
    `${file} has no finding ${JSON.stringify(name)}: give a number from 1 to ${findings.length}, or the id of a finding.`,
  );
}

const unusedCredentials = { CLIENT_ID: 'none', CLIENT_SECRET: 'none', ACCESS_TOKEN: 'none', ACCESS_TOKEN_COMMAND: '' };

type Settings = Readonly<Record<string, string>>;

/** Runs the suite with these settings. Returns the report that the run wrote to `folder`; null if it wrote none. */
async function runSuite(settings: Settings, folder: string): Promise<Report | null> {
  rmSync(path.join(folder, fileNames.json), { force: true });
  const cli = require.resolve('@playwright/test/cli');
  const config = path.join(__dirname, '../../playwright.config.ts');
  const words = [cli, 'test', `--config=${config}`, '--project=conformance'];
  const child = spawn(process.execPath, words, { env: makeReplayEnvironment(settings), stdio: 'ignore' });
  await new Promise((resolve, reject) => child.once('close', resolve).once('error', reject));
  try {
    return readReportFile(path.join(folder, fileNames.json));
  } catch {
    return null;
  }
}

interface ReplayResult {
  readonly state: 'reproduced' | 'not reproduced' | 'not requested';
  /** The end of the sentence for the user. */
  readonly text: string;
}

/** Describes the exchange with the finding and its reference exchange, or both exchanges of a race. Each gets one line. */
function describeExchanges(finding: Finding, report: Report): string[] {
  const race = describeRaceTimes(report, finding);
  if (race.length > 0) return race.map((times) => `  at once ${times}`);
  const [replayedRecord, referenceRecord] = [
    report.exchanges[finding.exchange],
    report.exchanges[finding.contrast ?? ''],
  ];
  if (replayedRecord === undefined || referenceRecord === undefined) return [];
  return Object.entries({ sent: replayedRecord, beside: referenceRecord }).map(([side, record]) => {
    const request = shortenText(toOneLine(renderSentRequest(record).replace('\n', ' ')), MAX_RECEIVED_LENGTH);
    const result = record.response === null ? 'no answer' : `status ${record.response.status}`;
    return `  ${side.padEnd(7)} ${request}: ${result}`;
  });
}

/** Decides whether the finding occurred again, its clause was kept, or its clause was not tested. */
function decideResult(finding: Finding, report: Report | null): ReplayResult {
  if (report === null) return { state: 'not requested', text: 'the run wrote no report.' };
  const newFinding = findAgain(finding, report);
  if (newFinding !== undefined) {
    const received = shortenText(toOneLine(newFinding.received), MAX_RECEIVED_LENGTH);
    const comparison = writeVersus(toOneLine(newFinding.expected), received);
    return { state: 'reproduced', text: [comparison, ...describeExchanges(newFinding, report)].join('\n') };
  }
  const fault = report.configuration[0] ?? report.errors[0]?.message;
  const { tested: testCount, why } = countTests(finding, report);
  if (fault !== undefined || testCount === 0)
    return {
      state: 'not requested',
      text: toOneLine(fault ?? why ?? report.reasons[0] ?? 'no answer tested the clause.'),
    };
  const sentence = `${finding.clause} was kept in ${counted(testCount, (finding.unit ?? 'answers').slice(0, -1))}.`;
  return { state: 'not reproduced', text: toOneLine(sentence) };
}

/** Finds the same finding in the report of the replay. At least clause, operation and place must be equal. */
function findAgain({ id, clause, operation, pointer }: Finding, { findings }: Report): Finding | undefined {
  const findingsAtPlace = findings.filter(
    (finding) => finding.clause === clause && finding.operation === operation && finding.pointer === pointer,
  );
  return findingsAtPlace.find((finding) => finding.id === id) ?? findingsAtPlace[0];
}

/** Returns how often the replay tested the clause of the finding at its operation, or why it did not test the clause. */
function countTests({ clause, operation }: Finding, { clauses }: Report) {
  const { places = [], exercised = 0, why = null } = clauses.find(({ id }) => id === clause) ?? {};
  const placeOfOperation = places.find((place) => place.operation === operation);
  return { tested: places.length === 0 ? exercised : (placeOfOperation?.exercised ?? 0), why };
}

/** A race shows its fault only sometimes: a replay tries it this many times and counts how often. */
const RACE_TRIES = 5;
const isRace = ({ concurrent }: Finding): boolean => concurrent !== undefined;

/**
 * True if the scenario of the finding can reproduce the finding without further scenarios. False if other scenarios of the area may be
 * needed.
 */
export function needsOneScenario(finding: Finding): boolean {
  const { kind, alone, classification, answers, exercised } = finding;
  const stability = classification?.as;
  if (isRace(finding)) return true;
  if (stability === 'state-dependent') return false;
  // For a documented request that the bank refused, one accepted request is enough.
  if (kind === 'behaviour' || kind === 'refused') return true;
  return alone === true && (stability === 'deterministic' || answers >= exercised);
}

interface Plan {
  readonly settings: Settings;
  readonly lines: readonly string[];
}
type Plans = Readonly<Record<'alone' | 'area', Plan>>;

/** Returns an address in the form that a run uses; an empty text if a run would not accept it. */
const readAddress = (url: string): string =>
  /^https?:\/\/[^\s\\@?#]+$/i.test(url) && URL.canParse(url) ? parseAddress(url).text : '';

/** Returns `option` or BASE_URL; undefined for the embedded bank. BASE_URL must be the address in the report: else throws an error. */
function chooseAddress({ target }: Report, addressOption: string | undefined): string | undefined {
  if (addressOption !== undefined) return addressOption;
  const environmentAddress = readEnvironment()['BASE_URL']?.trim();
  const reportedAddress = target.embedded ? undefined : target.baseUrl;
  const isSameAddress =
    environmentAddress === undefined || reportedAddress === undefined
      ? environmentAddress === reportedAddress
      : readAddress(environmentAddress) === readAddress(reportedAddress);
  if (isSameAddress) return environmentAddress;
  const setting =
    environmentAddress === undefined
      ? 'BASE_URL is not set'
      : `BASE_URL is ${readAddress(environmentAddress) || 'no address'}`;
  const judgedBank = reportedAddress === undefined ? 'the embedded bank' : shortenText(toOneLine(reportedAddress), 200);
  throw new Error(
    `The report is on ${judgedBank}, and ${setting}: give the bank to ask with --base-url, or your own file with --env-file, since a report gives credentials to no address.`,
  );
}

const loadAllScenarios = () => collectScenarios(path.join(__dirname, '../../tests'));

/** Returns the scenarios that a finding names for its replay. Throws an error of one sentence if the suite does not have them. */
function listScenarios({ replay }: Finding) {
  const [ids = ''] = /^[\w-]+(?:,[\w-]+)*(?=$|#[^#\p{Cc}]{1,200}#\d{1,4}(?::\d{1,3}){0,100}$)/u.exec(replay) ?? [];
  const namedScenarios = ids.split(',').map((id) => loadAllScenarios().find((scenario) => scenario.id === id));
  const scenarios = namedScenarios.filter((scenario) => scenario !== undefined);
  if (scenarios.length === namedScenarios.length) return scenarios;
  throw new Error(
    `The finding names ${shortenText(JSON.stringify(replay), 100)}, which is no scenario of this version of the suite: replay it with its own.`,
  );
}

/** Makes the values of the cap variables. */
const makeCapSettings = (chooseCap: (kind: Created) => number): Settings =>
  Object.fromEntries(createdKinds.map((kind) => [createdResources[kind].variable, String(chooseCap(kind))]));

/** Makes the two plans of a replay: first the scenarios of the finding, then its whole area. Throws an error of one sentence. */
function makePlans(finding: Finding, report: Report, userSettings: Settings): Plans {
  const { suite, target: judgedBank } = report;
  const scenarios = listScenarios(finding);
  const area = report.operations.find((operation) => formatOperationName(operation) === finding.operation)?.area;
  const settings = { ...userSettings, SEED: String(suite.seed), AREAS: area ?? judgedBank.areas.join(',') };
  const target = makeTarget(settings);
  // The scenarios may create as much as their share of a whole run, within the caps of the user.
  const sharesOfScenarios = [target.caps, defaultCaps].map((caps) => divideBudgets(loadAllScenarios(), caps));
  const reducedCaps = makeCapSettings((name) => {
    // A race uses what other scenarios leave, and has no share of its own.
    if (isRace(finding)) return target.caps[name];
    const shareSums = sharesOfScenarios.map((share) => addCounts(scenarios, ({ id }) => share.get(id)?.[name] ?? 0));
    return Math.min(target.caps[name], Math.max(...shareSums));
  });
  const settingsOfScenarios = { ...settings, REPLAY: finding.replay, ...reducedCaps };
  const differingSettings = listDifferingSettings(suite.settings ?? {}, userSettings);
  const titles = joinWithAnd(scenarios.map(({ title }) => `“${title}”`));
  const bankText = target.embedded ? 'the embedded bank' : target.baseUrl;
  const lines = [
    `${titles}${finding.replay.includes('#') ? ', one case' : ''}, at ${bankText}.`,
    ...describeSources(target),
    ...describePlan(makeTarget(settingsOfScenarios)).filter((line) => !line.includes('full verdict')),
    isRace(finding) && `the two requests at the same time are tried ${RACE_TRIES} times, within these caps.`,
    differingSettings.length > 0 &&
      `${joinWithAnd(differingSettings)} ${differingSettings.length === 1 ? 'was' : 'were'} different in the run: a replay uses only your settings, so set the same values if they matter.`,
  ];
  return {
    alone: { settings: settingsOfScenarios, lines: lines.filter((line) => line !== false) },
    area: { settings, lines: describePlan(target) },
  };
}

/** Subtracts what a first run created from the caps of the next run: the caps are for both runs together. */
function reduceCaps(nextSettings: Settings, firstSettings: Settings, firstReport: Report | null): Settings {
  const { caps } = makeTarget(nextSettings);
  const remainingCaps = makeCapSettings((kind) => {
    const { what } = creators[kind];
    const createdCount = firstReport?.createdResources.items.filter((item) => item.what === what).length;
    return Math.max(0, caps[kind] - (createdCount ?? Number(firstSettings[createdResources[kind].variable])));
  });
  return { ...nextSettings, ...remainingCaps };
}

type ReplayOptions = Readonly<Partial<Record<'base-url' | 'overlay' | 'hooks', string>>>;

/** Returns the settings of the user. The report decides which requests are sent, and no setting. */
function readUserSettings(report: Report, options: ReplayOptions, isDry: boolean): Settings {
  const { overlay, hooks } = options;
  const environment = readEnvironment();
  const usesReportedAddress = isDry && !environment['BASE_URL'] && !report.target.embedded;
  const reportedAddress = usesReportedAddress ? report.target.baseUrl : undefined;
  const url = chooseAddress(report, options['base-url'] ?? reportedAddress);
  const environmentOverlay = environment['OVERLAY']?.trim() || null;
  readOverlay(report, overlay ?? environmentOverlay);
  return {
    ...(omitUndefined({ OVERLAY: overlay, HOOKS: hooks, BASE_URL: url }) as Settings),
    ...(isDry && url !== undefined && unusedCredentials),
  };
}

/** Runs only the scenarios of the finding. Runs a race several times. The caps are for all tries together. */
async function replayAlone(finding: Finding, settings: Settings, folder: string, print: (text: string) => void) {
  let remainingSettings = settings;
  const results: ReplayResult[] = [];
  for (;;) {
    const report = await runSuite({ ...remainingSettings, REPORT_DIR: folder }, path.join(folder, REPLAY_FOLDER));
    const result = decideResult(finding, report);
    const couldNotRun = result.state === 'not requested';
    if (!isRace(finding) || (couldNotRun && results.length === 0)) return { result, report };
    if (!couldNotRun) {
      results.push(result);
      print(`Try ${results.length} of ${RACE_TRIES}: ${result.state}.\n`);
    }
    if (couldNotRun || results.length === RACE_TRIES) return { result: countTries(results), report };
    remainingSettings = reduceCaps(remainingSettings, remainingSettings, report);
  }
}

/** Makes one result from all tries of a race. */
function countTries(results: readonly ReplayResult[]): ReplayResult {
  const successfulTries = results.filter(({ state }) => state === 'reproduced');
  const tryCountText = `in ${successfulTries.length} of ${counted(results.length, 'try', 'tries')}`;
  const capNote = results.length < RACE_TRIES ? ', and the caps allowed no more' : '';
  const lastResult = successfulTries.at(-1) ?? results.at(-1);
  const text = `${tryCountText}${capNote}. The last one: ${lastResult?.text ?? ''}`;
  return { state: successfulTries.length > 0 ? 'reproduced' : 'not reproduced', text };
}

/** Runs the scenarios of the finding. If they cannot decide, runs all scenarios of its area. */
async function runPlans(finding: Finding, { alone, area }: Plans, folder: string, print: (text: string) => void) {
  const replayFolder = path.join(folder, REPLAY_FOLDER);
  if (isLink(replayFolder))
    throw new Error(`${replayFolder} is a symbolic link: remove it, the report of the replay goes there.`);
  const { result, report } = await replayAlone(finding, alone.settings, folder, print);
  const needsWholeArea =
    result.state === 'not requested'
      ? report?.configuration.length === 0
      : result.state === 'not reproduced' && !needsOneScenario(finding);
  if (!needsWholeArea) return { result, report };
  const settings = reduceCaps(area.settings, alone.settings, report);
  const lines = writePlan(describePlan(makeTarget(settings)));
  print(`The finding did not occur alone: now all scenarios of the area run.\n${lines.join('\n')}\n`);
  const areaReport = await runSuite({ ...settings, REPORT_DIR: replayFolder }, replayFolder);
  return { result: decideResult(finding, areaReport), report: areaReport };
}

function describeEnd(
  { state, text }: ReplayResult,
  finding: Finding,
): { readonly exit: number; readonly text: string } {
  const occursOnlySometimes = finding.answers < finding.exercised;
  const rareNote = occursOnlySometimes
    ? ` The run had the finding ${describeFrequency(finding)}: replay several times.`
    : '';
  return {
    reproduced: { exit: 1, text: `Reproduced: ${text}` },
    'not requested': { exit: 2, text: `Could not be sent: ${text}` },
    'not reproduced': { exit: 0, text: `Not reproduced: fixed? ${text}${rareNote}` },
  }[state];
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
  async run({ values, positionals: [file = '', findingName = ''] }, print) {
    const originalReport = readReportFile(file);
    const finding = findFinding(originalReport, file, findingName);
    if (originalReport.recording !== undefined)
      throw new Error(`${file} is on recorded traffic: the suite sent nothing that it could send again.`);
    const isDry = values['dry-run'] === true;
    const plans = makePlans(finding, originalReport, readUserSettings(originalReport, values, isDry));
    const conditionOfSecondStep = needsOneScenario(finding) ? 'test the clause' : 'show the finding';
    const secondStep = `if the replay does not ${conditionOfSecondStep}, all scenarios of the area follow`;
    const areaPlan = plans.area.lines.find((line) => !line.includes(' judged;')) ?? '';
    const subject = toOneLine(`${finding.clause} at ${finding.operation}, seed ${originalReport.suite.seed}`);
    const planLines = writePlan([...plans.alone.lines, `${secondStep}: ${areaPlan}`]);
    print(`${[`Sending again: ${subject}`, ...planLines].join('\n')}\n`);
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
