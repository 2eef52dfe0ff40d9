/** Tests long answers: they are parsed and judged in parts, with the same result, and only until the end of the run. */
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { judge } from '../../../../openapi/judge.ts';
import { ENTRIES_PER_PART } from '../../../../openapi/validation/long-lists.ts';
import { findDuplicateKey } from '../../../../openapi/validation/parse-body.ts';
import { parseLongLists } from '../../../../openapi/validation/long-lists.ts';
import { body, exchange } from '../../support/judge-harness.ts';

/** Lengthens a text with blanks, so that it is not parsed as a whole. */
const makeLong = (text: string): string => text + ' '.repeat(1 << 20);

/** Cuts each array to its first `most` entries. */
const cutLists = (value: unknown, maxEntries: number): unknown => {
  if (Array.isArray(value)) return value.slice(0, maxEntries).map((entry) => cutLists(entry, maxEntries));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cutLists(member, maxEntries)]));
};

test('A long JSON text is read like JSON.parse reads it, without the entries of each list beyond the limit', () => {
  const text = fc.jsonValue({ depthSize: 'large' }).map((value) => JSON.stringify(value, null, 1));
  const ordinary = text.filter((json) => !json.includes('__proto__'));
  fc.assert(
    fc.property(ordinary, fc.integer({ min: 1, max: 3 }), (json, maxEntries) => {
      const { value: read, kept } = parseLongLists(makeLong(json), maxEntries);
      expect(read).toEqual(cutLists(JSON.parse(json), maxEntries));
      expect(JSON.parse(kept)).toEqual(read);
    }),
  );
  const { share } = parseLongLists(makeLong('{"data":["],",{"a":[1,2]},3,4,5],"more":[1,2,3]}'), 2);
  expect(share).toEqual({ judged: 4, of: 8 });
});

test('A syntax error beyond the limit of a list gives the same error message as JSON.parse', () => {
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
    expect(read((json) => parseLongLists(json, 2).value)).toBe(read(JSON.parse));
  }
});

test('A key that stands twice in one object is found, also if it is escaped; equal keys of different objects are not', () => {
  const rows: [string, string | null][] = [
    ['{"a":1,"a":2}', 'a'],
    ['[{"a":{"b":1},"b" \n:2,"\\u0062":3}]', 'b'],
    ['{"a":{"a":1},"b":["a","a"],"c":"\\\\\\"a\\":"}', null],
    ['["a:",{"a":"{"},{"a":"b"}]', null],
  ];
  for (const [text, key] of rows) expect(findDuplicateKey(text)).toBe(key);
});

const atm = (body('findAtms') as { data: object[] }).data[0] ?? {};

/** Makes an answer with `count` ATMs. Those at the places in `broken` have a number as their city. */
const makeAnswer = (count: number, ...broken: readonly number[]) =>
  exchange('findAtms', {
    data: Array.from({ length: count }, (_, index) => ({
      ...atm,
      atm_no: String(index),
      ...(broken.includes(index) && { atm_city: 7 }),
    })),
  });

test('In a list judged in parts, equal faults of all parts are one violation with the first place and their number', () => {
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

test('If the run ends after two of five parts of a list, the judgement says how many entries were judged', () => {
  const parts = 5;
  const answer = makeAnswer(parts * ENTRIES_PER_PART, 3 * ENTRIES_PER_PART);
  let clockReadings = 0;
  const judgeUntil = (maxReadings: number) => {
    clockReadings = 0;
    return judge(answer, () => (clockReadings += 1) >= maxReadings);
  };
  expect(judgeUntil(Infinity)).toMatchObject({ share: null, breaks: [{ pointer: '/data/*/atm_city' }] });
  expect(clockReadings).toBe(parts - 1);
  expect(judgeUntil(2)).toMatchObject({
    outcome: 'accepted',
    share: { judged: 2 * ENTRIES_PER_PART, of: parts * ENTRIES_PER_PART },
    breaks: [],
  });
  expect(clockReadings).toBe(2);
});
