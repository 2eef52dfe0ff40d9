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

test('A finding ends the run with exit status 1 and three safe lines; a run that judged nothing keeps its report', async () => {
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

test('A failed test is a fault of the suite and ends with exit status 3', async () => {
  const broken = "throw new Error('\\u001b[31mout of order');";
  const { status, out, report } = await judgeFolder(
    makeTinySuite({ scenarios: { s: soundScenario, 'It breaks': broken } }),
  );
  expect(status, out).toBe(3);
  expect(report).toMatchObject({ verdict: 'inconclusive', errors: [{ scenario: 'It breaks' }] });
  expect(report?.errors[0]?.message).toMatch(/^out of order \(.*1\.spec\.js:\d+\)/);
  expect(out).toContain('the bank is not the reason');
});

test('Journals of other runs are ignored, whatever their age', THOROUGH_ONLY, async () => {
  const journalOfOtherRun = renderJournal('other', FINDING_LINE).replace('"run":"a-run"', '"run":"another-run"');
  const folder = makeTinySuite({
    scenarios: { s: soundScenario, 'It meets another run': keepJournal('other', journalOfOtherRun) },
  });
  mkdirSync(path.join(folder, 'out/journal'), { recursive: true });
  writeFileSync(path.join(folder, 'out/journal/old.jsonl'), renderJournal('old', FINDING_LINE));
  const { status, report } = await judgeFolder(folder);
  expect([status, report?.requests]).toEqual([0, 11]);
});

test('A secret found before writing ends with exit status 3, names its place, and withholds nothing else', async () => {
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

test('A run that reaches its time limit is no fault of the suite', THOROUGH_ONLY, async () => {
  const endless = `${keepJournal('s', renderJournal('s').replace(/\{"line":"end".*\n$/, ''))}await new Promise(() => {});`;
  const { status, out, report } = await judgeFolder(
    makeTinySuite({ scenarios: { s: endless }, config: 'timeout: 0, globalTimeout: 4000,' }),
  );
  expect(status, out).toBe(2);
  expect(report, out).toMatchObject({ verdict: 'inconclusive', interrupted: 'its time was up.', errors: [] });
});

test('A selection without a scenario is a fault of the command line, not of the suite', async () => {
  const folder = makeTinySuite({ scenarios: { s: soundScenario } });
  const { status, out, report } = await runPlaywright(folder, ['test', '--project=conformance', '-g', 'no such title']);
  expect([status, report?.errors], out).toEqual([2, []]);
  expect(report?.configuration).toEqual([expect.stringMatching(/^The command line selects no scenario: /)]);
});

test('A single shard gives no verdict, and does not pass if its observations are lost', async () => {
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
  ['all of one run', [makeShard(2), makeShard(1), makeShard(3)], []],
  ['one missing', [makeShard(1), makeShard(3)], ['Of 3 shards, 2 is missing.']],
  ['one twice', [makeShard(1), makeShard(2), makeShard(2), makeShard(3)], ['Of 3 shards, 2 is there twice.']],
  [
    'another seed',
    [makeShard(1), makeShard(2, { 'the seed': '8' }), makeShard(3)],
    [/^The merged shards differ in the seed:/],
  ],
  [
    'another number',
    [makeShard(1), makeShard(2), makeShard(3, {}, 4)],
    [/^The merged shards differ in the number of shards:/],
  ],
  [
    'another gate',
    [makeShard(1), makeShard(2, { STRICT: '' }), makeShard(3)],
    [/^The merged shards differ in STRICT:/],
  ],
  ['no manifest', [], [/^None of the merged blobs says/]],
] as const)
  test(`Merged shards: ${what}`, () => {
    const found = findShardFaults(manifests);
    expect(found).toHaveLength(faults.length);
    faults.forEach((fault, at) => expect(found[at]).toMatch(fault));
  });
