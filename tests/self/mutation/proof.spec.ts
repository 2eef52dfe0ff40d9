/** Tests the mutation tests: they report no mutant whose change has no effect, and really examine a conformant bank. */
import { incidents } from '../../../fixtures/banks/incidents/index.ts';
import { findByName } from '../../../fixtures/banks/lib/mutant.ts';
import type { Mutant } from '../../../fixtures/banks/lib/mutant.ts';
import { openVariant } from '../../../fixtures/banks/lib/variant.ts';
import { findMutant, mutants } from '../../../fixtures/banks/mutants/index.ts';
import { findVariant, variants } from '../../../fixtures/banks/variants/index.ts';
import { createBank } from '../../../fixtures/reference-bank/bank.ts';
import type { Handler } from '../../../fixtures/reference-bank/http/serve.ts';
import { clauseIds, clauses } from '../../../openapi/catalogue.ts';
import { describeAlarm, describeMiss } from '../proof/proof.ts';
import { examineBank } from '../support/examine.ts';
import { expect, test } from '../support/reports/samples.ts';
import { decideMutantOutcome, decideVariantOutcome } from './outcomes.ts';
import { runIncident } from './run-mutant.ts';

const examine = (bank: Handler) => examineBank(bank, { env: { OPERATIONS: 'validateLoan,requestLoan', RUNS: '1' } });
const mutant = findMutant('validate-loan-result-missing');
const plain = { name: 'plain', description: 'As it is.' };

test('A mutant without effect is missed', ({ good }) => {
  const nothing: Mutant = { ...mutant, name: 'nothing', mutate: (bank) => bank };
  const outcome = decideMutantOutcome(nothing, good);
  expect(outcome).toMatchObject({ outcome: 'missed', found: [] });
  expect(describeMiss(outcome)).toContain('MISSED nothing: ');
});

test('A mutant that names a wrong clause, place or operation is reported, and its bank is no variant', async () => {
  const report = await examine(mutant.mutate(createBank()));
  expect(decideMutantOutcome(mutant, report).outcome).toBe('caught');
  const wrong: readonly Partial<Mutant>[] = [
    { breaks: 'loans.validation.result.boolean' },
    { breaks: 'loans.application.result' },
    { pointer: '/data' },
    { operation: 'requestLoan' },
  ];
  for (const change of wrong) {
    const outcome = decideMutantOutcome({ ...mutant, ...change }, report);
    expect(outcome.outcome, JSON.stringify(change)).toBe('misblamed');
    expect(outcome.found.join()).toContain('loans.validation.result');
  }
  expect(decideMutantOutcome({ ...mutant, breaks: 'loans.validation.result.exact' }, report).outcome).toBe('missed');
  const variant = decideVariantOutcome(plain, report);
  expect(variant.alarms.map(({ clause, level }) => `${level} ${clause}`)).toEqual(['must loans.validation.result']);
  expect(describeAlarm(variant)).toContain('FALSE ALARM plain: As it is.');
});

test('A mutant that breaks more than it declares is reported; one that declares all of it is not', async () => {
  const other = findMutant('request-loan-result-missing');
  const report = await examine(other.mutate(mutant.mutate(createBank())));
  expect(decideMutantOutcome(mutant, report)).toMatchObject({
    outcome: 'misblamed',
    why: 'Other promises are said to be broken: loans.application.result.',
  });
  expect(decideMutantOutcome({ ...mutant, also: ['loans.application.result'] }, report).outcome).toBe('caught');
});

test('A bank that breaks an expectation has to declare it', async () => {
  const { warned = [], ...variant } = findVariant('booleans-upper');
  const report = await examine(openVariant(variant));
  expect(decideVariantOutcome({ ...plain, warned }, report)).toMatchObject({ alarms: [], complaints: [] });
  expect(decideVariantOutcome(plain, report).alarms).toHaveLength(2);
  expect(decideVariantOutcome({ ...plain, because: /nothing/ }, report).complaints).not.toEqual([]);
});

test('An open point that differs from the choice built into the bank is reported', ({ good }) => {
  const right = decideVariantOutcome(plain, good);
  expect(right.complaints).toEqual([]);
  expect(right.choices).toBeGreaterThan(100);
  const behaviour = { atms: { answer: { unit: 'km' } } } as const;
  expect(decideVariantOutcome({ ...plain, behaviour }, good).complaints).toEqual([
    'atms.distance-unit findAtms: built as kilometres, shown as metres',
  ]);
});

for (const [name, clause] of [
  ['made-and-refused-by-the-retry', 'loans.outcome.not-of-a-refused'],
  ['midnight-is-24', 'links.link.end-date.exists'],
] as const)
  test(`${name} is blamed on ${clause}, and on no clause that only shows a consequence`, async () => {
    const { findings } = await runIncident(findByName(incidents, 'incident', name));
    expect(new Set(findings.map((finding) => finding.clause))).toEqual(new Set([clause]));
  });

test('Each bank of the population has a name of its own', () => {
  for (const banks of [mutants, variants, incidents])
    expect(new Set(banks.map(({ name }) => name)).size).toBe(banks.length);
});

test('Every clause that can be broken has a mutant of its level', () => {
  const broken = new Set<string>(mutants.map(({ breaks }) => breaks));
  expect(clauseIds.filter((id) => clauses[id].level !== 'open' && !broken.has(id))).toEqual([]);
  const isOfLevel = ({ kind, breaks }: Mutant): boolean =>
    clauses[breaks].level === (kind === 'expectation' ? 'should' : 'must');
  expect(mutants.filter((one) => !isOfLevel(one)).map(({ name }) => name)).toEqual([]);
});
