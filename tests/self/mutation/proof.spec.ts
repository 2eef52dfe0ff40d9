/** Tests the proof itself: a mutant without effect is not caught, and a conformant bank is really examined. */
import { expect, test } from '@playwright/test';
import { incidents } from '../../../fixtures/banks/incidents/index.ts';
import { findVariant, variants } from '../../../fixtures/banks/variants/index.ts';
import type { Mutant } from '../../../fixtures/banks/lib/mutant.ts';
import { findMutant, mutants } from '../../../fixtures/banks/mutants/index.ts';
import { clauses } from '../../../openapi/catalogue.ts';
import { getOperationName } from '../../../openapi/contract/operations.ts';
import { describeAlarm, describeMiss } from '../../../reports/proof/proof.ts';
import { runVariant, runMutant } from './run-mutant.ts';
import { decideMutantOutcome, decideVariantOutcome } from './outcomes.ts';

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
  const broken = decideVariantOutcome(plain, await runVariant({ ...plain, wrap: realMutant.mutate }));
  expect(broken.alarms.map(({ clause, level }) => `${level} ${clause}`)).toEqual(['must loans.validation.result']);
  expect(describeAlarm(broken)).toContain('FALSE ALARM plain: As it is.');
  const { warned = [], ...small } = findVariant('booleans-upper');
  const report = await runVariant(small);
  expect(decideVariantOutcome({ ...plain, warned }, report)).toMatchObject({
    alarms: [],
    complaints: [],
  });
  expect(decideVariantOutcome(plain, report).alarms).toHaveLength(2);
  expect(decideVariantOutcome({ ...plain, because: /nothing/ }, report).complaints).not.toEqual([]);
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
  const place = /^(?:|(?:\/(?:\*|[a-z_]+))+|response\/(?:status|body|header\/[\w-]+)|request\/.+)$/;
  const isWell = ({ kind, breaks, also = [], pointer }: Mutant): boolean => {
    const [level, ...others] = [breaks, ...also].map((clause) => clauses[clause].level);
    const isOfKind = kind === 'expectation' ? [level, ...others].every((one) => one === 'should') : level === 'must';
    return isOfKind && place.test(pointer);
  };
  expect(mutants.filter((mutant) => !isWell(mutant)).map(({ name }) => name)).toEqual([]);
});

test('An open point that differs from the choice built into the bank is reported', async () => {
  const variant = findVariant('statuses-by-operation');
  const report = await runVariant(variant);
  const right = decideVariantOutcome(variant, report);
  expect(right.complaints).toEqual([]);
  expect(right.choices).toBeGreaterThan(100);
  const behaviour = { ...variant.behaviour, atms: { answer: { unit: 'km' } } } as const;
  expect(decideVariantOutcome({ ...variant, behaviour }, report).complaints).toEqual([
    'atms.distance-unit findAtms: built as kilometres, shown as metres',
  ]);
});
