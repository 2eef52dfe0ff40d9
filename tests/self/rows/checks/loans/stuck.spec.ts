import { expect, test } from '@playwright/test';
import type { Exchange } from '../../../../../openapi/model/exchange.ts';
import { shownBy, type Roles } from '../../history.ts';
import { disbursed, DONE, FAILED, failure, PENDING, told } from './outcome-rows.ts';

/** A disbursement at a second of the run, and its queries: the text of each answer, and its second. */
const sequence = (id: string, at: number, ...queries: readonly (readonly [text: string, second: number])[]) => ({
  sent: disbursed(id, at),
  told: queries.map(([text, second]) => (text === FAILED ? failure(id, text, second) : told(id, text, second))),
});
type Sequence = ReturnType<typeof sequence>;

/** Three that completed within two seconds, one after the other. */
const completedThree = ['1', '2', '3'].map((id, nth) =>
  sequence(id, 5 * nth, [PENDING, 5 * nth + 1], [DONE, 5 * nth + 2]),
);
/** Two that began before those three, and stay pending until a second. */
const pendingBefore = (until: number) => ['4', '5'].map((id) => sequence(id, 0, [PENDING, 1], [PENDING, until]));
/** Two that began after those three, and stay pending. */
const pendingAfter = ['6', '7'].map((id) => sequence(id, 20, [PENDING, 21], [PENDING, 60]));
const latestDisbursement = sequence('8', 30, [PENDING, 31], [PENDING, 61]);

function resultOfRows(
  resting: readonly Sequence[],
  others: readonly Sequence[] = completedThree,
  last?: Sequence,
): string {
  const all = [...resting, ...others, ...(last === undefined ? [] : [last])];
  const sent = (some: readonly Sequence[]): readonly Exchange[] => some.map((one) => one.sent);
  const roles: Roles = {
    resting: sent(resting),
    left: sent(others),
    fresh: last === undefined ? [] : last.sent,
    told: all.flatMap((one) => one.told),
  };
  return shownBy('loans.outcome.reached', roles);
}

const rows: readonly (readonly [title: string, is: string, ...of: Parameters<typeof resultOfRows>])[] = [
  ['two that later ones have overtaken', 'broken', pendingBefore(40)],
  ['two that stay pending like a new one', 'broken', pendingAfter, completedThree, latestDisbursement],
  ['one alone', 'untested', pendingBefore(40).slice(1)],
  ['two that stay pending ten times as long, but not ten seconds', 'untested', pendingBefore(9)],
  ['two that stay pending less than ten times as long as the slowest', 'untested', pendingBefore(19)],
  ['two after all others, without a new one', 'untested', pendingAfter],
  [
    'two after all others, and a new one that completes',
    'untested',
    pendingAfter,
    completedThree,
    sequence('8', 30, [PENDING, 31], [DONE, 32]),
  ],
  [
    'two after a batch',
    'untested',
    pendingAfter,
    ['1', '2', '3'].map((id) => sequence(id, 0, [PENDING, 1], [DONE, 2])),
    latestDisbursement,
  ],
  [
    'a text that others left only by failing',
    'untested',
    pendingBefore(40),
    completedThree.map(({ sent }, nth) => ({
      sent,
      told: [told(`${nth + 1}`, PENDING, 5 * nth + 1), failure(`${nth + 1}`, FAILED, 5 * nth + 2)],
    })),
  ],
  ['a text that only two have left', 'untested', pendingBefore(40), completedThree.slice(1)],
];

for (const [title, is, ...of] of rows)
  test(`Disbursements that stay at a text: ${title}`, () => {
    expect(resultOfRows(...of)).toBe(is);
  });
