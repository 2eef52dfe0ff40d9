/**
 * Judges one exchange: finds the outcome of the request, and each clause that the answer keeps or breaks. The steps for a 2xx answer:
 * read the body, find out whether it is a refusal, judge the promises of the document (`must`), the expectations (`should`), and the
 * rules that no schema can express. A long list is judged in parts.
 */
import { areaFacts } from './api.ts';
import { isVendorClause, type ClauseId } from './clauses/index.ts';
import { getQueryForm, operations, type Operation } from './contract/operations.ts';
import { decodeText, type Answer, type Exchange } from './model/exchange.ts';
import type { Fault } from './model/finding.ts';
import { classifyAnswer } from './model/outcome.ts';
import type { JsonObject } from './contract/references.ts';
import { openJudgement, type Judgement, type OpenJudgement } from './judgement.ts';
import { checkRefusalAgainstOverlay, checkSuccessAgainstOverlay } from './rules/overlay.ts';
import { checkTexts } from './rules/texts.ts';
import { memoizeByObject } from './util/memoize.ts';
import { truncate } from './util/truncate.ts';
import { isErrorBody, hasMisplacedFields, readProbeOutcome, readStatedSuccess } from './validation/envelope.ts';
import { findInformationLeak } from './validation/information-leaks.ts';
import { parseBody, type Content, type ParsedBody } from './validation/parse-body.ts';
import { getAnswerValidators, quoteValue, type AnswerValidators } from './validation/validators.ts';

const MAX_SEARCHED_BYTES = 64 * 1024;

/** The exchange that is judged, and what the judgement needs. */
interface Case {
  readonly exchange: Exchange;
  readonly operation: Operation;
  readonly form: number;
  readonly answer: Answer;
  readonly validate: AnswerValidators;
  readonly judgement: OpenJudgement;
}

/** After this many entries of a list, `isOver` is called again, which may end the judgement. */
export const ENTRIES_PER_PART = 2048;

/** A part of a long list, in a body that has only the entries of this part. */
interface Part {
  readonly content: Content;
  /** Converts a JSON pointer in this part to the pointer in the whole body: entry 3 of the second part is entry 2051. */
  readonly locate: (at: string) => string;
  /** Set if the judgement ends with this part, before the end of the list: everything that was judged. Otherwise null. */
  readonly stopped: Pick<Content, 'share' | 'exact'> | null;
}

const readList = (body: unknown, path: readonly string[]): readonly unknown[] => {
  const list = path.reduce<unknown>((node, name) => (node as JsonObject | null | undefined)?.[name], body);
  return Array.isArray(list) ? list : [];
};

/** Returns a copy of the body with another list. Copies non-enumerable members too, because they convert objects to text. */
function replaceList(body: unknown, [name = '', ...rest]: readonly string[], list: readonly unknown[]): object {
  const value = rest.length === 0 ? list : replaceList((body as JsonObject)[name], rest, list);
  const members = Object.getOwnPropertyDescriptors(body as JsonObject);
  return Object.defineProperties({}, { ...members, [name]: { value, enumerable: true } });
}

/** Divides the longest list of an answer into parts, if the list is long. Ends early when `isOver` returns true. */
function* divideContent(
  content: Content,
  { divisibleLists }: AnswerValidators,
  isOver: () => boolean,
): Generator<Part> {
  const paths = divisibleLists.map((pointer) => pointer.split('/').slice(1));
  const [path = []] = paths.toSorted((a, b) => readList(content.value, b).length - readList(content.value, a).length);
  const length = path.length === 0 ? 0 : readList(content.value, path).length;
  if (length <= ENTRIES_PER_PART) return yield { content, locate: (at) => at, stopped: null };
  const prefix = `/${path.join('/')}/`;
  for (let [from, isStopped] = [0, false]; from < length && !isStopped; from += ENTRIES_PER_PART) {
    const to = Math.min(from + ENTRIES_PER_PART, length);
    const keep = (body: unknown, start: number): object =>
      replaceList(body, path, readList(body, path).slice(start, to));
    const value = keep(content.value, from);
    const exact = content.exact === content.value ? value : keep(content.exact, from);
    const locate = (at: string): string => {
      const [index = '', ...rest] = at.slice(prefix.length).split('/');
      return at.startsWith(prefix) ? prefix + [Number(index) + from, ...rest].join('/') : at;
    };
    isStopped = to < length && isOver();
    const share = { judged: to, of: content.share?.of ?? length };
    yield {
      content: { ...content, value, exact },
      locate,
      stopped: isStopped ? { share, exact: keep(content.exact, 0) } : null,
    };
  }
}

