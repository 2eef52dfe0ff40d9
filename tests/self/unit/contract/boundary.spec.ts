/** Tests the rule that files of the engine do not name the bank. */
import { expect, test } from '@playwright/test';
import { checkBoundary } from '../../boundary/check.ts';
import { exceptions } from '../../boundary/exceptions.ts';
import { findBankWords } from '../../boundary/words.ts';

for (const [text, found] of [
  ["if (operation === 'disburse') stop();", ['disburse']],
  ['const { merchant_no: no } = asked;', ['merchant_no']],
  ["report('request/body/currency_code');", ['currency_code']],
  ['log(`at ${place}/atm_no`);', ['atm_no']],
  ["select('links'); open({ loans });", ['links', 'loans']],
  ["check('loans.offer.text'); say('no links');", []],
  ['// disburse(merchant_no)\n/** The area `atms`. */\nconst name = text;', []],
] as const)
  test(`Words of the bank in ${JSON.stringify(text)}: ${found.join(' and ') || 'none'}`, () => {
    expect(findBankWords(text)).toEqual(found);
  });

test('The engine names the bank only where the exceptions say so', () => {
  expect(checkBoundary()).toEqual([]);
  expect(Object.values(exceptions).filter(({ because }) => because === '')).toEqual([]);
});
