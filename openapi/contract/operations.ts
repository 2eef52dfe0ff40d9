/** The operations of the contract: how each is requested, which answers it promises, and the clauses at each place. */
import type { OpenAPIV3_1 } from 'openapi-types';
import type { ClauseId } from '../clauses/index.ts';
import { operationIds, type Area, type OperationId } from '../model/exchange.ts';
import { ownDocument, refuseOverlay } from './load.ts';
import { derefIn, propertiesOf, resolveIn, type Schema, type SchemaNode } from './references.ts';
import { clauseId, deref, document, resolve, walkSchema } from './schema.ts';

/** A query form of an operation: the parameters that belong together and the schema of its answer. */
interface Form {
  readonly query: readonly string[];
  /** JSON pointer (with `#`) of the answer schema in the contract. */
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
  /** The documented value, or which credential of the user stands there. */
  readonly value: string | { readonly credential: 'clientId' | 'clientSecret' | 'token' };
}

export interface Operation {
  readonly id: OperationId;
  readonly area: Area;
  readonly method: string;
  /** The path template with its full prefix. */
  readonly path: string;
  readonly inputs: readonly Input[];
  readonly headers: readonly RequestHeader[];
  /** One form without parameters of its own where the document knows no query forms. */
  readonly forms: readonly Form[];
  /** Where the answer says in a boolean whether what was asked was done. */
  readonly outcome: string | null;
  /** The success statuses that an overlay promises; null where any 2xx will do, as the document says. */
  readonly statuses: readonly number[] | null;
  /** The schemas of refusals by media type that an overlay promises; null as the document has it. */
  readonly refusal: Readonly<Record<string, Schema>> | null;
  readonly clauses: { readonly path: ClauseId; readonly method: ClauseId; readonly json: ClauseId };
}

/** What the contract says of an operation besides OpenAPI. */
interface Extensions {
  readonly 'x-clause': { readonly path: string; readonly method: string };
  readonly 'x-forms'?: readonly Form[];
  readonly 'x-outcome'?: string;
  /** Documented headers that OpenAPI leaves out of its parameters. */
  readonly 'x-request-headers'?: Readonly<Record<string, { readonly value: string; readonly clause: string }>>;
}
type Described = OpenAPIV3_1.OperationObject<Extensions>;

const credentials = { apiKey: { id: 'clientId', secret: 'clientSecret' }, http: 'token' } as const;

function headersOf(from: Schema, node: Described, id: string): RequestHeader[] {
  const schemes = Object.keys(node.security?.[0] ?? {}).map((name) => {
    const scheme = resolveIn(from, `#/components/securitySchemes/${name}`);
    const clause = clauseId(scheme['x-clause'], name);
    if (scheme['type'] === 'http')
      return { name: 'Authorization', clause, value: { credential: credentials.http } } as const;
    const header = String(scheme['name']);
    const credential = clause.endsWith('client-secret') ? credentials.apiKey.secret : credentials.apiKey.id;
    return { name: header, clause, value: { credential } } as const;
  });
  const fixed = Object.entries(node['x-request-headers'] ?? {}).map(([name, { clause, value }]) => ({
    name,
    clause: clauseId(clause, `${id} ${name}`),
    value,
  }));
  return [...schemes, ...fixed];
}

function inputsOf(from: Schema, node: Described, id: string): Input[] {
  const given = ((node.parameters ?? []) as readonly Schema[]).map((one) => derefIn(from, one));
  const parameters = given.map((parameter) => ({
    name: String(parameter['name']),
    in: parameter['in'] as 'path' | 'query',
    schema: parameter['schema'] as Schema,
    clause: clauseId(parameter['x-clause'], `${id} ${String(parameter['name'])}`),
  }));
  const body = node.requestBody as OpenAPIV3_1.RequestBodyObject | undefined;
  if (body === undefined) return parameters;
  const whole = derefIn(from, body.content['application/json']?.schema as Schema);
  const properties = whole['properties'] as Record<string, Schema>;
  const fields = Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'body' as const,
    schema,
    clause: clauseId(schema['x-clause'], `${id} ${name}`),
  }));
  return [...parameters, ...fields];
}

