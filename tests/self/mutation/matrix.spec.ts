/** Judges the outcomes of the population, and writes the matrix. */
import { expect, test } from '@playwright/test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { incidents } from '../../../fixtures/banks/incidents/index.ts';
import { namedIn } from '../../../fixtures/banks/lib/describe.ts';
import { processEnvironment } from '../../../fixtures/config/process-env.ts';
import { proofOf, unproven } from '../../../reports/proof/matrix.ts';
import { renderProof } from '../../../reports/proof/html.ts';
import type { Proof } from '../../../reports/proof/proof.ts';
import { isBlameless, proofTable, describeAlarm, describeMiss } from '../../../reports/proof/terminal.ts';
import { measuredConditions } from './measured.ts';
import { collectBatches, populations } from './batches.ts';
import { drawnByClass, falselyFailed } from '../../../reports/proof/drawn.ts';
import { draws, fixedSeed, freshSeed } from './drawn/examine-drawn.ts';
import { outcomeOfIncident } from './outcomes.ts';
import type { BankRecord } from './recordings/recording.ts';
import { runIncident } from './run-mutant.ts';

let proof: Proof;
let records: readonly BankRecord[];
let folder: string;
/** True for the whole proof, false for the part that `npm test` runs. */
let isWhole: boolean;

test.describe.configure({ mode: 'default' });

test.beforeAll(({}, info) => {
  const { outputDir, dependencies } = info.project;
  isWhole = dependencies.length > 1;
  folder = dirname(outputDir);
  const collected = collectBatches(outputDir, isWhole ? freshSeed : fixedSeed);
  records = collected.records;
  proof = proofOf(collected, measuredConditions());
});

test('The matrix is written and printed', () => {
  mkdirSync(folder, { recursive: true });
  // The figures beside clauses in a report come from a whole proof only.
  const file = (name: string): string => join(folder, isWhole ? name : `part-of-${name}`);
  writeFileSync(file('proof.json'), JSON.stringify(proof));
  writeFileSync(file('proof.html'), renderProof(proof));
  const figures = drawnByClass(proof.drawn).map(([name, verdict]) => ({ name, verdict, findings: [], card: [] }));
  writeFileSync(file('recording.json'), JSON.stringify([...records, ...figures], null, 1));
  process.stdout.write(`\n${proofTable(proof)}\n\nThe matrix as a page: ${file('proof.html')}\n`);
});

const namesOf = (banks: readonly { readonly name: string }[]): readonly string[] =>
  banks.map(({ name }) => name).toSorted();

test('Every bank of the population, or of its part, was examined', () => {
  const expected = isWhole ? populations.whole : populations.inTests;
  expect(namesOf(proof.mutants)).toEqual(namesOf(expected.mutants));
  const of = (kind: string) => namesOf(proof.banks.filter((bank) => bank.kind === kind));
  expect(of('variant')).toEqual(namesOf(expected.variants));
  expect(of('random')).toEqual(namesOf(expected.randomVariants));
});

test('Every shipped bug was examined, and none of them broke the suite', () => {
  expect(namesOf(proof.incidents)).toEqual(namesOf((isWhole ? populations.whole : populations.inTests).incidents));
  expect(proof.incidents.filter(({ outcome }) => outcome === 'broken')).toEqual([]);
});

/** Repeats runs in which a bank had no finding: on a busy machine a race may not happen. */
const MORE_RUNS = 3;

/** Incidents that some runs do not notice: amounts of disbursements are asked about last, if the caps leave any. */
const NOTICED_AT_TIMES = ['whole-amounts-are-no-decimals'];

test('Every shipped bug shows: there is a finding, or the verdict is inconclusive', async () => {
  test.skip(processEnvironment()['IN_FLIGHT'] !== undefined, 'races need as many requests in flight as usual');
  const unnoticed: string[] = [];
  for (const { name } of proof.incidents.filter(({ outcome }) => outcome === 'silent')) {
    const incident = namedIn(incidents, 'incident', name);
    let runs = 0;
    while (runs < MORE_RUNS && outcomeOfIncident(incident, await runIncident(incident)).outcome === 'silent') runs += 1;
    if (runs === MORE_RUNS) unnoticed.push(name);
  }
  expect(unnoticed.filter((name) => !NOTICED_AT_TIMES.includes(name))).toEqual([]);
});

test('Drawn banks that conform break no promise, and no drawn bank breaks the suite', () => {
  const { bugs, banks } = proof.drawn;
  const { hands, count: each } = isWhole ? draws.whole : draws.inTests;
  const count = hands * each;
  expect([bugs.length, banks.length]).toEqual([count, count]);
  expect(bugs.filter(({ outcome }) => outcome === 'broken')).toEqual([]);
  expect(banks.filter(({ isBroken }) => isBroken)).toEqual([]);
  expect(falselyFailed(proof.drawn)).toEqual([]);
});

test('Every mutant is caught, and the right clause is blamed', () => {
  const misses = proof.mutants.filter(({ outcome }) => outcome !== 'caught');
  expect(misses.length, misses.map(describeMiss).join('\n\n')).toBe(0);
});

test('No conformant bank raises an alarm', () => {
  const alarmed = proof.banks.filter((bank) => !isBlameless(bank));
  expect(alarmed.length, alarmed.map(describeAlarm).join('\n\n')).toBe(0);
});

test('The report on a conformant bank shows its choices at many open points', () => {
  const compared = proof.banks.map(({ choices }) => choices).filter((choices) => choices > 0);
  expect(compared.length).toBeGreaterThan(isWhole ? 90 : 12);
  expect(Math.max(...compared)).toBeGreaterThan(100);
});

test('Every clause that can be broken has a mutant that breaks it', () => {
  expect(unproven(proof)).toEqual([]);
});
