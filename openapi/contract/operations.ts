/** Reads the operations of the contract: their requests and answers, and the clauses about them. */
import type { OpenAPIV3_1 } from 'openapi-types';
import type { FieldClauseId } from '../clauses/index.ts';
import { operationFacts, operationIds, type OperationId } from '../api.ts';
import type { OperationFacts } from '../model/operation.ts';
import { originalDocument, rejectOverlay } from './load.ts';
import {
  followSchemaReference,
  getMemberSchemas,
  listOperationNodes,
  resolveNode,
  SUCCESS_STATUS,
  type Json,
  type Schema,
  type SchemaNode,
} from './references.ts';
import { readClauseId, followRef, contractSchema, resolvePointer, walkSchema } from './schema.ts';

/** A query form: a set of query parameters, and the answer to a request with them. */
interface QueryForm {
  readonly query: readonly string[];
  /** The JSON pointer (with `#`) of the answer schema in the contract. */
  readonly answer: string;
}

export interface Input {
  readonly name: string;
  readonly in: 'path' | 'query' | 'body';
  readonly schema: Schema;
  readonly clause: FieldClauseId;
}

export interface RequestHeader {
  readonly name: string;
  readonly clause: FieldClauseId;
  /** The documented value, or the name of the credential to send. */
  readonly value: string | { readonly credential: 'clientId' | 'clientSecret' | 'token' };
}

export interface Operation extends OperationFacts {
  readonly id: OperationId;
  readonly method: string;
  readonly path: string;
  readonly inputs: readonly Input[];
  readonly headers: readonly RequestHeader[];
  /** If the document has no query forms, this is one form without parameters. */
  readonly forms: readonly QueryForm[];
  /** The JSON pointer to the boolean in the answer that says whether the bank did what the request asked for. */
  readonly outcome: string | null;
  /** The success statuses that an overlay requires; null if every 2xx is right, as in the document. */
  readonly statuses: readonly number[] | null;
  /** The schemas that an overlay requires for refusals, by media type; null if there is no such overlay. */
  readonly refusal: Readonly<Record<string, Schema>> | null;
  readonly clauses: { readonly path: FieldClauseId; readonly method: FieldClauseId; readonly json: FieldClauseId };
}

/** The parts of an operation in the contract that this file reads, and its extensions. */
interface OperationNode extends Pick<OpenAPIV3_1.OperationObject, 'operationId' | 'security'> {
  readonly parameters?: readonly Schema[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Schema>> };
  readonly responses: Readonly<Record<string, Schema>>;
  readonly 'x-clause': { readonly path: string; readonly method: string };
  readonly 'x-forms'?: readonly QueryForm[];
  readonly 'x-outcome'?: string;
  /** Documented header fields that OpenAPI does not allow as parameters, by name. */
  readonly 'x-request-headers'?: Readonly<Record<string, { readonly value: string; readonly clause: string }>>;
}

/** Returns the header fields of an operation: those with credentials, and those with a fixed value. */
function readHeaders(document: Schema, node: OperationNode, id: string): RequestHeader[] {
  const credentialHeaders = Object.keys(node.security?.[0] ?? {}).map((name): RequestHeader => {
    const scheme = resolveNode(document, `#/components/securitySchemes/${name}`);
    const clause = readClauseId(scheme['x-clause'], name);
    if (scheme['type'] === 'http') return { name: 'Authorization', clause, value: { credential: 'token' } };
    const credential = clause.endsWith('client-secret') ? 'clientSecret' : 'clientId';
    return { name: String(scheme['name']), clause, value: { credential } };
  });
  const fixedHeaders = Object.entries(node['x-request-headers'] ?? {}).map(([name, { clause, value }]) => ({
    name,
    clause: readClauseId(clause, `${id} ${name}`),
    value,
  }));
  return [...credentialHeaders, ...fixedHeaders];
}

/** Returns the path and query parameters of an operation, and the fields of its body. */
function readInputs(document: Schema, { parameters = [], requestBody }: OperationNode, id: string): Input[] {
  const makeInput = (name: string, place: Input['in'], schema: Schema, clause: Json | undefined): Input => ({
    name,
    in: place,
    schema,
    clause: readClauseId(clause, `${id} ${name}`),
  });
  const body =
    requestBody && followSchemaReference(document, requestBody.content['application/json']?.['schema'] as Schema);
  const fields = body === undefined ? {} : (body['properties'] as Readonly<Record<string, Schema>>);
  return [
    ...parameters.map((parameterOrReference) => {
      const parameter = followSchemaReference(document, parameterOrReference);
      const { name, in: place, schema, 'x-clause': clause } = parameter;
      return makeInput(String(name), place as Input['in'], schema as Schema, clause);
    }),
    ...Object.entries(fields).map(([name, schema]) => makeInput(name, 'body', schema, schema['x-clause'])),
  ];
}

