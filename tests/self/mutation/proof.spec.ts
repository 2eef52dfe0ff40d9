/** Tests the mutation tests themselves: when a mutant counts as caught, and when a conforming bank counts as right. */
import { realisticFaults } from '../../../fixtures/banks/realistic-faults/index.ts';
import { findByName } from '../../../fixtures/banks/lib/mutant.ts';
import type { Mutant } from '../../../fixtures/banks/lib/mutant.ts';
import { openConformingBank } from '../../../fixtures/banks/lib/conforming-bank.ts';
import { findMutant, mutants } from '../../../fixtures/banks/mutants/index.ts';
import { findConformingBank, conformingBanks } from '../../../fixtures/banks/conforming/index.ts';
import { createBank } from '../../../fixtures/reference-bank/bank.ts';
import type { Handler } from '../../../fixtures/reference-bank/http/serve.ts';
import { clauseIds, clauses } from '../../../openapi/catalogue.ts';
import { describeAlarm, describeMiss } from '../proof/proof.ts';
import { examineBank } from '../support/examine.ts';
import { expect, test } from '../support/reports/samples.ts';
import { decideMutantOutcome, decideConformingOutcome } from './outcomes.ts';
import { runRealisticFault } from './run-mutant.ts';

const examine = (bank: Handler) => examineBank(bank, { env: { OPERATIONS: 'validateLoan,requestLoan', RUNS: '1' } });
const mutant = findMutant('validate-loan-result-missing');
const plain = { name: 'plain', description: 'As it is.' };

test('A mutant that changes nothing counts as missed', ({ good }) => {
  const nothing: Mutant = { ...mutant, name: 'nothing', mutate: (bank) => bank };
  const outcome = decideMutantOutcome(nothing, good);
  expect(outcome).toMatchObject({ outcome: 'missed', found: [] });
  expect(describeMiss(outcome)).toContain('MISSED nothing: ');
});

test('A mutant that declares a wrong clause, place or operation does not count as caught, and its bank does not conform', async () => {
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
  const conformingBank = decideConformingOutcome(plain, report);
  expect(conformingBank.alarms.map(({ clause, level }) => `${level} ${clause}`)).toEqual([
    'must loans.validation.result',
  ]);
  expect(describeAlarm(conformingBank)).toContain('FALSE ALARM plain: As it is.');
});

test('A mutant that breaks two must clauses counts as caught only if it declares both', async () => {
  const other = findMutant('request-loan-result-missing');
  const report = await examine(other.mutate(mutant.mutate(createBank())));
  expect(decideMutantOutcome(mutant, report)).toMatchObject({
    outcome: 'misblamed',
    why: 'Other promises are said to be broken: loans.application.result.',
  });
  expect(decideMutantOutcome({ ...mutant, also: ['loans.application.result'] }, report).outcome).toBe('caught');
});

test('A conforming bank that breaks a should clause is right only if it declares the warning', async () => {
  const { warned = [], ...conformingBank } = findConformingBank('booleans-upper');
  const report = await examine(openConformingBank(conformingBank));
  expect(decideConformingOutcome({ ...plain, warned }, report)).toMatchObject({ alarms: [], complaints: [] });
  expect(decideConformingOutcome(plain, report).alarms).toHaveLength(2);
  expect(decideConformingOutcome({ ...plain, because: /nothing/ }, report).complaints).not.toEqual([]);
});

test('If a report shows another unit of distance than is built into the bank, the difference is reported', ({
  good,
}) => {
  const right = decideConformingOutcome(plain, good);
  expect(right.complaints).toEqual([]);
  expect(right.choices).toBeGreaterThan(100);
  const behaviour = { atms: { answer: { unit: 'km' } } } as const;
  expect(decideConformingOutcome({ ...plain, behaviour }, good).complaints).toEqual([
    'atms.distance-unit findAtms: built as kilometres, shown as metres',
  ]);
});

for (const [name, clause] of [
  ['made-and-refused-by-the-retry', 'loans.outcome.not-of-a-refused'],
  ['midnight-is-24', 'links.link.end-date.exists'],
] as const)
  test(`The realistic fault ${name} breaks only ${clause}, and no clause about a consequence`, async () => {
    const { findings } = await runRealisticFault(findByName(realisticFaults, 'realistic fault', name));
    expect(new Set(findings.map((finding) => finding.clause))).toEqual(new Set([clause]));
  });

test('No two mutants, conforming banks or realistic faults have the same name', () => {
  for (const banks of [mutants, conformingBanks, realisticFaults])
    expect(new Set(banks.map(({ name }) => name)).size).toBe(banks.length);
});

test('Every clause that can be broken has a mutant of its level', () => {
  const broken = new Set<string>(mutants.map(({ breaks }) => breaks));
  expect(clauseIds.filter((id) => clauses[id].level !== 'open' && !broken.has(id))).toEqual([]);
  const isOfLevel = ({ kind, breaks }: Mutant): boolean =>
    clauses[breaks].level === (kind === 'expectation' ? 'should' : 'must');
  expect(mutants.filter((candidate) => !isOfLevel(candidate)).map(({ name }) => name)).toEqual([]);
});
