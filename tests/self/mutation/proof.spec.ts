/** The proof itself examined: what is no fault is not caught, what conforms is not proven by being ignored. */
import { expect, test } from '@playwright/test';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Dialect } from '../../../fixtures/banks/lib/variant.ts';
import { dialects } from '../../../fixtures/banks/variants/index.ts';
import type { Fault } from '../../../fixtures/banks/lib/mutant.ts';
import { drawMixtures } from '../../../fixtures/banks/variants/random-variants.ts';
import { population } from '../../../fixtures/banks/mutants/index.ts';
import { clauses, isClauseId } from '../../../openapi/clauses/index.ts';
import { nameOf } from '../../../openapi/contract/operations.ts';
import { areas } from '../../../openapi/model/exchange.ts';
import { proofOf, unproven, type Outcomes } from '../../../reports/proof/matrix.ts';
import { renderProof } from '../../../reports/proof/html.ts';
import { inWords, readProof, strengthInWords, strengthsOf } from '../../../reports/proof/strength.ts';
import { proofTable, toldAlarm, toldMiss } from '../../../reports/proof/terminal.ts';
import { fold } from '../../../reports/fold/index.ts';
import { examineDialect, examineFault } from './run-mutant.ts';
import { measured } from './measured.ts';
import { outcomeOfDialect, outcomeOfFault } from './outcomes.ts';
import { dealt, mixtureCount } from './batches.ts';

function faultNamed(name: string): Fault {
  const found = population.find((fault) => fault.name === name);
  if (found === undefined) throw new Error(`There is no fault ${name}`);
  return found;
}

test.describe.configure({ timeout: 0 });

const real = faultNamed('validate-loan-result-missing');

test('A fault that does nothing is missed', async () => {
  const nothing: Fault = { ...real, name: 'nothing', story: 'Nothing is wrong.', spoil: (bank) => bank };
  const outcome = outcomeOfFault(nothing, await examineFault(nothing));
  expect(outcome).toMatchObject({ outcome: 'missed', found: [] });
  expect(toldMiss(outcome)).toContain('MISSED nothing: Nothing is wrong.');
  expect(toldMiss(outcome)).toContain(`expected: loans.validation.result at ${nameOf('validateLoan')} /data/result`);
});

test('A fault that names a wrong clause, place or operation is reported', async () => {
  const report = await examineFault(real);
  expect(outcomeOfFault(real, report).outcome).toBe('caught');
  const wrong: readonly Partial<Fault>[] = [
    { breaks: 'loans.validation.result.boolean' },
    { breaks: 'loans.application.result' },
    { pointer: '/data' },
    { operation: 'requestLoan' },
  ];
  for (const change of wrong) {
    const outcome = outcomeOfFault({ ...real, ...change }, report);
    expect(outcome.outcome, JSON.stringify(change)).toBe('misblamed');
    expect(outcome.found.join()).toContain('loans.validation.result');
  }
  expect(outcomeOfFault({ ...real, breaks: 'loans.validation.result.exact' }, report).outcome).toBe('missed');
});

test('A fault that breaks more than it says is reported, and one that says so is not', async () => {
  const [one, other] = [real, faultNamed('request-loan-result-missing')];
  const both: Fault = { ...one, spoil: (bank) => other.spoil(one.spoil(bank)) };
  const report = await examineFault(both);
  expect(outcomeOfFault(both, report)).toMatchObject({
    outcome: 'misblamed',
    why: 'Other promises are said to be broken: loans.application.result.',
  });
  expect(outcomeOfFault({ ...both, also: ['loans.application.result'] }, report).outcome).toBe('caught');
});

test('A bank that breaks a promise is no dialect, and one that disappoints has to say so', async () => {
  const plain = { name: 'plain', story: 'As it is.' };
  const broken = outcomeOfDialect(plain, await examineDialect({ ...plain, wrap: real.spoil }), 'dialect');
  expect(broken.alarms.map(({ clause, level }) => `${level} ${clause}`)).toEqual(['must loans.validation.result']);
  expect(toldAlarm(broken)).toContain('FALSE ALARM plain: As it is.');
  const small = dialects.find(({ name }) => name === 'booleans-upper');
  const report = await examineDialect(small ?? plain);
  expect(outcomeOfDialect({ ...plain, warned: small?.warned ?? [] }, report, 'dialect')).toMatchObject({
    alarms: [],
    complaints: [],
  });
  expect(outcomeOfDialect(plain, report, 'mixture').alarms).toHaveLength(2);
  expect(outcomeOfDialect({ ...plain, because: /nothing/ }, report, 'dialect').complaints).not.toEqual([]);
});

test('A fault of one operation looks the same whichever areas are asked', async () => {
  const keysOf = async (fault: Fault, areas?: string): Promise<readonly string[]> =>
    (await examineFault(fault, areas)).findings.map(({ id }) => id).sort();
  for (const fault of dealt(population, 120)[7] ?? [])
    expect(await keysOf(fault, 'loans,payment-links,atms'), fault.name).toEqual(await keysOf(fault));
});

test('The population is as large, and as varied, as was promised', () => {
  const of = (kind: string): number => population.filter((fault) => fault.kind === kind).length;
  expect(population.length).toBeGreaterThanOrEqual(400);
  expect(of('deep')).toBeGreaterThanOrEqual(60);
  expect(of('refusing')).toBeGreaterThanOrEqual(25);
  expect(dialects.length).toBeGreaterThanOrEqual(60);
  for (const named of [population, dialects]) {
    expect(new Set(named.map(({ name }) => name)).size).toBe(named.length);
    for (const { name, story } of named) {
      expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(story, name).toMatch(/^\S.*\.$/);
    }
  }
  for (const { name, kind, breaks } of population)
    expect(clauses[breaks].level, name).toBe(kind === 'implied' ? 'should' : clauses[breaks].level);
});

