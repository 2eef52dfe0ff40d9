/** Tests the proof itself: a mutant without effect is not caught, and a conformant bank is really examined. */
import { expect, test } from '@playwright/test';
import { incidents } from '../../../fixtures/banks/incidents/index.ts';
import { findVariant, variants } from '../../../fixtures/banks/variants/index.ts';
import type { Mutant } from '../../../fixtures/banks/lib/mutant.ts';
import { findMutant, mutants } from '../../../fixtures/banks/mutants/index.ts';
import { clauses } from '../../../openapi/clauses/index.ts';
import { getOperationName } from '../../../openapi/contract/operations.ts';
import { areas } from '../../../openapi/model/exchange.ts';
import { EMPTY_DRAW } from '../../../reports/proof/drawn.ts';
import { makeProof, listUnproven, type Outcomes } from '../../../reports/proof/matrix.ts';
import { writeProofPage, makeScore, writeScores, withScore } from '../../../reports/proof/page.ts';
import { renderProof, describeAlarm, describeMiss } from '../../../reports/proof/terminal.ts';
import { THOROUGH_ONLY } from '../support/thorough.ts';
import { runVariant, runMutant } from './run-mutant.ts';
import { measureConditions } from './measured.ts';
import { decideMutantOutcome, decideVariantOutcome, reportOfNothing } from './outcomes.ts';
import { populations, selectDailySample, distribute } from './batches.ts';

test.describe.configure({ timeout: 0 });

const realMutant = findMutant('validate-loan-result-missing');

test('A mutant without effect is missed', async () => {
  const nothing: Mutant = { ...realMutant, name: 'nothing', description: 'Nothing is wrong.', mutate: (bank) => bank };
  const outcome = decideMutantOutcome(nothing, await runMutant(nothing));
  expect(outcome).toMatchObject({ outcome: 'missed', found: [] });
  expect(describeMiss(outcome)).toContain('MISSED nothing: Nothing is wrong.');
  expect(describeMiss(outcome)).toContain(
    `expected: loans.validation.result at ${getOperationName('validateLoan')} /data/result`,
  );
});

test('A mutant that names a wrong clause, place or operation is reported', async () => {
  const report = await runMutant(realMutant);
  expect(decideMutantOutcome(realMutant, report).outcome).toBe('caught');
  const wrong: readonly Partial<Mutant>[] = [
    { breaks: 'loans.validation.result.boolean' },
    { breaks: 'loans.application.result' },
    { pointer: '/data' },
    { operation: 'requestLoan' },
  ];
  for (const change of wrong) {
    const outcome = decideMutantOutcome({ ...realMutant, ...change }, report);
    expect(outcome.outcome, JSON.stringify(change)).toBe('misblamed');
    expect(outcome.found.join()).toContain('loans.validation.result');
  }
  expect(decideMutantOutcome({ ...realMutant, breaks: 'loans.validation.result.exact' }, report).outcome).toBe(
    'missed',
  );
});

test('A mutant that breaks more than it declares is reported; one that declares all of it is not', async () => {
  const [one, other] = [realMutant, findMutant('request-loan-result-missing')];
  const both: Mutant = { ...one, mutate: (bank) => other.mutate(one.mutate(bank)) };
  const report = await runMutant(both);
  expect(decideMutantOutcome(both, report)).toMatchObject({
    outcome: 'misblamed',
    why: 'Other promises are said to be broken: loans.application.result.',
  });
  expect(decideMutantOutcome({ ...both, also: ['loans.application.result'] }, report).outcome).toBe('caught');
});

test('A bank that breaks a promise is no variant, and a bank that breaks an expectation has to declare it', async () => {
  const plain = { name: 'plain', description: 'As it is.' };
  const broken = decideVariantOutcome(plain, await runVariant({ ...plain, wrap: realMutant.mutate }), 'variant');
  expect(broken.alarms.map(({ clause, level }) => `${level} ${clause}`)).toEqual(['must loans.validation.result']);
  expect(describeAlarm(broken)).toContain('FALSE ALARM plain: As it is.');
  const { warned = [], ...small } = findVariant('booleans-upper');
  const report = await runVariant(small);
  expect(decideVariantOutcome({ ...plain, warned }, report, 'variant')).toMatchObject({
    alarms: [],
    complaints: [],
  });
  expect(decideVariantOutcome(plain, report, 'random').alarms).toHaveLength(2);
  expect(decideVariantOutcome({ ...plain, because: /nothing/ }, report, 'variant').complaints).not.toEqual([]);
});

test('A mutant of one operation has the same findings, whatever areas are tested', THOROUGH_ONLY, async () => {
  const keysOf = async (mutant: Mutant, areas?: string): Promise<readonly string[]> =>
    (await runMutant(mutant, areas)).findings.map(({ id }) => id).sort();
  for (const mutant of distribute(mutants, 800)[7] ?? [])
    expect(await keysOf(mutant, 'loans,payment-links,atms'), mutant.name).toEqual(await keysOf(mutant));
});

test('Each bank of the population has a unique name and a sentence', () => {
  for (const [banks, sentence] of [
    [mutants, /^\S.{8,139}\.$/],
    [variants, /^\S.*\.$/],
    [incidents, /^\S.{8,150}\.$/],
  ] as const) {
    expect(new Set(banks.map(({ name }) => name)).size).toBe(banks.length);
    const isWell = ({ name, description }: { name: string; description: string }): boolean =>
      /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) && sentence.test(description);
    expect(banks.filter((bank) => !isWell(bank)).map(({ name }) => name)).toEqual([]);
  }
});

