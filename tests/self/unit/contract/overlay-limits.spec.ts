/** How an overlay is applied, and which overlays are refused before the run: those that take too long, or cannot be judged. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { expect, test } from '@playwright/test';
import { compareWeight } from '../../../../openapi/contract/load.ts';
import { applyOverlay, overlayFault } from '../../../../openapi/contract/overlay.ts';
import type { Schema } from '../../../../openapi/contract/references.ts';
import { document } from '../../../../openapi/contract/schema.ts';
import { script, started } from '../../support/command.ts';
import { overlayWith } from '../../support/configuration.ts';
import { makeTempDir, tempFile } from '../../support/temp-dir.ts';

const of11 = (...actions: readonly object[]): string => overlayWith(...actions).replace('"1.0.0"', '"1.1.0"');

/** Applies an overlay to a document in which `info.x` is `given`, and returns the new `info.x`. */
function applyActions(given: unknown, ...actions: readonly object[]): unknown {
  const before = { ...document, info: { ...(document['info'] as object), x: given } };
  const { info } = applyOverlay(before, of11(...actions)) as { info: { x: unknown } };
  expect(before.info.x).toBe(given);
  return info.x;
}

const x = '$.info.x';

test('Members are merged, entries are appended, values are replaced', () => {
  expect(applyActions({ a: { b: 1 }, c: [1] }, { target: x, update: { a: { d: 2 }, c: [2, [3]], e: null } })).toEqual({
    a: { b: 1, d: 2 },
    c: [1, 2, [3]],
    e: null,
  });
  expect(applyActions([1], { target: x, update: { a: 1 } })).toEqual([1, { a: 1 }]);
  expect(applyActions([1], { target: x, update: [2, 3] })).toEqual([1, 2, 3]);
  expect(applyActions('old', { target: x, update: 'new' })).toBe('new');
  expect(applyActions([{ n: 1 }, { n: 2 }], { target: `${x}[?@.n>1]`, update: { m: true } })).toEqual([
    { n: 1 },
    { n: 2, m: true },
  ]);
  const named = applyActions({}, { target: x, update: JSON.parse('{"__proto__":{"a":1}}') as object }) as object;
  expect([Object.keys(named), 'a' in named]).toEqual([['__proto__'], false]);
});

test('Entries are removed everywhere, and one place is copied to others that then change independently', () => {
  expect(applyActions([1, 2, 3, 4], { target: `${x}[?@<4]`, remove: true, update: 9 })).toEqual([4]);
  expect(applyActions({ a: { b: { b: 1 } }, c: 1 }, { target: `${x}..b`, remove: true })).toEqual({ a: {}, c: 1 });
  expect(
    applyActions(
      { a: { p: { q: 1 } }, b: {}, c: {} },
      { target: `${x}['b','c']`, copy: `${x}.a` },
      { target: `${x}.b.p`, update: { q: 2 } },
    ),
  ).toEqual({ a: { p: { q: 1 } }, b: { p: { q: 2 } }, c: { p: { q: 1 } } });
});

/** Returns why an overlay is refused: for its text, when it is applied, or for what it would judge. */
function refusalOf(text: string): string | null {
  const fault = overlayFault(text);
  if (fault !== null) return fault;
  try {
    compareWeight(applyOverlay(document, text) as Schema, document);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

const title = 'overlay: 1.1.0\ninfo: { title: Acme, version: "1" }\n';
const times = (length: number, action: object): readonly object[] => Array.from({ length }, () => action);
const schemas = '$.components.schemas';
const merchant = (properties: object): string => of11({ target: `${schemas}.Merchant`, update: { properties } });
const doublingOverlay = (keyword: string): string => {
  const levels = Array.from({ length: 40 }, (_, level) => {
    const next = { $ref: `#/components/schemas/L${level + 1}` };
    return [`L${level}`, level === 39 ? { type: 'string' } : { [keyword]: [next, next] }];
  });
  return of11({ target: schemas, update: Object.fromEntries(levels) as object });
};

for (const [what, text, why] of [
  ['that is none', 'openapi: 3.1.0', 'is no OpenAPI Overlay 1.0 or 1.1'],
  ['with an invalid action', 'overlay: 1.0.0\nactions: [null]', 'has an action (number 1) whose target is no'],
  ['that is too long', `${title}# ${'x'.repeat(1_000_000)}`, 'has more than 1000000 characters'],
  ['with too many actions', overlayWith(...times(1001, { target: '$.info', update: {} })), 'has 1001 actions'],
  [
    'with nested aliases',
    `${title}${Array.from({ length: 30 }, (_, n) => `n${n}: &n${n} [${n === 0 ? 1 : `*n${n - 1}, *n${n - 1}`}]`).join('\n')}\nactions: [{ target: $.info, update: { a: *n29 } }]`,
    'has too many aliases',
  ],
  ['that is nested too deep', `${title}actions: ${'['.repeat(50_000)}`, 'is nested too deep'],
  [
    'that copies the contract into itself',
    of11(...times(30, { target: '$.info', copy: '$' })),
    'more than 100000 values',
  ],
  ['with an invalid JSONPath', of11({ target: '$.info[', remove: true }), 'The JSONPath "$.info[" cannot be used'],
  ['that copies several places', of11({ target: '$.info', copy: '$.paths.*' }), 'copies 11 places'],
  ['that gives an object a text', of11({ target: '$.info', update: 'x' }), 'gives an object something that is none'],
  ['of 1.0 that copies', overlayWith({ target: '$.info', copy: '$.tags' }), 'finds nothing in the contract to act on'],
  ['that removes the document', of11({ target: '$', remove: true }), 'finds nothing in the contract to act on'],
  ...(['allOf', 'anyOf', 'oneOf'] as const).map(
    (keyword) =>
      [`whose schemas double level by level in ${keyword}`, doublingOverlay(keyword), 'checks, more than'] as const,
  ),
  [
    'with a schema that contains itself',
    of11({ target: schemas, update: { Self: { not: { $ref: '#/components/schemas/Self' } } } }),
    'contains itself',
  ],
  [
    'with a dynamic reference',
    merchant({ extra: { $dynamicRef: '#extra' } }),
    'has $dynamicRef, which is not supported',
  ],
  ['with an asynchronous schema', merchant({ extra: { $async: true } }), 'has $async, which is not supported'],
  [
    'with a reference to somewhere else',
    merchant({ extra: { $ref: 'https://json-schema.org/draft/2020-12/schema' } }),
    'which is not in the contract',
  ],
  [
    'with a pattern that looks ahead',
    merchant({ branch_name: { pattern: '^(?!-).+$' } }),
    'by the pattern "^(?!-).+$": it looks ahead',
  ],
  [
    'with such a pattern for a member called description',
    merchant({ description: { pattern: '(a)\\1' } }),
    'it refers back to a group',
  ],
  [
    'with such a pattern in an expectation',
    of11({
      target: `${schemas}.Merchant.properties.branch_name`,
      update: { 'x-should': { clause: 'links.merchant.branch-name.not-empty', schema: { pattern: '(?<=a)b' } } },
    }),
    'it looks ahead',
  ],
  [
    'with such a pattern for names',
    of11({ target: `${schemas}.Merchant`, update: { patternProperties: { '^(?=x)': {} } } }),
    'it looks ahead',
  ],
  [
    'whose patterns together are too long',
    merchant(Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`p${n}`, { pattern: `${n}{4000}` }]))),
    'too long in all',
  ],
] as const)
  test(`An overlay ${what} is refused in one sentence`, () => expect(refusalOf(text)).toContain(why));

