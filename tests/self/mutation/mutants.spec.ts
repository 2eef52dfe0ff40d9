/** The mutants have the kinds, clauses and places that they claim. The matrix proves that each mutant changes something. */
import { expect, test } from '@playwright/test';
import { conditionalMutants } from '../../../fixtures/banks/mutants/conditional.ts';
import type { Mutant } from '../../../fixtures/banks/lib/mutant.ts';
import { manualMutants } from '../../../fixtures/banks/mutants/manual.ts';
import { allExpectationMutants } from '../../../fixtures/banks/mutants/expectations/index.ts';
import { clauses } from '../../../openapi/clauses/index.ts';
import { operationIds } from '../../../openapi/model/exchange.ts';

const writtenMutants: readonly Mutant[] = [...manualMutants, ...conditionalMutants, ...allExpectationMutants];

test('Each file holds one kind of mutant, with clauses of the level of that kind', () => {
  const levels = (mutants: readonly Mutant[]) => [...new Set(mutants.map(({ breaks }) => clauses[breaks].level))];
  const kinds = (mutants: readonly Mutant[]) => [...new Set(mutants.map(({ kind }) => kind))];
  expect([kinds(manualMutants), levels(manualMutants)]).toEqual([['manual'], ['must']]);
  expect([kinds(allExpectationMutants), levels(allExpectationMutants)]).toEqual([['expectation'], ['should']]);
  expect([kinds(conditionalMutants), levels(conditionalMutants)]).toEqual([['conditional'], ['must']]);
  for (const { name, also = [] } of allExpectationMutants)
    expect([name, also.map((clause) => clauses[clause].level).includes('must')]).toEqual([name, false]);
});

test('There are many mutants, spread over all operations and over many clauses', () => {
  expect(conditionalMutants.length).toBeGreaterThanOrEqual(70);
  expect(manualMutants.length).toBeGreaterThanOrEqual(15);
  expect(allExpectationMutants.length).toBeGreaterThanOrEqual(60);
  expect([...new Set(conditionalMutants.map(({ operation }) => operation))].sort()).toEqual([...operationIds].sort());
  expect(new Set(conditionalMutants.map(({ breaks }) => breaks)).size).toBeGreaterThanOrEqual(40);
  expect(new Set(allExpectationMutants.map(({ breaks }) => breaks)).size).toBeGreaterThanOrEqual(50);
});

test('The pointer of a mutant is a place in an answer or in a request', () => {
  for (const { name, pointer } of writtenMutants)
    expect(pointer, name).toMatch(/^(?:|(?:\/(?:\*|[a-z_]+))+|response\/(?:status|body|header\/[\w-]+)|request\/.+)$/);
});
