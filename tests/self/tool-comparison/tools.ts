/** The compared tools, each with the settings that it recommends for checking responses against an OpenAPI document. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { documentedTraffic } from './traffic.ts';
import { failedIn, headersOf, type ComparedTool, type ToolContext } from './tool.ts';
import { run } from './processes.ts';

const bin = ({ home }: ToolContext, name: string): string => join(home, 'node_modules', '.bin', name);

const schemathesis: ComparedTool = {
  name: 'Schemathesis',
  packages: ['schemathesis==4.32.5'],
  from: 'pypi',
  settings: 'all checks and phases, as by default; 3.1; a fixed seed; `--continue-on-failure`',
  async judge(context) {
    const { home, folder: cwd, contract31, baseUrl } = context;
    const junit = join(cwd, 'junit.xml');
    const headers = headersOf(context).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
    const options = '--seed 1 --continue-on-failure --no-color --report junit --report-junit-path'.split(' ');
    const words = ['run', contract31, '--url', baseUrl, ...headers, ...options, junit];
    await run(join(home, 'bin', 'schemathesis'), words, { cwd });
    return existsSync(junit)
      ? failedIn(readFileSync(junit, 'utf8'), /^\s*- ([A-Z][^\n]*)$/gm)
      : ['it ended without a report'];
  },
};

const dredd: ComparedTool = {
  name: 'Dredd',
  packages: ['dredd@14.1.0'],
  from: 'npm',
  settings: 'the examples of the contract as requests; 3.0, as it knows no 3.1',
  async judge(context) {
    const headers = headersOf(context).flatMap(([name, value]) => ['--header', `${name}: ${value}`]);
    const { text } = await run(
      bin(context, 'dredd'),
      [context.contract30, context.baseUrl, ...headers, '--no-color', '--loglevel=warning'],
      { cwd: context.folder },
    );
    if (!/^complete: \d+ passing/m.test(text)) return ['it ended without a report'];
    // A line for the request that failed, and one for each thing that was wrong.
    let request = '';
    return [...text.matchAll(/^fail: (.*?)(?: duration: \d+ms)?$/gm)].flatMap(([, line = '']) => {
      if (!/^(?:GET|POST) /.test(line)) return [`${request}: ${line}`];
      request = line.trim();
      return [];
    });
  },
};

async function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => done(port));
    });
  });
}

const prism: ComparedTool = {
  name: 'Prism proxy',
  packages: ['@stoplight/prism-cli@5.16.0'],
  from: 'npm',
  settings:
    '`prism proxy` reads along while one documented request goes to each operation, with ids that the bank gave; 3.1',
  async judge(context) {
    const port = await freePort();
    const child = spawn(bin(context, 'prism'), ['proxy', context.contract31, context.baseUrl, '--port', String(port)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    try {
      await new Promise<void>((done) => {
        child.stdout.on('data', (chunk: Buffer) => chunk.includes('listening') && done());
        child.once('close', () => done());
      });
      return await documentedTraffic(`http://127.0.0.1:${port}`, headersOf(context), (operation, response) => {
        const violations = JSON.parse(response.headers.get('sl-violations') ?? '[]') as {
          location: string[];
          code?: string;
        }[];
        return violations
          .filter(({ location }) => location[0] === 'response')
          .map(
            ({ location, code }) =>
              `${operation} ${location.map((part) => (/^\d+$/.test(part) ? '*' : part)).join('/')} ${code ?? ''}`,
          );
      });
    } finally {
      child.kill('SIGKILL');
    }
  },
};

export const tools: readonly ComparedTool[] = [schemathesis, dredd, prism];
