/** Tests patterns and `uniqueItems` of an overlay: what they match, their costs, and which patterns are refused. */
import { expect, test } from '@playwright/test';
import { createAjv } from '../../../../openapi/contract/ajv.ts';
import { contractSchema } from '../../../../openapi/contract/schema.ts';
import { countStates, createPattern, runWithTimeLimit } from '../../../../openapi/contract/patterns.ts';
import { THOROUGH_ONLY } from '../../support/thorough.ts';
import { expectLinear } from '../linear-time.ts';

const matchesPattern = (pattern: string, text: string): boolean =>
  runWithTimeLimit(() => createPattern(pattern, 'u').test(text)).result;

test('A pattern matches a text exactly if the regular expression of JavaScript matches it', () => {
  for (const [pattern, text] of [
    ['^.$', '😀'],
    ['^[😀-😂]$', '😁'],
    ['^\\ud83d$', '\ud83d'],
    ['(?<year>\\d{4})-\\d{2}', 'on 2030-06'],
    ['^(?:[A-Z]{2}\\d{2}|x)$', 'x'],
    ['^[^\\S_]\\x61\\u{62}\\p{Lu}$', '\u00a0abÉ'],
    ['^.$', '\u2028'],
    ['^\\w+$', 'é'],
    ['', ''],
  ] as const)
    expect([pattern, matchesPattern(pattern, text)]).toEqual([pattern, new RegExp(pattern, 'u').test(text)]);
});

test('Patterns that make JavaScript backtrack take time in proportion to the length of the text', () => {
  for (const nested of ['^(\\w+\\s?)+;$', '^(?:\\d|\\d\\d)+x$', '^(.*a){12}$'])
    expectLinear(
      nested,
      (text: string) => matchesPattern(nested, text),
      (length) => '1a'.repeat(length / 2),
      20_000,
    );
});

test('Patterns with look-around, back references or too many repetitions are refused', () => {
  for (const pattern of [
    '^(?=.*\\d).+$',
    '(?!x)y',
    '(?<=a)b',
    '(?<!a)b',
    '(.)\\1',
    '(?<c>.)\\k<c>',
    '(.)(.)(.)(.)(.)(.)(.)(.)\\8',
    'x{1001}',
    '(?:x{100}){100}',
  ])
    expect(() => countStates(pattern), pattern).toThrow(
      'it looks around, refers back, repeats too often or has another',
    );
  expect(() => countStates('a(')).toThrow('Unterminated group');
  expect(countStates('^.{1,1000}$')).toBeGreaterThan(1000);
});

test('A pattern that takes too long for a text is left undecided and named, and no text breaks it', () => {
  const costlyPattern = 'N.{900}y';
  const { result, undecided } = runWithTimeLimit(() => [
    createPattern(costlyPattern, 'u').test('N'.repeat(40_000)),
    createPattern('^x$', 'u').test('y'),
  ]);
  expect([result, [...undecided]]).toEqual([[true, false], [costlyPattern]]);
});

test(
  'A pattern that takes too long for all texts of one body together is left undecided and named',
  THOROUGH_ONLY,
  () => {
    const costlyPattern = 'N.{900}y';
    const pattern = createPattern(costlyPattern, 'u');
    const { undecided } = runWithTimeLimit(() => Array.from({ length: 100 }, () => pattern.test('N'.repeat(30_000))));
    expect([...undecided]).toEqual([costlyPattern]);
  },
);

const validate = createAjv(contractSchema).compile({ type: 'array', uniqueItems: true });
const isUnique = (list: string): boolean => validate.call(new Set(), JSON.parse(list));

test('For uniqueItems, entries are equal as JSON Schema says: by value, with members in any order', () => {
  for (const list of [
    ...['[1,1.0]', '[10,1e1]', '[0,-0.0]', '["\\u0061","a"]', '[null,null]', '[{"__proto__":1},{"__proto__":1}]'],
    ...['[{"a":1,"b":[2]},{"b":[2.0],"a":1}]', '[[{"a":{}}],1,[{"a":{}}]]'],
  ])
    expect([list, isUnique(list)]).toEqual([list, false]);
  for (const list of [
    ...['[]', '[1,"1",true,null,[],{},[1],{"a":1},{"b":1}]', '[0,false,"",null]', '[[1,2],[2,1],[12]]'],
    ...['[{"a":"b"},{"a":["b"]},"{\\"a\\":\\"b\\"}"]', '[{"__proto__":1},{"__proto__":2},{}]'],
  ])
    expect([list, isUnique(list)]).toEqual([list, true]);
});

test('The cost of uniqueItems is proportional to the length of a list of objects or numbers', () => {
  for (const make of [(n: number) => ({ no: n, at: { latitude: n / 7, name: `ATM ${n}` } }), (n: number) => n / 3])
    expectLinear(
      String(make),
      (list: readonly unknown[]) => expect(validate.call(new Set(), list)).toBe(true),
      (length) => Array.from({ length }, (_, n) => make(n)),
      20_000,
    );
});