/** Judges one exchange. Never throws. If `isOver` returns true, the rest of a long list is not judged. */
export function judge(exchange: Exchange, isOver: () => boolean = () => false): Judgement {
  const { answer, kind } = exchange;
  const operation = operations[exchange.operation];
  const form = getQueryForm(operation, exchange.request.asked);
  const validate = getAnswerValidators(exchange);
  const judgement = openJudgement(exchange, validate);
  if (answer === null || classifyAnswer(answer) === 'lost') return judgement.conclude();
  const current: Case = { exchange, operation, form, answer, validate, judgement };
  if (answer.status >= 400) {
    if (kind === 'positive') judgeRefusal(current);
    return judgement.conclude();
  }
  const parsed = parseBody(answer);
  const { value, exact, share } = parsed.content;
  if (kind === 'probe') return judgement.conclude(readProbeOutcome(value, operation, validate), exact);
  if (!isReadable(current, parsed)) return judgement.conclude('malformed');
  const entries = validate.entryCounts(value);
  if (isRefusal(current, parsed.content)) return judgement.conclude('refused', exact, entries);
  checkSuccessAgainstOverlay(operation, answer, judgement);
  const isDone = readStatedSuccess(value, operation);
  let judgedContent: Pick<Content, 'share' | 'exact'> = { share, exact };
  for (const part of divideContent(parsed.content, validate, isOver)) {
    const wrongPlaces = judgePromises(current, part, isDone);
    if (wrongPlaces === null) return judgement.conclude('malformed', exact, entries, share);
    judgeExpectations(current, part, isDone, wrongPlaces);
    judgedContent = part.stopped ?? judgedContent;
  }
  if (isDone) recordRequestClauses(current);
  judgeByRules(current, judgedContent.exact, isDone);
  return judgement.conclude(isDone ? 'accepted' : 'declined', judgedContent.exact, entries, judgedContent.share);
}

/** Judges the body of a refusal: it must not show internal details. */
function judgeRefusal({ operation, answer, judgement }: Case): void {
  judgement.exercise(['service.no-internals']);
  const leak = findInformationLeak(decodeText(answer.bytes.subarray(0, MAX_SEARCHED_BYTES)));
  if (leak !== null)
    judgement.report({
      clause: 'service.no-internals',
      pointer: 'response/body',
      kind: 'internals',
      expected: 'an error body without internal details',
      received: leak,
    });
  checkRefusalAgainstOverlay(operation, answer, decodeText(answer.bytes), judgement);
}

const bodyFormatClauses: readonly ClauseId[] = [
  'service.content-type',
  'service.charset',
  'service.no-byte-order-mark',
  'service.no-duplicate-keys',
  'service.numbers-within-double',
];

/** True if the body is JSON. Reports what is wrong with its encoding. */
function isReadable({ operation, answer, judgement }: Case, { content, warnings }: ParsedBody): boolean {
  const { json } = operation.clauses;
  if (content.unreadable !== null) {
    const received =
      answer.bytes.length === 0
        ? `status ${answer.status} with an empty body`
        : `${content.unreadable}: ${truncate(content.text)}`;
    judgement.report({
      clause: json,
      pointer: 'response/body',
      kind: 'unreadable',
      expected: 'JSON in UTF-8',
      received,
    });
    return false;
  }
  judgement.exercise([json, ...bodyFormatClauses]);
  warnings.forEach(judgement.report);
  return true;
}

/** True if a 2xx answer has an error body in the place of data. Such a refusal needs a status of 4xx. */
function isRefusal({ operation, answer, validate, judgement }: Case, { value, text }: Content): boolean {
  judgement.exercise(['service.refusal-status']);
  if (!isErrorBody(value, validate)) return false;
  if (!operation.isDisguiseShownByRun)
    judgement.report({
      clause: 'service.refusal-status',
      pointer: 'response/status',
      kind: 'disguised',
      expected: 'a status of 4xx for a refusal',
      received: `status ${answer.status} with ${truncate(text)}`,
    });
  return true;
}

