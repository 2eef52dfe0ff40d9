/** Tests that frozen requirement sets do not change, and that new clauses do not affect a verdict by a frozen set. */
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { findContradictions, readRequirementSet } from '../../../../openapi/clauses/requirement-sets.ts';
import { hashValue } from '../../../../openapi/util/hash.ts';
import { verifyCommand } from '../../../../reports/cli/verify.ts';
import {
  runInProcess,
  readReport,
  makeSandboxEnv,
  makeScriptWords,
  startBankProcess,
  runProcess,
  type Ended,
} from '../../support/command.ts';
import { makeTempDir } from '../../support/temp-dir.ts';
import { THOROUGH_ONLY } from '../../support/thorough.ts';

test('The catalogue contradicts no frozen set', () => {
  expect(findContradictions()).toEqual([]);
});

const rewordings = JSON.parse(readFileSync('openapi/clauses/rewordings.json', 'utf8')) as [
  string,
  string,
  string,
  string,
][];

test('A reworded clause needs a row with the digest of its new words; one row may follow another', () => {
  const without = findContradictions([]);
  for (const [id, , , reason] of rewordings) {
    expect(without).toContainEqual(expect.stringContaining(`${id} says something else than in the requirement set`));
    expect(reason).toMatch(/^\p{Lu}.+\.$/u);
  }
  const [[id, before, after, reason]] = rewordings as [(typeof rewordings)[number]];
  const others = rewordings.slice(1);
  expect(findContradictions(others)).not.toEqual([]);
  expect(new Set(findContradictions(others).map((sentence) => sentence.split(' ')[0]))).toEqual(new Set([id]));
  expect(findContradictions([[id, before, '0000000000000000', reason], ...others])).toHaveLength(
    findContradictions(others).length,
  );
  const inTwoSteps: typeof rewordings = [
    [id, '0000000000000000', after, reason],
    [id, before, '0000000000000000', reason],
  ];
  expect(findContradictions([...inTwoSteps, ...others])).toEqual([]);
});

/** Copies the suite into a new folder, so that a test may change it. */
function copySuite() {
  const folder = makeTempDir();
  for (const name of ['openapi', 'fixtures', 'tests', 'reports', 'playwright.config.ts', 'package.json'])
    cpSync(name, join(folder, name), { recursive: true, filter: (from) => !/^(?:tests.self|reports.out)/.test(from) });
  symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
  const runNode = (words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
    runProcess(words, env, { cwd: folder });
  return {
    folder,
    change: (file: string, from: string | RegExp, to: string) => {
      const before = readFileSync(join(folder, file), 'utf8');
      const after = before.replace(from, to);
      expect(after).not.toBe(before);
      writeFileSync(join(folder, file), after);
      return () => writeFileSync(join(folder, file), before);
    },
    command: (name: string, ...words: readonly string[]) =>
      runNode(makeScriptWords(`reports/cli/${name}.ts`, ...words)),
    run: (env: Readonly<Record<string, string>>) =>
      runNode([join(folder, 'node_modules/@playwright/test/cli.js'), 'test', '--project=conformance'], env),
  };
}

const CATALOGUE_FILE = 'openapi/clauses/atms.ts';
const FROZEN_SET_FILE = 'openapi/clauses/requirement-sets/2031.1.json';
const SETS_FILE = 'openapi/clauses/requirement-sets.ts';
const SET_NAME_CHANGE = [/^export const CURRENT_SET = '.*';$/m, "export const CURRENT_SET = '2031.1';"] as const;

test(
  'A set is frozen once; a changed file, a stricter statement and an added clause are named',
  THOROUGH_ONLY,
  async () => {
    const { change, command } = copySuite();
    change(SETS_FILE, ...SET_NAME_CHANGE);
    expect(await command('requirements')).toMatchObject({ status: 0, out: expect.stringContaining('2031.1 (draft)') });
    const froze = await command('requirements', '--freeze');
    expect(froze).toMatchObject({ status: 0, out: expect.stringMatching(/^Frozen in .*2031\.1\.json\.\n/) });
    expect(froze.out).toMatch(/^2031\.1 {2}\d+ clauses {2}[0-9a-f]{64}$/m);
    for (const [file, from, to, sentence] of [
      [
        FROZEN_SET_FILE,
        /"atms\.address": \{ "level": "must"/,
        '"atms.address": { "level": "should"',
        'was changed after it was frozen',
      ],
      [
        CATALOGUE_FILE,
        'Each ATM has an address that is a string.',
        'An ATM has a good address.',
        'atms.address says something else than in the requirement set 2031.1',
      ],
      [
        CATALOGUE_FILE,
        "'atms.address': ",
        "'atms.address-of-branch': must({ section: 'Endpoints' }, 'It has one more.'),\n  'atms.address': ",
        'is no longer the frozen requirement set 2031.1: name the next set',
      ],
    ] as const) {
      const back = change(file, from, to);
      const { status, out } = await command('requirements');
      expect([status, out]).toEqual([expect.not.stringMatching('0'), expect.stringContaining(sentence)]);
      expect(status).not.toBe(0);
      back();
    }
    expect(await command('requirements', '--freeze')).toMatchObject({
      status: 2,
      out: 'The requirement set 2031.1 is frozen already.\n',
    });
  },
);

test(
  'REQUIREMENTS judges by an older set: newer clauses are only observed, and milder levels stay milder',
  THOROUGH_ONLY,
  async () => {
    const { folder, run, command } = copySuite();
    const { 'atms.name': _, ...older } = readRequirementSet().requirements;
    const requirements = {
      ...older,
      'atms.address': { ...older['atms.address'], level: 'should', exercise: 'conditional' },
    };
    mkdirSync(join(folder, 'openapi/clauses/requirement-sets'), { recursive: true });
    writeFileSync(
      join(folder, 'openapi/clauses/requirement-sets/2025.1.json'),
      JSON.stringify({ set: '2025.1', digest: hashValue(requirements), requirements }),
    );
    const bank = await startBankProcess([
      '--fault',
      'find-atms-by-latitude-entry-atm-address-missing',
      '--fault',
      'find-atms-by-latitude-entry-atm-name-missing',
    ]);
    try {
      const then = join(folder, 'then');
      const env = { ...makeSandboxEnv(bank.url), AREAS: 'atms', RUNS: '1', REPORT_DIR: then, REQUIREMENTS: '2025.1' };
      const judged = await run(env);
      expect(judged.status, judged.out).toBe(0);
      const report = readReport(then);
      expect(report?.headline).toBe('conformant (ATM locator only), by the requirement set 2025.1');
      expect(report?.findings.map(({ clause, verdict }) => [clause, verdict])).toEqual([['atms.address', 'warning']]);
      expect(report?.clauses.find(({ id }) => id === 'atms.name')).toMatchObject({
        outside: true,
        verdict: 'observed',
      });
      expect(report?.suite.requirements).toMatchObject({ set: '2025.1', frozen: true });
      expect(await command('verify', join(then, 'conformance.json'))).toMatchObject({ status: 0 });
      expect(await runInProcess(verifyCommand, join(then, 'conformance.json'))).toEqual({
        status: 2,
        out: expect.stringMatching(/^There is no requirement set 2025\.1: give \d{4}\.\d(?: or \d{4}\.\d)*\.\n$/),
      });
    } finally {
      bank.end();
    }
  },
);
