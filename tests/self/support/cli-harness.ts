/** Whole runs in processes of their own, as users start them. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { sandboxCredentials } from '../../../fixtures/reference-bank/bank.ts';
import type { Report } from '../../../reports/model/report.ts';

export const root = fileURLToPath(new URL('../../../', import.meta.url));
/** The program of the test runner. */
export const playwright = path.join(root, 'node_modules/@playwright/test/cli.js');
const tsx = path.join(root, 'node_modules/tsx/dist/cli.mjs');
const folders: string[] = [];

/** What a run against a sandbox at `url` is told. */
export const sandbox = (url: string): Record<string, string> => ({
  BASE_URL: url,
  CLIENT_ID: sandboxCredentials.clientId,
  CLIENT_SECRET: sandboxCredentials.clientSecret,
  ACCESS_TOKEN: sandboxCredentials.accessToken,
});

/** A folder for the report of a run; removed by `removeFolders`. */
export function reportFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'whole-run-'));
  folders.push(folder);
  return folder;
}

export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

export interface Ended {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
}

/** Starts a program of Node.js with nothing in its environment but `env`, and waits for its end. */
export async function started(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  meanwhile?: (child: ChildProcess) => Promise<void>,
  cwd = root,
): Promise<Ended> {
  const child = spawn(process.execPath, words, {
    cwd,
    env: { PATH: process.execPath.replace(/\/[^/]*$/, ''), HOME: tmpdir(), NO_COLOR: '1', ...env },
  });
  let out = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (out += chunk.toString()));
  const closed = new Promise<[number | null, NodeJS.Signals | null]>((resolve) =>
    child.on('close', (...how) => resolve(how)),
  );
  await meanwhile?.(child);
  const [status, signal] = await closed;
  return { status, signal, out };
}

/** A conformance run. */
export const conformance = (
  env: Readonly<Record<string, string>>,
  meanwhile?: (child: ChildProcess) => Promise<void>,
  more: readonly string[] = [],
): Promise<Ended> => started([playwright, 'test', '--project=conformance', ...more], env, meanwhile);

/** `npm run report`. */
export const report = (...words: readonly string[]): Promise<Ended> =>
  started([tsx, 'reports/cli/report.ts', ...words], {});

/** The report that a run left, or null. */
export function reportIn(folder: string): Report | null {
  const file = path.join(folder, 'conformance.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : null;
}

/** Every line of every journal that a run wrote so far. */
export function journalLines(folder: string): readonly Record<string, unknown>[] {
  const journals = path.join(folder, 'journal');
  if (!existsSync(journals)) return [];
  return readdirSync(journals)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(path.join(journals, name), 'utf8').split('\n').slice(0, -1))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
