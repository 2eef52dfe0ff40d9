import { expect, test } from '@playwright/test';
import type { Exchange } from '../../../../../openapi/model/exchange.ts';
import { readResultOfRoles, type Roles } from '../../history.ts';
import {
  makeDisbursement,
  SUCCESS_TEXT,
  FAILURE_TEXT,
  makeFailure,
  PENDING_TEXT,
  makeOutcome,
} from './outcome-rows.ts';

/** A disbursement at a second of the run, and its queries: the text of each answer, and its second. */
const makeSequence = (id: string, at: number, ...queries: readonly (readonly [text: string, second: number])[]) => ({
  sent: makeDisbursement(id, at),
  told: queries.map(([text, second]) =>
    text === FAILURE_TEXT ? makeFailure(id, text, second) : makeOutcome(id, text, second),
  ),
});
type Sequence = ReturnType<typeof makeSequence>;

/** Three disbursements that completed within two seconds, one after the other. */
const completedThree = ['1', '2', '3'].map((id, nth) =>
  makeSequence(id, 5 * nth, [PENDING_TEXT, 5 * nth + 1], [SUCCESS_TEXT, 5 * nth + 2]),
);
/** Two disbursements that began before the three completed ones, and stay pending until a second of the run. */
const makePendingBefore = (until: number) =>
  ['4', '5'].map((id) => makeSequence(id, 0, [PENDING_TEXT, 1], [PENDING_TEXT, until]));
/** Two disbursements that began after the three completed ones, and stay pending. */
const pendingAfter = ['6', '7'].map((id) => makeSequence(id, 20, [PENDING_TEXT, 21], [PENDING_TEXT, 60]));
const latestDisbursement = makeSequence('8', 30, [PENDING_TEXT, 31], [PENDING_TEXT, 61]);

function checkSequences(
  resting: readonly Sequence[],
  others: readonly Sequence[] = completedThree,
  last?: Sequence,
): string {
  const all = [...resting, ...others, ...(last === undefined ? [] : [last])];
  const sent = (some: readonly Sequence[]): readonly Exchange[] => some.map((entry) => entry.sent);
  const roles: Roles = {
    resting: sent(resting),
    left: sent(others),
    fresh: last === undefined ? [] : last.sent,
    told: all.flatMap((entry) => entry.told),
  };
  return readResultOfRoles('loans.outcome.reached', roles);
}

const stuckRows: readonly (readonly [title: string, is: string, ...of: Parameters<typeof checkSequences>])[] = [
  ['two that later ones have overtaken', 'broken', makePendingBefore(40)],
  ['two that stay pending like a new one', 'broken', pendingAfter, completedThree, latestDisbursement],
  ['one alone', 'untested', makePendingBefore(40).slice(1)],
  ['two that stay pending ten times as long, but not ten seconds', 'untested', makePendingBefore(9)],
  [
    'two after all others, and a new one that completes',
    'untested',
    pendingAfter,
    completedThree,
    makeSequence('8', 30, [PENDING_TEXT, 31], [SUCCESS_TEXT, 32]),
  ],
  [
    'a text that others left only by failing',
    'untested',
    makePendingBefore(40),
    completedThree.map(({ sent }, nth) => ({
      sent,
      told: [
        makeOutcome(`${nth + 1}`, PENDING_TEXT, 5 * nth + 1),
        makeFailure(`${nth + 1}`, FAILURE_TEXT, 5 * nth + 2),
      ],
    })),
  ],
];

for (const [title, is, ...of] of stuckRows)
  test(`Disbursements whose outcome text does not change: ${title}`, () => {
    expect(checkSequences(...of)).toBe(is);
  });
