/** Tests that the contract says exactly what the document says. The expected values are written by hand from the document. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { clauses } from '../../../../openapi/catalogue.ts';
import { operations } from '../../../../openapi/contract/operations.ts';
import {
  readClausesByKeyword,
  followRef,
  contractSchema,
  readExpectations,
  resolvePointer,
  walkSchema,
  getOperationNode,
} from '../../../../openapi/contract/schema.ts';
import type { Schema } from '../../../../openapi/contract/references.ts';
import { createdKinds, isReadOnly, operationIds, type OperationId } from '../../../../openapi/api.ts';
import { contractCommand } from '../../../../reports/cli/contract.ts';
import { runInProcess } from '../../support/command.ts';
import { makeTempFile } from '../../support/temp-dir.ts';
import { lint } from './lint.ts';
import { listBrokenClauses, ASKED_BY_PLACE } from '../../support/judge-harness.ts';
import { documentedTables, type Stated } from '../../support/spec-transcription.ts';

/** Returns every place in an answer with its type: `data`, the rows of its table, and other statements of the document. */
function listAnswers(id: OperationId): readonly Readonly<Record<string, string>>[] {
  const rows = Object.entries(documentedTables[id].answer).map(([name, [type]]) => [`/data/${name}`, type] as const);
  const whole = { '': 'object', '/data': id === 'findAtms' ? 'array' : 'object', ...Object.fromEntries(rows) };
  if (id === 'queryDisbursement')
    return [{ ...whole, '/errors (optional)': 'array or null', '/errors/*': 'object', '/errors/*/message': 'string' }];
  if (id !== 'findAtms') return [whole];
  const { '/data/*/atm_distance': _distance, ...byCode } = whole as Record<string, string>;
  return [whole, { ...byCode, '/data/*/atm_distance (optional)': 'null' }];
}

/** Calls `see` with every schema of an answer, its place, and whether it is required. */
function visitSchema(pointer: string, visit: (schema: Schema, at: string, required: boolean) => void): void {
  const nodes = [...walkSchema(resolvePointer(pointer))];
  const needed = new Set(
    nodes.flatMap(({ at, schema }) => ((schema['required'] ?? []) as readonly string[]).map((name) => `${at}/${name}`)),
  );
  const seen = new Set<string>();
  for (const { at, schema } of nodes) {
    // The schemas in an `allOf` have the place of the whole schema.
    if (seen.has(at)) continue;
    seen.add(at);
    visit(schema, at, at === '' || at.endsWith('/*') || needed.has(at));
  }
}

const readStatedTypes = (rows: Stated['request'] = {}): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(rows).map(([name, [type]]) => [name, type]));

const describeType = (schema: Schema): string => [schema['type'] ?? 'object'].flat().map(String).join(' or ');

test('The area, inputs and created kind in the file of an operation agree with the contract', () => {
  const nodes = Object.values(contractSchema['paths'] as Record<string, Record<string, Schema>>).flatMap(Object.values);
  for (const id of operationIds) {
    const { area, method, inputs, needs, list, listedInputs, subject, usesUp } = operations[id];
    const names = inputs.map(({ name }) => name);
    expect(nodes.find((node) => node['operationId'] === id)?.['tags']).toEqual([area]);
    expect([id, isReadOnly(id)]).toEqual([id, method === 'GET' && needs.every(isReadOnly)]);
    expect([...listedInputs, subject ?? [], usesUp ?? []].flat().filter((name) => !names.includes(name))).toEqual([]);
    const suppliedInput = list?.gives?.input;
    expect(
      suppliedInput === undefined ||
        operationIds.some((consumer) => operations[consumer].listedInputs.includes(suppliedInput)),
    ).toBe(true);
  }
  const created = operationIds.flatMap((id) => operations[id].creates?.kind ?? []);
  expect(created.toSorted()).toEqual(createdKinds.toSorted());
});

test('The eleven operations have the documented methods, paths and parameters, letter by letter', () => {
  expect(Object.values(contractSchema['paths'] as object).flatMap(Object.keys)).toHaveLength(11);
  for (const id of operationIds) {
    const { method, path, inputs } = operations[id];
    const parameters = inputs
      .filter((input) => input.in !== 'body')
      .map((input) => [input.name, `${input.in} ${String(input.schema['type'])}`]);
    expect([`${method} ${path}`, Object.fromEntries(parameters)]).toEqual([
      documentedTables[id].endpoint[0],
      readStatedTypes(documentedTables[id].parameters),
    ]);
  }
});

test('Requests have the documented fields, and none is required', () => {
  for (const id of operationIds) {
    const fields = operations[id].inputs
      .filter((input) => input.in === 'body')
      .map((input) => [input.name, describeType(input.schema)]);
    expect(Object.fromEntries(fields)).toEqual(readStatedTypes(documentedTables[id].request));
    const request = getOperationNode(operations[id])['requestBody'] as
      { content: Record<string, { schema: Schema }>; required?: unknown } | undefined;
    if (request === undefined) continue;
    expect([Object.keys(request.content), request.required]).toEqual([['application/json'], undefined]);
    expect(followRef(request.content['application/json']?.schema as Schema)['required']).toBeUndefined();
  }
});

