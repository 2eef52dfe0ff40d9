/** Tests the reporter in very small suites: exit status, output and report of a run, and of merged shards. */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import {
  FINDING_LINE,
  renderJournal,
  judgeFolder,
  keepJournal,
  runPlaywright,
  REPORTER_FILE,
  makeTinySuite,
} from '../../support/reports/fake-suite.ts';
import { findShardFaults, type Manifest } from '../../../../reports/journal/manifests.ts';
import { THOROUGH_ONLY } from '../../support/thorough.ts';

test.describe.configure({ mode: 'parallel' });

const soundScenario = keepJournal('s', renderJournal('s'));
const faultyScenario = keepJournal('s', renderJournal('s', FINDING_LINE));

test('A run with a finding ends with exit status 1; a later run without scenarios ends with 3, and keeps the report', async () => {
  const folder = makeTinySuite({ scenarios: { s: faultyScenario } });
  const { status, out, report } = await judgeFolder(folder);
  expect(status, out).toBe(1);
  // The user asked for no other output.
  expect(readdirSync(path.join(folder, 'out')).filter((name) => /sarif|har$|summary|annotations/.test(name))).toEqual(
    [],
  );
  expect(report).toMatchObject({
    verdict: 'non-conformant',
    findings: [{ received: FINDING_LINE.received, count: 1 }],
  });
  expect(out).toContain('expected  an array');
  expect(out).not.toMatch(/^\s*::/m);
  expect(out).not.toContain('\u001b');

  // Every run of a tiny suite has the same id.
  rmSync(path.join(folder, 'out/journal'), { recursive: true });
  const scenario = path.join(folder, 'scenarios/0.spec.js');
  writeFileSync(scenario, 'throw new Error("cannot be loaded");');
  const runWithoutScenarios = await judgeFolder(folder);
  expect([runWithoutScenarios.status, runWithoutScenarios.report?.verdict], runWithoutScenarios.out).toEqual([
    3,
    'non-conformant',
  ]);
  expect(runWithoutScenarios.out).toContain('The report of the last run with results is still in');
  expect(existsSync(path.join(folder, 'out/last-attempt/conformance.json'))).toBe(true);
});

test('If a scenario throws, the run ends with exit status 3, and names the fault of the suite', async () => {
  const broken = "throw new Error('\\u001b[31mout of order');";
  const { status, out, report } = await judgeFolder(
    makeTinySuite({ scenarios: { s: soundScenario, 'It breaks': broken } }),
  );
  expect(status, out).toBe(3);
  expect(report).toMatchObject({ verdict: 'inconclusive', errors: [{ scenario: 'It breaks' }] });
  expect(report?.errors[0]?.message).toMatch(/^out of order \(.*1\.spec\.js:\d+\)/);
  expect(out).toContain('the bank is not the reason');
});

test('Logs of other runs in the folder are ignored, whether older or newer', THOROUGH_ONLY, async () => {
  const journalOfOtherRun = renderJournal('other', FINDING_LINE).replace('"run":"a-run"', '"run":"another-run"');
  const folder = makeTinySuite({
    scenarios: { s: soundScenario, 'It meets another run': keepJournal('other', journalOfOtherRun) },
  });
  mkdirSync(path.join(folder, 'out/journal'), { recursive: true });
  writeFileSync(path.join(folder, 'out/journal/old.jsonl'), renderJournal('old', FINDING_LINE));
  const { status, report } = await judgeFolder(folder);
  expect([status, report?.requests]).toEqual([0, 11]);
});

