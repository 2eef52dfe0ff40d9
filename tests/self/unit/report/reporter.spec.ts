import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { run as facts } from '../../support/reports/sample-report.ts';
import { finding, journal, judge, keep, playwright, reporter, tiny } from '../../support/reports/fake-suite.ts';
import { thorough } from '../../support/thorough.ts';

test.describe.configure({ mode: 'parallel' });

test('A run in which all is kept passes with exit status 0', thorough, async () => {
  const folder = tiny({ scenarios: { s: keep('s', journal('s')) } });
  const { status, out, report } = await judge(folder);
  expect(status, out).toBe(0);
  expect(report).toMatchObject({
    verdict: 'conformant',
    gate: { pass: true },
    requests: 11,
    target: facts.target,
  });
  expect(out).toContain('Verdict: conformant');
  expect(out).toContain('conformance.html');
  expect(readdirSync(path.join(folder, 'out'))).toEqual(
    expect.arrayContaining(['conformance.html', 'conformance.json', 'journal', 'junit.xml']),
  );
});

test('A finding ends the run with exit status 1 and three safe lines', async () => {
  const { status, out, report } = await judge(tiny({ scenarios: { s: keep('s', journal('s', finding)) } }));
  expect(status, out).toBe(1);
  expect(report).toMatchObject({
    verdict: 'non-conformant',
    findings: [{ received: finding.received, count: 1 }],
  });
  expect(out).toContain('expected  an array');
  expect(out).not.toMatch(/^\s*::/m);
  expect(out).not.toContain('\u001b');
});

test('An operation that never succeeds ends the run with exit status 2', thorough, async () => {
  const text = journal('s')
    .replace('"outcome":"succeeded"', '"outcome":"refused"')
    .replace('"status":200', '"status":404');
  const { status, out, report } = await judge(tiny({ scenarios: { s: keep('s', text) } }));
  expect(status, out).toBe(2);
  expect(report?.verdict).toBe('inconclusive');
  expect(report?.reasons.join(' ')).toContain('validateLoan never succeeded: the only request got 404');
});

test('A fault of the configuration is one clear paragraph, a report and exit status 2', thorough, async () => {
  const setup =
    "export default () => { throw new Error('Configuration: CLIENT_ID is not set.\\nSet it, or say none.'); };";
  const { status, out, report } = await judge(tiny({ setup, scenarios: { s: keep('s', journal('s')) } }));
  expect(status, out).toBe(2);
  expect(report).toMatchObject({
    verdict: 'inconclusive',
    configuration: ['CLIENT_ID is not set. Set it, or say none.'],
  });
  expect(report?.errors).toEqual([]);
  expect(out).toContain('CLIENT_ID is not set.');
  expect(out).not.toContain('setup.js');
});

test('A fault that the metadata tells is the same', thorough, async () => {
  const { status, report } = await judge(tiny({ metadata: { ...facts, configuration: ['SEED is no number.'] } }));
  expect(status).toBe(2);
  expect(report?.configuration).toEqual(['SEED is no number.']);
});

test('A failing test is a fault of the suite and ends with exit status 3', async () => {
  const { status, out, report } = await judge(
    tiny({
      scenarios: { s: keep('s', journal('s')), 'It breaks': "throw new Error('\\u001b[31mout of order');" },
    }),
  );
  expect(status, out).toBe(3);
  expect(report).toMatchObject({ verdict: 'inconclusive', errors: [{ scenario: 'It breaks' }] });
  expect(report?.errors[0]?.message).toMatch(/^out of order \(.*1\.spec\.js:\d+\)/);
  expect(out).toContain('this says nothing about the bank');
});

test('What a dead worker wrote before it died is counted', thorough, async () => {
  const dying = `${keep('s', journal('s', finding).replace(/\{"line":"end".*\n$/, '{"line":"fin'))} process.kill(process.pid, 'SIGKILL');`;
  const { status, report } = await judge(tiny({ scenarios: { s: dying } }));
  expect(status).toBe(1);
  expect(report).toMatchObject({ verdict: 'non-conformant', findings: [{ count: 1 }] });
  expect(report?.errors.length).toBeGreaterThan(0);
});

test('Journals of other runs are not read, whenever they were written', thorough, async () => {
  const other = journal('other', finding).replace('"run":"a-run"', '"run":"another-run"');
  const folder = tiny({ scenarios: { s: keep('s', journal('s')), 'It meets another run': keep('other', other) } });
  const old = path.join(folder, 'out/journal/old.jsonl');
  mkdirSync(path.dirname(old), { recursive: true });
  writeFileSync(old, journal('old', finding));
  const { status, report } = await judge(folder);
  expect([status, report?.requests]).toEqual([0, 11]);
});