test('Requests carry the documented headers, letter by letter', () => {
  const gateway = ['X-GW-client-id: clientId', 'X-GW-client-secret: clientSecret'];
  for (const id of operationIds) {
    const headers = operations[id].headers.map(
      ({ name, value }) => `${name}: ${typeof value === 'string' ? value : value.credential}`,
    );
    const areaHeaders =
      id === 'findAtms' ? ['Accept: application/json'] : ['Authorization: token', 'Content-Type: application/json'];
    expect([id, headers]).toEqual([id, [...gateway, ...areaHeaders]]);
  }
});

test('Answers have the documented fields in the documented types, all required except errors', () => {
  for (const id of operationIds) {
    const foundAnswers = operations[id].forms.map(({ answer }) => {
      const places: Record<string, string> = {};
      visitSchema(
        answer,
        (schema, at, required) => (places[required ? at : `${at} (optional)`] = describeType(schema)),
      );
      return places;
    });
    expect([id, foundAnswers]).toEqual([id, listAnswers(id)]);
  }
});

test('Each operation has two responses: 2XX with JSON, and default without content', () => {
  for (const id of operationIds) {
    const responses = getOperationNode(operations[id])['responses'] as Record<string, Schema>;
    expect(Object.keys(responses)).toEqual(['2XX', 'default']);
    expect(Object.keys(responses['2XX']?.['content'] as object)).toEqual(['application/json']);
    expect(followRef(responses['default'] as Schema)['content']).toBeUndefined();
  }
});

test('In schemas of answers, plain keywords belong to must clauses, and x-should to should clauses', () => {
  const silent = new Set('description x-clause x-should $ref type properties required items allOf'.split(' '));
  for (const id of operationIds)
    for (const { answer } of operations[id].forms)
      visitSchema(answer, (schema, at) => {
        const carried = readClausesByKeyword(schema, at);
        for (const clause of carried.values()) expect([clause, clauses[clause].level]).toEqual([clause, 'must']);
        for (const { clause } of readExpectations(schema))
          expect([clause, clauses[clause].level]).toEqual([clause, 'should']);
        if (schema['type'] !== undefined) expect([at, carried.has('type')]).toEqual([at, true]);
        const narrowing = Object.keys(schema).filter((keyword) => !silent.has(keyword));
        expect([at, narrowing]).toEqual([at, narrowing.filter((keyword) => carried.has(keyword))]);
        for (const keyword of carried.keys())
          expect([at, keyword, schema[keyword] !== undefined]).toEqual([at, keyword, true]);
      });
});

test('Examples of requests have every field, and examples of answers break no clause', () => {
  const listExamples = (media: unknown): readonly unknown[] =>
    Object.values(((media as Schema)['examples'] ?? {}) as Record<string, Schema>).map(
      (example) => followRef(example)['value'],
    );
  for (const id of operationIds) {
    const node = getOperationNode(operations[id]);
    const request = (node['requestBody'] as { content: Record<string, Schema> } | undefined)?.content[
      'application/json'
    ];
    if (request !== undefined) {
      const [example] = listExamples(request);
      expect([id, Object.keys(example as object)]).toEqual([id, Object.keys(documentedTables[id].request ?? {})]);
    }
    const success = (node['responses'] as Record<string, { content: Record<string, unknown> }>)['2XX'];
    const answerExamples = listExamples(success?.content['application/json']);
    expect(answerExamples.length).toBeGreaterThanOrEqual(operations[id].forms.length);
    for (const [index, example] of answerExamples.entries())
      expect([
        id,
        listBrokenClauses(id, example, {
          ...(id === 'findAtms' && index > 0 ? { asked: ASKED_BY_PLACE } : {}),
          at: Date.UTC(2026, 0),
        }),
      ]).toEqual([id, []]);
  }
});

test('The generated TypeScript types are up to date with the contract', () => {
  // If they are not, the error shows the output, which names the command that writes the types.
  expect(() => execFileSync(process.execPath, ['.package/types.mjs', '--check'], { stdio: 'pipe' })).not.toThrow();
});

test('The contract is a valid OpenAPI document without dangling references', () => {
  expect(lint(contractSchema)).toEqual([]);
  expect(lint({ ...contractSchema, components: {} })).not.toEqual([]);
});

test('The contract command writes the whole contract as JSON', async () => {
  const file = makeTempFile('contract.json', '');
  expect(await runInProcess(contractCommand, '--out', file)).toEqual({ status: 0, out: `Wrote ${file}.\n` });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(contractSchema);
});
