/**
 * Tests how an overlay is applied, and which overlays are rejected before the run: those that take too long, or cannot be judged.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { expect, test } from '@playwright/test';
import { applyOverlay, findOverlayFault } from '../../../../openapi/contract/overlay.ts';
import { checkSchemaSize } from '../../../../openapi/contract/overlay-limits.ts';
import type { Schema } from '../../../../openapi/contract/references.ts';
import { contractSchema } from '../../../../openapi/contract/schema.ts';
import { makeScriptWords, runProcess } from '../../support/command.ts';
import { makeOverlay } from '../../support/configuration.ts';
import { makeTempDir, makeTempFile } from '../../support/temp-dir.ts';

const makeOverlay11 = (...actions: readonly object[]): string => makeOverlay(...actions).replace('"1.0.0"', '"1.1.0"');

/** Applies an overlay to a document in which `info.x` is `given`, and returns the new `info.x`. */
function applyActions(given: unknown, ...actions: readonly object[]): unknown {
  const before = { ...contractSchema, info: { ...(contractSchema['info'] as Schema), x: given } } as Schema & {
    info: { x: unknown };
  };
  const { info } = applyOverlay(before, makeOverlay11(...actions)) as typeof before;
  expect(before.info.x).toBe(given);
  return info.x;
}

const X_PATH = '$.info.x';

test('Members are merged, entries are appended, values are replaced', () => {
  expect(
    applyActions({ a: { b: 1 }, c: [1] }, { target: X_PATH, update: { a: { d: 2 }, c: [2, [3]], e: null } }),
  ).toEqual({
    a: { b: 1, d: 2 },
    c: [1, 2, [3]],
    e: null,
  });
  expect(applyActions([1], { target: X_PATH, update: { a: 1 } })).toEqual([1, { a: 1 }]);
  expect(applyActions([1], { target: X_PATH, update: [2, 3] })).toEqual([1, 2, 3]);
  expect(applyActions('old', { target: X_PATH, update: 'new' })).toBe('new');
  expect(applyActions([{ n: 1 }, { n: 2 }], { target: `${X_PATH}[?@.n>1]`, update: { m: true } })).toEqual([
    { n: 1 },
    { n: 2, m: true },
  ]);
  const named = applyActions({}, { target: X_PATH, update: JSON.parse('{"__proto__":{"a":1}}') as object }) as object;
  expect([Object.keys(named), 'a' in named]).toEqual([['__proto__'], false]);
});

test('Entries are removed everywhere, and one place is copied to others that then change independently', () => {
  expect(applyActions([1, 2, 3, 4], { target: `${X_PATH}[?@<4]`, remove: true, update: 9 })).toEqual([4]);
  expect(applyActions({ a: { b: { b: 1 } }, c: 1 }, { target: `${X_PATH}..b`, remove: true })).toEqual({ a: {}, c: 1 });
  expect(
    applyActions(
      { a: { p: { q: 1 } }, b: {}, c: {} },
      { target: `${X_PATH}['b','c']`, copy: `${X_PATH}.a` },
      { target: `${X_PATH}.b.p`, update: { q: 2 } },
    ),
  ).toEqual({ a: { p: { q: 1 } }, b: { p: { q: 2 } }, c: { p: { q: 1 } } });
});

