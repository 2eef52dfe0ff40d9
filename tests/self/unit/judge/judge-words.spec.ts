/** Tests clauses about texts for people: names, labels and outcomes must be readable, decoded and without placeholders. */
import { expect, test } from '@playwright/test';
import type { OperationId } from '../../../../openapi/model/exchange.ts';
import { listBrokenClauses } from '../../support/judge-harness.ts';

/** Splits a list of texts at each `|`. */
const cells = ([texts = '']: TemplateStringsArray): readonly string[] => texts.split(/ *\|[ \n]*/);

const judgeBranchName = (name: string, clause: string) =>
  listBrokenClauses('listBranches', { data: { branches: [{ no: 1, name }] } }).filter((text) =>
    text.startsWith(clause),
  );

const judgeFilledTexts = (operation: OperationId, data: Readonly<Record<string, unknown>>) =>
  listBrokenClauses(operation, { data }).filter((clause) => clause.startsWith('service.filled'));

test('A name that is escaped for a web page, or encoded twice, breaks service.plain-texts; unusual names do not', () => {
  const findBroken = (name: string) => judgeBranchName(name, 'service.');
  const at = ['service.plain-texts /data/branches/*/name'];
  // With the UTF-8 bytes of Çarşı, Şişli, “支店”, KÖLN, VOILÀ and voilà, read as Windows-1252 or Latin-1.
  for (const name of cells`A &amp; B | O&#39;Brien | \uFEFFMerkez | Kad\u00c4\u00b1k\u00c3\u00b6y | Ã‡arÅŸÄ± | ÅžiÅŸli |
    â€œæ”¯åº—â€\x9D | \u00c3\u0087ar\u00c5\u009f\u00c4\u00b1 | KÃ–LN | VOILÃ€ | voilÃ\u00A0 |
    IRMÃ\u00A0MARIA, KadÄ±kÃ¶y`)
    expect(findBroken(name), name).toEqual(at);
  for (const name of ['A & B', 'R&D; all', '&c;', 'Çarşı', '«CAFÉ»', 'PERCHÉ', '支店', 'São João 5º', 'Ä', ''])
    expect(findBroken(name), name).toEqual([]);
  // A capital or small letter, then a character that often follows a word.
  for (const name of ['IRMÃ\u00A0MARIA', 'CAFÉ…', 'CAFÉ–BAR', 'CAFÉ\u00A0MOKA', 'CAFÉ’S', 'Café\u00A0– Bar'])
    expect(findBroken(name), name).toEqual([]);
});

test('A name with JSON escapes or percent encoding breaks service.decoded-texts; names with % or backslash do not', () => {
  const findBroken = (name: string) => judgeBranchName(name, 'service.decoded');
  for (const name of ['Kad\\u0131k\\u00f6y', 'Caf\\xe9', 'Kad%C4%B1k%C3%B6y', '%E6%94%AF', "O\\'Brien", '\\"Roma\\"'])
    expect(findBroken(name), name).toEqual(['service.decoded-texts /data/branches/*/name']);
  for (const name of ['Kadıköy', '100 %', 'C:\\users', "O'Brien", '50%C3', 'https://bank.example/%C4%B1'])
    expect(findBroken(name), name).toEqual([]);
});

test('A name with null, undefined, a placeholder or lost letters breaks service.filled-texts; similar names do not', () => {
  const findBroken = (name: string) => judgeBranchName(name, 'service.filled');
  for (const name of cells`null | Branch undefined | NaN km | [object Object] | <__main__.Branch object at 0x7f3a2c81d4f0> |
    Branch object (7) | b'Kadikoy' | com.bank.Branch@1b28cdfa | System.String[] | #<Branch id: 1> |
    {0} branch | \${name} | \${branch.name} | Kad\uFFFDköy | A\0 | K?ZILAY | ANKARA KE?İ | ?i?li |
    Merkez ??stanbul`)
    expect(findBroken(name), name).toEqual(['service.filled-texts /data/branches/*/name']);
  for (const name of cells`Null & Void | {0f8fad5bd9cb469fa16570867728950e} | Art object (Museum) | Object at 12 | b2b | b'Twin |
    branch.one@bank.example | System. | #1 <North> | Nandos | 100 %s | OPEN? | A?B | ATM?ID=AB | ?id=AB |
    Neden? Evet | A ? B | ??? |  | two\nlines | {}`)
    expect(findBroken(name), name).toEqual([]);
});

test('An outcome text that has a placeholder, or is the key of a message, breaks service.filled-texts', () => {
  const findBroken = (result: string) => judgeFilledTexts('queryDisbursement', { application_id: '1', result });
  for (const result of cells`%d of %d | Made: %(amount)s | %{count} parts | Paid to {account} | loans.outcome.made |
    OutcomeStatus.MADE | translation missing: en.loans.made | [missing "en.loans.made" translation]`)
    expect(findBroken(result), result).toEqual(['service.filled-texts /data/result']);
  for (const result of ['100 %', '5 % (a)', 'Made.', 'Made {1 of 2 parts}', 'The translation is missing: ask again.'])
    expect(findBroken(result), result).toEqual([]);
});

test('A payment link with null, undefined or a placeholder in its URL breaks service.filled-texts', () => {
  const findBroken = (payment_link: string) =>
    judgeFilledTexts('createPaymentLink', { payment_token: 'Tk1', payment_link });
  for (const link of cells`https://null/Tk1 | https://pay.example/undefined/Tk1 | https://pay.example/Tk1?lang=null |
    https://pay.example/{0}/Tk1 | https://pay.example/\${branch.code}/Tk1`)
    expect(findBroken(link), link).toEqual(['service.filled-texts /data/payment_link']);
  for (const link of ['https://null.example/Tk1', 'https://pay.example/nullable/Tk1', 'https://pay.example/Tk1?q=1?a'])
    expect(findBroken(link), link).toEqual([]);
});

test('Installment labels that name the numbers of other options are a finding', () => {
  const findBroken = (...plans: readonly (readonly [value: number, text: string])[]) =>
    listBrokenClauses('listInstallments', { data: { installments: plans.map(([value, text]) => ({ value, text })) } });
  expect(findBroken([1, '2 parts'], [2, '3 parts'], [3, '6 parts'], [6, 'Single'])).toEqual([
    'links.installment.text.own-number /data/installments/*/text',
  ]);
  expect(findBroken([1, 'Single'], [2, '2 parts'], [3, '3 parts'], [6, '6 parts'])).toEqual([]);
  // Labels may count the options, or contain several numbers.
  expect(findBroken([2, 'Option 1'], [3, 'Option 2'], [6, 'Option 3'])).toEqual([]);
  expect(findBroken([3, '2 and 1 free'], [4, '3 and 1 free'], [2, '4 x 2'])).toEqual([]);
});
