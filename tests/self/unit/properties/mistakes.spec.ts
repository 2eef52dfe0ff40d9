/** Tests the boundary values: some of them show each mistake of programs, and not all do. */
import { expect, test } from '@playwright/test';
import { amountMistakes, listBoundaryAmounts } from '../../../../fixtures/arbitraries/amounts.ts';
import { addressMistakes, customerIps, LONGEST_IP } from '../../../../fixtures/arbitraries/loans.ts';
import { listMistakenIds } from '../../../../fixtures/arbitraries/made-up.ts';
import {
  findSameDouble,
  integerMistakes,
  listBoundaryIntegers,
  makeOrderId,
} from '../../../../fixtures/arbitraries/order-ids.ts';
import { spreadEvenly, separateMistakes, type Mistakes } from '../../../../fixtures/arbitraries/pairwise.ts';
import {
  listAntipodes,
  boundaryPositions,
  listExactPositions,
  positionMistakes,
} from '../../../../fixtures/arbitraries/positions.ts';
import { allPhrases, characterMistakes, idEndings, textMistakes } from '../../../../fixtures/arbitraries/texts.ts';
import { measureKm } from '../../../../openapi/util/geo.ts';

/** Makes a source of ids that counts. */
function openCountingIds() {
  let count = 0;
  return { nonce: 'nonce123', shard: { current: 1, total: 1 }, next: () => (count += 1) };
}

const integers = [BigInt(makeOrderId('integer', openCountingIds())), ...listBoundaryIntegers(openCountingIds())];

/** The mistakes and the values of each kind. */
const mistakeKinds: Readonly<Record<string, readonly [Mistakes<never>, readonly unknown[]]>> = {
  amount: [amountMistakes, listBoundaryAmounts(100_000)],
  text: [textMistakes, allPhrases],
  'end of an id': [characterMistakes, idEndings],
  position: [positionMistakes, boundaryPositions],
  'IP address': [addressMistakes, [...customerIps, LONGEST_IP]],
  integer: [integerMistakes, integers],
};

for (const [kind, [mistakes, values]] of Object.entries(mistakeKinds))
  for (const [mistake, shows] of Object.entries(mistakes))
    test(`Some boundary value (${kind}) shows this mistake, and some does not: ${mistake}`, () => {
      const showing = values.filter((value) => shows(value as never));
      expect(showing).not.toEqual([]);
      expect(showing.length).toBeLessThan(values.length);
    });

test('The selected values distinguish all mistakes, and each value is needed', () => {
  for (const [values, mistakes] of [
    [idEndings, characterMistakes],
    [boundaryPositions, positionMistakes],
  ] as const) {
    const shown = Object.values<(value: never) => boolean>(mistakes).map((shows) =>
      values.map((value) => shows(value as never)).join(),
    );
    expect(new Set(shown).size).toBe(shown.length);
    expect(separateMistakes<unknown>(values, mistakes as Mistakes<unknown>)).toHaveLength(values.length);
  }
});

test('Exact positions include those that the law of cosines cannot measure, and others from the whole list', () => {
  const known = Array.from({ length: 60 }, (_, nth) => ({ latitude: (36 + nth / 10).toFixed(4), longitude: '30' }));
  const asked = listExactPositions(known, 16);
  expect(new Set(asked).size).toBe(16);
  const isUnmeasured = ({ latitude }: { latitude: string }): boolean => {
    const angle = (Number(latitude) * Math.PI) / 180;
    return Number.isNaN(Math.acos(Math.sin(angle) * Math.sin(angle) + Math.cos(angle) * Math.cos(angle)));
  };
  expect(known.filter(isUnmeasured).length).toBeGreaterThan(1);
  expect(asked).toEqual(expect.arrayContaining([...known.filter(isUnmeasured), known[0], known.at(-1)]));
});

test('The opposite position is half the circumference of the earth away', () => {
  const positions = [['41.0082', '28.978'] as const, ['-33.5', '-70'] as const, ['0', '0.5'] as const];
  for (const [latitude, longitude] of positions) {
    const [opposite] = listAntipodes([{ latitude, longitude }], 1);
    const toDegrees = (one: { latitude: string; longitude: string } | undefined) => ({
      latitude: Number(one?.latitude),
      longitude: Number(one?.longitude),
    });
    expect(measureKm(toDegrees({ latitude, longitude }), toDegrees(opposite))).toBeCloseTo(Math.PI * 6371.0088, 0);
    expect(Math.abs(Number(opposite?.longitude))).toBeLessThanOrEqual(180);
  }
});

test('Entries that are selected at equal distances include the first and the last entry', () => {
  const all = Array.from({ length: 40 }, (_, nth) => nth);
  expect(spreadEvenly(all, 5)).toEqual([0, 10, 20, 29, 39]);
  expect(spreadEvenly(all, 1)).toEqual([0]);
  expect(spreadEvenly([1, 2], 5)).toEqual([1, 2]);
  expect(spreadEvenly(all, 0)).toEqual([]);
});

test('For an id, other ids with the same low 32 or 64 bits are made; for an id of many bits, only one above 64 bits', () => {
  expect(listMistakenIds('7717145123')).toEqual(['12012112419', '18446744081426696739']);
  expect(listMistakenIds(String(2n ** 60n))).toEqual([String(2n ** 60n + 2n ** 64n)]);
  expect(listMistakenIds('A-1')).toEqual([]);
});

test('Each large integer has a neighbour that is equal as a double', () => {
  const large = integers.at(-1) as bigint;
  expect(findSameDouble(large)).not.toBe(large);
  expect(Number(findSameDouble(large))).toBe(Number(large));
});
