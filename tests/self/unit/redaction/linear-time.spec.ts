/** Tests that the cost of any text of a bank is proportional to its length: twice the text costs at most 2.5 times as much. */
import { spawnSync } from 'node:child_process';
import { expect, test } from '@playwright/test';
import { openHiding } from '../../../../fixtures/recording/hide.ts';
import { openHiddenValues, openPseudonyms } from '../../../../fixtures/run/redaction/hidden-values.ts';
import { Redactor } from '../../../../fixtures/run/redaction/redactor.ts';
import { judge } from '../../../../openapi/judge.ts';
import { observeExchange } from '../../../../openapi/observe.ts';
import type { Exchange, OperationId } from '../../../../openapi/model/exchange.ts';
import { findInformationLeak } from '../../../../openapi/validation/information-leaks.ts';
import { parseBody } from '../../../../openapi/validation/parse-body.ts';
import { body as rightBody } from '../../support/judge-harness.ts';
import { expectLinear } from '../linear-time.ts';
import { encodeBase64, makeExchange, makeJsonAnswer } from './secret-samples.ts';

const repeatText =
  (piece: string, end = '') =>
  (length: number): string =>
    piece.repeat(Math.ceil(length / piece.length)).slice(0, length) + end;

/** Operations whose answers together have every text format, and the texts of an outcome. */
const judgedOperations = [
  'requestLoan',
  'queryDisbursement',
  'listInstallments',
  'createPaymentLink',
  'findAtms',
] as const;

/** Texts that make a regular expression backtrack. */
const backtrackingTexts: Readonly<Record<string, (length: number) => string>> = {
  digits: repeatText('9'),
  'a fraction of zeros': (length) => `0.${'0'.repeat(length)}1`,
  blanks: repeatText(' ', 'x'),
  letters: repeatText('a'),
  'words that begin a trace': repeatText('at a '),
  'a trace without an end': repeatText('at a(b.c'),
  'paths without an end': repeatText('/usr/a'),
  'names with points': repeatText('a.b.C'),
  'names with points and Errors': repeatText('a.b.CError'),
  'queries without an end': repeatText('select a, from '),
  'queries in capitals': repeatText('SELECT a FROM'),
  'backslashes of Windows': repeatText('C:\\a '),
  'quotation marks': repeatText('File "'),
  'files of Erlang': repeatText('{file,"a'),
  'errors of Elixir': repeatText('** (A'),
  'ruby paths': repeatText('a/b-'),
  'percent signs': repeatText('%25'),
  entities: repeatText('&#0'),
  'alternating letters': repeatText('aB3'),
  separators: repeatText('1,'),
  points: repeatText('1.'),
  colons: repeatText('::1'),
};

for (const [what, text] of Object.entries(backtrackingTexts))
  test(`Redacting, parsing and judging a text of ${what} takes time in proportion to its length`, () => {
    expectLinear(what, findInformationLeak, text, 8_000);
    const { maskText: masked, hasSecret } = new Redactor([{ name: 'ACCESS_TOKEN', value: 'aB3aB3aB3aB3aB3aB3aB3x' }]);
    for (const work of [masked, hasSecret, (bytes: string) => parseBody(makeJsonAnswer(`{"data":${bytes}}`))])
      expectLinear(what, work, text, 30_000);
    for (const operation of judgedOperations)
      expectLinear(`${operation}, ${what}`, (value) => judgeText(operation, value), text, 5_000);
  });

const longSecret = Array.from({ length: 4000 }, (_, n) => 'Aa0_'[(n * 7) % 4] ?? '').join('');

/** Texts with nested encodings everywhere, texts that almost equal a secret, and many members and values. */
const encodedTexts: Readonly<Record<string, (length: number) => string>> = {
  'percent-encoded': repeatText('%41'),
  'nested percent signs': repeatText('%2525'),
  'escaped units': repeatText('\\u0041'),
  backslashes: repeatText('\\'),
  'JSON in JSON in JSON': (length) => JSON.stringify(JSON.stringify(JSON.stringify('"'.repeat(length / 15)))),
  'entities by number': repeatText('&#65;'),
  'entities without an end': repeatText('&#0000000065'),
  'names of entities': repeatText('&amp;'),
  'names without an end': repeatText('&ampersand'),
  'nested ampersands': repeatText('&amp;amp;amp;'),
  base64: repeatText('QUFB/+'),
  'base64 at every character': repeatText('V'),
  'base64 between nested percent signs': repeatText(`${'V'.repeat(36)}%2525252556`),
  'base64 in base64 in base64': (length) => encodeBase64(encodeBase64(encodeBase64(repeatText('V')(length * 0.42)))),
  'UTF-16': (length) => Buffer.from(repeatText('%41')(length / 2), 'utf16le').toString('latin1'),
  'strings of JSON': repeatText('"aB3",'),
  'whole secrets': repeatText('"aB3xK9pQ7wL2mZ5v",'),
  'beginnings of a long secret': repeatText(`${longSecret}y`),
  members: repeatText('{"'),
  arrays: repeatText('['),
  'a long token': (length) =>
    `${'{"payment_token":"aB3'.padEnd(length, 'x%41')}","payment_link":"${'%25'.repeat(1000)}`,
  'a long link': (length) =>
    `${'{"payment_token":"aB3d'.padEnd(5_000, 'x%')}","payment_link":"${'x%'.repeat(length / 2)}"}`,
  'many tokens': (length) => Array.from({ length: length / 24 }, (_, at) => `{"payment_token":"token-${at}"}`).join(),
  'parts of a form without an end': repeatText('name="aa"'),
  'a long name of many values': (length) => `{"${'a'.repeat(length)}":[${'1,'.repeat(length / 2)}1]}`,
};

