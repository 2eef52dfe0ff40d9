/** The operations of the contract: their requests and answers, and the clauses about them. */
import type { OpenAPIV3_1 } from 'openapi-types';
import type { ClauseId } from '../clauses/index.ts';
import { operationIds, type Area, type OperationId } from '../model/exchange.ts';
import { originalDocument, rejectOverlay } from './load.ts';
import { followSchemaReference, getMemberSchemas, resolveNode, type Schema, type SchemaNode } from './references.ts';
import { readClauseId, followRef, contractSchema, resolvePointer, walkSchema } from './schema.ts';

/** One query form of an operation: its parameters and the schema of its answer. */
interface Form {
  readonly query: readonly string[];
  /** The JSON pointer (with `#`) of the answer schema in the contract. */
  readonly answer: string;
}

export interface Input {
  readonly name: string;
  readonly in: 'path' | 'query' | 'body';
  readonly schema: Schema;
  readonly clause: ClauseId;
}

export interface RequestHeader {
  readonly name: string;
  readonly clause: ClauseId;
  /** The documented value, or the name of the credential to send. */
  readonly value: string | { readonly credential: 'clientId' | 'clientSecret' | 'token' };
}

export interface Operation {
  readonly id: OperationId;
  readonly area: Area;
  readonly method: string;
  /** The path template, including the path prefix. */
  readonly path: string;
  readonly inputs: readonly Input[];
  readonly headers: readonly RequestHeader[];
  /** If the document has no query forms, this is one form without parameters. */
  readonly forms: readonly Form[];
  /** The pointer to the boolean that says whether the bank did what the request asked for. */
  readonly outcome: string | null;
  /** The success statuses that an overlay requires; null if every 2xx is right, as in the document. */
  readonly statuses: readonly number[] | null;
  /** The schemas that an overlay requires for refusals, by media type; null if there is no such overlay. */
  readonly refusal: Readonly<Record<string, Schema>> | null;
  readonly clauses: { readonly path: ClauseId; readonly method: ClauseId; readonly json: ClauseId };
}

/** OpenAPI extensions of an operation. */
interface Extensions {
  readonly 'x-clause': { readonly path: string; readonly method: string };
  readonly 'x-forms'?: readonly Form[];
  readonly 'x-outcome'?: string;
  /** Documented header fields that OpenAPI does not allow as parameters. */
  readonly 'x-request-headers'?: Readonly<Record<string, { readonly value: string; readonly clause: string }>>;
}
type Described = OpenAPIV3_1.OperationObject<Extensions>;

function readHeaders(from: Schema, node: Described, id: string): RequestHeader[] {
  const schemes = Object.keys(node.security?.[0] ?? {}).map((name): RequestHeader => {
    const scheme = resolveNode(from, `#/components/securitySchemes/${name}`);
    const clause = readClauseId(scheme['x-clause'], name);
    if (scheme['type'] === 'http') return { name: 'Authorization', clause, value: { credential: 'token' } };
    const credential = clause.endsWith('client-secret') ? 'clientSecret' : 'clientId';
    return { name: String(scheme['name']), clause, value: { credential } };
  });
  const fixed = Object.entries(node['x-request-headers'] ?? {}).map(([name, { clause, value }]) => ({
    name,
    clause: readClauseId(clause, `${id} ${name}`),
    value,
  }));
  return [...schemes, ...fixed];
}

function readInputs(from: Schema, node: Described, id: string): Input[] {
  const nodes = ((node.parameters ?? []) as readonly Schema[]).map((entry) => followSchemaReference(from, entry));
  const parameters = nodes.map((parameter) => ({
    name: String(parameter['name']),
    in: parameter['in'] as 'path' | 'query',
    schema: parameter['schema'] as Schema,
    clause: readClauseId(parameter['x-clause'], `${id} ${String(parameter['name'])}`),
  }));
  const body = node.requestBody as OpenAPIV3_1.RequestBodyObject | undefined;
  if (body === undefined) return parameters;
  const bodySchema = followSchemaReference(from, body.content['application/json']?.schema as Schema);
  const properties = bodySchema['properties'] as Record<string, Schema>;
  const fields = Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'body' as const,
    schema,
    clause: readClauseId(schema['x-clause'], `${id} ${name}`),
  }));
  return [...parameters, ...fields];
}

