/**
 * Starts a real browser for the tests of the page. On Linux it comes from the package @sparticuz/chromium, which needs neither
 * root nor a download; elsewhere, or by choice, CHROME_PATH names the browser. Without a browser the tests fail; they are never
 * skipped.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { chromium, test as base, type Browser, type BrowserContextOptions, type Page } from '@playwright/test';
import { getProcessEnvironment } from '../../../fixtures/run/config/process-env.ts';
import { ROOT_FOLDER } from './command.ts';

const runFile = promisify(execFile);
const packageName = '@sparticuz/chromium';

/** Unpacks the browser if this user has not unpacked this version before. Returns its folder. */
async function unpackBrowser(): Promise<string> {
  const manifest = path.join(ROOT_FOLDER, 'node_modules', packageName, 'package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  const folder = path.join(tmpdir(), `conformance-chromium-${version}-${userInfo().username}`);
  if (existsSync(folder)) return folder;
  const unfinishedFolder = mkdtempSync(`${folder}-`);
  // The package unpacks into TMPDIR. It unpacks additional libraries only if AWS_EXECUTION_ENV names an AWS Lambda function.
  const env = { TMPDIR: unfinishedFolder, HOME: homedir(), AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' };
  const url = pathToFileURL(require.resolve(packageName)).href;
  const unpack = `import(${JSON.stringify(url)}).then((m) => (m.default.default ?? m.default).executablePath())`;
  await runFile(process.execPath, ['-e', unpack], { env });
  writeFileSync(path.join(unfinishedFolder, 'fonts.conf'), renderFontConfig(path.join(folder, 'fonts')));
  mkdirSync(path.join(unfinishedFolder, 'font-cache'));
  try {
    renameSync(unfinishedFolder, folder);
  } catch (error) {
    // Another worker has already unpacked the browser.
    rmSync(unfinishedFolder, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

function renderFontConfig(folder: string): string {
  return `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
<include ignore_missing="yes">/etc/fonts/fonts.conf</include><dir>${folder}</dir><cachedir>${folder}/../font-cache</cachedir></fontconfig>`;
}

export async function launchBrowser(): Promise<Browser> {
  const chosen = getProcessEnvironment()['CHROME_PATH']?.trim() ?? '';
  if (chosen !== '') return chromium.launch({ executablePath: chosen });
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error(
      'Set CHROME_PATH to an installed Chrome or Chromium: the browser that comes along runs on Linux x64.',
    );
  const folder = await unpackBrowser();
  const options = { executablePath: path.join(folder, 'chromium'), args: [] };
  const env = {
    HOME: homedir(),
    TMPDIR: tmpdir(),
    PATH: '/usr/bin:/bin',
    FONTCONFIG_FILE: path.join(folder, 'fonts.conf'),
  };
  try {
    return await chromium.launch({ ...options, env });
  } catch {
    // This machine does not have all libraries, so the browser uses the libraries of the package.
    return chromium.launch({ ...options, env: { ...env, LD_LIBRARY_PATH: path.join(folder, 'al2023/lib') } });
  }
}

/** An open page, and the addresses that it tried to load. */
interface OpenedPage {
  readonly page: Page;
  /** Addresses that the page requested. All of them were refused. */
  readonly asked: readonly string[];
  /** Errors and warnings in the console of the page, and errors in its script. */
  readonly complaints: readonly string[];
}

interface Pages {
  /** Opens a page from its own file. Every other request is refused and counted. */
  open(html: string, options?: BrowserContextOptions & { readonly hash?: string }): Promise<OpenedPage>;
}

export const test = base.extend<{ pages: Pages }, { chrome: Browser }>({
  chrome: [
    async ({}, use) => {
      const started = await launchBrowser();
      await use(started);
      await started.close();
    },
    { scope: 'worker' },
  ],
  async pages({ chrome }, use) {
    const folder = mkdtempSync(path.join(tmpdir(), 'page-'));
    const contexts: { close(): Promise<void> }[] = [];
    let count = 0;
    await use({
      async open(html, { hash = '', ...options } = {}) {
        const context = await chrome.newContext(options);
        contexts.push(context);
        const page = await context.newPage();
        const file = path.join(folder, `page-${(count += 1)}.html`);
        writeFileSync(file, html);
        const [asked, complaints]: [string[], string[]] = [[], []];
        const pageUrl = pathToFileURL(file).href;
        await page.route('**/*', (route) => {
          if (route.request().url().split('#')[0] === pageUrl) return route.continue();
          asked.push(route.request().url());
          return route.abort();
        });
        page.on('console', (message) => {
          if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
        });
        page.on('pageerror', (error) => complaints.push(error.message));
        await page.goto(pageUrl + hash);
        return { page, asked, complaints };
      },
    });
    for (const context of contexts) await context.close();
    rmSync(folder, { recursive: true, force: true });
  },
});

const axeScript = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** Returns the accessibility problems that axe calls serious or critical, each with its element and its fault. */
export async function findSeriousBarriers(page: Page): Promise<readonly unknown[]> {
  await page.evaluate(axeScript);
  const { violations } = (await page.evaluate("axe.run(document, { resultTypes: ['violations'] })")) as {
    violations: { id: string; impact: string; nodes: { target: string[]; failureSummary: string }[] }[];
  };
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => [id, nodes.length, nodes[0]?.target, nodes[0]?.failureSummary]);
}
