/** Tests that contract, catalogue and tests agree: every clause is judged somewhere, and no part of the document is missing. */
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { sections } from '../../../../openapi/clauses/clause.ts';
import { clauseIds, clauses } from '../../../../openapi/catalogue.ts';
import type { ClauseId } from '../../../../openapi/clauses/index.ts';
import { operationIds } from '../../../../openapi/model/exchange.ts';
import { getLocations } from '../../../../openapi/contract/locations.ts';
import {
  readRowClauses,
  clausesNotShown,
  documentedSentences,
  documentedTables,
} from '../../support/spec-transcription.ts';
import { makeTempDirWithPackages } from '../../support/temp-dir.ts';
import { thoroughUnless } from '../../support/thorough.ts';

const listFiles = (folder: string, besides: RegExp): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !besides.test(file))
    .map((file) => join(folder, file));

test('Every clause is judged somewhere: at a node of the contract, or by a rule, check, observation or scenario', () => {
  const text = [
    ...listFiles('openapi', /^clauses|types\.ts$/),
    ...listFiles('fixtures', /^(?:banks|reference-bank)/),
    ...listFiles('tests', /^self/),
  ]
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const isJudged = (id: ClauseId): boolean => getLocations(id).length > 0 || text.includes(`'${id}'`);
  expect(clauseIds.filter((id) => !isJudged(id))).toEqual([]);
  expect(isJudged('loans.no-such-clause' as ClauseId)).toBe(false);
});

test('Ids are words, statements are sentences, and levels match the words of the statements', () => {
  for (const id of clauseIds) {
    const { level, statement, exercise, area } = clauses[id];
    expect(id).toMatch(/^[a-z]+(?:-[a-z]+)*(?:\.[a-z]+(?:-[a-z]+)*)+$/);
    expect([id, statement]).toEqual([id, expect.stringMatching(/^\p{Lu}[^\n]*[^.]\.$/u)]);
    expect(id.split('.')[0]).toBe({ loans: 'loans', 'payment-links': 'links', atms: 'atms', service: 'service' }[area]);
    if (level !== 'must') expect([id, exercise]).toEqual([id, 'conditional']);
  }
});

test('Every section of the document, and every row of its tables, has its clauses', () => {
  const cited = new Set(clauseIds.map((id) => clauses[id].source.section));
  expect(sections.filter((section) => !cited.has(section))).toEqual([]);
  const expectPlace = (clause: ClauseId | undefined, operation: string, pointer: string): void => {
    expect(getLocations(clause as ClauseId)).toContainEqual({ operation, pointer });
  };
  for (const id of operationIds) {
    const { endpoint, parameters = {}, request = {}, answer } = documentedTables[id];
    expectPlace(endpoint[1], id, 'request/path');
    expectPlace(endpoint[2], id, 'request/method');
    for (const [name, [, clause]] of Object.entries(parameters)) {
      const place = getLocations(clause as ClauseId).find(
        ({ operation, pointer }) => operation === id && pointer.endsWith(`/${name}`),
      );
      expect([id, name, place?.pointer]).toEqual([id, name, expect.stringMatching(/^request\/(?:path|query)\//)]);
    }
    for (const [name, [, clause]] of Object.entries(request)) expectPlace(clause, id, `request/body/${name}`);
    for (const [name, [, clause]] of Object.entries(answer)) expectPlace(clause, id, `/data/${name}`);
  }
});

test('The catalogue promises what the document states, and nothing else', () => {
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

/** The ways in which the contract names a clause. */
const clauseNames: Readonly<Record<string, readonly [right: string, misspelt: string]>> = {
  path: ['path: loans.contract.path', 'path: loans.contract.pth'],
  'a security scheme': ['x-clause: loans.header.authorization', 'x-clause: loans.header.authorisation'],
  'a parameter': ['x-clause: links.merchant-no', 'x-clause: links.merchant-number'],
  'a field of an answer': ['x-clause: links.branch.no', 'x-clause: links.branch.nr'],
  'one keyword of a field': ['pattern: loans.offer.limit.decimals', 'pattern: loans.offer.limit.decimal'],
  'an expectation': ['clause: loans.offer.limit.plain', 'clause: loans.offer.limit.plane'],
};

for (const [where, [right, misspelt]] of Object.entries(clauseNames))
  test(`Reading the contract finds a misspelt clause of ${where}`, thoroughUnless(/field/.test(where)), () => {
    const copy = join(makeTempDirWithPackages(), 'openapi');
    const text = readFileSync('openapi/contract/bank-open-api.yaml', 'utf8');
    cpSync('openapi', copy, { recursive: true });
    expect(text).toContain(right);
    writeFileSync(join(copy, 'contract/bank-open-api.yaml'), text.replace(right, misspelt));
    const load = (): unknown => require(join(copy, 'contract/locations.ts'));
    expect(load).toThrow(misspelt.split(': ')[1]);
  });
