/**
 * Tests how an overlay changes the contract, and which overlays are refused before the run.
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

const overlay11 = (...actions: readonly object[]): string => makeOverlay(...actions).replace('"1.0.0"', '"1.1.0"');

/** Applies an overlay to a document in which `info.x` is `given`, and returns the new `info.x`. */
function applyActions(value: unknown, ...actions: readonly object[]): unknown {
  const before = { ...contractSchema, info: { ...(contractSchema['info'] as Schema), x: value } } as Schema & {
    info: { x: unknown };
  };
  const { info } = applyOverlay(before, overlay11(...actions)) as typeof before;
  expect(before.info.x).toBe(value);
  return info.x;
}

const X_PATH = '$.info.x';

const updates: readonly (readonly [given: unknown, action: object, becomes: unknown])[] = [
  [
    { a: { b: 1 }, c: [1] },
    { update: { a: { d: 2 }, c: [2, [3]], e: null } },
    { a: { b: 1, d: 2 }, c: [1, 2, [3]], e: null },
  ],
  [[1], { update: { a: 1 } }, [1, { a: 1 }]],
  [[1], { update: [2, 3] }, [1, 2, 3]],
  ['old', { update: 'new' }, 'new'],
  [[{ n: 1 }, { n: 2 }], { target: `${X_PATH}[?@.n>1]`, update: { m: true } }, [{ n: 1 }, { n: 2, m: true }]],
  [[1, 2, 3, 4], { target: `${X_PATH}[?@<4]`, remove: true, update: 9 }, [4]],
  [
    { a: { b: { b: 1 } }, c: 1 },
    { target: `${X_PATH}..b`, remove: true },
    { a: {}, c: 1 },
  ],
];

test('An update merges members, appends entries and replaces values, and remove removes them', () => {
  for (const [value, action, becomes] of updates)
    expect(applyActions(value, { target: X_PATH, ...action })).toEqual(becomes);
  const named = applyActions({}, { target: X_PATH, update: JSON.parse('{"__proto__":{"a":1}}') as object }) as object;
  expect([Object.keys(named), 'a' in named]).toEqual([['__proto__'], false]);
});