const readContent = (response: Schema | undefined) =>
  response?.['content'] as Readonly<Record<string, Schema>> | undefined;

function readOperation(
  document: Schema,
  method: string,
  path: string,
  node: OperationNode,
  id: OperationId,
): Operation {
  const { responses } = node;
  const successStatuses = Object.keys(responses).filter((status) => SUCCESS_STATUS.test(status));
  const successResponse = successStatuses
    .map((status) => responses[status] as Schema)
    .find((response) => readContent(response)?.['application/json'] !== undefined);
  if (successResponse === undefined) throw new Error(`no success of ${id} has content in application/json`);
  const { schema } = readContent(successResponse)?.['application/json'] ?? {};
  const answerPointer = String((schema as Schema)['$ref']);
  const refusalContent = responses['default'] && readContent(followSchemaReference(document, responses['default']));
  return {
    ...operationFacts[id],
    id,
    method: method.toUpperCase(),
    path,
    inputs: readInputs(document, node, id),
    headers: readHeaders(document, node, id),
    forms: node['x-forms'] ?? [{ query: [], answer: answerPointer }],
    outcome: node['x-outcome'] ?? null,
    statuses: successStatuses.includes('2XX') ? null : successStatuses.map(Number),
    refusal:
      refusalContent === undefined
        ? null
        : Object.fromEntries(
            Object.entries(refusalContent).map(([label, media]) => [label, (media['schema'] ?? {}) as Schema]),
          ),
    clauses: {
      path: readClauseId(node['x-clause'].path, id),
      method: readClauseId(node['x-clause'].method, id),
      json: readClauseId((successResponse['x-clause'] as Schema)['body'], id),
    },
  };
}

function readOperations(document: Schema): Record<OperationId, Operation> {
  const nodes = listOperationNodes(document);
  const readEntryOf = (id: OperationId): [OperationId, Operation] => {
    const operationNode = nodes.find(({ node }) => node['operationId'] === id);
    if (operationNode === undefined) throw new Error(`The contract has no operation ${id}`);
    return [
      id,
      readOperation(
        document,
        operationNode.method,
        operationNode.path,
        operationNode.node as unknown as OperationNode,
        id,
      ),
    ];
  };
  return Object.fromEntries(operationIds.map(readEntryOf)) as Record<OperationId, Operation>;
}

/** Returns the operations of the contract. Throws if the overlay removes something that requests need. */
function readValidOperations(): Record<OperationId, Operation> {
  try {
    return readOperations(contractSchema);
  } catch (error) {
    rejectOverlay(
      `it leaves too little of an operation, or adds what no request can carry: ${(error as Error).message}.`,
    );
    return readOperations(originalDocument);
  }
}

export const operations: Readonly<Record<OperationId, Operation>> = readValidOperations();

/** Returns the name of an operation in reports: `METHOD path-template`. */
export function getOperationName(operation: OperationId): string {
  const { method, path } = operations[operation];
  return `${method} ${path}`;
}

/** Returns the index of the query form of a request: the request has all parameters of this form. The first such form counts. */
export function getQueryForm(operation: Operation, asked: Readonly<Record<string, unknown>>): number {
  const index = operation.forms.findIndex((form) => form.query.every((name) => name in asked));
  return Math.max(index, 0);
}

/** True if the overlay forbids undocumented fields in an object, or documents more of them. */
const forbidsOtherFields = ({ schema }: SchemaNode): boolean =>
  schema['unevaluatedProperties'] === false ||
  schema['additionalProperties'] === false ||
  Object.values(getMemberSchemas(schema)).some((member) => followRef(member)['x-clause'] === undefined);

const listDecidedOpenPoints = ({ statuses, refusal, forms }: Operation): readonly FieldClauseId[] => [
  ...(statuses === null ? [] : (['service.success-status'] as const)),
  ...(refusal === null ? [] : (['service.error-body'] as const)),
  ...(forms.some(({ answer }) => [...walkSchema(resolvePointer(answer))].some(forbidsOtherFields))
    ? (['service.additional-fields'] as const)
    : []),
];

/** The open points that the overlay decides; empty without an overlay. */
export const decidedOpenPoints: ReadonlySet<FieldClauseId> = new Set(
  Object.values(operations).flatMap(listDecidedOpenPoints),
);
