/** Tests which form of an id explains that requests with some ids are refused. */
import { expect, test } from '@playwright/test';
import { findDecidingForms, type AskedIds } from '../../../../fixtures/probes/experiments/ids.ts';

test('A form of an id explains the refusals if each refused id has this form and no accepted id has it', () => {
  const ids = (outcome: AskedIds['outcome'], ...all: readonly string[]): readonly AskedIds[] =>
    all.map((id) => ({ ids: { application_id: id, account_id: '1' }, outcome }));
  const taken = ids('accepted', ...Array.from({ length: 16 }, (_, nth) => `${nth + 10}${nth % 6}`));
  const denied = ids('refused', '117', '128', '139', '247');
  expect(findDecidingForms([...taken, ...denied], 'refused')).toEqual([
    { name: 'application_id', denied: 'ends in 7 or 8 or 9', taken: 'ends in 0 or 1 or 2 or 3 or 4 or 5' },
  ]);
  expect(findDecidingForms([...taken, ...denied, ...ids('refused', '131')], 'refused')).toEqual([]);
  expect(findDecidingForms([...taken, ...denied.slice(0, 2)], 'refused')).toEqual([]);
  expect(findDecidingForms([...taken.slice(0, 8), ...denied], 'refused')).toEqual([]);
});
