/** Makes exchanges from the examples in the contract, which a test may change, and judges them. */
import { openLines, type Judgement } from '../../../openapi/model/journal.ts';
import type { Violation } from '../../../openapi/model/finding.ts';
import type { ClauseId } from '../../../openapi/clauses/index.ts';
import type { RequestInputs, Exchange, OperationId } from '../../../openapi/model/exchange.ts';
import { operations } from '../../../openapi/contract/operations.ts';
import type { Schema } from '../../../openapi/contract/references.ts';
import { followRef, getOperationNode } from '../../../openapi/contract/schema.ts';
import { evaluateRun } from '../../../openapi/evaluate-run.ts';
import { judge } from '../../../openapi/judge.ts';
import { readRecords } from '../../../openapi/history/records.ts';
import type { History } from '../../../openapi/model/history.ts';
import { EMPTY_RUN, type RunRecord } from '../../../openapi/model/record.ts';

/** The time of the exchanges in these tests. */
export const NOON = Date.UTC(2030, 5, 1, 12);

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const readExamples = (node: Schema): readonly unknown[] =>
  'example' in node
    ? [node['example']]
    : Object.values((node['examples'] ?? {}) as Record<string, Schema>).map((schema) => followRef(schema)['value']);

/** Returns the inputs in the examples of an operation, for its first query form. Ids are texts, as in the client. */
function makeAsked(operation: OperationId): RequestInputs {
  const node = getOperationNode(operations[operation]);
  const parameters = ((node['parameters'] ?? []) as readonly Schema[]).map(followRef);
  const body = node['requestBody'] as { content: Record<string, Schema> } | undefined;
  const [sent = {}] = readExamples(body?.content['application/json'] ?? {});
  const inputs = [
    ...parameters.map((parameter) => [String(parameter['name']), readExamples(parameter)[0]] as const),
    ...Object.entries(sent as object),
  ];
  const namesOfOtherForms = operations[operation].forms.slice(1).flatMap(({ query }) => query);
  return Object.fromEntries(
    inputs
      .filter(([name]) => !namesOfOtherForms.includes(name))
      .map(([name, value]: readonly [string, unknown]) => [name, /_(?:id|no)$/.test(name) ? String(value) : value]),
  ) as RequestInputs;
}

/** Returns the example of an answer in the contract. For outcomes, it is the example with errors, which has every field. */
function readExampleAnswer(operation: OperationId): Json {
  const { responses } = getOperationNode(operations[operation]) as {
    responses: { '2XX': { content: { 'application/json': Schema } } };
  };
  const examples = readExamples(responses['2XX'].content['application/json']);
  return (operation === 'queryDisbursement' ? examples.at(-1) : examples[0]) as Json;
}

/** The parameters of a query for ATMs by province and district. */
export const ASKED_BY_PLACE: RequestInputs = { province_code: '34', district_code: '07' };

/** The value that tells `body` to remove a field. */
export const REMOVED_MEMBER = Symbol('gone');

/** Makes a correct body of an answer to `operation`. If `pointer` is given, `value` replaces the value at the pointer. */
export function body(operation: OperationId, pointer?: string, value?: unknown): Json {
  const copy = structuredClone(readExampleAnswer(operation));
  if (pointer === undefined) return copy;
  const keys = pointer.split('/').slice(1);
  const last = String(keys.pop());
  const holder = keys.reduce<Json>((node, key) => (node as { [key: string]: Json })[key] as Json, copy) as {
    [key: string]: Json;
  };
  if (value === REMOVED_MEMBER) delete holder[last];
  else holder[last] = value as Json;
  return copy;
}

export interface Around {
  readonly asked?: RequestInputs;
  readonly status?: number;
  readonly headers?: Exchange['request']['headers'];
  readonly labels?: readonly (readonly [string, string])[];
  readonly kind?: Exchange['kind'];
  readonly at?: number;
  readonly ms?: number;
}

let exchangeCount = 0;

/** Makes an exchange with `answer`: bytes, a text, or a value for JSON; null for no answer. */
export function exchange(operation: OperationId, answer: unknown = body(operation), around: Around = {}): Exchange {
  const { asked = makeAsked(operation), status = 200, headers = {}, kind = 'positive', at = NOON, ms = 5 } = around;
  const labels = around.labels ?? [['content-type', 'application/json']];
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  const bytes = answer instanceof Uint8Array ? answer : new TextEncoder().encode(text);
  return {
    id: `exchange-${(exchangeCount += 1)}`,
    operation,
    kind,
    request: { method: 'POST', path: '/', headers, body: JSON.stringify(asked), asked },
    answer: answer === null ? null : { status, headers: labels, bytes },
    failure: answer === null ? { kind: 'reset', message: 'The connection was reset.' } : null,
    startedAt: at,
    durationMs: ms,
  };
}

/** Writes violations as `clause pointer`, sorted. */
function formatViolations(breaks: readonly Violation[]): readonly string[] {
  return breaks.map(({ clause, pointer }) => `${clause} ${pointer}`).toSorted();
}

export function collectRecords(exchange: Exchange): readonly RunRecord[] {
  const { outcome, value } = judge(exchange);
  return readRecords(exchange, outcome, value);
}

/** The history of a test run without exchanges. */
export const EMPTY_HISTORY: History = { run: EMPTY_RUN, compared: () => [], contrasts: [] };

export function judgeAnswer(
  operation: OperationId,
  answer?: unknown,
  around?: Around,
): Judgement & { readonly records: readonly RunRecord[] } {
  const judgedExchange = exchange(operation, answer, around);
  return { ...judge(judgedExchange), records: collectRecords(judgedExchange) };
}

/** Returns the clauses that one answer breaks. */
export function listBrokenClauses(operation: OperationId, answer?: unknown, around?: Around): readonly string[] {
  return formatViolations(judgeAnswer(operation, answer, around).breaks);
}

/** Evaluates several exchanges together. Returns violations as `clause pointer`, and the tested clauses. */
export function evaluate(...exchanges: readonly Exchange[]): {
  readonly broken: readonly string[];
  readonly exercised: ReadonlySet<ClauseId>;
  readonly received: readonly string[];
} {
  const records = exchanges.flatMap(collectRecords);
  const { broken: breaks, exercised } = evaluateRun(
    { records, comparisons: [], contrasts: [], outcomes: new Map() },
    openLines([]),
  );
  return {
    broken: formatViolations(breaks),
    exercised: new Set(exercised.map(({ clause }) => clause)),
    received: breaks.map(({ received }) => received),
  };
}
