/** The judge: one exchange in, verdicts out. Every exchange of every test passes here, whatever the test was after. */
import type { RuleContext } from './rules/context.ts';
import type { Violation, Outcome } from './model/finding.ts';
import type { Fact } from './model/facts.ts';
import { parseBody } from './validation/parse-body.ts';
import { isVendorClause, type ClauseId } from './clauses/index.ts';
import { formOf, operations, type Operation } from './contract/operations.ts';
import { operationIds, textOf, type Area, type Exchange, type OperationId } from './model/exchange.ts';
import { factsOf } from './run-rules/index.ts';
import { findInformationLeak } from './validation/information-leaks.ts';
import { shortName, truncate } from './util/truncate.ts';
import { memoizeByObject } from './util/memoize.ts';
import { rules } from './rules/index.ts';
import { plainTexts } from './rules/texts.ts';
import { checkRefusalAgainstOverlay, checkSuccessAgainstOverlay } from './rules/overlay.ts';
import { compileAnswer, type AnswerValidators, type SchemaViolation } from './validation/validators.ts';

export interface Judgement {
  readonly outcome: Outcome;
  /** The clauses that this exchange put to the test, broken ones among them. */
  readonly exercised: ReadonlySet<ClauseId>;
  readonly breaks: readonly Violation[];
  /** How many entries the documented arrays of a readable answer have, by their pointer with `*` for indices. */
  readonly entries: Readonly<Record<string, number>>;
  /** What clauses over several exchanges need to know of this one. */
  readonly facts: readonly Fact[];
  /** The body of a readable 2xx answer with integers beyond 2^53 as bigint, else undefined. */
  readonly value: unknown;
}

type Body = Readonly<Record<string, unknown>>;

/** Bytes of a refusal that are searched for leaks. */
const MAX_SEARCHED_BYTES = 64 * 1024;

const validators = new Map<string, AnswerValidators>();
function validatorsOf(pointer: string): AnswerValidators {
  let found = validators.get(pointer);
  if (found === undefined) validators.set(pointer, (found = compileAnswer(pointer)));
  return found;
}

/** Compiles everything that judging needs, so that the first exchange is not slower than the rest. */
export function prepare(): void {
  for (const id of operationIds) for (const form of operations[id].forms) validatorsOf(form.answer);
}

const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** How many of the documented fields stand in `value` itself. */
const fieldsIn = (value: unknown, fields: readonly string[]): number =>
  isObject(value) ? fields.filter((name) => Object.hasOwn(value, name)).length : 0;