for (const [what, text] of Object.entries(encodedTexts))
  test(`Recording and hiding an exchange with ${what} takes time in proportion to its length`, () => {
    const { inspect, record, withhold } = new Redactor([
      { name: 'ACCESS_TOKEN', value: 'aB3xK9pQ7wL2mZ5v' },
      { name: 'LONG', value: `${longSecret}x` },
    ]);
    const exchangeWith = (body: string): Exchange =>
      makeExchange({ ...makeJsonAnswer(body), headers: [[what.replaceAll(' ', '-'), body]] });
    expectLinear(what, (body) => inspect(exchangeWith(body)), text, 40_000);
    expectLinear(what, (body) => record(exchangeWith(body), 'https://bank.example'), text, 40_000);
    expectLinear(what, (body) => withhold({ body }), text, 40_000);
    const url = 'https://bank.example/api/v1/atms?latitude=1&longitude=2';
    const request = { method: 'GET', url, headers: [], body: null };
    expectLinear(
      what,
      (body) => openHiding().hide({ request, answer: makeJsonAnswer(body) }, 'findAtms', 'https://bank.example'),
      text,
      30_000,
    );
  });

test('120,000 values with a common beginning or end are all hidden, in time in proportion to the text', () => {
  const hidden = openHiddenValues(openPseudonyms('key'));
  const values = Array.from({ length: 60_000 }, (_, n) => [String(4_711_000_000 + n), `tok_live_session_${n}x9Kq`]);
  for (const [account = '', token = ''] of values) {
    hidden.add({ value: account });
    hidden.add({ value: token });
  }
  const pseudonymOf = (value: string): string => hidden.hide(`<${value}>`).slice(1, -1);
  for (const [account = '', token = ''] of values.filter((_, n) => n % 997 === 0 && n < 50_000))
    for (const value of [account, token]) {
      expect(pseudonymOf(value)).not.toBe(value);
      expect(hidden.hide(`"${value}, ${encodeURIComponent(value)};`)).toBe(
        `"${pseudonymOf(value)}, ${pseudonymOf(value)};`,
      );
    }
  expect(new Set(values.slice(0, 1000).flatMap((pair) => pair.map(pseudonymOf))).size).toBe(2000);
  const text = (length: number): string =>
    Array.from(
      { length: length / 40 },
      (_, n) => `{"a":"tok_live_session_${n * 7}x9K","b":${4_711_000_000 + n * 7}}`,
    ).join();
  expectLinear('values that begin alike', (s) => hidden.hide(s), text, 100_000);
});

test('Searching bodies of 8 MB for secrets needs at most 64 MB of heap', () => {
  const script = `
    const { Redactor } = require('./fixtures/run/redaction/redactor.ts');
    const { inspect } = new Redactor([{ name: 'ACCESS_TOKEN', value: 'aB3xK9pQ7wL2mZ5v' }]);
    for (const piece of ['%41', '%2541', '&#65;', '\\\\u0041', 'VVVV', '"",', '&amp;']) {
      const bytes = Buffer.alloc(8_000_000, piece);
      const answer = { status: 200, headers: [], bytes };
      inspect({ operation: 'findAtms', request: { path: '/', headers: {}, body: null, asked: {} }, answer });
    }`;
  const ended = spawnSync(
    process.execPath,
    ['--max-old-space-size=64', '-r', './fixtures/typescript.cjs', '-e', script],
    { encoding: 'utf8' },
  );
  expect([ended.status, ended.stderr]).toEqual([0, '']);
});

/** Judges a right answer after all its texts are replaced by `text`. */
function judgeText(operation: OperationId, text: string): unknown {
  const mutated = JSON.stringify(rightBody(operation), (_name, value: unknown) =>
    typeof value === 'string' ? text : value,
  );
  const exchange = { ...makeExchange(makeJsonAnswer(mutated), { asked: { application_id: text } }), operation };
  return observeExchange(exchange, judge(exchange));
}
