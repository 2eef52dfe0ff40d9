import { spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { clauses } from '../../openapi/clauses.ts';
import { operationIds } from '../../openapi/exchange.ts';
import type { Report } from '../../reports/report.ts';
import { run as facts, lines } from './report-sample.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const cli = path.join(root, 'node_modules/@playwright/test/cli.js');
const reporter = path.join(root, 'reports/reporter.ts');
const folders: string[] = [];

test.describe.configure({ mode: 'parallel' });

test.afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A journal that puts every promise of the ledger to the test, and lets the lines be added to. */
function journal(story: string, ...more: readonly Record<string, unknown>[]): string {
  const all = lines(
    { line: 'story', story, title: story, proves: [] },
    { line: 'clauses', set: 0, ids: Object.keys(clauses) },
    ...operationIds.map((operation) => ({
      line: 'exchange',
      id: `${story}-${operation}`,
      operation,
      kind: 'positive',
      status: 200,
      outcome: 'succeeded',
      ms: 1,
      set: 0,
    })),
    ...more,
    { line: 'end', story, durationMs: 5 },
  );
  return all.map((line) => `${JSON.stringify(line)}\n`).join('');
}

const finding = {
  line: 'finding',
  clause: Object.keys(clauses).find((id) => clauses[id as keyof typeof clauses].level === 'must'),
  operation: 'findAtms',
  pointer: '/data',
  kind: 'type',
  expected: 'an array',
  received: '::error::an object \u001b[31m',
  exchange: 's-findAtms',
};

/** What a story does in the tiny suite: leaves its journal and attaches it. */
const keep = (name: string, text: string): string => `
  const file = path.join(folder, '${name}.jsonl');
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(file, ${JSON.stringify(text)});
  await info.attach('journal', { path: file, contentType: 'application/jsonl' });
`;

interface Tiny {
  /** Bodies of the tests by title. */
  readonly stories?: Readonly<Record<string, string>>;
  readonly setup?: string;
  readonly metadata?: object;
  readonly args?: readonly string[];
  readonly reporter?: string;
  readonly config?: string;
}

/** A suite of a few lines in a folder of its own. */
function tiny({ stories = {}, setup, metadata = facts, reporter: reporters, config = '' }: Tiny): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'reporter-'));
  folders.push(folder);
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  mkdirSync(path.join(folder, 'stories'));
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  const used = reporters ?? `[[${JSON.stringify(reporter)}, { reportDir: 'out' }]]`;
  writeFileSync(
    path.join(folder, 'playwright.config.js'),
    `export default { metadata: { conformance: ${JSON.stringify(metadata)} }, workers: 1, fullyParallel: true, reporter: ${used},
      ${setup === undefined ? '' : "globalSetup: './setup.js',"} ${config}
      projects: [{ name: 'conformance', testDir: 'stories' }, { name: 'self', testDir: 'other' }] };`,
  );
  if (setup !== undefined) writeFileSync(path.join(folder, 'setup.js'), setup);
  Object.entries(stories).forEach(([title, body], at) => {
    writeFileSync(
      path.join(folder, 'stories', `${at}.spec.js`),
      `import fs from 'node:fs'; import path from 'node:path'; import { test } from '@playwright/test';
      const folder = path.resolve('out/journal');
      test(${JSON.stringify(title)}, async ({}, info) => {${body}});`,
    );
  });
  return folder;
}

interface Ended {
  readonly status: number | null;
  readonly out: string;
  readonly report: Report | null;
}

async function playwright(folder: string, args: readonly string[]): Promise<Ended> {
  const { PWTEST_WATCH: _, TEST_WORKER_INDEX: __, ...env } = process.env;
  const child = spawn(process.execPath, [cli, ...args], { cwd: folder, env: { ...env, FORCE_COLOR: '0' } });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (out += chunk.toString()));
  const status = await new Promise<number | null>((resolve) => child.on('close', resolve));
  let report: Report | null = null;
  try {
    report = JSON.parse(readFileSync(path.join(folder, 'out/conformance.json'), 'utf8')) as Report;
  } catch {
    // Not every run leaves a report.
  }
  return { status, out, report };
}

const judge = (folder: string): Promise<Ended> => playwright(folder, ['test', '--project=conformance']);

test('A run in which all is kept passes with exit status 0', async () => {
  const folder = tiny({ stories: { s: keep('s', journal('s')) } });
  const { status, out, report } = await judge(folder);
  expect(status, out).toBe(0);
  expect(report).toMatchObject({
    verdict: 'conformant',
    gate: { pass: true },
    requests: 11,
    target: facts.target,
  });
  expect(out).toContain('CONFORMANT');
  expect(out).toContain('conformance.html');
  expect(readdirSync(path.join(folder, 'out')).sort()).toEqual([
    'conformance.html',
    'conformance.json',
    'journal',
    'junit.xml',
  ]);
});

test('A finding ends the run with exit status 1 and three safe lines', async () => {
  const { status, out, report } = await judge(tiny({ stories: { s: keep('s', journal('s', finding)) } }));
  expect(status, out).toBe(1);
  expect(report).toMatchObject({
    verdict: 'non-conformant',
    findings: [{ received: finding.received, count: 1 }],
  });
  expect(out).toContain('expected  an array');
  expect(out).not.toMatch(/^\s*::/m);
  expect(out).not.toContain('\u001b');
});

