/** Tests that contract and catalogue agree, and that no part of the document is missing. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { behaviours, listBehaviours } from '../../../../openapi/behaviours/index.ts';
import { sections } from '../../../../openapi/clauses/clause.ts';
import { clauseIds, clauses, type CatalogueId } from '../../../../openapi/catalogue.ts';
import { operationIds } from '../../../../openapi/api.ts';
import { getLocations } from '../../../../openapi/contract/locations.ts';
import {
  readRowClauses,
  clausesNotShown,
  documentedSentences,
  documentedTables,
} from '../../support/spec-transcription.ts';

test('The id of each clause has lower-case words and begins with the area, its statement is one sentence, and only must clauses are always tested', () => {
  for (const id of clauseIds) {
    const { level, statement, exercise, area } = clauses[id];
    expect(id).toMatch(/^[a-z]+(?:-[a-z]+)*(?:\.[a-z]+(?:-[a-z]+)*)+$/);
    expect([id, statement]).toEqual([id, expect.stringMatching(/^\p{Lu}[^\n]*[^.]\.$/u)]);
    expect(id.split('.')[0]).toBe({ loans: 'loans', 'payment-links': 'links', atms: 'atms', service: 'service' }[area]);
    if (level !== 'must') expect([id, exercise]).toEqual([id, 'conditional']);
  }
});

test('The list of files has every file that exports a behaviour', () => {
  const root = join(__dirname, '../../../../openapi');
  const exported = ['behaviours/service', 'bank/behaviours'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => listBehaviours(require(join(root, folder, file)) as object)),
  );
  expect(new Set(exported)).toEqual(new Set(behaviours));
  expect(new Set(behaviours).size).toBe(behaviours.length);
});

test('Every section of the document and every row of its tables has a clause at its place in the contract', () => {
  const cited = new Set(clauseIds.map((id) => clauses[id].source.section));
  expect(sections.filter((section) => !cited.has(section))).toEqual([]);
  const expectPlace = (clause: CatalogueId | undefined, operation: string, pointer: string): void => {
    expect(getLocations(clause as CatalogueId)).toContainEqual({ operation, pointer });
  };
  for (const id of operationIds) {
    const { endpoint, parameters = {}, request = {}, answer } = documentedTables[id];
    expectPlace(endpoint[1], id, 'request/path');
    expectPlace(endpoint[2], id, 'request/method');
    for (const [name, [, clause]] of Object.entries(parameters)) {
      const place = getLocations(clause as CatalogueId).find(
        ({ operation, pointer }) => operation === id && pointer.endsWith(`/${name}`),
      );
      expect([id, name, place?.pointer]).toEqual([id, name, expect.stringMatching(/^request\/(?:path|query)\//)]);
    }
    for (const [name, [, clause]] of Object.entries(request)) expectPlace(clause, id, `request/body/${name}`);
    for (const [name, [, clause]] of Object.entries(answer)) expectPlace(clause, id, `/data/${name}`);
    for (const [name, row] of [...Object.entries(request), ...Object.entries(answer)])
      for (const clause of readRowClauses(row)) {
        const { section, row: cited } = clauses[clause].source;
        const field = name.split('/').at(-1);
        if (section === 'Resources and their fields' && field !== '*') expect([clause, cited]).toEqual([clause, field]);
      }
  }
});

test('The must clauses are exactly those of the document, and what it leaves open has the level open', () => {
  const stated = new Set([
    ...Object.values(documentedTables).flatMap(({ endpoint, parameters, request, answer }) => [
      ...readRowClauses(endpoint),
      ...[parameters, request, answer].flatMap((rows) => Object.values(rows ?? {}).flatMap(readRowClauses)),
    ]),
    ...documentedSentences.flatMap(([, , ids]) => ids),
  ]);
  const promised = clauseIds.filter((id) => clauses[id].level === 'must');
  expect(promised.filter((id) => !stated.has(id))).toEqual([]);
  expect([...stated].filter((id) => !(id in clauses))).toEqual([]);
  for (const [section, words, ids] of clausesNotShown)
    for (const id of ids)
      expect([words, id, clauses[id].level, clauses[id].source.section]).toEqual([words, id, 'open', section]);
});
