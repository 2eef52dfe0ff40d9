/** Answers of others, outcomes that are lost, references that change: what the facts of a run show of them. */
import { expect, test } from '@playwright/test';
import type { Fact, FactRecord } from '../../../../openapi/model/facts.ts';
import { evaluateRun } from '../../../../openapi/evaluate-run.ts';

const brokenBy = (...facts: readonly Fact[]): readonly string[] =>
  evaluateRun(facts.map((fact, nth) => ({ exchange: `exchange-${nth}`, fact }))).broken.map(({ clause }) => clause);

const opened = (id: string): Fact => ({ rule: 'application', id });
const answers = (asked: string, answered: string): Fact => ({
  rule: 'other-application',
  operation: 'disburse',
  asked,
  answered,
});
const given = (application: string, from: number): Fact => ({
  rule: 'outcome',
  application,
  text: 'Done',
  errors: false,
  from,
  at: from + 1,
});
const missing = (application: string, from: number): Fact => ({ rule: 'outcome-missing', application, from });
const disbursed = (application: string, at: number): Fact => ({ rule: 'disbursed', application, at });
const changed = (application: string, at: number): Fact => ({ rule: 'changed', application, at });
const account = (id: string, reference: string, interest = 1.5, commission = 0.25): Fact => ({
  rule: 'account',
  id,
  reference,
  rates: [interest, commission],
});

test('An id of another application or an account of the run breaks the field, and an unknown one does not', () => {
  expect(brokenBy(opened('1'), opened('2'), answers('1', '2'))).toEqual(['loans.disbursement.application-id']);
  expect(brokenBy(opened('1'), opened('2'), answers('1', '3'))).toEqual([]);
  expect(brokenBy(opened('2'), answers('1', '2'))).toEqual([]);
  expect(brokenBy(opened('1'), account('7', 'TR7'), answers('1', '7'))).toEqual(['loans.disbursement.application-id']);
});

test('An outcome that was given is found again, unless it was asked for before or its application changed', () => {
  expect(brokenBy(given('1', 10), missing('1', 20))).toEqual(['loans.outcome.found-again']);
  // Whichever scenario is read first.
  expect(brokenBy(given('1', 30), missing('1', 20), given('1', 10))).toEqual(['loans.outcome.found-again']);
  expect(brokenBy(given('1', 10), missing('1', 5))).toEqual([]);
  expect(brokenBy(given('1', 10), missing('2', 20))).toEqual([]);
  expect(brokenBy(given('1', 10), changed('1', 15), missing('1', 20))).toEqual([]);
  for (const other of [changed('1', 5), changed('2', 15)])
    expect(brokenBy(given('1', 10), other, missing('1', 20))).toEqual(['loans.outcome.found-again']);
});

test('An id that two applications were given tells nothing of either', () => {
  const broken = (...facts: readonly Fact[]): readonly string[] =>
    evaluateRun(facts.map((fact, nth) => ({ exchange: `exchange-${nth}`, fact }))).broken.map(({ clause }) => clause);
  const lost = [given('1', 10), missing('1', 20)];
  expect(broken(opened('1'), opened('2'), ...lost)).toEqual(['loans.outcome.found-again']);
  expect(broken(opened('1'), opened('1'), ...lost)).toEqual(['loans.application.id.distinct']);
});

test('Errors stand beside data once there was a disbursement, and are a refusal before', () => {
  const bare: Fact = { rule: 'outcome-without-data', application: '1', from: 20 };
  expect(brokenBy(disbursed('1', 10), bare)).toEqual(['loans.outcome.data']);
  for (const before of [disbursed('1', 30), disbursed('2', 10)])
    expect(brokenBy(before, bare)).toEqual(['service.refusal-status']);
});

test('A disbursement that was taken on is found, as a like one before it and one behind it are', () => {
  const made = (application: string, at: number, amount = '10'): readonly FactRecord[] =>
    [
      disbursed(application, at),
      {
        rule: 'answer',
        operation: 'disburse',
        outcome: 'accepted',
        what: '',
        status: 200,
        asked: { amount },
        at,
      } as const,
    ].map((fact) => ({ exchange: application, fact }));
  const lost = (application: string): readonly FactRecord[] =>
    [40, 50].map((from) => ({ exchange: `missing-${application}`, fact: missing(application, from) }));
  const found = ['1', '4'].map((application) => ({ exchange: 'found', fact: given(application, 30) }));
  const clausesOf = (...records: readonly (readonly FactRecord[])[]): readonly string[] =>
    evaluateRun([...records.flat(), ...found]).broken.map(({ clause }) => clause);
  const between = [made('1', 10), made('2', 11), made('3', 12), lost('2'), lost('3')];
  expect(clausesOf(...between, made('4', 13))).toEqual(['loans.outcome.reached']);
  // Behind all others they may be beyond a share of the day, and of other values they may be looked at by a clerk.
  expect(clausesOf(...between)).toEqual([]);
  expect(clausesOf(...between, made('4', 9))).toEqual([]);
  expect(clausesOf(...between, made('4', 13, '5'))).toEqual([]);
  const large = [made('1', 10), made('2', 11, '99'), made('3', 12, '99'), lost('2'), lost('3'), made('4', 13, '999')];
  expect(clausesOf(...large)).toEqual([]);
});

test('One account has one reference', () => {
  expect(brokenBy(account('7', 'a'), account('8', 'b'), account('7', 'a'))).toEqual([]);
  expect(brokenBy(account('7', 'a'), account('7', 'b'))).toEqual(['loans.offer.account.same-reference']);
});

test('Rates of several accounts are not exchanged, and not given in another unit', () => {
  const clause = 'loans.offer.rates-stay';
  const two = [account('7', 'a'), account('8', 'b', 2.1, 0.3)];
  expect(brokenBy(...two, account('7', 'a', 0.25, 1.5), account('8', 'b', 0.3, 2.1))).toEqual([clause]);
  expect(brokenBy(...two, account('7', 'a', 150, 0.25), account('8', 'b', 2.1, 0.003))).toEqual([clause]);
  // On one account it may be chance; and rates may change otherwise.
  expect(brokenBy(...two, account('7', 'a', 0.25, 1.5))).toEqual([]);
  expect(brokenBy(...two, account('7', 'a', 15, 0.25), account('8', 'b', 2.2, 0.3))).toEqual([]);
});