/** Returns why an overlay is rejected: because of its text, its application, or the resulting contract. */
function readRefusal(text: string): string | null {
  const fault = findOverlayFault(text);
  if (fault !== null) return fault;
  try {
    checkSchemaSize(applyOverlay(contractSchema, text), contractSchema);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

const OVERLAY_HEAD = 'overlay: 1.1.0\ninfo: { title: Acme, version: "1" }\n';
const SCHEMAS_PATH = '$.components.schemas';
const makeEach = <T>(length: number, make: (n: number) => T): readonly T[] => Array.from({ length }, (_, n) => make(n));
const makeSchemasOverlay = (update: object): string => makeOverlay11({ target: SCHEMAS_PATH, update });
const makeMerchantOverlay = (...properties: readonly (readonly [name: string, schema: object])[]): string =>
  makeSchemasOverlay({ Merchant: { properties: Object.fromEntries(properties) } });
const nestedAliases = makeEach(30, (n) => `n${n}: &n${n} [${n === 0 ? 1 : `*n${n - 1}, *n${n - 1}`}]`).join('\n');
const doublingLevels = makeEach(40, (level) => {
  const next = { $ref: `#/components/schemas/L${level + 1}` };
  return [`L${level}`, level === 39 ? { type: 'string' } : { anyOf: [next, next] }] as const;
});
const expectation = { clause: 'links.merchant.branch-name.not-empty', schema: { pattern: '(?<=a)b' } };

const refusedOverlays: readonly (readonly [what: string, overlay: string, why: string])[] = [
  ['that is none', 'openapi: 3.1.0', 'is no OpenAPI Overlay 1.0 or 1.1'],
  ['with an invalid action', 'overlay: 1.0.0\nactions: [null]', 'has an action (number 1) whose target is no'],
  ['that is too long', `${OVERLAY_HEAD}# ${'x'.repeat(1_000_000)}`, 'has more than 1000000 characters'],
  ['with too many actions', makeOverlay11(...makeEach(1001, () => ({ target: '$' }))), 'has 1001 actions'],
  ['with nested aliases', `${OVERLAY_HEAD}${nestedAliases}\nactions: [*n29]`, 'has too many aliases'],
  ['with a key twice', `${OVERLAY_HEAD}actions: [{ target: $, target: $ }]`, 'has the key "target" twice in one place'],
  ['that is nested too deep', `${OVERLAY_HEAD}actions: ${'['.repeat(2000)}`, 'is nested too deep'],
  [
    'that copies the contract into itself',
    makeOverlay11(...makeEach(30, () => ({ target: '$.info', copy: '$' }))),
    'more than 100000 values',
  ],
  ['with an invalid JSONPath', makeOverlay11({ target: '$.info[' }), 'The JSONPath "$.info[" cannot be used'],
  ['that copies several places', makeOverlay11({ target: '$.info', copy: '$.paths.*' }), 'copies 11 places'],
  ['that makes an object a text', makeOverlay11({ target: '$.info', update: 'x' }), 'gives an object something that'],
  ['of 1.0 that copies', makeOverlay({ target: '$.info', copy: '$.tags' }), 'finds nothing in the contract to act on'],
  ['that removes all', makeOverlay11({ target: '$', remove: true }), 'finds nothing in the contract to act on'],
  ['whose schemas double', makeSchemasOverlay(Object.fromEntries(doublingLevels)), 'checks, more than'],
  ['with too many values', makeMerchantOverlay(['a', { enum: makeEach(10_000, (n) => n) }]), 'checks, more than 10000'],
  [
    'with a schema that contains itself',
    makeSchemasOverlay({ Self: { not: { $ref: '#/components/schemas/Self' } } }),
    'contains itself',
  ],
  ['with a dynamic reference', makeMerchantOverlay(['a', { $dynamicRef: '#a' }]), 'has $dynamicRef, which is not'],
  [
    'with a foreign reference',
    makeMerchantOverlay(['a', { $ref: 'https://a.example' }]),
    'which is not in the contract',
  ],
  ['that looks ahead', makeMerchantOverlay(['a', { pattern: '^(?!-).+$' }]), 'pattern "^(?!-).+$": it looks around'],
  [
    'that refers back in a',
    makeMerchantOverlay(['description', { pattern: '(a)\\1' }]),
    'it looks around, refers back',
  ],
  ['that looks back', makeMerchantOverlay(['branch_name', { 'x-should': expectation }]), 'it looks around'],
  [
    'whose names look ahead',
    makeSchemasOverlay({ Merchant: { patternProperties: { '^(?=x)': {} } } }),
    'it looks around',
  ],
  [
    'whose patterns are too long',
    makeMerchantOverlay(...makeEach(21, (n) => [`p${n}`, { pattern: `.${n}{1000}` }] as const)),
    'too long in all',
  ],
  [
    'with too many patterns',
    makeMerchantOverlay(...makeEach(101, (n) => [`p${n}`, { pattern: `${n}` }] as const)),
    'it has 101 patterns, more than 100',
  ],
];
for (const [what, overlay, why] of refusedOverlays)
  test(`An overlay ${what} is refused in one sentence`, () => expect(readRefusal(overlay)).toContain(why));

test('Ordinary promises of a vendor are accepted', () => {
  const overlay = makeMerchantOverlay(
    ['branch_name', { pattern: '^[\\p{L} .-]{1,80}$', enum: makeEach(2000, (n) => `Branch ${n}`) }],
    ['description', { type: 'string', maxLength: 200 }],
    ['account_no', { pattern: '^[A-Z]{2}\\d{2}[A-Z0-9]{1,30}$' }],
  );
  expect(readRefusal(overlay)).toBeNull();
});

test('A JSONPath that takes too long is given up', async () => {
  const overlay = makeOverlay11(
    { target: '$.info', update: { 'x-long': `${'b'.repeat(70)}.` } },
    { target: "$.info[?match(@, '(b|b)*')]", update: 'x' },
  );
  const ended = await runProcess(
    makeScriptWords('reports/cli/contract.ts', '--overlay', makeTempFile('slow.json', overlay)),
  );
  expect([ended.status, ended.out]).toEqual([2, expect.stringContaining('it takes longer than 3 seconds')]);
});

test('The contract with several overlays is written as YAML, or as JSON where the name of the file says so', async () => {
  const overlays = [
    makeTempFile('one.json', makeAtmNameOverlay({ maxLength: 60 })),
    makeTempFile('two.yaml', `${OVERLAY_HEAD}actions: [{ target: $.info, copy: $.info, update: { x-two: 2 } }]`),
  ].flatMap((file) => ['--overlay', file]);
  for (const [name, read] of [
    ['contract.json', (text: string): unknown => JSON.parse(text)],
    ['contract.yaml', (text: string): unknown => parse(text)],
  ] as const) {
    const file = join(makeTempDir(), name);
    const { status, out } = await runProcess(
      makeScriptWords('reports/cli/contract.ts', ...overlays, '--bare', '--out', file),
    );
    expect(status, out).toBe(0);
    const written = read(readFileSync(file, 'utf8'));
    expect(written).toMatchObject({ openapi: '3.1.0', info: { 'x-two': 2 } });
    expect(written).toMatchObject({
      components: { schemas: { Atm: { properties: { atm_name: { maxLength: 60 } } } } },
    });
  }
});

const makeAtmNameOverlay = (change: object): string =>
  makeOverlay({ target: `${SCHEMAS_PATH}.Atm`, update: { properties: { atm_name: change } } });

test('No bank is judged by an overlay that does not fit the contract', async () => {
  const rows: readonly (readonly [overlay: string, fault: string])[] = [
    [makeAtmNameOverlay({ pattern: '(' }), 'Invalid regular expression: /(/u'],
    [makeAtmNameOverlay({ type: 'strng' }), 'type must be JSONType or JSONType[]: strng'],
    [makeAtmNameOverlay({ $ref: '#/components/schemas/Nowhere' }), 'The contract has no #/components/schemas/Nowhere'],
    [makeAtmNameOverlay({ maxLength: 'long' }), 'maxLength value must be'],
    [makeAtmNameOverlay({ maxLenght: 3 }), 'unknown keyword: "maxLenght"'],
    [makeAtmNameOverlay({ 'x-clause': 'atms.nam' }), 'it names the clause atms.nam, which is not known'],
    [makeOverlay({ target: "$.paths['/api/v1/atms']", remove: true }), 'the operation findAtms no longer'],
    [
      makeOverlay({ target: `${SCHEMAS_PATH}.ContractRequest.properties`, update: { branch: { type: 'string' } } }),
      'approveContract branch a clause that the catalogue does not have',
    ],
  ];
  // The command and the doctor load the contract by the same code.
  for (const [index, [overlay, fault]] of rows.entries()) {
    const file = makeTempFile('overlay.json', overlay);
    const { status, out } =
      index === 0
        ? await runProcess(makeScriptWords('fixtures/runner/cli/doctor.ts'), { OVERLAY: file })
        : await runProcess(makeScriptWords('reports/cli/contract.ts', '--overlay', file));
    expect([status, out]).toEqual([2, expect.stringContaining(fault)]);
  }
});
