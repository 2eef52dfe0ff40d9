/** What stands in a journal of the facts of its exchanges, and what is read from it again. */
import { expect, test } from '@playwright/test';
import { factWriter, readFact, type FactLine } from '../../../../openapi/model/fact-lines.ts';
import type { AtmFact, Fact, SeenAtm } from '../../../../openapi/model/facts.ts';

const near: SeenAtm = ['000107', 41.01, 28.97, 'Harbour', 120, ['a', 'b', null, 'd'], [44, 'h', 46]];
const far: SeenAtm = ['000108', 41.2, 29.1, 'Mill', null, ['e', 'f', 'g', 'i'], null];
const shown = (...atms: readonly SeenAtm[]): AtmFact => ({ rule: 'atms', asked: [41, 29], atms, at: 7, until: 9 });

function through(facts: readonly Fact[]): { lines: readonly FactLine[]; read: readonly Fact[] } {
  const lines: FactLine[] = [];
  const write = factWriter((line) => lines.push(line));
  for (const fact of facts) write('exchange-1', fact);
  const atms = new Map<number, SeenAtm>();
  const read: Fact[] = [];
  for (const line of JSON.parse(JSON.stringify(lines)) as FactLine[])
    if (line.line === 'atm') atms.set(line.number, line.atm);
    else read.push(readFact(line.fact, atms));
  return { lines, read };
}

test('Facts are read as they were, and an ATM that is shown again is not written again', () => {
  const facts = [shown(near, far), shown(near.with(4, 350) as unknown as SeenAtm), { rule: 'highest', amount: 5 }];
  const { lines, read } = through(facts as Fact[]);
  expect(read).toEqual(facts);
  expect(lines.map(({ line }) => line)).toEqual(['atm', 'atm', 'fact', 'fact', 'fact']);
});

for (const [index, value] of [
  [1, 41.02],
  [2, 28.98],
  [3, 'Harbor'],
  [5, ['a', 'b', 'c', 'd']],
  [6, [44, 'k', 46]],
] as const)
  test(`An ATM whose member ${index} is another is written anew`, () => {
    const other = near.with(index, value) as unknown as SeenAtm;
    const { lines, read } = through([shown(near), shown(other)]);
    expect(read).toEqual([shown(near), shown(other)]);
    expect(lines.map(({ line }) => line)).toEqual(['atm', 'fact', 'atm', 'fact']);
  });
