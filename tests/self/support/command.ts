/** Runs commands of the suite in their own processes, as users do. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { variableNames } from '../../../fixtures/run/config/variables/index.ts';
import { sandboxCredentials } from '../../../fixtures/reference-bank/bank.ts';
import { startServer, type Handler } from '../../../fixtures/reference-bank/http/serve.ts';
import type { Command } from '../../../openapi/util/command.ts';
import type { Report } from '../../../reports/model/report.ts';
import { makeTempDir } from './temp-dir.ts';

export const ROOT_FOLDER = path.join(__dirname, '../../..');
export const PLAYWRIGHT_CLI = path.join(ROOT_FOLDER, 'node_modules/@playwright/test/cli.js');
const CONFIG_ARGUMENT = `--config=${path.join(ROOT_FOLDER, 'playwright.config.ts')}`;
export const TYPESCRIPT_LOADER = path.join(ROOT_FOLDER, 'fixtures/typescript.cjs');

/** Returns the environment of a run against a sandbox at `url`. */
export const makeSandboxEnv = (url: string): Record<string, string> => ({
  BASE_URL: url,
  CLIENT_ID: sandboxCredentials.clientId,
  CLIENT_SECRET: sandboxCredentials.clientSecret,
  ACCESS_TOKEN: sandboxCredentials.accessToken,
});

export interface Ended {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The output on the terminal. */
  readonly out: string;
}

export interface Ran extends Ended {
  readonly folder: string;
  /** The report, or null if none was written. */
  readonly report: Report | null;
}

type Environment = Readonly<Record<string, string>>;

export interface StartOptions {
  /** The folder in which the command starts; the default is the repository. */
  readonly cwd?: string;
  readonly meanwhile?: (child: ChildProcess) => Promise<void>;
}

/** Runs a program of Node.js with only the variables in `env`, and waits for its end. */
export async function runProcess(
  words: readonly string[],
  env: Environment = {},
  { cwd = ROOT_FOLDER, meanwhile }: StartOptions = {},
): Promise<Ended> {
  const child = spawn(process.execPath, words, {
    cwd,
    env: { PATH: path.dirname(process.execPath), HOME: tmpdir(), NO_COLOR: '1', ...env },
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

type Outcome = Readonly<{ status: number; out: string }>;

/** Runs a command in this process. Returns its exit status and its output. */
export async function runInProcess(command: Command, ...words: readonly string[]): Promise<Outcome> {
  let out = '';
  return { status: await command(words, (text) => (out += text)), out };
}

/** Runs a command in this process. Of the variables of the suite, only those in `env` are set. */
export async function runWithEnv(command: Command, env: Environment, ...words: readonly string[]): Promise<Outcome> {
  const before = process.env;
  process.env = { ...makeCleanEnvironment(), NO_COLOR: '1', ...env };
  try {
    return await runInProcess(command, ...words);
  } finally {
    process.env = before;
  }
}

/** Returns the arguments of Node.js to start a TypeScript program. `file` is relative to the folder of the new process. */
export const makeScriptWords = (file: string, ...words: readonly string[]): readonly string[] => [
  '-r',
  TYPESCRIPT_LOADER,
  file,
  ...words,
];

interface RunOptions extends StartOptions {
  /** More options for the test runner. */
  readonly more?: readonly string[];
}

/** The arguments of Node.js for `npm run conformance`. */
export const RUN_COMMAND = makeScriptWords(path.join(ROOT_FOLDER, 'fixtures/runner/cli/main.ts'), 'run');

/** Runs the suite against the bank that `env` names. */
export function runConformance(env: Environment = {}, { more = [], ...options }: RunOptions = {}): Promise<Ran> {
  return runWords([...RUN_COMMAND, '--', ...more], env, options);
}

/** Serves `bank` on its own port, below `prefix`, while `work` runs. Returns the result of `work`. `countRequests` is how many arrived. */
export async function serveDuring<T>(
  bank: Handler,
  work: (url: string, countRequests: () => number) => Promise<T>,
  prefix = '',
): Promise<T> {
  let requests = 0;
  const counting: Handler = { fetch: (...sent) => ((requests += 1), bank.fetch(...sent)) };
  const served = await startServer(counting, { prefix });
  try {
    return await work(served.url, () => requests);
  } finally {
    await served.close();
  }
}

/** Serves `bank` and judges it with the credentials of the sandbox. */
export const judgeBank = (bank: Handler, env: Environment = {}, options: RunOptions = {}): Promise<Ran> =>
  serveDuring(bank, (url) => runConformance({ ...makeSandboxEnv(url), ...env }, options));

export const mergeShards = (blobs: string): Promise<Ran> =>
  runWords([PLAYWRIGHT_CLI, 'merge-reports', CONFIG_ARGUMENT, blobs], {}, {});

async function runWords(words: readonly string[], env: Environment, options: StartOptions): Promise<Ran> {
  const cwd = makeTempDir();
  const folder = env['REPORT_DIR'] ?? path.join(cwd, 'report');
  const ended = await runProcess(words, { REPORT_DIR: folder, ...env }, { cwd, ...options });
  return { ...ended, folder, report: readReport(folder) };
}

/** Returns the report of a run in this folder, or null. */
export function readReport(folder: string): Report | null {
  const file = path.join(folder, 'conformance.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : null;
}

/** Returns every line that a run has written to its journals. */
export function readJournalLines(folder: string): readonly Record<string, unknown>[] {
  const journals = path.join(folder, 'journal');
  if (!existsSync(journals)) return [];
  return readdirSync(journals)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(path.join(journals, name), 'utf8').split('\n').slice(0, -1))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Returns the environment of this process without variables about a bank. */
export function makeCleanEnvironment(): NodeJS.ProcessEnv {
  const suiteVariables = new Set<string>(variableNames.flatMap((name) => [name, name.toLowerCase()]));
  const runnerVariables = /^(?:BANK_OPEN_API_|TEST_|PW_|PLAYWRIGHT_|FORCE_COLOR$|GITHUB_)/;
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !suiteVariables.has(name) && !runnerVariables.test(name)),
  );
}

/** Returns the ids of the process and its descendants that have not ended. */
export function listProcessFamily(pid: number): readonly number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name): [number, number][] => {
      try {
        return [[Number(name), Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))?.[1])]];
      } catch {
        return [];
      }
    });
  const children = (of: number): readonly number[] =>
    parents.filter(([, parent]) => parent === of).flatMap(([child]) => [child, ...children(child)]);
  return [pid, ...children(pid)];
}
