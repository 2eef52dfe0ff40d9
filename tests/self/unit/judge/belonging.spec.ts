/** Answers of others, outcomes that are lost, references that change: what the facts of a run show of them. */
import { expect, test } from '@playwright/test';
import type { Fact } from '../../../../openapi/model/facts.ts';
import { evaluateBelonging } from '../../../../openapi/run-rules/belonging.ts';

const brokenBy = (...facts: readonly Fact[]): readonly string[] =>
  evaluateBelonging(facts.map((fact, nth) => ({ exchange: `exchange-${nth}`, fact }))).broken.map(
    ({ clause }) => clause,
  );

const opened = (id: string): Fact => ({ rule: 'application', id });
const answers = (asked: string, answered: string): Fact => ({
  rule: 'other-application',
  operation: 'disburse',
  asked,
  answered,
});
const told = (application: string, from: number): Fact => ({
  rule: 'outcome',
  application,
  text: 'Done',
  errors: false,
  from,
  at: from + 1,
});
const missing = (application: string, from: number): Fact => ({ rule: 'outcome-missing', application, from });
const disbursed = (application: string, at: number): Fact => ({ rule: 'disbursed', application, at });
const account = (id: string, reference: string): Fact => ({ rule: 'account', id, reference });

test('An id of another application of the run breaks the field, and an unknown one does not', () => {
  expect(brokenBy(opened('1'), opened('2'), answers('1', '2'))).toEqual(['loans.disbursement.application-id']);
  expect(brokenBy(opened('1'), opened('2'), answers('1', '3'))).toEqual([]);
  expect(brokenBy(opened('2'), answers('1', '2'))).toEqual([]);
});

test('An outcome that was told is found again, unless it was asked for before or disbursed anew', () => {
  expect(brokenBy(told('1', 10), missing('1', 20))).toEqual(['loans.outcome.found-again']);
  expect(brokenBy(told('1', 10), missing('1', 5))).toEqual([]);
  expect(brokenBy(told('1', 10), missing('2', 20))).toEqual([]);
  expect(brokenBy(told('1', 10), disbursed('1', 15), missing('1', 20))).toEqual([]);
});

test('One account has one reference', () => {
  expect(brokenBy(account('7', 'a'), account('8', 'b'), account('7', 'a'))).toEqual([]);
  expect(brokenBy(account('7', 'a'), account('7', 'b'))).toEqual(['loans.offer.account.same-reference']);
});
