import { expect, test } from '@playwright/test';
import type { Exchange } from '../../../../openapi/model/exchange.ts';
import { body, exchange } from '../../support/judge-harness.ts';
import { shownBy } from '../history.ts';

type Asked = (answer: string, status?: number) => Exchange;

const branchesOf =
  (merchant_no: string): Asked =>
  (name, status = 200) =>
    exchange('listBranches', body('listBranches', '/data/branches', [{ no: '1', name }]), {
      asked: { merchant_no },
      status,
    });
const [one, other] = [branchesOf('1'), branchesOf('2')];

const of = (atOnce: readonly Exchange[], after: readonly Exchange[] = [one('North'), other('South')]) =>
  shownBy('links.lists-repeat', { before: [one('North'), other('South')], 'at-once': atOnce, after });

test('A concurrent request for a list gets its own list, not that of another request', () => {
  expect(of([one('North'), other('South'), one('North'), other('South')])).toBe('kept');
  expect(of([one('South'), other('South'), one('South'), other('South')])).toBe('broken');
  expect(of([one('South'), other('North'), one('North'), other('South')])).toBe('broken');
  // One mix-up may be chance; a list of nobody is no mix-up; a refusal does not count.
  expect(of([one('South'), other('South')])).toBe('kept');
  expect(of([one('East'), other('West'), one('East'), other('West')])).toBe('kept');
  expect(of([one('South', 503), other('South'), one('South', 429), other('South')])).toBe('kept');
  // The list itself changed meanwhile.
  expect(of([one('South'), other('South'), one('South')], [one('South'), other('South')])).toBe('kept');
  expect(of([])).toBe('untested');
});

test('A check that is answered false alone is not answered true beside another check', () => {
  const checked =
    (amount: number): Asked =>
    (result) =>
      exchange('validateLoan', body('validateLoan', '/data/result', result), { asked: { amount } });
  const [small, large] = [checked(10), checked(10_000)];
  const alone = [small('true'), large('false')];
  const shown = (atOnce: readonly Exchange[]) =>
    shownBy('loans.independence', { before: alone, 'at-once': atOnce, after: alone });
  expect(shown([large('true'), small('true'), large('true')])).toBe('broken');
  expect(shown([large('false'), small('false'), small('false')])).toBe('kept');
});
