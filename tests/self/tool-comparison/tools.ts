/** The peers, each with the settings that it recommends for checking answers against an OpenAPI document. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { documentedTraffic } from './traffic.ts';
import { failedIn, headersOf, type ComparedTool, type ToolFolder } from './tool.ts';
import { run } from './processes.ts';

const bin = ({ home }: ToolFolder, name: string): string => join(home, 'node_modules', '.bin', name);

const schemathesis: ComparedTool = {
  name: 'Schemathesis',
  packages: ['schemathesis==4.32.5'],
  from: 'pypi',
  settings: 'all checks and phases, as by default; 3.1; a fixed seed; `--continue-on-failure`',
  async judge(room) {
    const [junit, headers] = [
      join(room.folder, 'junit.xml'),
      headersOf(room).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    ];
    const words = [
      'run',
      room.contract31,
      '--url',
      room.baseUrl,
      ...headers,
      '--seed',
      '1',
      '--continue-on-failure',
      '--no-color',
    ];
    await run(join(room.home, 'bin', 'schemathesis'), [...words, '--report', 'junit', '--report-junit-path', junit], {
      cwd: room.folder,
    });
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
  async judge(room) {
    const headers = headersOf(room).flatMap(([name, value]) => ['--header', `${name}: ${value}`]);
    const { text } = await run(
      bin(room, 'dredd'),
      [room.contract30, room.baseUrl, ...headers, '--no-color', '--loglevel=warning'],
      { cwd: room.folder },
    );
    if (!/^complete: \d+ passing/m.test(text)) return ['it ended without a report'];
    // A line for the request that failed, and one for each thing that was wrong.
    let request = '';
    return [...text.matchAll(/^fail: (.*?)(?: duration: \d+ms)?$/gm)].flatMap(([, said = '']) => {
      if (!/^(?:GET|POST) /.test(said)) return [`${request}: ${said}`];
      request = said.trim();
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
  async judge(room) {
    const port = await freePort();
    const child = spawn(bin(room, 'prism'), ['proxy', room.contract31, room.baseUrl, '--port', String(port)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    try {
      await new Promise<void>((done) => {
        child.stdout.on('data', (chunk: Buffer) => chunk.includes('listening') && done());
        child.once('close', () => done());
      });
      return await documentedTraffic(`http://127.0.0.1:${port}`, headersOf(room), (operation, response) => {
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

const portman: ComparedTool = {
  name: 'Portman + Newman',
  packages: ['@apideck/portman@1.33.0', 'newman@6.2.2', 'tslib@2.8.1'],
  from: 'npm',
  settings:
    'contract tests of every response (status, content type, JSON, schema), parameters from examples; 3.0 (Portman 1.33.0 forgets its dependency tslib)',
  async judge(room) {
    const [collection, out] = [join(room.folder, 'collection.json'), join(room.folder, 'newman.json')];
    const overwrites = headersOf(room).map(([key, value]) => ({ key, value, overwrite: true, insert: true }));
    const configuration = {
      version: 1,
      tests: {
        contractTests: [
          {
            openApiOperation: '*::/*',
            statusSuccess: { enabled: true },
            contentType: { enabled: true },
            jsonBody: { enabled: true },
            schemaValidation: { enabled: true },
            headersPresent: { enabled: false },
          },
        ],
      },
      overwrites: [{ openApiOperation: '*::/*', overwriteRequestHeaders: overwrites }],
      globals: { stripResponseExamples: true },
    };
    const file = join(room.folder, 'portman.json');
    writeFileSync(file, JSON.stringify(configuration));
    const postman = join(room.folder, 'postman.json');
    writeFileSync(
      postman,
      JSON.stringify({
        folderStrategy: 'Tags',
        requestParametersResolution: 'Example',
        exampleParametersResolution: 'Example',
      }),
    );
    await run(
      bin(room, 'portman'),
      ['-l', room.contract30, '-b', room.baseUrl, '-c', file, '-p', postman, '-o', collection],
      { cwd: room.folder },
    );
    await run(bin(room, 'newman'), ['run', collection, '-r', 'json', '--reporter-json-export', out], {
      cwd: room.folder,
    });
    if (!existsSync(out)) return ['it ended without a report'];
    const { run: ran } = JSON.parse(readFileSync(out, 'utf8')) as {
      run: { failures: { source?: { name: string }; error: { test?: string; name: string } }[] };
    };
    return ran.failures.map(({ source, error }) => `${source?.name ?? ''}: ${error.test ?? error.name}`);
  },
};

const specmatic: ComparedTool = {
  name: 'Specmatic',
  packages: ['specmatic@2.55.1'],
  from: 'npm',
  settings: '`specmatic test` with the examples of the contract; 3.0; credentials as examples of the security schemes',
  async judge(room) {
    const reports = join(room.folder, 'junit');
    const { clientId, clientSecret, accessToken } = room.credentials;
    const named = {
      loansClientId: clientId,
      loansClientSecret: clientSecret,
      loansToken: accessToken,
      linksClientId: clientId,
      linksClientSecret: clientSecret,
      linksToken: accessToken,
      atmsClientId: clientId,
      atmsClientSecret: clientSecret,
    };
    await run(
      'java',
      [
        '-jar',
        join(room.home, 'node_modules', 'specmatic', 'specmatic.jar'),
        'test',
        room.contractNamed,
        `--testBaseURL=${room.baseUrl}`,
        `--junitReportDir=${reports}`,
      ],
      {
        cwd: room.folder,
        env: { ...process.env, ...named },
      },
    );
    const files = existsSync(reports) ? readdirSync(reports).filter((name) => name.endsWith('.xml')) : [];
    if (files.length === 0) return ['it ended without a report'];
    return files.flatMap((name) => failedIn(readFileSync(join(reports, name), 'utf8'), /(RESPONSE\.[\w.[\]-]*)/g));
  },
};

export const tools: readonly ComparedTool[] = [schemathesis, dredd, prism, portman, specmatic];