/** True where the documented fields stand somewhere in `value`, below its own level, up to `depth` levels down. */
function fieldsBelow(value: unknown, fields: readonly string[], depth = 3): boolean {
  if (depth === 0 || typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(
    (child) => fieldsIn(child, fields) * 2 > fields.length || fieldsBelow(child, fields, depth - 1),
  );
}

/** A 2xx that is a refusal all the same: no `data`, a member that names an error, and none of the documented fields. */
function isErrorBody(body: Body, { fields, entries }: AnswerValidators): boolean {
  if (body['data'] !== undefined && body['data'] !== null) return false;
  if (!Object.keys(body).some((name) => /error|code|message/i.test(name))) return false;
  return fieldsIn(body, fields) === 0 && ![fields, ...entries].some((names) => fieldsBelow([body], names, 4));
}

/** True of a readable 2xx body that is a refusal all the same. */
export function isErrorWith2xx({ operation, request }: Exchange, body: unknown): boolean {
  const { forms } = operations[operation];
  const form = forms[formOf(operations[operation], request.asked)] ?? forms[0];
  return form !== undefined && isObject(body) && isErrorBody(body, validatorsOf(form.answer));
}

/** The answer's own word on whether what was asked was done; true where it has none or none that can be read. */
function statedSuccess(body: Body, outcome: string | null): boolean {
  if (outcome === null || !isObject(body['data'])) return true;
  const stated = body['data'][outcome.slice('/data/'.length)];
  return !(stated === false || (typeof stated === 'string' && /^\s*(?:false|0)\s*$/i.test(stated)));
}

const completenessOfRefusals: Partial<Record<OperationId, ClauseId>> = {
  requestLoan: 'loans.application.refused.complete',
  createPaymentLink: 'links.link.refused.complete',
};

function kindOf({ keyword, data }: SchemaViolation): string {
  if (keyword === 'required') return 'missing';
  if (keyword === 'type') return data === null ? 'null' : 'type';
  return keyword;
}

/** Judges one exchange. Never throws for anything a target sends. */
export function judge(exchange: Exchange): Judgement {
  const { answer } = exchange;
  const operation = operations[exchange.operation];
  const exercised = new Set<ClauseId>();
  /** A thousand entries may all be wrong alike: they are one violation with its count. */
  const broken = new Map<string, { readonly first: Violation; readonly instances: Set<string> }>();
  let entries: Readonly<Record<string, number>> = {};
  const form = formOf(operation, exchange.request.asked);
  const validate = validatorsOf((operation.forms[form] ?? operation.forms[0])?.answer ?? '');
  const report = (
    clause: ClauseId,
    place: string,
    kind: string,
    expected: string,
    received: string,
    instance = place,
  ): void => {
    exercised.add(clause);
    const pointer = place.startsWith('/') ? validate.documentedPlace(place) : place;
    const key = `${clause} ${pointer} ${kind}`;
    const known = broken.get(key);
    if (known !== undefined) {
      known.instances.add(instance);
      return;
    }
    const found = { clause, operation: operation.id, pointer, kind, expected, received, exchange: exchange.id };
    const first = instance === pointer ? found : { ...found, instance: shortName(instance) };
    broken.set(key, { first, instances: new Set([instance]) });
  };
  const verdict = (outcome: Outcome, value?: unknown): Judgement => {
    const breaks = [...broken.values()].map(({ first, instances: { size } }) =>
      size > 1 ? { ...first, count: size } : first,
    );
    return { outcome, exercised, breaks, entries, facts: factsOf(exchange, outcome, value), value };
  };

  if (answer === null || answer.status < 200 || answer.status >= 600 || (answer.status >= 300 && answer.status < 400))
    return verdict('no-answer');
  if (answer.status >= 300) {
    const leak =
      exchange.kind === 'positive' ? findInformationLeak(textOf(answer.bytes.subarray(0, MAX_SEARCHED_BYTES))) : null;
    if (exchange.kind === 'positive') exercised.add('service.no-internals');
    if (leak !== null)
      report('service.no-internals', 'response/body', 'internals', 'an error in words for clients', leak);
    if (exchange.kind === 'positive' && answer.status >= 400)
      checkRefusalAgainstOverlay(operation, answer, textOf(answer.bytes), exercised, report);
    return verdict(answer.status >= 500 ? 'failed' : 'refused');
  }

  const { content, warnings } = parseBody(answer);
  if (exchange.kind === 'probe') return verdict(probeOutcome(content.value, operation, validate.fields), content.exact);

  if (content.unreadable !== null) {
    const received =
      answer.bytes.length === 0
        ? `status ${answer.status} with an empty body`
        : `${content.unreadable}: ${truncate(content.text)}`;
    report(operation.clauses.json, 'response/body', 'unreadable', 'JSON in UTF-8', received);
    return verdict('broken');
  }
  exercised.add(operation.clauses.json);
  for (const clause of labels) exercised.add(clause);
  for (const { clause, pointer, expected, received } of warnings) report(clause, pointer, 'form', expected, received);

  const body = content.value;
  entries = validate.entryCounts(body);
  exercised.add('service.refusal-status');
  if (isObject(body) && isErrorBody(body, validate)) {
    // What a query breaks with it hangs on whether there was a disbursement: a rule over several exchanges says so.
    if (operation.id !== 'queryDisbursement')
      report(
        'service.refusal-status',
        'response/status',
        'disguised',
        'a status of 4xx for a refusal',
        `status ${answer.status} with ${truncate(content.text)}`,
      );
    return verdict('refused', content.exact);
  }

  checkSuccessAgainstOverlay(operation, answer, exercised, report);
  const stated = isObject(body) ? statedSuccess(body, operation.outcome) : true;
  const completeness = stated ? undefined : completenessOfRefusals[operation.id];
  const { violations, exercised: promised } = validate.promises(content);
  for (const clause of promised) exercised.add(clause);
  const misplaced = isMisplaced(body, validate.fields);
  if (misplaced)
    report(
      validate.envelope,
      '/data',
      'misplaced',
      'the documented fields directly in data',
      truncate(JSON.stringify(body['data'])),
    );
  else
    for (const violation of violations) {
      const kind = kindOf(violation);
      const absent = kind === 'missing' || kind === 'null' || violation.data === '';
      const excused = completeness !== undefined && absent && /^\/data\/[a-z_]+$/.test(violation.pointer);
      const received = kind === 'missing' ? 'nothing: the field is missing' : truncate(JSON.stringify(violation.data));
      report(
        excused ? completeness : violation.clause,
        violation.pointer,
        kind,
        violation.wants,
        received,
        violation.at,
      );
    }
  if (completeness !== undefined) exercised.add(completeness);

  const envelope =
    misplaced ||
    violations.some(
      ({ pointer, clause }) =>
        (pointer === '' || pointer === '/data') && clause !== 'service.additional-fields' && !isVendorClause(clause),
    );
  if (envelope) return verdict('broken', content.exact);

  const wrong = new Set(violations.map(({ at }) => at));
  const expected = validate.expectations(content);
  for (const clause of expected.exercised) exercised.add(clause);
  for (const violation of expected.violations)
    if (!wrong.has(violation.at) && (stated || violation.data !== ''))
      report(
        violation.clause,
        violation.pointer,
        violation.keyword,
        violation.wants,
        truncate(JSON.stringify(violation.data)),
        violation.at,
      );

  if (stated) accepted(exchange, operation, exercised);
  const context: RuleContext = {
    exchange,
    operation,
    form,
    data: (content.exact as Body)['data'],
    succeeded: stated,
    check(clause, pointer, holds, expected, received) {
      exercised.add(clause);
      if (!holds) report(clause, pointer, 'rule', expected, received());
    },
  };
  rules[operation.id]?.(context);
  plainTexts(context);
  return verdict(stated ? 'succeeded' : 'unsuccessful', content.exact);
}

const labels: readonly ClauseId[] = [
  'service.content-type',
  'service.charset',
  'service.no-byte-order-mark',
  'service.no-duplicate-keys',
  'service.numbers-within-double',
];

/** A probe counts as accepted when it got an answer of this operation: `data` with a documented field, or an array. */
function probeOutcome(value: unknown, operation: Operation, fields: readonly string[]): Outcome {
  if (!isObject(value)) return 'refused';
  const answered = fields.length === 0 ? Array.isArray(value['data']) : fieldsIn(value['data'], fields) > 0;
  if (!answered) return 'refused';
  return statedSuccess(value, operation.outcome) ? 'succeeded' : 'unsuccessful';
}

/** True where no documented field stands in `data` but they stand further down: one fault of the envelope, not many. */
function isMisplaced(body: unknown, fields: readonly string[]): body is Body {
  if (!isObject(body) || !isObject(body['data']) || fields.length === 0) return false;
  return fieldsIn(body['data'], fields) === 0 && fieldsBelow(body['data'], fields);
}

/** The promise that the documented header fields are enough. */
export const noOtherHeaders = {
  loans: 'loans.header.no-others',
  'payment-links': 'links.header.no-others',
  atms: 'atms.header.no-others',
} as const satisfies Record<Area, ClauseId>;

/** The promises of the documented header fields, by name in lower case. */
const headerClausesOf = memoizeByObject(
  ({ headers }: Operation) => new Map(headers.map(({ name, clause }) => [name.toLowerCase(), clause])),
);

/** A documented request that succeeded exercises every promise about requests that it carries. */
function accepted(exchange: Exchange, operation: Operation, exercised: Set<ClauseId>): void {
  const { asked, headers } = exchange.request;
  exercised.add(operation.clauses.path).add(operation.clauses.method);
  for (const input of operation.inputs) if (input.name in asked) exercised.add(input.clause);
  const documented = headerClausesOf(operation);
  let others = 0;
  for (const name of Object.keys(headers)) {
    const field = name.toLowerCase();
    const clause = documented.get(field);
    if (clause !== undefined) exercised.add(clause);
    else if (field !== 'user-agent') others += 1;
  }
  if (others === 0) exercised.add(noOtherHeaders[operation.area]);
}