/** Judges an answer by the document. Returns the places with faults, or null if the body has no readable `data`. */
function judgePromises(
  { operation, validate, judgement }: Case,
  { content, locate }: Part,
  isDone: boolean,
): ReadonlySet<string> | null {
  const { report } = judgement;
  const completeness = isDone ? null : operation.declinedClause;
  const { faults, exercised, undecided } = validate.promises(content);
  judgement.exercise(exercised);
  judgement.leaveUndecided(...undecided);
  if (completeness !== null) judgement.exercise([completeness]);
  if (hasMisplacedFields(content.value, validate)) {
    report({
      clause: validate.envelope,
      pointer: '/data',
      kind: 'misplaced',
      expected: 'the documented fields directly in data',
      received: quoteValue((content.exact as JsonObject)['data']),
    });
    return null;
  }
  const wrongPlaces = new Set<string>();
  let isEnvelopeBroken = false;
  for (const fault of faults) {
    const { clause, pointer, kind, isEmptyText } = fault;
    const instance = locate(fault.instance);
    wrongPlaces.add(instance);
    isEnvelopeBroken ||= isAboutEnvelope(fault);
    const isAbsent = kind === 'missing' || kind === 'null' || isEmptyText;
    const isExcused = completeness !== null && isAbsent && /^\/data\/[a-z_]+$/.test(pointer);
    report({ ...fault, instance, clause: isExcused ? completeness : clause });
  }
  return isEnvelopeBroken ? null : wrongPlaces;
}

const isAboutEnvelope = ({ pointer, clause }: Fault): boolean =>
  (pointer === '' || pointer === '/data') && clause !== 'service.additional-fields' && !isVendorClause(clause);

/** Judges the expectations about an answer, but not at places with a fault. If the bank declined, texts may be empty. */
function judgeExpectations(
  { validate, judgement }: Case,
  { content, locate }: Part,
  isDone: boolean,
  wrongPlaces: ReadonlySet<string>,
): void {
  const { faults, exercised, undecided } = validate.expectations(content);
  judgement.exercise(exercised);
  judgement.leaveUndecided(...undecided);
  for (const fault of faults) {
    const instance = locate(fault.instance);
    if (!wrongPlaces.has(instance) && (isDone || !fault.isEmptyText)) judgement.report({ ...fault, instance });
  }
}

function judgeByRules({ exchange, operation, form, judgement }: Case, exact: unknown, succeeded: boolean): void {
  const context = {
    exchange,
    form,
    body: exact,
    data: (exact as JsonObject)['data'],
    succeeded,
    check(clause: ClauseId, pointer: string, holds: boolean, expected: string, received: () => string): void {
      judgement.exercise([clause]);
      if (!holds) judgement.report({ clause, pointer, kind: 'rule', expected, received });
    },
  };
  for (const rule of operation.rules) rule(context);
  checkTexts(operation, context);
}

const readHeaderClauses = memoizeByObject(
  ({ headers }: Operation) => new Map(headers.map(({ name, clause }) => [name.toLowerCase(), clause])),
);

/** Records the clauses of the request: an accepted request shows that the bank accepts its path, inputs and header fields. */
function recordRequestClauses({ exchange, operation, judgement }: Case): void {
  const { asked, headers } = exchange.request;
  const documented = readHeaderClauses(operation);
  const clauses: ClauseId[] = [operation.clauses.path, operation.clauses.method];
  for (const { name, clause } of operation.inputs) if (name in asked) clauses.push(clause);
  let undocumentedCount = 0;
  for (const name of Object.keys(headers)) {
    const field = name.toLowerCase();
    const clause = documented.get(field);
    if (clause !== undefined) clauses.push(clause);
    else if (field !== 'user-agent') undocumentedCount += 1;
  }
  if (undocumentedCount === 0) clauses.push(areaFacts[operation.area].noOtherHeaders);
  judgement.exercise(clauses);
}