test('If an overlay copies a place to two places, it can then change one of the copies without the second copy', () => {
  const copy = { target: `${X_PATH}['b','c']`, copy: `${X_PATH}.a` };
  const changed = applyActions({ a: { p: 1 }, b: {}, c: {} }, copy, { target: `${X_PATH}.b`, update: { p: 2 } });
  expect(changed).toEqual({ a: { p: 1 }, b: { p: 2 }, c: { p: 1 } });
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
const makeList = <T>(length: number, make: (n: number) => T): readonly T[] => Array.from({ length }, (_, n) => make(n));
const schemasWith = (update: object): string => overlay11({ target: SCHEMAS_PATH, update });
const merchantWith = (...properties: readonly (readonly [name: string, schema: object])[]): string =>
  schemasWith({ Merchant: { properties: Object.fromEntries(properties) } });
const nestedAliases = makeList(30, (n) => `n${n}: &n${n} [${n === 0 ? 1 : `*n${n - 1}, *n${n - 1}`}]`).join('\n');
const doublingLevels = makeList(40, (level) => {
  const next = { $ref: `#/components/schemas/L${level + 1}` };
  return [`L${level}`, level === 39 ? { type: 'string' } : { anyOf: [next, next] }] as const;
});
const expectation = { clause: 'links.merchant.branch-name.not-empty', schema: { pattern: '(?<=a)b' } };

const refusedOverlays: readonly (readonly [what: string, overlay: string, why: string])[] = [
  ['that is another document', 'openapi: 3.1.0', 'is no OpenAPI Overlay 1.0 or 1.1'],
  ['with an invalid action', 'overlay: 1.0.0\nactions: [null]', 'has an action (number 1) whose target is no'],
  ['with too many actions', overlay11(...makeList(1001, () => ({ target: '$' }))), 'has 1001 actions'],
  [
    'with nested aliases',
    `${OVERLAY_HEAD}${nestedAliases}\nactions: [*n29]`,
    'has an alias (*): write the value itself there',
  ],
  ['with a key twice', `${OVERLAY_HEAD}actions: [{ target: $, target: $ }]`, 'has the key "target" twice in one place'],
  ['that is nested too deep', `${OVERLAY_HEAD}actions: ${'['.repeat(2000)}`, 'is nested too deep'],
  ['that grows', overlay11(...makeList(30, () => ({ target: '$.info', copy: '$' }))), 'more than 100000 values'],
  ['with an invalid JSONPath', overlay11({ target: '$.info[' }), 'The JSONPath "$.info[" cannot be used'],
  ['that copies several places', overlay11({ target: '$.info', copy: '$.paths.*' }), 'copies 11 places'],
  ['that makes an object a text', overlay11({ target: '$.info', update: 'x' }), 'gives an object something that'],
  ['of 1.0 that copies', makeOverlay({ target: '$.info', copy: '$.tags' }), 'finds nothing in the contract to act on'],
  ['that removes all', overlay11({ target: '$', remove: true }), 'finds nothing in the contract to act on'],
  ['whose schemas double', schemasWith(Object.fromEntries(doublingLevels)), 'checks, more than'],
  ['with too many values', merchantWith(['a', { enum: makeList(10_000, (n) => n) }]), 'checks, more than 10000'],
  [
    'with a schema that contains itself',
    schemasWith({ A: { not: { $ref: '#/components/schemas/A' } } }),
    'contains itself',
  ],
  ['with a dynamic reference', merchantWith(['a', { $dynamicRef: '#a' }]), 'has $dynamicRef, which is not'],
  ['with a foreign reference', merchantWith(['a', { $ref: 'https://a.example' }]), 'not in the contract'],
  ['that looks ahead', merchantWith(['a', { pattern: '^(?!-).+$' }]), '"^(?!-).+$": it looks around'],
  ['that refers back in a', merchantWith(['description', { pattern: '(a)\\1' }]), 'it looks around'],
  ['that looks back', merchantWith(['branch_name', { 'x-should': expectation }]), 'it looks around'],
  ['whose names look ahead', schemasWith({ Merchant: { patternProperties: { '^(?=x)': {} } } }), 'it looks around'],
  [
    'whose patterns are too long',
    merchantWith(...makeList(21, (n) => [`p${n}`, { pattern: `.${n}{1000}` }] as const)),
    'too long in all',
  ],
  [
    'with too many patterns',
    merchantWith(...makeList(101, (n) => [`p${n}`, { pattern: `${n}` }] as const)),
    'has 101 patterns',
  ],
];
for (const [what, overlay, why] of refusedOverlays)
  test(`An overlay ${what} is refused in one sentence`, () => expect(readRefusal(overlay)).toContain(why));

test('An overlay with ordinary patterns, lengths and enumerations is accepted', () => {
  const overlay = merchantWith(
    ['branch_name', { pattern: '^[\\p{L} .-]{1,80}$', enum: makeList(2000, (n) => `Branch ${n}`) }],
    ['description', { type: 'string', maxLength: 200 }],
    ['account_no', { pattern: '^[A-Z]{2}\\d{2}[A-Z0-9]{1,30}$' }],
  );
  expect(readRefusal(overlay)).toBeNull();
});

test('A JSONPath that takes longer than 3 seconds ends the command with exit status 2', async () => {
  const overlay = overlay11(
    { target: '$.info', update: { 'x-long': `${'b'.repeat(70)}.` } },
    { target: "$.info[?match(@, '(b|b)*')]", update: 'x' },
  );
  const ended = await runProcess(
    makeScriptWords('reports/cli/contract.ts', '--overlay', makeTempFile('slow.json', overlay)),
  );
  expect([ended.status, ended.out]).toEqual([2, expect.stringContaining('it takes longer than 3 seconds')]);
});

test('The contract command applies two overlays, and writes YAML or JSON by the name of the file', async () => {
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

test('An overlay with a wrong keyword, clause, pattern or operation ends the command with exit status 2', async () => {
  const rows: readonly (readonly [overlay: string, fault: string])[] = [
    [makeAtmNameOverlay({ pattern: '(' }), 'Invalid regular expression: /(/u'],
    [makeAtmNameOverlay({ type: 'strng' }), 'type must be JSONType or JSONType[]: strng'],
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