function readOperations(from: Schema): Record<OperationId, Operation> {
  const paths = from['paths'] as unknown as Record<string, Record<string, Described>>;
  const found = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, node]) => {
      const id = operationIds.find((one) => one === node.operationId);
      // An overlay may describe more than is asked here.
      if (id === undefined) return [];
      const responses = node.responses as unknown as Record<string, Schema>;
      const successes = Object.keys(responses).filter((status) => /^2(?:XX|\d\d)$/.test(status));
      const json = (status: string) =>
        (responses[status]?.['content'] as OpenAPIV3_1.ResponseObject['content'])?.['application/json'];
      const described = successes.find((status) => json(status) !== undefined) ?? '';
      const content = json(described);
      if (content === undefined) throw new Error(`no success of ${id} has content in application/json`);
      const success = responses[described] as Schema;
      const refusal = responses['default'] === undefined ? undefined : derefIn(from, responses['default'])['content'];
      const answer = String((content.schema as Schema)['$ref']);
      const operation: Operation = {
        id,
        area: node.tags?.[0] as Area,
        method: method.toUpperCase(),
        path,
        inputs: inputsOf(from, node, id),
        headers: headersOf(from, node, id),
        forms: node['x-forms'] ?? [{ query: [], answer }],
        outcome: node['x-outcome'] ?? null,
        statuses: successes.includes('2XX') ? null : successes.map(Number),
        refusal:
          refusal === undefined
            ? null
            : (Object.fromEntries(
                Object.entries(refusal as Record<string, Schema>).map(([label, media]) => [
                  label,
                  media['schema'] ?? {},
                ]),
              ) as Record<string, Schema>),
        clauses: {
          path: clauseId(node['x-clause'].path, id),
          method: clauseId(node['x-clause'].method, id),
          json: clauseId((success['x-clause'] as Schema)['body'], id),
        },
      };
      return [[id, operation] as const];
    }),
  );
  const byId = Object.fromEntries(found) as Record<OperationId, Operation>;
  for (const id of operationIds) if (byId[id] === undefined) throw new Error(`The contract has no operation ${id}`);
  return byId;
}

/** Of a document from which an overlay took what the requests are made of, those of the document itself: it is refused. */
function operationsOrRefusal(): Record<OperationId, Operation> {
  try {
    return readOperations(document);
  } catch (error) {
    refuseOverlay(
      `it leaves too little of an operation, or adds what no request can carry: ${(error as Error).message}.`,
    );
    return readOperations(ownDocument);
  }
}

export const operations: Readonly<Record<OperationId, Operation>> = operationsOrRefusal();

/** `METHOD path-template`, as reports name an operation. */
export function nameOf(operation: OperationId): string {
  const { method, path } = operations[operation];
  return `${method} ${path}`;
}

/** The query form to which a request belongs: the first whose parameters were all asked. */
export function formOf(operation: Operation, asked: Readonly<Record<string, unknown>>): number {
  const found = operation.forms.findIndex((form) => form.query.every((name) => name in asked));
  return Math.max(found, 0);
}

/** True where a node holds members that carry no clause, or forbids members that are not named. */
const addsToFields = ({ schema }: SchemaNode): boolean =>
  schema['unevaluatedProperties'] === false ||
  schema['additionalProperties'] === false ||
  Object.values(propertiesOf(schema)).some((member) => deref(member)['x-clause'] === undefined);

/** A contract or a disbursement uses its application up, whatever else was asked for it before. */
export const usesUp: Partial<Record<OperationId, true>> = { approveContract: true, disburse: true };

/** Open points that this contract settles: with the document's own there are none, an overlay may add some. */
export const overlayPoints: ReadonlySet<ClauseId> = new Set<ClauseId>([
  ...(operationIds.some((id) => operations[id].statuses !== null) ? (['service.success-status'] as const) : []),
  ...(operationIds.some((id) => operations[id].refusal !== null) ? (['service.error-body'] as const) : []),
  ...(operationIds.some((id) =>
    operations[id].forms.some(({ answer }) => [...walkSchema(resolve(answer))].some(addsToFields)),
  )
    ? (['service.additional-fields'] as const)
    : []),
]);