test('An operation that never succeeds ends the run with exit status 2', async () => {
  const text = journal('s')
    .replace('"outcome":"succeeded"', '"outcome":"refused"')
    .replace('"status":200', '"status":404');
  const { status, out, report } = await judge(tiny({ stories: { s: keep('s', text) } }));
  expect(status, out).toBe(2);
  expect(report?.verdict).toBe('inconclusive');
  expect(report?.reasons.join(' ')).toContain('validateLoan never succeeded: 1 request brought 404');
});

test('A fault of the configuration is one clear paragraph, a report and exit status 2', async () => {
  const setup =
    "export default () => { throw new Error('Configuration: CLIENT_ID is not set.\\nSet it, or say none.'); };";
  const { status, out, report } = await judge(tiny({ setup, stories: { s: keep('s', journal('s')) } }));
  expect(status, out).toBe(2);
  expect(report).toMatchObject({
    verdict: 'inconclusive',
    configuration: ['CLIENT_ID is not set. Set it, or say none.'],
  });
  expect(report?.errors).toEqual([]);
  expect(out).toContain('CLIENT_ID is not set.');
  expect(out).not.toContain('setup.js');
});

test('A fault that the metadata tells is the same', async () => {
  const { status, report } = await judge(
    tiny({ metadata: { ...facts, configuration: ['SEED is no number.'] } }),
  );
  expect(status).toBe(2);
  expect(report?.configuration).toEqual(['SEED is no number.']);
});

test('A failing test is a fault of the suite and ends with exit status 3', async () => {
  const { status, out, report } = await judge(
    tiny({
      stories: { s: keep('s', journal('s')), 'It breaks': "throw new Error('\\u001b[31mout of order');" },
    }),
  );
  expect(status, out).toBe(3);
  expect(report).toMatchObject({ verdict: 'inconclusive', errors: [{ story: 'It breaks' }] });
  expect(report?.errors[0]?.message).toMatch(/^out of order \(.*1\.spec\.js:\d+\)/);
  expect(out).toContain('no fault of the bank');
});

test('What a dead worker wrote before it died is counted', async () => {
  const dying = `${keep('s', journal('s', finding).replace(/\{"line":"end".*\n$/, '{"line":"fin'))} process.kill(process.pid, 'SIGKILL');`;
  const { status, report } = await judge(tiny({ stories: { s: dying } }));
  expect(status).toBe(1);
  expect(report).toMatchObject({ verdict: 'non-conformant', findings: [{ count: 1 }] });
  expect(report?.errors.length).toBeGreaterThan(0);
});

test('Journals of earlier runs are not read', async () => {
  const folder = tiny({ stories: { s: keep('s', journal('s')) } });
  const old = path.join(folder, 'out/journal/old.jsonl');
  mkdirSync(path.dirname(old), { recursive: true });
  writeFileSync(old, journal('old', finding));
  const { status } = await judge(folder);
  expect(status).toBe(0);
});

test('A report that cannot be written is one sentence and exit status 3', async () => {
  const folder = tiny({
    stories: {
      s: keep('s', journal('s'))
        .replace('fs.mkdirSync(folder, { recursive: true });', '')
        .replaceAll('folder, ', "'.', "),
    },
  });
  writeFileSync(path.join(folder, 'out'), 'a file where the folder should be');
  const { status, out } = await judge(folder);
  expect(status, out).toBe(3);
  expect(out).toContain('The report could not be written to');
});

test('A secret that was found in what was written ends with exit status 3', async () => {
  const withScan = `[[${JSON.stringify(reporter)}, { reportDir: 'out', scan: () => ['conformance.json'] }]]`;
  const { status, report } = await judge(
    tiny({ reporter: withScan, stories: { s: keep('s', journal('s')) } }),
  );
  expect(status).toBe(3);
  expect(report?.gate).toMatchObject({
    pass: false,
    reasons: ['a secret stands in clear in conformance.json'],
  });
});

test('Shards are folded into one report by merging', async () => {
  const folder = tiny({
    reporter: "[['blob']]",
    stories: { a: keep('a', journal('a')), b: keep('b', journal('b', finding)) },
  });
  for (const shard of ['1/2', '2/2']) {
    const { status } = await playwright(folder, ['test', '--project=conformance', `--shard=${shard}`]);
    expect(status).toBe(0);
    const [blob] = readdirSync(path.join(folder, 'blob-report'));
    mkdirSync(path.join(folder, 'blobs'), { recursive: true });
    writeFileSync(path.join(folder, 'blobs', blob!), readFileSync(path.join(folder, 'blob-report', blob!)));
  }
  rmSync(path.join(folder, 'out'), { recursive: true, force: true });
  writeFileSync(
    path.join(folder, 'merge.config.js'),
    `export default { testDir: 'stories', reporter: [[${JSON.stringify(reporter)}, { reportDir: 'out' }]] };`,
  );
  const { status, out, report } = await playwright(folder, [
    'merge-reports',
    '-c',
    'merge.config.js',
    'blobs',
  ]);
  expect(status, out).toBe(1);
  expect(report).toMatchObject({
    verdict: 'non-conformant',
    requests: 22,
    suite: { seed: 42 },
    target: facts.target,
  });
});

test('A shard alone draws no verdict', async () => {
  const folder = tiny({ stories: { a: keep('a', journal('a', finding)), b: keep('b', journal('b')) } });
  const { status, out, report } = await playwright(folder, ['test', '--project=conformance', '--shard=1/2']);
  expect(status, out).toBe(0);
  expect(out).toContain('Shard 1 of 2');
  expect(report).toBeNull();
});