test('A mutant has a clause of the level of its kind, and a pointer to a place in an answer or a request', () => {
  for (const { name, kind, breaks, also = [], pointer } of mutants) {
    const levels = [breaks, ...also].map((clause) => clauses[clause].level);
    if (kind === 'expectation') expect(levels, name).toEqual(levels.map(() => 'should'));
    else expect(levels[0], name).toBe('must');
    expect(pointer, name).toMatch(/^(?:|(?:\/(?:\*|[a-z_]+))+|response\/(?:status|body|header\/[\w-]+)|request\/.+)$/);
  }
});

test('The daily part has a mutant of each clause and of each kind, and is the same each time', () => {
  const drawn = selectDailySample(mutants);
  const part = mutants.filter((mutant) => drawn.has(mutant));
  expect(part).toEqual(populations.inTests.mutants);
  const sorted = (of: readonly Mutant[], key: 'breaks' | 'kind') =>
    [...new Set(of.map((entry) => entry[key]))].toSorted();
  expect(part.map(({ breaks }) => breaks).toSorted()).toEqual(sorted(mutants, 'breaks'));
  expect(sorted(part, 'kind')).toEqual(sorted(mutants, 'kind'));
});

test('Only warnings about expectations are allowed for variants', () => {
  for (const { name, warned = [] } of variants)
    for (const clause of warned) expect(clauses[clause].level, `${name}: ${clause}`).toBe('should');
});

test('An open point that differs from the choice built into the bank is reported', async () => {
  const variant = findVariant('statuses-by-operation');
  const report = await runVariant(variant);
  const right = decideVariantOutcome(variant, report, 'variant');
  expect(right.complaints).toEqual([]);
  expect(right.choices).toBeGreaterThan(100);
  const behaviour = { ...variant.behaviour, atms: { answer: { unit: 'km' } } } as const;
  expect(decideVariantOutcome({ ...variant, behaviour }, report, 'variant').complaints).toEqual([
    'atms.distance-unit findAtms: built as kilometres, shown as metres',
  ]);
});

/** Makes outcomes in which every mutant was caught, except `missed`. */
function makeOutcomesExcept(missed: string, without?: string): Outcomes {
  const empty = reportOfNothing();
  const examined = mutants
    .filter(({ breaks }) => breaks !== without)
    .map((mutant) => {
      const outcome = decideMutantOutcome(mutant, empty);
      return mutant.name === missed ? outcome : ({ ...outcome, outcome: 'caught', found: [], why: null } as const);
    });
  const banks = variants.map(
    (variant) =>
      ({
        name: variant.name,
        kind: 'variant',
        areas: variant.area === undefined ? areas : [variant.area],
        description: variant.description,
        verdict: 'conformant',
        choices: 0,
        alarms: [],
        complaints: [],
      }) as const,
  );
  return { mutants: examined, banks, incidents: [], drawn: EMPTY_DRAW, from: 0, to: 1000 };
}

test('A clause without a mutant is named, both for a promise and for an expectation', () => {
  for (const clause of ['loans.offer', 'atms.closest'] as const)
    expect(listUnproven(makeProof(makeOutcomesExcept('', clause), measureConditions()))).toContain(
      `${clauses[clause].level} ${clause}`,
    );
});

test('The matrix counts the caught mutants and names the missed ones', () => {
  const proof = makeProof(makeOutcomesExcept(realMutant.name), measureConditions());
  const line = proof.clauses.find(({ id }) => id === realMutant.breaks);
  expect(line).toMatchObject({ level: 'must', caught: (line?.known ?? 0) - 1, escaped: [realMutant.name] });
  expect(writeProofPage(proof, [])).toContain(`${line?.caught} of ${line?.known}`);
  expect(renderProof(proof)).toContain(`all ${variants.length} variants, 0 of 200 random variants, 0 of `);
  expect(renderProof(makeProof({ ...makeOutcomesExcept(realMutant.name), mutants: [] }, measureConditions()))).toMatch(
    /^Examined: 0 of [\d,]+ mutants, /,
  );
});

test('The page of the proof names what is caught and what is not; a draw that is repeated is no new score', () => {
  const proof = makeProof(makeOutcomesExcept(realMutant.name), measureConditions());
  const score = makeScore(proof);
  expect(score).toMatchObject({ caught: mutants.length - 1, mutants: mutants.length, conformant: variants.length });
  const [first, second] = [
    { ...score, seed: 'first' },
    { ...score, seed: 'second', noticed: 7, bugs: 9 },
  ];
  const scores = withScore(withScore(withScore([], first), second), { ...second, noticed: 9 });
  expect(scores).toEqual([second, first]);
  const page = writeProofPage(proof, scores);
  expect(page).toContain(writeScores(scores));
  expect(page).toMatch(/`second` .* 7 of 9 /);
  expect(page).toContain(`not caught: \`${realMutant.name}\``);
  expect(page).toContain('## Mutants that escape');
  const banks = [...proof.banks];
  banks[0] = { ...banks[0]!, name: 'unwarned', complaints: ['It was to be warned of: loans.offer.'] };
  const lacking = writeProofPage({ ...proof, banks }, scores);
  expect(lacking).toMatch(/## Warnings that were expected and did not come\n\n.*\nNOT AS DESCRIBED unwarned: /);
  expect(lacking).not.toMatch(/false alarm/i);
  for (const { id, statement } of proof.clauses)
    expect(page.replaceAll('\\', '')).toContain(`| ${statement} \`${id}\` |`);
});
