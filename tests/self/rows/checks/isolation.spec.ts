import { expect, test } from '@playwright/test';
import type { Exchange } from '../../../../openapi/model/exchange.ts';
import { body, exchange } from '../../support/judge-harness.ts';
import { readResultOfRoles } from '../history.ts';

type Asked = (answer: string, status?: number) => Exchange;

const askForBranches =
  (merchant_no: string): Asked =>
  (name, status = 200) =>
    exchange('listBranches', body('listBranches', '/data/branches', [{ no: '1', name }]), {
      asked: { merchant_no },
      status,
    });
const [branchesOfFirst, branchesOfSecond] = [askForBranches('1'), askForBranches('2')];

const checkAnswers = (
  atOnce: readonly Exchange[],
  after: readonly Exchange[] = [branchesOfFirst('North'), branchesOfSecond('South')],
) =>
  readResultOfRoles('links.lists-repeat', {
    before: [branchesOfFirst('North'), branchesOfSecond('South')],
    'at-once': atOnce,
    after,
  });

test('A concurrent request for a list gets its own list, not that of another request', () => {
  expect(
    checkAnswers([
      branchesOfFirst('North'),
      branchesOfSecond('South'),
      branchesOfFirst('North'),
      branchesOfSecond('South'),
    ]),
  ).toBe('kept');
  expect(
    checkAnswers([
      branchesOfFirst('South'),
      branchesOfSecond('South'),
      branchesOfFirst('South'),
      branchesOfSecond('South'),
    ]),
  ).toBe('broken');
  expect(
    checkAnswers([
      branchesOfFirst('South'),
      branchesOfSecond('North'),
      branchesOfFirst('North'),
      branchesOfSecond('South'),
    ]),
  ).toBe('broken');
  // One mix-up may be chance; a list of nobody is no mix-up; a refusal does not count.
  expect(checkAnswers([branchesOfFirst('South'), branchesOfSecond('South')])).toBe('kept');
  expect(
    checkAnswers([
      branchesOfFirst('East'),
      branchesOfSecond('West'),
      branchesOfFirst('East'),
      branchesOfSecond('West'),
    ]),
  ).toBe('kept');
  expect(
    checkAnswers([
      branchesOfFirst('South', 503),
      branchesOfSecond('South'),
      branchesOfFirst('South', 429),
      branchesOfSecond('South'),
    ]),
  ).toBe('kept');
  // The list itself changed meanwhile.
  expect(
    checkAnswers(
      [branchesOfFirst('South'), branchesOfSecond('South'), branchesOfFirst('South')],
      [branchesOfFirst('South'), branchesOfSecond('South')],
    ),
  ).toBe('kept');
  expect(checkAnswers([])).toBe('untested');
});

test('A check that is answered false alone is not answered true beside another check', () => {
  const checked =
    (amount: number): Asked =>
    (result) =>
      exchange('validateLoan', body('validateLoan', '/data/result', result), { asked: { amount } });
  const [small, large] = [checked(10), checked(10_000)];
  const alone = [small('true'), large('false')];
  const shown = (atOnce: readonly Exchange[]) =>
    readResultOfRoles('loans.independence', { before: alone, 'at-once': atOnce, after: alone });
  expect(shown([large('true'), small('true'), large('true')])).toBe('broken');
  expect(shown([large('false'), small('false'), small('false')])).toBe('kept');
});
