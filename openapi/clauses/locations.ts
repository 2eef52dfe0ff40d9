/** Where each clause of the ledger stands in the contract: for the report, and for the check that none is forgotten. */
import type { ClauseId } from './index.ts';
import { clausesOf, deref, operations, locationsIn, resolve, type Json, type Schema } from '../contract/operations.ts';
import { operationIds, type OperationId } from '../model/exchange.ts';

export interface ClauseLocation {
  readonly operation: OperationId;
  /** A JSON pointer into the answer with `*` for indices, or `request/…`, `response/…`. */
  readonly pointer: string;
}

/** One `x-should` of a node. */
export interface Expectation {
  readonly clause: ClauseId;
  readonly schema: Schema;
}

/** The expectations of a node, one or several. */
export function expectationsOf(schema: Schema): readonly Expectation[] {
  const carried = schema['x-should'];
  if (carried === undefined) return [];
  const list = (Array.isArray(carried) ? carried : [carried]) as readonly Schema[];
  return list.map((entry) => {
    const [clause] = clausesOf({ 'x-clause': entry['clause'] as Json }, 'x-should').values();
    return { clause: clause as ClauseId, schema: entry['schema'] as Schema };
  });
}

function expectationsIn(pointer: string): [ClauseId, string][] {
  const found: [ClauseId, string][] = [];
  const walk = (raw: Schema, at: string): void => {
    const schema = deref(raw);
    for (const { clause } of expectationsOf(schema)) found.push([clause, at]);
    for (const [name, child] of Object.entries((schema['properties'] ?? {}) as Record<string, Schema>))
      walk(child, `${at}/${name}`);
    if (schema['items'] !== undefined) walk(schema['items'] as Schema, `${at}/*`);
    for (const part of (schema['allOf'] ?? []) as readonly Schema[]) walk(part, at);
  };
  walk(resolve(pointer), '');
  return found;
}

function readPlaces(): Map<ClauseId, ClauseLocation[]> {
  const places = new Map<ClauseId, ClauseLocation[]>();
  const add = (clause: ClauseId, operation: OperationId, pointer: string): void => {
    const list = places.get(clause) ?? [];
    if (!list.some((place) => place.operation === operation && place.pointer === pointer))
      list.push({ operation, pointer });
    places.set(clause, list);
  };
  for (const id of operationIds) {
    const operation = operations[id];
    add(operation.clauses.path, id, 'request/path');
    add(operation.clauses.method, id, 'request/method');
    add(operation.clauses.json, id, 'response/body');
    for (const header of operation.headers) add(header.clause, id, `request/header/${header.name}`);
    for (const input of operation.inputs) add(input.clause, id, `request/${input.in}/${input.name}`);
    for (const form of operation.forms) {
      for (const [pointer, clauses] of locationsIn(form.answer))
        for (const clause of clauses.values()) add(clause, id, pointer);
      for (const [clause, pointer] of expectationsIn(form.answer)) add(clause, id, pointer);
    }
  }
  return places;
}

const places = readPlaces();

/** The places of a clause in the contract; none for a clause that a rule or a test judges. */
export function locationsOf(clause: ClauseId): readonly ClauseLocation[] {
  return places.get(clause) ?? [];
}
