/** Tests which form of an id explains that requests with some ids are refused. */
import { expect, test } from '@playwright/test';
import { findDecidingForms, type SentIds } from '../../../../fixtures/probes/experiments/ids.ts';

test('A form of an id explains the refusals if each refused id has this form and no accepted id has it', () => {
  const ids = (outcome: SentIds['outcome'], ...all: readonly string[]): readonly SentIds[] =>
    all.map((id) => ({ application_id: id, account_id: '1', outcome }));
  const accepted = ids('accepted', ...Array.from({ length: 16 }, (_, nth) => `${nth + 10}${nth % 6}`));
  const refused = ids('refused', '117', '128', '139', '247');
  expect(findDecidingForms([...accepted, ...refused], 'refused')).toEqual([
    { name: 'application_id', refused: 'ends in 7 or 8 or 9', accepted: 'ends in 0 or 1 or 2 or 3 or 4 or 5' },
  ]);
  expect(findDecidingForms([...accepted, ...refused, ...ids('refused', '131')], 'refused')).toEqual([]);
  expect(findDecidingForms([...accepted, ...refused.slice(0, 2)], 'refused')).toEqual([]);
  expect(findDecidingForms([...accepted.slice(0, 8), ...refused], 'refused')).toEqual([]);
});
