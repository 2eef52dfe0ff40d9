/**
 * Two sample reports: of the reference bank, and of a bank with six faults. Tests make each sample once per run. `npm run samples`
 * writes them with their pages and screenshots to reports/out/samples.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { TestInfo } from '@playwright/test';
import type { Handler } from '../../../../fixtures/banks/lib/mutant.ts';
import {
  editMemberAt,
  editText,
  set,
  toText,
  triggerOnDistrictQuery,
  triggerOnEveryNthAnswer,
} from '../../../../fixtures/banks/lib/mutators.ts';
import { composeChanges, replaceAnswers } from '../../../../fixtures/banks/lib/serving.ts';
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import { renderHtml } from '../../../../reports/formats/html/index.ts';
import { fileNames, writeReportFile } from '../../../../reports/formats/paths.ts';
import type { Report } from '../../../../reports/model/report.ts';
import { launchBrowser, test as base } from '../browser.ts';
import { judgeBank, ROOT_FOLDER } from '../command.ts';
import { makeTempDir } from '../temp-dir.ts';

/** The six faults of the bank in the second sample. Together they need every part of a report that shows faults. */
const sampleFaults: readonly ((bank: Handler) => Handler)[] = [
  editMemberAt(
    'requestLoan',
    '/data/infos/*/interest_rate',
    editText((rate) => rate.slice(0, -1)),
    triggerOnEveryNthAnswer(3),
  ),
  editMemberAt('queryDisbursement', '/errors/*/message', set('refused')),
  editMemberAt('listBranches', '/data/branches/*/no', toText),
  editMemberAt(
    'createPaymentLink',
    '/data/payment_link',
    set('https://pay.example/l/expired'),
    triggerOnEveryNthAnswer(5),
  ),
  editMemberAt('findAtms', '/data/*/atm_distance', set(0), triggerOnDistrictQuery),
  ...(['listMerchants', 'listCurrencies', 'listBranches', 'listInstallments', 'createPaymentLink'] as const).map(
    (operation) =>
      replaceAnswers(operation, (answer) => {
        answer.headers.set('content-type', 'text/plain');
        return answer;
      }),
  ),
];

/** The samples by name: the name of the bank, and the bank. */
const samples = {
  'reference-bank': { target: 'The reference bank', bank: (): Handler => createBank() },
  'faulty-bank': {
    target: 'A bank with six faults',
    bank: () => composeChanges(...sampleFaults.toReversed())(createBank()),
  },
} as const;

type SampleName = keyof typeof samples;

const sampleCaps = { MAX_APPLICATIONS: '81', MAX_DISBURSEMENTS: '58', MAX_LINKS: '82' };

/** Runs the suite as a user would. Returns its report and its history. */
async function runSample(name: SampleName): Promise<{ readonly report: Report; readonly history: Buffer }> {
  const { target, bank } = samples[name];
  const folder = makeTempDir();
  const who = { TARGET_NAME: target, TARGET_BUILD: 'sample', SEED: '1', RUNS: '10' };
  await judgeBank(bank(), { ...who, ...sampleCaps, REPORT_DIR: folder });
  // The paths in the report name the usual output folder, and not the temporary folder.
  const text = readFileSync(path.join(folder, 'conformance.json'), 'utf8').replaceAll(folder, 'reports/out');
  return { report: JSON.parse(text) as Report, history: readFileSync(path.join(folder, fileNames.history)) };
}

/** Returns the history of a sample whose report exists. */
export const readSampleHistory = (name: SampleName, outputDir: string): Buffer =>
  readFileSync(path.join(outputDir, 'samples', `${name}.gz`));

/**
 * Returns the report of a sample. The first worker makes the report for all workers. `outputDir` is the output folder of the
 * Playwright project, which Playwright empties at its start.
 */
async function makeSampleReport(name: SampleName, outputDir: string): Promise<Report> {
  const folder = path.join(outputDir, 'samples');
  const file = path.join(folder, `${name}.json`);
  mkdirSync(folder, { recursive: true });
  try {
    mkdirSync(`${file}.lock`);
  } catch {
    // Another worker is making the report.
    while (!existsSync(file)) await delay(100);
    return JSON.parse(readFileSync(file, 'utf8')) as Report;
  }
  const { report, history } = await runSample(name);
  writeReportFile(path.join(folder, `${name}.gz`), history);
  writeReportFile(file, JSON.stringify(report));
  return report;
}

const reports = new Map<SampleName, Promise<Report>>();

/** Makes a test fixture, because a worker fixture would start another worker. Each worker reads the report only once. */
const makeFixture =
  (name: SampleName) =>
  async ({}: object, use: (report: Report) => Promise<void>, { project }: TestInfo): Promise<void> => {
    const report = reports.get(name) ?? makeSampleReport(name, project.outputDir);
    reports.set(name, report);
    await use(await report);
  };

/** A Playwright test with the two sample reports as fixtures. */
export const test = base.extend<{ good: Report; faulty: Report }>({
  good: makeFixture('reference-bank'),
  faulty: makeFixture('faulty-bank'),
});

export { expect } from '@playwright/test';

async function writeSamples(): Promise<void> {
  const folder = path.join(ROOT_FOLDER, 'reports/out/samples');
  mkdirSync(folder, { recursive: true });
  const browser = await launchBrowser();
  for (const name of Object.keys(samples) as SampleName[]) {
    const { report } = await runSample(name);
    const file = path.join(folder, name);
    writeFileSync(`${file}.json`, `${JSON.stringify(report)}\n`);
    writeFileSync(`${file}.html`, renderHtml(report));
    const shown = await browser.newPage({ viewport: { width: 1280, height: 900 }, colorScheme: 'light' });
    await shown.goto(pathToFileURL(`${file}.html`).href);
    await shown.screenshot({ path: `${file}.png` });
    await shown.close();
    process.stdout.write(`${file}.{json,html,png}\n`);
  }
  await browser.close();
}

if (require.main === module) void writeSamples();
