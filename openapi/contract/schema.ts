/** Reads the schemas of the contract and the clauses of their nodes. */
import { isFieldClauseId, type FieldClauseId } from '../clauses/index.ts';
import { memoizeByText } from '../util/memoize.ts';
import { contractDocument as contractSchema } from './load.ts';
import {
  followSchemaReference,
  readClauses,
  resolveNode,
  walkDocument,
  type Json,
  type Schema,
  type SchemaNode,
} from './references.ts';

export { contractSchema };

export const resolvePointer = (pointer: string): Schema => resolveNode(contractSchema, pointer);

export const getOperationNode = ({ method, path }: { readonly method: string; readonly path: string }): Schema =>
  ((contractSchema['paths'] as Schema)[path] as Schema)[method.toLowerCase()] as Schema;

export const followRef = (schema: Schema): Schema => followSchemaReference(contractSchema, schema);

export const walkSchema = (schema: Schema): Generator<SchemaNode> => walkDocument(contractSchema, schema);

/** Returns a clause id of the contract. Throws if the catalogue does not have this id. */
export function readClauseId(value: Json | undefined, where: string): FieldClauseId {
  if (typeof value === 'string' && isFieldClauseId(value)) return value;
  throw new Error(`The contract names at ${where} a clause that the catalogue does not have: ${JSON.stringify(value)}`);
}

/** The clause of each keyword of a schema. The clause of `type` also says that the field is present. */
type ClauseByKeyword = ReadonlyMap<string, FieldClauseId>;

export const readClausesByKeyword = (schema: Schema, where: string): ClauseByKeyword =>
  new Map(Object.entries(readClauses(schema)).map(([keyword, id]) => [keyword, readClauseId(id, where)]));

/** Returns the clauses of an answer, by JSON pointer with `*` for indices. */
export const findClauseLocations = memoizeByText((pointer): ReadonlyMap<string, ClauseByKeyword> => {
  const locations = new Map<string, ClauseByKeyword>();
  for (const { at, schema } of walkSchema(resolvePointer(pointer))) {
    const clauses = readClausesByKeyword(schema, `${pointer}${at}`);
    if (clauses.size > 0) locations.set(at, new Map([...(locations.get(at) ?? []), ...clauses]));
  }
  return locations;
});

/** An expectation about a value (`x-should`). The document does not state it, so the published contract has no keyword for it. */
export interface Expectation {
  readonly clause: FieldClauseId;
  readonly schema: Schema;
}

export function readExpectations(schema: Schema): readonly Expectation[] {
  const expectations = schema['x-should'];
  if (expectations === undefined) return [];
  return ([expectations].flat() as readonly Schema[]).map((entry) => ({
    clause: readClauseId(entry['clause'], 'x-should'),
    schema: entry['schema'] as Schema,
  }));
}
