/** Classes of free text that no rule of business is about: by length and by what is in them. */

/** Kinds of free text: how they are recognised, and the shortest text that is of one. */
const texts: readonly (readonly [what: string, letters: RegExp, sample: string])[] = [
  ['a text beyond ASCII', /[^\0-\x7F]/, 'é'],
  ['a text with Latin letters beyond Latin-1', /[\u0100-\u024F]/, 'ş'],
  ['a text beyond the basic plane, as an emoji', /[\u{10000}-\u{10FFFF}]/u, '🧾'],
  ['a text with joined characters', /\u200D/, '👩\u200D💻'],
  ['a text with combining marks', /\p{M}/u, 'e\u0301'],
  ['a text written from right to left', /[\p{Script=Arabic}\p{Script=Hebrew}]/u, 'خدمة'],
  ['a text in Arabic letters', /\p{Script=Arabic}/u, 'خدمة'],
  ['a text in Hebrew letters', /\p{Script=Hebrew}/u, 'חשבונית'],
  ['a text with accents', /[À-ɏ]/, 'é'],
  ['a text in Cyrillic', /\p{Script=Cyrillic}/u, 'Счёт'],
  ['a text in Han characters', /\p{Script=Han}/u, '请款单'],
  ['a long text in another script', /[^\0-\x7F]{40}/, '请款单第三期'.repeat(9)],
  ['a text with a single quotation mark', /'/, "O'B"],
  ['a text with quotation marks', /"/, '"A"'],
  ['a text with a backslash', /\\/, 'a\\b'],
  ['a text with a percent sign', /%/, '5 %'],
  ['a text with typographic marks', /[\u2010-\u2027]/, 'a – b'],
  ['a text with angle brackets', /[<>]/, '<a>'],
  ['a text with braces', /[{}]/, '{a}'],
  ['a text with an ampersand', /&/, 'a & b'],
  ['a text with a colon or a semicolon', /[:;]/, 'a:b;c'],
  ['a text with signs as in a formula', /[#$()+=]/, '#7 (a+b=c) $5'],
  ['a text with dashes or dots as in a path', /--|\.\.\//, '-- ../g'],
  ['a text with words as in a query', /\b(select|union|drop|delete|insert|update)\b/i, 'select or union'],
];

/** Signs of which each alone may be refused, as by a firewall, where others like it are taken. */
const signs = [...'/|?:;#$()+=', '--', '../'].map((sign) => ({ what: `a text with the sign ${sign}`, sign }));

/** The signs in a text, as classes of it. */
export const signClasses = (text: string): readonly string[] =>
  signs.flatMap(({ what, sign }) => (text.includes(sign) ? [what] : []));

/** Lengths of free text, in UTF-16 code units, that no field for a description should lack. */
const LENGTHS = [20, 50, 100] as const;

/** The classes of a text, as parts of a sentence. */
export const textClasses = (text: string): readonly string[] => [
  ...LENGTHS.filter((length) => text.length > length).map((length) => `a text longer than ${length}`),
  ...texts.flatMap(([what, letters]) => (letters.test(text) ? [what] : [])),
];

/** The shortest text of a class of texts, so that a refusal can be due to nothing else. */
export function sampleOfText(what: string): string | undefined {
  const length = LENGTHS.find((one) => what === `a text longer than ${one}`);
  const sign = signs.find((one) => one.what === what);
  if (sign !== undefined) return `a ${sign.sign} b`;
  return length === undefined ? texts.find(([name]) => name === what)?.[2] : 'x'.repeat(length + 1);
}

/** True of a class of texts by what is in them. */
export const isOfCharacters = (what: string): boolean =>
  signs.some((one) => one.what === what) ||
  texts.some(([name, letters]) => name === what && !letters.source.includes('{40}'));
