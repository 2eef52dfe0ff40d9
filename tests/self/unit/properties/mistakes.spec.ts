/** Tests the boundary values: some of them show each mistake of programs, and not all do. */
import { expect, test } from '@playwright/test';
import { amountMistakes, listBoundaryAmounts } from '../../../../fixtures/arbitraries/amounts.ts';
import { addressMistakes, customerIps, LONGEST_IP } from '../../../../fixtures/arbitraries/loans.ts';
import { integerMistakes, listBoundaryIntegers, makeOrderId } from '../../../../fixtures/arbitraries/order-ids.ts';
import { separateMistakes, type Mistakes } from '../../../../fixtures/arbitraries/pairwise.ts';
import { boundaryPositions, positionMistakes } from '../../../../fixtures/arbitraries/positions.ts';
import { allPhrases, characterMistakes, idEndings, textMistakes } from '../../../../fixtures/arbitraries/texts.ts';

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
