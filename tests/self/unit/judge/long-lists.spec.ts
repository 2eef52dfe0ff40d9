/** Tests long answers: they are parsed and judged in parts, with the same result, and only until the run is over. */
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { ENTRIES_PER_PART, judge } from '../../../../openapi/judge.ts';
import { findDuplicateKey } from '../../../../openapi/validation/parse-body.ts';
import { parseLongLists } from '../../../../openapi/validation/long-lists.ts';
import { body, exchange } from '../../support/judge-harness.ts';

/** Makes a text with more characters than one that is parsed as a whole. */
const makeLong = (text: string): string => text + ' '.repeat(1 << 20);

/** Cuts each array to its first `most` entries. */
const cutLists = (value: unknown, most: number): unknown => {
  if (Array.isArray(value)) return value.slice(0, most).map((entry) => cutLists(entry, most));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cutLists(member, most)]));
};

test('A text with long lists is read as JSON.parse reads it, without the entries beyond the limit', () => {
  const text = fc.jsonValue({ depthSize: 'large' }).map((value) => JSON.stringify(value, null, 1));
  const ordinary = text.filter((json) => !json.includes('__proto__'));
  fc.assert(
    fc.property(ordinary, fc.integer({ min: 1, max: 3 }), (json, most) => {
      const { value: read, kept } = parseLongLists(makeLong(json), most);
      expect(read).toEqual(cutLists(JSON.parse(json), most));
      expect(JSON.parse(kept)).toEqual(read);
    }),
  );
  const { share } = parseLongLists(makeLong('{"data":["],",{"a":[1,2]},3,4,5],"more":[1,2,3]}'), 2);
  expect(share).toEqual({ judged: 4, of: 8 });
});

test('A fault behind the limit makes the text unreadable, in the same words', () => {
  const list = '[1,"\\\\",{"a":[2]},3,4,5';
  for (const end of [',]', ',,6]', ',"]', ',{]', ',]}', '', '] 7', ',{"a":1]}', ',nope]', ',[6}]']) {
    const text = makeLong(list + end);
    const read = (parse: (text: string) => unknown): string => {
      try {
        return JSON.stringify(parse(text));
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(read((one) => parseLongLists(one, 2).value)).toBe(read(JSON.parse));
  }
});

test('A key that is twice in one object is found, however it is written, and none that only looks so', () => {
  const rows: [string, string | null][] = [
    ['{"a":1,"a":2}', 'a'],
    ['[{"a":{"b":1},"b" \n:2,"\\u0062":3}]', 'b'],
    ['{"a":{"a":1},"b":["a","a"],"c":"\\\\\\"a\\":"}', null],
    ['["a:",{"a":"{"},{"a":"b"}]', null],
  ];
  for (const [text, key] of rows) expect(findDuplicateKey(text)).toBe(key);
});

const atm = (body('findAtms') as { data: object[] }).data[0] ?? {};

/** Makes an answer with so many ATMs; those at `broken` have a number in place of a text. */
const makeAnswer = (count: number, ...broken: readonly number[]) =>
  exchange('findAtms', {
    data: Array.from({ length: count }, (_, index) => ({
      ...atm,
      atm_no: String(index),
      ...(broken.includes(index) && { atm_city: 7 }),
    })),
  });

test('A list is judged in parts as it would be as a whole: each fault with its place and their number', () => {
  const length = 2 * ENTRIES_PER_PART + 10;
  const places = [0, ENTRIES_PER_PART - 1, ENTRIES_PER_PART, length - 1];
  const { breaks, share, entries } = judge(makeAnswer(length, ...places));
  expect([breaks.length, breaks[0], share, entries]).toEqual([
    1,
    expect.objectContaining({ pointer: '/data/*/atm_city', instance: '/data/0/atm_city', count: places.length }),
    null,
    { '/data/*': length },
  ]);
  const last = judge(makeAnswer(length, length - 1)).breaks;
  expect(last).toEqual([expect.objectContaining({ instance: `/data/${length - 1}/atm_city` })]);
});

test('The clock is looked at after each part, and what is not judged when the run is over is said', () => {
  const parts = 5;
  const answer = makeAnswer(parts * ENTRIES_PER_PART, 3 * ENTRIES_PER_PART);
  let looks = 0;
  const judgeUntil = (most: number) => {
    looks = 0;
    return judge(answer, () => (looks += 1) >= most);
  };
  expect(judgeUntil(Infinity)).toMatchObject({ share: null, breaks: [{ pointer: '/data/*/atm_city' }] });
  expect(looks).toBe(parts - 1);
  expect(judgeUntil(2)).toMatchObject({
    outcome: 'accepted',
    share: { judged: 2 * ENTRIES_PER_PART, of: parts * ENTRIES_PER_PART },
    breaks: [],
  });
  expect(looks).toBe(2);
});
