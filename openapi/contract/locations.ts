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
  const addLocation = (clause: string, operation: OperationId, pointer: string): void => {
    const locationsOfClause = getOrSet(locations, clause, (): ClauseLocation[] => []);
    if (!locationsOfClause.some((location) => location.operation === operation && location.pointer === pointer))
      locationsOfClause.push({ operation, pointer });
  };
  for (const id of operationIds) {
    const operation = operations[id];
    addLocation(operation.clauses.path, id, 'request/path');
    addLocation(operation.clauses.method, id, 'request/method');
    addLocation(operation.clauses.json, id, 'response/body');
    for (const header of operation.headers) addLocation(header.clause, id, `request/header/${header.name}`);
    for (const input of operation.inputs) addLocation(input.clause, id, `request/${input.in}/${input.name}`);
    for (const { answer } of operation.forms) {
      for (const [pointer, clauses] of findClauseLocations(answer))
        for (const clause of clauses.values()) addLocation(clause, id, pointer);
      for (const { at: pointer, schema } of walkSchema(resolvePointer(answer)))
        for (const { clause } of readExpectations(schema)) addLocation(clause, id, pointer);
    }
  }
  return locations;
}

const locationsByClause = readLocations();

/** Returns the places of a clause in the contract. A clause of a rule or a behaviour has none. */
export function getLocations(clause: string): readonly ClauseLocation[] {
  return locationsByClause.get(clause) ?? [];
}
