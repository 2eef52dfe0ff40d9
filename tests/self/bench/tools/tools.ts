/** The compared tools, each with its recommended settings to check answers by an OpenAPI document. */
import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sandboxCredentials } from '../../../../fixtures/reference-bank/bank.ts';
import { runConformance, makeSandboxEnv } from '../../support/command.ts';
import { makeTempDir } from '../../support/temp-dir.ts';
import { sendDocumentedTraffic } from '../../support/documented-traffic.ts';

const MAX_TOOL_SECONDS = 120;
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

/** One bank to judge. */
interface ToolContext {
  /** The folder of the installed tool. */
  readonly home: string;
  readonly baseUrl: string;
  /** The path of the contract file. */
  readonly contract: string;
}

export interface ComparedTool {
  readonly name: string;
  /** The exact version. */
  readonly version: string;
  /** One line: how the tool is used, and how this differs from its defaults. */
  readonly settings: string;
  /** Installs the tool into an existing folder. Rejects if this fails. */
  install(home: string): Promise<unknown>;
  /** Judges the bank at `baseUrl` and names each reported failure by its kind, without values that change. */
  judge(context: ToolContext): Promise<readonly string[]>;
}

const runFile = promisify(execFile);

const schemathesisTool: ComparedTool = {
  name: 'Schemathesis',
  version: 'schemathesis==4.32.5',
  settings: 'all checks and phases, as by default; a fixed seed; `--continue-on-failure`',
  async install(home) {
    await runFile('python3', ['-m', 'venv', home]);
    await runFile(join(home, 'bin', 'pip'), ['install', '--quiet', this.version]);
  },
  async judge({ home, baseUrl, contract }) {
    const { clientId, clientSecret, accessToken } = sandboxCredentials;
    const headers = [
      `X-GW-client-id: ${clientId}`,
      `X-GW-client-secret: ${clientSecret}`,
      `Authorization: Bearer ${accessToken}`,
    ].flatMap((header) => ['-H', header]);
    const cwd = makeTempDir();
    const junit = join(cwd, 'junit.xml');
    const options = '--seed 1 --continue-on-failure --no-color --report junit --report-junit-path'.split(' ');
    const words = ['run', contract, '--url', baseUrl, ...headers, ...options, junit];
    const limits = { timeout: MAX_TOOL_SECONDS * 1000, killSignal: 'SIGKILL', maxBuffer: Infinity } as const;
    // The exit status is 1 if the tool reports something.
    await runFile(join(home, 'bin', 'schemathesis'), words, { cwd, ...limits }).catch(() => undefined);
    const written = existsSync(junit) ? readFileSync(junit, 'utf8') : '';
    return written.includes('</testsuites>') ? listFailedTests(written) : ['it ended without a report'];
  },
};

/** Returns the names of the failed tests in a JUnit file, each with its kinds of failures. */
function listFailedTests(junit: string): readonly string[] {
  return [...junit.matchAll(/<testcase\b([^>]*?)(?:\/>|>([^]*?)<\/testcase>)/g)].flatMap(
    ([, attributes = '', inside = '']) => {
      if (!/<(?:failure|error)\b/.test(inside)) return [];
      const name = /\bname="([^"]*)"/.exec(attributes)?.[1] ?? '';
      const kinds = new Set([...inside.matchAll(/^\s*- ([A-Z][^\n]*)$/gm)].map(([, kind = '']) => kind.trim()));
      return kinds.size === 0 ? [name] : [...kinds].map((kind) => `${name}: ${kind}`);
    },
  );
}

async function findFreePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => done(port));
    });
  });
}

/** Returns the violations that Prism reports for an answer. */
function listPrismViolations({ headers }: Response): readonly string[] {
  const all = JSON.parse(headers.get('sl-violations') ?? '[]') as { location: string[]; code?: string }[];
  return all
    .filter(({ location: [part] }) => part === 'response')
    .map(({ location, code = '' }) => `${location.join('/').replaceAll(/\b\d+\b/g, '*')} ${code}`);
}

const prismTool: ComparedTool = {
  name: 'Prism proxy',
  version: '@stoplight/prism-cli@5.16.0',
  settings:
    '`prism proxy` reads along while one documented request goes to each operation, with ids that the bank gave',
  async install(home) {
    writeFileSync(join(home, 'package.json'), '{ "private": true }');
    await runFile('npm', ['install', '--no-audit', '--no-fund', this.version], { cwd: home });
  },
  async judge({ home, baseUrl, contract }) {
    const port = await findFreePort();
    const words = ['proxy', contract, baseUrl, '--port', String(port)];
    const child = spawn(join(home, 'node_modules', '.bin', 'prism'), words, { stdio: ['ignore', 'pipe', 'ignore'] });
    try {
      await new Promise<void>((done) => {
        child.stdout.on('data', (chunk: Buffer) => chunk.includes('listening') && done());
        child.once('close', () => done());
      });
      const failures: string[] = [];
      await sendDocumentedTraffic(async (operation, { path, ...request }) => {
        try {
          const response = await fetch(`http://127.0.0.1:${port}${path}`, request);
          failures.push(...listPrismViolations(response).map((violation) => `${operation} ${violation}`));
          return await response.text();
        } catch (error) {
          failures.push(`${operation} cannot be read: ${(error as Error).name}`);
          return '';
        }
      });
      return failures;
    } finally {
      child.kill('SIGKILL');
    }
  },
};

/** This suite as users run it, with all reports. It reports everything that makes a run with STRICT fail. */
const thisSuite: ComparedTool = {
  name: 'This suite, strict',
  version: `version ${version}`,
  settings: '`STRICT=1`: warnings fail as well',
  install: () => Promise.resolve(),
  async judge({ baseUrl }) {
    const { report } = await runConformance({
      ...makeSandboxEnv(baseUrl),
      SEED: '1',
      MAX_DURATION: String(MAX_TOOL_SECONDS),
    });
    if (report === null) throw new Error('The suite left no report.');
    return report.findings.map(({ id }) => id);
  },
};

export const comparedTools: readonly ComparedTool[] = [schemathesisTool, prismTool, thisSuite];