test('If the last scan finds a secret, the exit status is 3, the gate names its place, and only this value is withheld', async () => {
  const withhold = `(document) => document.verdict === undefined ? { document, withheld: [] } : {
    document: { ...document, startedAt: '(withheld: CLIENT_SECRET)' },
    withheld: [{ secret: 'CLIENT_SECRET', pointer: '/startedAt' }],
  }`;
  const reporter = `[[${JSON.stringify(REPORTER_FILE)}, { reportDir: 'out', withhold: ${withhold} }]]`;
  const { status, report } = await judgeFolder(makeTinySuite({ reporter, scenarios: { s: soundScenario } }));
  expect(status).toBe(3);
  expect(report).toMatchObject({
    startedAt: '(withheld: CLIENT_SECRET)',
    requests: 11,
    errors: [{ message: expect.stringContaining('CLIENT_SECRET at /startedAt') }],
    gate: {
      pass: false,
      reasons: [
        'a secret was found in the evidence or the report, and withheld there: CLIENT_SECRET at /startedAt of conformance.json',
        'the suite itself broke (1 fault)',
        'the verdict is inconclusive',
      ],
    },
  });
});

test(
  'A run that reaches the time limit of the test runner is inconclusive, and reports no fault of the suite',
  THOROUGH_ONLY,
  async () => {
    const endless = `${keepJournal('s', renderJournal('s').replace(/\{"line":"end".*\n$/, ''))}await new Promise(() => {});`;
    const { status, out, report } = await judgeFolder(
      makeTinySuite({ scenarios: { s: endless }, config: 'timeout: 0, globalTimeout: 4000,' }),
    );
    expect(status, out).toBe(2);
    expect(report, out).toMatchObject({ verdict: 'inconclusive', interrupted: 'its time was up.', errors: [] });
  },
);

test('If -g selects no scenario, the exit status is 2, and the report names the command line', async () => {
  const folder = makeTinySuite({ scenarios: { s: soundScenario } });
  const { status, out, report } = await runPlaywright(folder, ['test', '--project=conformance', '-g', 'no such title']);
  expect([status, report?.errors], out).toEqual([2, []]);
  expect(report?.configuration).toEqual([expect.stringMatching(/^The command line selects no scenario: /)]);
});

test('A shard without --reporter=blob gives no verdict, and ends with exit status 2', async () => {
  const folder = makeTinySuite({ scenarios: { a: faultyScenario, b: soundScenario } });
  const { status, out, report } = await runPlaywright(folder, ['test', '--project=conformance', '--shard=1/2']);
  expect(status, out).toBe(2);
  expect(out).toMatch(/Shard 1 of 2 is done\.[^]*give --reporter=blob/);
  expect(report).toBeNull();
});

const makeShard = (current: number, more: Manifest['settings'] = {}, total = 3): Manifest => ({
  shard: { current, total },
  settings: { 'the seed': '7', 'the target': 'a bank', 'the version of the suite': '1', STRICT: 'true', ...more },
});

for (const [what, manifests, faults] of [
  ['three of three', [makeShard(2), makeShard(1), makeShard(3)], []],
  ['two of three', [makeShard(1), makeShard(3)], ['Of 3 shards, 2 is missing.']],
  ['one of them twice', [makeShard(1), makeShard(2), makeShard(2), makeShard(3)], ['Of 3 shards, 2 is there twice.']],
  [
    'one with another seed',
    [makeShard(1), makeShard(2, { 'the seed': '8' }), makeShard(3)],
    [/^The merged shards differ in the seed:/],
  ],
  [
    'one with another number of shards',
    [makeShard(1), makeShard(2), makeShard(3, {}, 4)],
    [/^The merged shards differ in the number of shards:/],
  ],
  [
    'one with another STRICT',
    [makeShard(1), makeShard(2, { STRICT: '' }), makeShard(3)],
    [/^The merged shards differ in STRICT:/],
  ],
  ['without manifests', [], [/^None of the merged blobs says/]],
] as const)
  test(`Merging shards, ${what}, names ${faults.length === 0 ? 'no fault' : 'the fault'}`, () => {
    const found = findShardFaults(manifests);
    expect(found).toHaveLength(faults.length);
    faults.forEach((fault, at) => expect(found[at]).toMatch(fault));
  });
