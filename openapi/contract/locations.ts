/** Finds the JSON pointers at which the contract names a clause. */
import { operationIds, type OperationId } from '../api.ts';
import { getOrSet } from '../util/group-by.ts';
import { operations } from './operations.ts';
import { readExpectations, findClauseLocations, resolvePointer, walkSchema } from './schema.ts';

export interface ClauseLocation {
  readonly operation: OperationId;
  /** A JSON pointer into the answer with `*` for array indices, or `request/…`, `response/…`. */
  readonly pointer: string;
}

function readLocations(): Map<string, ClauseLocation[]> {
  const locations = new Map<string, ClauseLocation[]>();
  const add = (clause: string, operation: OperationId, pointer: string): void => {
    const list = getOrSet(locations, clause, (): ClauseLocation[] => []);
    if (!list.some((location) => location.operation === operation && location.pointer === pointer))
      list.push({ operation, pointer });
  };
  for (const id of operationIds) {
    const operation = operations[id];
    add(operation.clauses.path, id, 'request/path');
    add(operation.clauses.method, id, 'request/method');
    add(operation.clauses.json, id, 'response/body');
    for (const header of operation.headers) add(header.clause, id, `request/header/${header.name}`);
    for (const input of operation.inputs) add(input.clause, id, `request/${input.in}/${input.name}`);
    for (const form of operation.forms) {
      for (const [pointer, clauses] of findClauseLocations(form.answer))
        for (const clause of clauses.values()) add(clause, id, pointer);
      for (const { at, schema } of walkSchema(resolvePointer(form.answer)))
        for (const { clause } of readExpectations(schema)) add(clause, id, at);
    }
  }
  return locations;
}

const locationsByClause = readLocations();

/** Returns the places of a clause in the contract. A clause of a rule or a behaviour has none. */
export function getLocations(clause: string): readonly ClauseLocation[] {
  return locationsByClause.get(clause) ?? [];
}
