import { expect, test } from '@playwright/test';
import type { Exchange } from '../../../../openapi/model/exchange.ts';
import { body, exchange } from '../../support/judge-harness.ts';
import { readResultOfRoles } from '../history.ts';

/** Makes an answer to the branch list of merchant 1 or 2, with one branch. */
const makeBranchAnswer = (merchant_no: '1' | '2', name: string, status = 200): Exchange =>
  exchange('listBranches', body('listBranches', '/data/branches', [{ no: '1', name }]), {
    asked: { merchant_no },
    status,
  });
const [north, south] = [makeBranchAnswer('1', 'North'), makeBranchAnswer('2', 'South')];
/** Merchant 1 gets the list of merchant 2, and merchant 2 the list of merchant 1. */
const [southForFirst, northForSecond] = [makeBranchAnswer('1', 'South'), makeBranchAnswer('2', 'North')];

const isolationRows: readonly (readonly [result: string, atOnce: readonly Exchange[], after?: readonly Exchange[]])[] =
  [
    ['kept', [north, south, north, south]],
    ['broken', [southForFirst, south, southForFirst, south]],
    ['broken', [southForFirst, northForSecond, north, south]],
    // One mixed-up answer may be chance. An answer with a list of no merchant, or a refusal, does not count.
    ['kept', [southForFirst, south]],
    [
      'kept',
      [
        makeBranchAnswer('1', 'East'),
        makeBranchAnswer('2', 'West'),
        makeBranchAnswer('1', 'East'),
        makeBranchAnswer('2', 'West'),
      ],
    ],
    ['kept', [makeBranchAnswer('1', 'South', 503), south, makeBranchAnswer('1', 'South', 429), south]],
    // The list itself changed meanwhile.
    ['kept', [southForFirst, south, southForFirst], [southForFirst, south]],
    ['untested', []],
  ];

test('A concurrent request for a list gets its own list, not that of another request', () => {
  for (const [nth, [result, atOnce, after = [north, south]]] of isolationRows.entries()) {
    const roles = { before: [north, south], 'at-once': atOnce, after };
    expect([nth, readResultOfRoles('links.lists-repeat', roles)]).toEqual([nth, result]);
  }
});

test('A validation that is answered false alone is not answered true beside another validation', () => {
  const validate = (amount: number, result: string): Exchange =>
    exchange('validateLoan', body('validateLoan', '/data/result', result), { asked: { amount } });
  const [small, large, largeTrue] = [validate(10, 'true'), validate(10_000, 'false'), validate(10_000, 'true')];
  const check = (...atOnce: readonly Exchange[]) =>
    readResultOfRoles('loans.independence', { before: [small, large], 'at-once': atOnce, after: [small, large] });
  expect(check(largeTrue, small, largeTrue)).toBe('broken');
  expect(check(large, validate(10, 'false'), validate(10, 'false'))).toBe('kept');
});
