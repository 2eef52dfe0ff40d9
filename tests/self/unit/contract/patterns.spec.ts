/** Tests the patterns of an overlay: what they match, their costs, and which are rejected. */
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { countStates, createPattern, runWithTimeLimit } from '../../../../openapi/contract/patterns.ts';
import { expectLinear } from '../linear-time.ts';

const matchesPattern = (pattern: string, text: string): boolean =>
  runWithTimeLimit(() => createPattern(pattern, 'u').test(text)).result;

const patternAssertions = ['^', '$', '\\b', '\\B'] as const;
const patternAtoms = String.raw`a b é 😀 - . \. \/ \d \w \s \S \n \0 \cJ \x61 \u0062 \u{61} \ud83d\ude00 \p{L} \P{Lu}`
  .concat(String.raw` [ab] [^a] [\]x] [[:a] [a\s] [^\S_] [.] [\s\S] [] [^]`)
  .split(' ');
const patternQuantifiers = ['', '', '', '*', '+', '?', '*?', '{2}', '{1,}', '{0,2}', '{1,3}?'] as const;

const { pattern } = fc.letrec<{ term: string; pattern: string }>((tie) => ({
  term: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom(...patternAssertions),
    fc.tuple(fc.constantFrom(...patternAtoms), fc.constantFrom(...patternQuantifiers)).map((parts) => parts.join('')),
    fc
      .tuple(fc.constantFrom('(', '(?:'), tie('pattern'), fc.constantFrom(...patternQuantifiers))
      .map(([open, inner, quantifier]) => `${open}${inner})${quantifier}`),
  ),
  pattern: fc
    .array(fc.array(tie('term'), { maxLength: 3 }), { minLength: 1, maxLength: 3 })
    .map((ways) => ways.map((terms) => terms.join('')).join('|')),
}));
const sampleCharacters = ['a', 'b', 'x', '1', '_', '-', '.', ' ', ']', '\n', '\0', '\u2028', '\u00a0', 'é'];

test('A pattern matches the same texts as in JavaScript', () => {
  const texts = fc.array(fc.string({ unit: fc.constantFrom(...sampleCharacters), maxLength: 5 }), {
    minLength: 3,
    maxLength: 3,
  });
  fc.assert(
    fc.property(pattern, texts, (written, some) => {
      for (const text of some)
        expect([written, text, matchesPattern(written, text)]).toEqual([
          written,
          text,
          new RegExp(written, 'u').test(text),
        ]);
    }),
    { numRuns: 500, seed: 1 },
  );
  for (const [written, text] of [
    ['^.$', '😀'],
    ['^[😀-😂]$', '😁'],
    ['^\\ud83d$', '\ud83d'],
    ['(?<year>\\d{4})-\\d{2}', 'on 2030-06'],
    ['^(?:[A-Z]{2}\\d{2}|x)$', 'x'],
    ['', ''],
  ] as const)
    expect([written, matchesPattern(written, text)]).toEqual([written, true]);
});

test('Patterns that JavaScript decides by backtracking take time in proportion to the text', () => {
  for (const nested of ['^(\\w+\\s?)+;$', '^(?:\\d|\\d\\d)+x$', '^(.*a){12}$'])
    expectLinear(
      nested,
      (text: string) => matchesPattern(nested, text),
      (length) => '1a'.repeat(length / 2),
      20_000,
    );
});

test('Patterns that need backtracking are refused, and so are patterns that repeat too often', () => {
  for (const written of [
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
    expect(() => countStates(written), written).toThrow(
      'it looks around, refers back, repeats too often or has another',
    );
  expect(() => countStates('a(')).toThrow('Unterminated group');
  expect(countStates('^.{1,1000}$')).toBeGreaterThan(1000);
});

test('A pattern that may take too long is named, and no text breaks it', () => {
  const dear = 'N.{900}y';
  const { result, undecided } = runWithTimeLimit(() => [
    createPattern(dear, 'u').test('N'.repeat(40_000)),
    createPattern('^x$', 'u').test('y'),
  ]);
  expect([result, [...undecided]]).toEqual([[true, false], [dear]]);
});
