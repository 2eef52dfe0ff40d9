/** However a run ends, its exit status, its verdict and its first words say so. */
import { mutantNamed } from '../../../../fixtures/banks/mutants/index.ts';
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import { conformanceOf, conformance, merged } from '../../support/command.ts';
import type { GateCase } from './case.ts';
import { join } from 'node:path';
import { makeTempDir, tempFile } from '../../support/temp-dir.ts';
import { mkdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { overlayWith } from '../../support/configuration.ts';
import { endingCases } from './endings.ts';
import { wayInCases } from './ways-in.ts';
import { expect, test } from '@playwright/test';
import { shownIf } from '../../support/thorough.ts';

// Other reporters in the place of ours, on a bank that breaks a promise.
const reporters = ['list', 'line', 'junit', 'html', 'github', 'dot', 'blob'] as const;

const reporterCases: readonly GateCase[] = reporters.map((reporter) => ({
  name: `A broken promise under --reporter=${reporter}`,
  status: 1,
  verdict: 'non-conformant',
  ...(reporter === 'list' ? {} : { isInTests: false }),
  // These two say nothing on the terminal but where their files are.
  says: reporter === 'html' || reporter === 'blob' ? /(?:)/ : /Verdict: non-conformant[^]*requests in (?!0\.[0-3] s)/,
  run: () =>
    conformanceOf(
      mutantNamed('find-atms-by-latitude-entry-atm-name-missing').mutate(createBank()),
      { AREAS: 'atms', RUNS: '1', PLAYWRIGHT_HTML_OPEN: 'never' },
      { more: [`--reporter=${reporter}`] },
    ),
}));

// Command lines that leave out the gate, or every scenario: nothing was judged.
const unjudged = (name: string, more: readonly string[], isInTests?: false): GateCase => ({
  name,
  status: 1,
  verdict: null,
  ...(isInTests === false ? { isInTests } : {}),
  says: /No verdict was drawn/,
  run: () => conformance({ AREAS: 'atms', RUNS: '1', SEED: '1' }, { more: ['--reporter=line', ...more] }),
});

const unjudgedCases: readonly GateCase[] = [
  unjudged('Another reporter, without the gate', ['--no-deps', '-g', 'A position brings']),
  unjudged('Another reporter, and no scenario', ['--pass-with-no-tests', '-g', 'no such title'], false),
];

// Shards that are merged although they are not all the parts of a run; `manifests.spec.ts` shows other ways.
const mergeCases: readonly GateCase[] = [
  {
    name: 'Shards of which one is missing',
    status: 2,
    verdict: 'inconclusive',
    says: /Of 2 shards, 1 is missing/,
    async run() {
      const blobs = makeTempDir();
      const env = { AREAS: 'atms', RUNS: '1', SEED: '1', PLAYWRIGHT_BLOB_OUTPUT_FILE: join(blobs, 'shard-2.zip') };
      await conformance(env, { more: ['--shard=2/2', '--reporter=blob'] });
      return merged(blobs);
    },
  },
];

// What lies in the folder of the report before a run begins, and what another run writes there meanwhile.
function lockedBy(pid: number): string {
  const folder = makeTempDir();
  mkdirSync(folder, { recursive: true });
  const lock = { run: 'another', pid, host: hostname(), since: new Date().toISOString() };
  writeFileSync(join(folder, '.lock'), JSON.stringify(lock));
  return folder;
}

/** No process has this id: it is above the highest that Linux gives. */
const NO_PROCESS = 2 ** 30;

const evidenceCases: readonly GateCase[] = [
  {
    name: 'Another run writes into the folder',
    status: 2,
    verdict: null,
    says: /REPORT_DIR \(\S+\) is that of another run, which began at \S+ and is under way/,
    run: () => conformance({ AREAS: 'atms', RUNS: '1', SEED: '1', REPORT_DIR: lockedBy(process.pid) }),
  },
  {
    name: 'A run that was killed left its lock in the folder',
    status: 0,
    verdict: 'conformant',
    isInTests: false,
    says: /^Verdict: conformant/m,
    run: () => conformance({ AREAS: 'atms', RUNS: '1', SEED: '1', REPORT_DIR: lockedBy(NO_PROCESS) }),
  },
];

// Overlays that cannot be used: each ends the run before the first request, with what is wrong in the sentence.
const unusable = (what: string, change: object, says: RegExp, isInTests?: false): GateCase => ({
  name: `An overlay with ${what}`,
  status: 2,
  verdict: 'inconclusive',
  says,
  ...(isInTests === false ? { isInTests } : {}),
  async run() {
    const update = { properties: { atm_name: change } };
    const overlay = overlayWith({ target: '$.components.schemas.Atm', update });
    const ran = await conformance({ OVERLAY: tempFile('overlay.json', overlay), AREAS: 'atms', RUNS: '1' });
    return ran.report?.requests === 0 ? ran : { ...ran, status: null };
  },
});

const overlayCases: readonly GateCase[] = [
  unusable('a pattern that is none', { pattern: '(' }, /Invalid regular expression: \/\(\//),
  unusable('a type that is none', { type: 'strng' }, /type must be JSONType.*: strng/, false),
  unusable(
    'a reference to nowhere',
    { $ref: '#/components/schemas/Nowhere' },
    /has no #\/components\/schemas\/Nowhere/,
    false,
  ),
  unusable('a length that is no number', { maxLength: 'long' }, /maxLength value must be/, false),
  unusable('a word that JSON Schema does not know', { maxLenght: 3 }, /unknown keyword: "maxLenght"/, false),
  unusable(
    'a clause that the catalogue does not have',
    { 'x-clause': 'atms.nam' },
    /names the clause atms\.nam, which is not known/,
    false,
  ),
];

const gateCases: readonly GateCase[] = [
  ...endingCases,
  ...reporterCases,
  ...unjudgedCases,
  ...mergeCases,
  ...wayInCases,
  ...evidenceCases,
  ...overlayCases,
];

for (const { name, status, verdict, says, run, isInTests } of gateCases)
  test(name, shownIf(isInTests !== false), async () => {
    const ran = await run();
    expect([ran.status, ran.report?.verdict ?? null], ran.out).toEqual([status, verdict]);
    expect(ran.out.replaceAll(/\n\s*(?=\S)/g, ' ') + ran.out).toMatch(says);
    expect(ran.out).not.toMatch(/\n\s+at /);
  });
