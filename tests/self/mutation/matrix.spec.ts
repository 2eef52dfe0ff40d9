/** Tests that the suite judged all examined banks rightly, and writes a table with the result for each bank. */
import { expect, test } from '@playwright/test';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { realisticFaults } from '../../../fixtures/banks/realistic-faults/index.ts';
import { readTarget } from '../../../fixtures/run/config/target.ts';
import { describeRun, digestFolder } from '../../../fixtures/runner/run-identity.ts';
import { findByName } from '../../../fixtures/banks/lib/mutant.ts';
import { getProcessEnvironment } from '../../../fixtures/run/config/process-env.ts';
import {
  describeAlarm,
  describeMiss,
  isBlameless,
  listFalseAlarms,
  makeScore,
  renderProof,
  withScore,
  writeProofPage,
  type Proof,
  type Score,
} from '../proof/proof.ts';
import { collectBatches, populations } from './batches.ts';
import { drawSizes, fixedSeed, freshSeed } from './drawn/examine-drawn.ts';
import { decideRealisticFaultOutcome } from './outcomes.ts';
import { runRealisticFault } from './run-mutant.ts';

let proof: Proof;
let folder: string;
/** True if `npm run prove` examines all banks; false if `npm test` examines a part of them. */
let isWhole: boolean;

test.describe.configure({ mode: 'default' });

test.beforeAll(({}, info) => {
  const { outputDir, dependencies } = info.project;
  isWhole = dependencies.length > 1;
  folder = dirname(outputDir);
  const { mutants, conformingBanks } = populations.whole;
  proof = {
    ...collectBatches(outputDir, isWhole ? freshSeed : fixedSeed),
    suite: { version: describeRun().conformance.suite.version },
    population: {
      mutants: mutants.length,
      conformingBanks: conformingBanks.length,
      realisticFaults: realisticFaults.length,
    },
    measure: { digest: digestFolder(), runs: readTarget({}, null).runs },
  };
});

test('The table of all examined banks is written to a page, and its figures are printed', () => {
  mkdirSync(folder, { recursive: true });
  const file = (name: string): string => join(folder, isWhole ? name : `part-of-${name}`);
  writeFileSync(file('proof.md'), writeProofPage(proof, [makeScore(proof)]));
  if (isWhole && getProcessEnvironment()['DRAW'] === undefined) publish(proof);
  process.stdout.write(`\n${renderProof(proof)}\n\nThe matrix as a page: ${file('proof.md')}\n`);
});

/** Adds the score of `npm run prove` with newly drawn banks to the stored scores, and writes the page that the README links. */
function publish(whole: Proof): void {
  const file = (name: string): string => join(__dirname, '../proof', name);
  const scores = withScore(JSON.parse(readFileSync(file('scores.json'), 'utf8')) as readonly Score[], makeScore(whole));
  writeFileSync(file('scores.json'), `${JSON.stringify(scores, null, 2)}\n`);
  writeFileSync(file('proof.md'), writeProofPage(whole, scores));
}

const listNames = (banks: readonly { readonly name: string }[]): readonly string[] =>
  banks.map(({ name }) => name).toSorted();

test('Every mutant and every conforming bank of the population, or of its part for npm test, was examined', () => {
  const expected = isWhole ? populations.whole : populations.inTests;
  expect(listNames(proof.mutants)).toEqual(listNames(expected.mutants));
  expect(listNames(proof.banks)).toEqual(listNames(expected.conformingBanks));
});

test('Every realistic fault was examined, and none of them broke the suite', () => {
  expect(listNames(proof.realisticFaults)).toEqual(
    listNames((isWhole ? populations.whole : populations.inTests).realisticFaults),
  );
  expect(proof.realisticFaults.filter(({ outcome }) => outcome === 'broken')).toEqual([]);
});

/** A bank without a finding is examined at most this many times: on a busy machine, two requests may not be concurrent. */
const RUNS_OF_RARE_FAULTS = 3;

test('In three runs, every realistic fault leads to a finding or an inconclusive verdict', async () => {
  test.skip(getProcessEnvironment()['IN_FLIGHT'] !== undefined, 'races need as many requests in flight as usual');
  const unnoticed: string[] = [];
  for (const { name } of proof.realisticFaults.filter(({ outcome }) => outcome === 'silent')) {
    const realisticFault = findByName(realisticFaults, 'realistic fault', name);
    let runs = 0;
    while (
      runs < RUNS_OF_RARE_FAULTS &&
      decideRealisticFaultOutcome(realisticFault, await runRealisticFault(realisticFault)).outcome === 'silent'
    )
      runs += 1;
    if (runs === RUNS_OF_RARE_FAULTS) unnoticed.push(name);
  }
  expect(unnoticed).toEqual([]);
});

test('Generated banks that conform break no must clause, and no generated bank breaks the suite', () => {
  const { bugs, banks } = proof.drawn;
  const { hands, count: each } = isWhole ? drawSizes.whole : drawSizes.inTests;
  const count = hands * each;
  expect([bugs.length, banks.length]).toEqual([count, count]);
  expect(bugs.filter(({ outcome }) => outcome === 'broken')).toEqual([]);
  expect(banks.filter(({ isBroken }) => isBroken)).toEqual([]);
  expect(listFalseAlarms(proof.drawn)).toEqual([]);
});

test('For every mutant, a finding names its clause, its operation and its place, and no other must clause is broken', () => {
  const misses = proof.mutants.filter(({ outcome }) => outcome !== 'caught');
  expect(misses.length, misses.map(describeMiss).join('\n\n')).toBe(0);
});

test('Every conforming bank has its expected verdict and warnings, and no other finding', () => {
  const alarmed = proof.banks.filter((bank) => !isBlameless(bank));
  expect(alarmed.length, alarmed.map(describeAlarm).join('\n\n')).toBe(0);
});

test('Reports on conforming banks show the built choices at more than 100 open points', () => {
  const compared = proof.banks.map(({ choices }) => choices).filter((choices) => choices > 0);
  expect(compared.length).toBeGreaterThan(isWhole ? 20 : 3);
  expect(Math.max(...compared)).toBeGreaterThan(100);
});