/** Returns the schemas in a `content` node, by media type. */
const readSchemas = (content: Readonly<Record<string, Schema>>): Record<string, Schema> =>
  Object.fromEntries(Object.entries(content).map(([label, media]) => [label, (media['schema'] ?? {}) as Schema]));

function readOperations(from: Schema): Record<OperationId, Operation> {
  const paths = from['paths'] as unknown as Record<string, Record<string, Described>>;
  const found = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, node]) => {
      const id = operationIds.find((entry) => entry === node.operationId);
      if (id === undefined) return [];
      const responses = node.responses as unknown as Record<string, Schema>;
      const successes = Object.keys(responses).filter((status) => /^2(?:XX|\d\d)$/.test(status));
      const findJson = (status: string) =>
        (responses[status]?.['content'] as OpenAPIV3_1.ResponseObject['content'])?.['application/json'];
      const described = successes.find((status) => findJson(status) !== undefined) ?? '';
      const content = findJson(described);
      if (content === undefined) throw new Error(`no success of ${id} has content in application/json`);
      const success = responses[described] as Schema;
      const refusal =
        responses['default'] === undefined ? undefined : followSchemaReference(from, responses['default'])['content'];
      const answer = String((content.schema as Schema)['$ref']);
      const operation: Operation = {
        id,
        area: node.tags?.[0] as Area,
        method: method.toUpperCase(),
        path,
        inputs: readInputs(from, node, id),
        headers: readHeaders(from, node, id),
        forms: node['x-forms'] ?? [{ query: [], answer }],
        outcome: node['x-outcome'] ?? null,
        statuses: successes.includes('2XX') ? null : successes.map(Number),
        refusal: refusal === undefined ? null : readSchemas(refusal as Record<string, Schema>),
        clauses: {
          path: readClauseId(node['x-clause'].path, id),
          method: readClauseId(node['x-clause'].method, id),
          json: readClauseId((success['x-clause'] as Schema)['body'], id),
        },
      };
      return [[id, operation] as const];
    }),
  );
  const byId = Object.fromEntries(found) as Record<OperationId, Operation>;
  for (const id of operationIds) if (byId[id] === undefined) throw new Error(`The contract has no operation ${id}`);
  return byId;
}

/** Returns the operations of the contract. If the overlay removes something that requests need, rejects the overlay. */
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

/** Returns the index of the query form of a request: the first form with all parameters in the request. */
export function getQueryForm(operation: Operation, asked: Readonly<Record<string, unknown>>): number {
  const found = operation.forms.findIndex((form) => form.query.every((name) => name in asked));
  return Math.max(found, 0);
}

/** True if a schema does not allow undocumented members. */
const forbidsOtherFields = ({ schema }: SchemaNode): boolean =>
  schema['unevaluatedProperties'] === false ||
  schema['additionalProperties'] === false ||
  Object.values(getMemberSchemas(schema)).some((member) => followRef(member)['x-clause'] === undefined);

/** Operations after which an application cannot be used again. */
export const usesUpApplication: Partial<Record<OperationId, true>> = { approveContract: true, disburse: true };

/** Open points that an overlay can decide, each with a test whether the overlay decides it for an operation. */
const pointsDecidedByOverlay: readonly (readonly [point: ClauseId, isDecided: (operation: Operation) => boolean])[] = [
  ['service.success-status', ({ statuses }) => statuses !== null],
  ['service.error-body', ({ refusal }) => refusal !== null],
  [
    'service.additional-fields',
    ({ forms }) => forms.some(({ answer }) => [...walkSchema(resolvePointer(answer))].some(forbidsOtherFields)),
  ],
];

/** Open points that the overlay decides; empty without an overlay. */
export const decidedOpenPoints: ReadonlySet<ClauseId> = new Set(
  pointsDecidedByOverlay.flatMap(([point, isDecided]) => (Object.values(operations).some(isDecided) ? [point] : [])),
);