test('Choices of dialects are about open points', () => {
  for (const { name, chose = {}, warned = [] } of dialects) {
    for (const point of Object.keys(chose))
      expect(isClauseId(point) && clauses[point].level, `${name}: ${point}`).toBe('open');
    for (const clause of warned) expect(clauses[clause].level, `${name}: ${clause}`).toBe('should');
  }
});

test('A card that tells something else than the bank was built to do is reported', async () => {
  const dialect = dialects.find(({ name }) => name === 'statuses-by-operation') as Dialect;
  const report = await examineDialect(dialect);
  const right = outcomeOfDialect(dialect, report, 'dialect');
  expect(right.complaints).toEqual([]);
  expect(right.choices).toBeGreaterThan(100);
  const manners = { ...dialect.manners, atms: { answer: { unit: 'km' } } } as const;
  expect(outcomeOfDialect({ ...dialect, manners }, report, 'dialect').complaints).toEqual([
    'atms.distance-unit findAtms: built as kilometres, shown as metres',
  ]);
});

test('Every mixture is another one', () => {
  expect(new Set(drawMixtures(1, mixtureCount).map(({ story }) => story)).size).toBe(mixtureCount);
});

/** Outcomes as if every fault had been caught, but for `missed`. */
function outcomesBut(missed: string, without?: string): Outcomes {
  const empty = fold({
    lines: [],
    run: {
      target: { name: null, build: null, baseUrl: '', embedded: false, areas },
      suite: { version: '', digest: '', contractDigest: '', seed: 0, runs: 0, strict: false },
      startedAt: '',
      durationMs: 0,
    },
  });
  const faults = population
    .filter(({ breaks }) => breaks !== without)
    .map((fault) => {
      const outcome = outcomeOfFault(fault, empty);
      return fault.name === missed ? outcome : ({ ...outcome, outcome: 'caught', found: [], why: null } as const);
    });
  const banks = dialects.map(
    (dialect) =>
      ({
        name: dialect.name,
        kind: 'dialect',
        areas: dialect.area === undefined ? areas : [dialect.area],
        story: dialect.story,
        verdict: 'conformant',
        choices: 0,
        alarms: [],
        complaints: [],
      }) as const,
  );
  return { faults, banks, from: 0, to: 1000 };
}

test('A clause without a fault is named, whether it is a promise or an expectation', () => {
  for (const clause of ['loans.offer', 'atms.closest'] as const)
    expect(unproven(proofOf(outcomesBut('', clause), measured()))).toContain(`${clauses[clause].level} ${clause}`);
});

test('The matrix counts what was caught and names what escaped', () => {
  const proof = proofOf(outcomesBut(real.name), measured());
  const line = proof.clauses.find(({ id }) => id === real.breaks);
  expect(line).toMatchObject({ level: 'must', caught: (line?.known ?? 0) - 1, escaped: [real.name], alarms: [] });
  expect(proofTable(proof)).toContain(`${line?.caught} of ${line?.known}`);
  const page = renderProof(proof);
  expect(page).toContain('Faults that escape');
  expect(page).toContain(real.name);
  for (const { id, statement } of proof.clauses) expect(page, id).toContain(statement.replaceAll("'", '&#39;'));
  expect(page).not.toMatch(/(?:src|href)="(?!#)/);
});

test('A figure stands beside a clause only where the run is at least what was measured', () => {
  const proof = proofOf(outcomesBut(real.name), measured());
  const file = join(mkdtempSync(join(tmpdir(), 'proof-')), 'proof.json');
  writeFileSync(file, JSON.stringify(proof));
  const read = readProof(file);
  const { measure } = proof;
  const known = proof.faults.filter(({ clause }) => clause === real.breaks).length;
  const banks = dialects.filter(({ area = 'loans' }) => area === 'loans').length;
  expect(strengthInWords(read, measure).get(real.breaks)).toBe(
    `this suite catches ${known - 1} of the ${known} ways we know to break it; 0 alarms on ${banks} conformant banks`,
  );
  expect(inWords({ known: 1, caught: 1, alarms: 1, banks: 2 })).toBe(
    'this suite catches 1 of the 1 way we know to break it; 1 alarm on 2 conformant banks',
  );
  const more = { ...measure, runs: measure.runs * 2, caps: { ...measure.caps, links: 1000 } };
  expect(strengthsOf(read, more).size).toBe(strengthsOf(read, measure).size);
  const less = [
    { ...measure, digest: 'another' },
    { ...measure, runs: measure.runs - 1 },
    { ...measure, caps: { ...measure.caps, links: 1 } },
  ];
  for (const run of less) expect(strengthsOf(read, run).size).toBe(0);
  const atms = strengthsOf(read, { ...measure, areas: ['atms'] });
  expect(atms.has('atms.data')).toBe(true);
  expect(atms.has(real.breaks)).toBe(false);
  expect(atms.has('service.content-type')).toBe(false);
  expect(readProof(`${file}.none`)).toBeNull();
  writeFileSync(file, '{"format":"another"}');
  expect(readProof(file)).toBeNull();
});
