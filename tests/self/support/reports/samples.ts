/**
 * Two sample reports: of the reference bank, and of a bank with six faults. Tests make each of them once a run;
 * `npm run samples` writes them with their pages and screenshots to reports/out/samples.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { WorkerFixture } from '@playwright/test';
import type { Members } from '../../../../fixtures/banks/lib/exchange.ts';
import { intercept, editBody } from '../../../../fixtures/banks/lib/intercept.ts';
import type { Handler } from '../../../../fixtures/banks/lib/mutant.ts';
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import { renderHtml } from '../../../../reports/formats/html/index.ts';
import { write } from '../../../../reports/formats/paths.ts';
import type { Report } from '../../../../reports/model/report.ts';
import { launchBrowser, test as base } from '../browser.ts';
import { conformanceOf, root } from '../command.ts';
import { makeTempDir } from '../temp-dir.ts';

const entries = (value: unknown): Members[] => (Array.isArray(value) ? (value as Members[]) : []);
const dataOf = (body: Members): Members => body['data'] as Members;

/** What is wrong with the bank of the second sample: six causes, of every kind that a report shows. */
const faults: readonly ((bank: Handler) => Handler)[] = [
  editBody('requestLoan', (body, { nth }) => {
    if (nth % 3 === 0)
      for (const offer of entries(dataOf(body)['infos']))
        offer['interest_rate'] = String(offer['interest_rate']).slice(0, -1);
  }),
  editBody('queryDisbursement', (body) => {
    for (const error of entries(body['errors'])) error['message'] = 'refused';
  }),
  editBody('listBranches', (body) => {
    for (const branch of entries(dataOf(body)['branches'])) branch['no'] = String(branch['no']);
  }),
  editBody('createPaymentLink', (body, { nth }) => {
    if (nth % 5 === 0) dataOf(body)['payment_link'] = 'https://pay.example/l/expired';
  }),
  editBody('findAtms', (body, { url }) => {
    if (url.searchParams.has('province_code')) for (const atm of entries(body['data'])) atm['atm_distance'] = 0;
  }),
  ...(['listMerchants', 'listCurrencies', 'listBranches', 'listInstallments', 'createPaymentLink'] as const).map(
    (operation) =>
      intercept({
        operation,
        onAnswer: (answer) => {
          answer.headers.set('content-type', 'text/plain');
          return answer;
        },
      }),
  ),
];

/** The samples by name: who is judged, and the bank that it is. */
const samples = {
  'reference-bank': { target: 'The reference bank', bank: (): Handler => createBank() },
  'faulty-bank': {
    target: 'A bank with six faults',
    bank: () => faults.reduce<Handler>((bank, mutate) => mutate(bank), createBank()),
  },
} as const;

type SampleName = keyof typeof samples;

const caps = { MAX_APPLICATIONS: '61', MAX_DISBURSEMENTS: '41', MAX_LINKS: '64' };

/** Runs the suite as a user would, and returns the report that it left. */
async function runSample(name: SampleName): Promise<Report> {
  const { target, bank } = samples[name];
  const folder = makeTempDir();
  const who = { TARGET_NAME: target, TARGET_BUILD: 'sample', SEED: '1', RUNS: '10' };
  await conformanceOf(bank(), { ...who, ...caps, REPORT_DIR: folder });
  // As if it stood where reports usually stand.
  const text = readFileSync(path.join(folder, 'conformance.json'), 'utf8').replaceAll(folder, 'reports/out');
  return JSON.parse(text) as Report;
}

/**
 * The report of a sample, made once for all workers of a run of Playwright. `outputDir` is that of the project, which
 * Playwright clears when a run begins.
 */
async function sampleReport(name: SampleName, outputDir: string): Promise<Report> {
  const folder = path.join(outputDir, 'samples');
  const file = path.join(folder, `${name}.json`);
  mkdirSync(folder, { recursive: true });
  try {
    mkdirSync(`${file}.lock`);
  } catch {
    // Another worker makes it.
    while (!existsSync(file)) await delay(100);
    return JSON.parse(readFileSync(file, 'utf8')) as Report;
  }
  const report = await runSample(name);
  write(file, JSON.stringify(report));
  return report;
}

type SampleFixture = [WorkerFixture<Report, object>, { scope: 'worker'; timeout: number }];

const fixtureOf = (name: SampleName): SampleFixture => [
  async ({}, use, { project }) => use(await sampleReport(name, project.outputDir)),
  { scope: 'worker', timeout: 120_000 },
];

/** Tests with the two sample reports at hand, and with a browser. */
export const test = base.extend<object, { good: Report; faulty: Report }>({
  good: fixtureOf('reference-bank'),
  faulty: fixtureOf('faulty-bank'),
});

export { expect } from '@playwright/test';

/** Writes report, page and screenshot of each sample. */
async function main(): Promise<void> {
  const folder = path.join(root, 'reports/out/samples');
  mkdirSync(folder, { recursive: true });
  const browser = await launchBrowser();
  for (const name of Object.keys(samples) as SampleName[]) {
    const report = await runSample(name);
    const file = path.join(folder, name);
    writeFileSync(`${file}.json`, `${JSON.stringify(report)}\n`);
    writeFileSync(`${file}.html`, renderHtml(report));
    const shown = await browser.newPage({ viewport: { width: 1120, height: 800 }, colorScheme: 'light' });
    await shown.goto(pathToFileURL(`${file}.html`).href);
    await shown.screenshot({ path: `${file}.png` });
    await shown.close();
    process.stdout.write(`${file}.{json,html,png}\n`);
  }
  await browser.close();
}

if (require.main === module) void main();