test('Ordinary promises of a vendor are accepted', () => {
  expect(
    refusalOf(
      merchant({
        branch_name: { pattern: '^[\\p{L} .-]{1,80}$', enum: Array.from({ length: 2000 }, (_, n) => `Branch ${n}`) },
        description: { type: 'string', maxLength: 200 },
        account_no: { pattern: '^[A-Z]{2}\\d{2}[A-Z0-9]{1,30}$' },
      }),
    ),
  ).toBeNull();
});

test('A JSONPath that takes too long is given up', async () => {
  const overlay = of11(
    { target: '$.info', update: { 'x-long': `${'b'.repeat(70)}.` } },
    { target: "$.info[?match(@, '(b|b)*')]", update: 'x' },
  );
  const ended = await started(script('reports/cli/contract.ts', '--overlay', tempFile('slow.json', overlay)));
  expect([ended.status, ended.out]).toEqual([2, expect.stringContaining('it takes longer than 10 seconds')]);
});

test('The contract with several overlays is written as YAML, or as JSON where the name of the file says so', async () => {
  const overlays = [
    tempFile('one.json', atmName({ maxLength: 60 })),
    tempFile('two.yaml', `${title}actions: [{ target: $.info, copy: $.info, update: { x-two: 2 } }]`),
  ].flatMap((file) => ['--overlay', file]);
  for (const [name, read] of [
    ['contract.json', (text: string): unknown => JSON.parse(text)],
    ['contract.yaml', (text: string): unknown => parse(text)],
  ] as const) {
    const file = join(makeTempDir(), name);
    const { status, out } = await started(script('reports/cli/contract.ts', ...overlays, '--bare', '--out', file));
    expect(status, out).toBe(0);
    const written = read(readFileSync(file, 'utf8'));
    expect(written).toMatchObject({ openapi: '3.1.0', info: { 'x-two': 2 } });
    expect(written).toMatchObject({
      components: { schemas: { Atm: { properties: { atm_name: { maxLength: 60 } } } } },
    });
  }
});

const atmName = (change: object): string =>
  overlayWith({ target: `${schemas}.Atm`, update: { properties: { atm_name: change } } });

test('No bank is judged by an overlay that does not fit the contract', async () => {
  const rows: readonly (readonly [overlay: string, fault: string])[] = [
    [atmName({ pattern: '(' }), 'Invalid regular expression: /(/u'],
    [atmName({ type: 'strng' }), 'type must be JSONType or JSONType[]: strng'],
    [atmName({ $ref: '#/components/schemas/Nowhere' }), 'The contract has no #/components/schemas/Nowhere'],
    [atmName({ maxLength: 'long' }), 'maxLength value must be'],
    [atmName({ maxLenght: 3 }), 'unknown keyword: "maxLenght"'],
    [atmName({ 'x-clause': 'atms.nam' }), 'it names the clause atms.nam, which is not known'],
    [overlayWith({ target: "$.paths['/api/v1/atms']", remove: true }), 'the operation findAtms no longer'],
    [
      overlayWith({ target: `${schemas}.ContractRequest.properties`, update: { branch: { type: 'string' } } }),
      'approveContract branch a clause that the catalogue does not have',
    ],
  ];
  const told = rows.map(async ([overlay, fault]) => {
    const env = { OVERLAY: tempFile('overlay.json', overlay) };
    const { status, out } = await started(script('fixtures/runner/cli/doctor.ts'), env);
    expect([status, out]).toEqual([2, expect.stringContaining(fault)]);
    const printed = await started(script('reports/cli/contract.ts', '--overlay', env.OVERLAY));
    expect([printed.status, printed.out]).toEqual([2, expect.stringContaining(fault)]);
  });
  await Promise.all(told);
});
