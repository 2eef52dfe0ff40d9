/** Tests `uniqueItems` of an overlay: which entries are equal, and the cost of long lists. */
import { expect, test } from '@playwright/test';
import { createAjv } from '../../../../openapi/contract/ajv.ts';
import { contractSchema } from '../../../../openapi/contract/schema.ts';
import { expectLinear } from '../linear-time.ts';

const validate = createAjv(contractSchema).compile({ type: 'array', uniqueItems: true });
const isUnique = (list: string): boolean => validate.call(new Set(), JSON.parse(list));

test('Entries are equal as JSON Schema says: by value, with members in any order', () => {
  for (const list of [
    '[1,1.0]',
    '[10,1e1]',
    '[0,-0.0]',
    '["\\u0061","a"]',
    '[null,null]',
    '[{"a":1,"b":[2]},{"b":[2.0],"a":1}]',
    '[[{"a":{}}],1,[{"a":{}}]]',
    '[{"__proto__":1},{"__proto__":1}]',
  ])
    expect([list, isUnique(list)]).toEqual([list, false]);
  for (const list of [
    '[]',
    '[1,"1",true,null,[],{},[1],{"a":1},{"b":1}]',
    '[0,false,"",null]',
    '[[1,2],[2,1],[12]]',
    '[{"a":"b"},{"a":["b"]},"{\\"a\\":\\"b\\"}"]',
    '[{"__proto__":1},{"__proto__":2},{}]',
  ])
    expect([list, isUnique(list)]).toEqual([list, true]);
});

test('The cost of a long list of objects or numbers is proportional to its length', () => {
  for (const make of [(n: number) => ({ no: n, at: { latitude: n / 7, name: `ATM ${n}` } }), (n: number) => n / 3])
    expectLinear(
      String(make),
      (list: readonly unknown[]) => expect(validate.call(new Set(), list)).toBe(true),
      (length) => Array.from({ length }, (_, n) => make(n)),
      20_000,
    );
});