test('A run that judged nothing leaves the report of the last one that did', async () => {
  const folder = tiny({ scenarios: { s: keep('s', journal('s')) } });
  await judge(folder);
  // In a suite that is tried here every run has the same id.
  rmSync(path.join(folder, 'out/journal'), { recursive: true });
  const scenario = path.join(folder, 'scenarios/0.spec.js');
  const sound = readFileSync(scenario, 'utf8');
  writeFileSync(scenario, 'throw new Error("cannot be loaded");');
  const { status, out, report } = await judge(folder);
  expect([status, report?.verdict], out).toEqual([3, 'conformant']);
  expect(out).toContain('The report of the last run with results is still in');
  const attempt = path.join(folder, 'out/last-attempt/conformance.json');
  expect(existsSync(attempt)).toBe(true);
  writeFileSync(scenario, sound);
  await judge(folder);
  expect(existsSync(attempt)).toBe(false);
});

test('A report that cannot be written is one sentence and exit status 3', thorough, async () => {
  const folder = tiny({
    scenarios: {
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
  const { status, report } = await judge(tiny({ reporter: withScan, scenarios: { s: keep('s', journal('s')) } }));
  expect(status).toBe(3);
  expect(report?.gate).toMatchObject({
    pass: false,
    reasons: ['a secret was found in conformance.json: what this run wrote there was removed'],
  });
});

const endless = keep('s', journal('s', finding).replace(/\{"line":"end".*\n$/, '')) + 'await new Promise(() => {});';

test('An interrupted run keeps what it found, and says that it was interrupted', thorough, async () => {
  const kept = endless.replace('await new Promise', "fs.writeFileSync('kept', ''); await new Promise");
  const folder = tiny({ scenarios: { s: kept }, config: 'timeout: 0,' });
  const ended = playwright(folder, ['test', '--project=conformance'], async (child) => {
    while (!existsSync(path.join(folder, 'kept'))) await setTimeout(50);
    child.kill('SIGINT');
  });
  const { status, out, report } = await ended;
  expect(status, out).toBe(1);
  expect(report).toMatchObject({ verdict: 'non-conformant', interrupted: 'it was interrupted.', errors: [] });
  expect(report?.reasons).toContain('The run ended early: it was interrupted.');
});

test('A run whose time is up is no fault of the suite', thorough, async () => {
  const text = endless.replace(/\{\\"line\\":\\"finding.*?\\n/, '');
  const { status, out, report } = await judge(
    tiny({ scenarios: { s: text }, config: 'timeout: 0, globalTimeout: 4000,' }),
  );
  expect(status, out).toBe(2);
  expect(report, out).toMatchObject({ verdict: 'inconclusive', interrupted: 'its time was up.', errors: [] });
});

/** What a shard of the suite leaves beside its journals. */
const attachManifest = `
  const shard = { current: info.config.shard.current, total: info.config.shard.total };
  const manifest = { run: 'a-run', shard, seed: 42, target: 'bank', suite: '1' };
  await info.attach('manifest', { body: JSON.stringify(manifest), contentType: 'application/json' });`;

test('Shards are folded into one report by merging', thorough, async () => {
  const folder = tiny({
    reporter: "[['blob']]",
    scenarios: { a: keep('a', journal('a')) + attachManifest, b: keep('b', journal('b', finding)) + attachManifest },
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
    `export default { testDir: 'scenarios', reporter: [[${JSON.stringify(reporter)}, { reportDir: 'out' }]] };`,
  );
  const { status, out, report } = await playwright(folder, ['merge-reports', '-c', 'merge.config.js', 'blobs']);
  expect(status, out).toBe(1);
  expect(report).toMatchObject({
    verdict: 'non-conformant',
    requests: 22,
    suite: { seed: 42 },
    target: facts.target,
  });
});

test('A selection without a scenario is a fault of the command line, and none of the suite', async () => {
  const folder = tiny({ scenarios: { a: keep('a', journal('a')) } });
  const { status, out, report } = await playwright(folder, ['test', '--project=conformance', '-g', 'no such title']);
  expect([status, report?.errors], out).toEqual([2, []]);
  expect(report?.configuration).toEqual([expect.stringMatching(/^The command line selects no scenario: /)]);
});

test('A shard alone draws no verdict', thorough, async () => {
  const folder = tiny({ scenarios: { a: keep('a', journal('a', finding)), b: keep('b', journal('b')) } });
  const { status, out, report } = await playwright(folder, ['test', '--project=conformance', '--shard=1/2']);
  expect(status, out).toBe(0);
  expect(out).toContain('Shard 1 of 2');
  expect(report).toBeNull();
});
