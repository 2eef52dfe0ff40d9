/** Tests KNOWN and BASELINE files of a stranger: each is read or refused in one sentence, and soon. */
import { expect, test } from '@playwright/test';
import { readBaselineFiles } from '../../../../fixtures/run/config/baseline-files.ts';
import { parseYaml } from '../../../../openapi/files/parse.ts';
import { makeTempFile } from '../../support/temp-dir.ts';
import { expectLinear } from '../linear-time.ts';

const noFiles = { overlay: null, known: null, baseline: null };
const repeat = (length: number, makeText: (n: number) => string): string =>
  Array.from({ length }, (_, n) => makeText(n)).join('');
const aliases = repeat(9, (n) => `a${n}: &a${n} [${`*a${n - 1}, `.repeat(9)}]\n`).replaceAll('*a-1', 'x');
const entry =
  '{ clause: atms.name, operation: GET /api/v1/atms, pointer: /data, reason: r, owner: QA, expires: 2999-01-01';

for (const [what, name, text, why] of [
  ['aliases of aliases', 'known', `${aliases}known: *a8`, 'has an alias (*): write the value itself there'],
  ['an alias of nothing', 'known', 'known: *x', 'has an alias (*)'],
  ['many levels', 'known', `known: ${'{a: '.repeat(3000)}`, 'is nested too deep'],
  ['many levels of lists', 'known', `known:\n  ${'- '.repeat(3000)}`, 'is nested too deep'],
  ['many keys', 'known', repeat(6000, (n) => `k${n}: 1\n`), 'holds no list under known'],
  ['many anchors', 'known', repeat(3000, (n) => `k${n}: &a${n} 1\n`), 'holds no list under known'],
  ['a long text', 'known', `known: "${'\\n'.repeat(400_000)}"`, 'holds no list under known'],
  ['a text that is too long', 'known', `known: ${'x'.repeat(2 ** 20)}`, 'has more than 1 MiB'],
  ['too many entries', 'known', `known: [${repeat(1001, () => 'a,')}]`, 'has 1001 entries, more than 1000'],
  ['a key twice', 'known', `known: [${entry}, expires: 2999-01-02 }]`, 'has the key "expires" twice in one place'],
  ['a key twice as JSON', 'known', '{"known":[],"\\u006bnown":[]}', 'has the key "known" twice in one place'],
  ['many levels', 'baseline', '{"a":'.repeat(400_000) + '1' + '}'.repeat(400_000), 'is no report'],
] as const)
  test(`A file with ${what} for ${name.toUpperCase()} is refused in one sentence`, () => {
    const { faults } = readBaselineFiles({ ...noFiles, [name]: makeTempFile('given', text) });
    expect(faults).toEqual([expect.stringMatching(/^[^\n]{1,400}\.$/)]);
    expect(faults[0]).toContain(why);
  });

test('The cost of reading a YAML file is proportional to its length', () => {
  for (const [what, makeText] of [
    ['keys', (n: number) => `k${n}: 1\n`],
    ['anchors', (n: number) => `k${n}: &a${n} 1\n`],
    ['entries', (n: number) => `- ${entry}, value: ${n} }\n`],
  ] as const)
    expectLinear(what, parseYaml, (length) => repeat(length, makeText), 1000);
});
