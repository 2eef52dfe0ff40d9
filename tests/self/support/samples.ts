/**
 * The samples of the report: one of the reference bank, one of a bank with faults, each with a picture for the README.
 * `npm run samples` makes them anew; a test says when they are no longer what the suite makes.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { answers, bodies, type Handler, type Members } from '../../../fixtures/banks/lib/mutant.ts';
import { createBank, sandboxCredentials } from '../../../fixtures/reference-bank/bank.ts';
import { serve } from '../../../fixtures/reference-bank/http/serve.ts';
import { judgeScript } from '../../../reports/formats/html/judging/script.ts';
import { renderHtml } from '../../../reports/formats/html/index.ts';
import type { Report } from '../../../reports/model/report.ts';
import { launchBrowser } from './browser.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
/** Where the samples lie. */
export const sampleFolder = path.join(root, 'reports/samples');

const entries = (value: unknown): Members[] => (Array.isArray(value) ? (value as Members[]) : []);
const dataOf = (body: Members): Members => body['data'] as Members;

/** What is wrong with the bank of the second sample: six causes, of every kind that a report shows. */
const faults: readonly ((bank: Handler) => Handler)[] = [
  bodies('requestLoan', (body, { nth }) => {
    if (nth % 3 === 0)
      for (const offer of entries(dataOf(body)['infos']))
        offer['interest_rate'] = String(offer['interest_rate']).slice(0, -1);
  }),
  bodies('queryDisbursement', (body) => {
    for (const error of entries(body['errors'])) error['message'] = 'refused';
  }),
  bodies('listBranches', (body) => {
    for (const branch of entries(dataOf(body)['branches'])) branch['no'] = String(branch['no']);
  }),
  bodies('createPaymentLink', (body, { nth }) => {
    if (nth % 5 === 0) dataOf(body)['payment_link'] = 'https://pay.example/l/expired';
  }),
  bodies('findAtms', (body, { url }) => {
    if (url.searchParams.has('province_code')) for (const atm of entries(body['data'])) atm['atm_distance'] = 0;
  }),
  ...(['listMerchants', 'listCurrencies', 'listBranches', 'listInstallments', 'createPaymentLink'] as const).map(
    (operation) =>
      answers(operation, (response) => {
        response.headers.set('content-type', 'text/plain');
        return response;
      }),
  ),
];

/** The samples: how each is called, and the bank that it is made of (none: the embedded one). */
export const samples: readonly {
  readonly name: string;
  readonly target: string;
  readonly bank: (() => Handler) | null;
}[] = [
  { name: 'reference-bank', target: 'The reference bank', bank: null },
  {
    name: 'faulty-bank',
    target: 'A bank with six faults',
    bank: () => faults.reduce<Handler>((bank, mutate) => mutate(bank), createBank()),
  },
];

const few = { MAX_APPLICATIONS: '60', MAX_DISBURSEMENTS: '40', MAX_LINKS: '60' };

/** Runs the suite as a user would, and returns the report that it left. */
export async function runSample({ name, target, bank }: (typeof samples)[number]): Promise<Report> {
  const served = bank === null ? null : await serve(bank());
  const folder = mkdtempSync(path.join(tmpdir(), `sample-${name}-`));
  const { clientId, clientSecret, accessToken } = sandboxCredentials;
  const address =
    served === null
      ? {}
      : { BASE_URL: served.url, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, ACCESS_TOKEN: accessToken };
  const env = {
    PATH: process.execPath,
    REPORT_DIR: folder,
    SEED: '1',
    RUNS: '10',
    TARGET_NAME: target,
    TARGET_BUILD: 'sample',
    ...few,
    ...address,
  };
  try {
    await new Promise<void>((resolve) => {
      const cli = path.join(root, 'node_modules/@playwright/test/cli.js');
      const child = spawn(
        process.execPath,
        [cli, 'test', '--project=conformance', `--output=${path.join(folder, 'results')}`],
        {
          cwd: root,
          env,
          stdio: 'ignore',
        },
      );
      child.on('close', () => resolve());
    });
    return JSON.parse(readFileSync(path.join(folder, 'conformance.json'), 'utf8')) as Report;
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await served?.close();
  }
}

/** The page of a sample: without the figures of a proof, which may or may not lie there. */
export async function samplePage(report: Report): Promise<string> {
  return renderHtml(report, { judge: await judgeScript() });
}

/** Makes all samples anew. */
async function refresh(): Promise<void> {
  mkdirSync(sampleFolder, { recursive: true });
  const browser = await launchBrowser();
  for (const sample of samples) {
    const report = await runSample(sample);
    const file = path.join(sampleFolder, sample.name);
    writeFileSync(`${file}.json`, `${JSON.stringify(report)}\n`);
    writeFileSync(`${file}.html`, await samplePage(report));
    const shown = await browser.newPage({ viewport: { width: 1120, height: 800 }, colorScheme: 'light' });
    await shown.goto(pathToFileURL(`${file}.html`).href);
    await shown.locator('#self-judging[data-state]').waitFor();
    await shown.screenshot({ path: `${file}.png` });
    await shown.close();
  }
  await browser.close();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await refresh();
