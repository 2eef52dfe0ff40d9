/**
 * Judges one exchange: finds the outcome of the request, and each clause that the answer keeps or breaks. The steps for a 2xx answer:
 * read the body, find out whether it is a refusal, judge the promises of the document (`must`), the expectations (`should`), and the
 * rules that no schema can express. A long list is judged in parts.
 */
import { areaFacts } from './api.ts';
import { isVendorClause, type ClauseId } from './clauses/index.ts';
import { getQueryForm, operations, type Operation } from './contract/operations.ts';
import { decodeText, type Answer, type Exchange } from './model/exchange.ts';
import type { Collector, Fault, Text, Violation } from './model/finding.ts';
import type { Judgement } from './model/journal.ts';
import { classifyAnswer, type Outcome } from './model/outcome.ts';
import type { JsonObject } from './contract/references.ts';
import { checkRefusalAgainstOverlay, checkSuccessAgainstOverlay } from './rules/overlay.ts';
import { checkTexts } from './rules/texts.ts';
import { getOrSet } from './util/group-by.ts';
import { memoizeByObject, memoizeByText, VALUE_MEMORY_LIMITS } from './util/memoize.ts';
import { describeValueForm, shortenName, truncate } from './util/truncate.ts';
import { FURTHER_FORMS_TEXT, MAX_FORMS_PER_PLACE } from './util/value-form.ts';
import { isErrorBody, hasMisplacedFields, readProbeOutcome, readStatedSuccess } from './validation/envelope.ts';
import { findInformationLeak } from './validation/information-leaks.ts';
import { divideLongList, type LongListPart } from './validation/long-lists.ts';
import { parseBody, type Content, type ParsedBody } from './validation/parse-body.ts';
import { getAnswerValidators, quoteValue, type AnswerValidators } from './validation/validators.ts';

const MAX_SEARCHED_BYTES = 64 * 1024;

/** The exchange that is judged, and what the judgement needs. */
interface JudgedCase {
  readonly exchange: Exchange;
  readonly operation: Operation;
  readonly form: number;
  readonly answer: Answer;
  readonly validate: AnswerValidators;
  readonly judgement: OpenJudgement;
}

/** The result of the checks of one exchange, while they run. */
interface OpenJudgement extends Collector {
  /** Ends the judgement. For a 2xx answer, adds the outcome, the value and the entries of the body. */
  conclude(ofBody?: Outcome, value?: unknown, entries?: Judgement['entries'], share?: Judgement['share']): Judgement;
}

const renderText = (text: Text): string => (typeof text === 'string' ? text : text());

/** At most this many values per place of an answer are rendered: long lists would take too much time. */
const MAX_RENDERED_VALUES = 1000;

const describeForm = memoizeByText(describeValueForm, VALUE_MEMORY_LIMITS);

/** Collects the tested clauses and the violations of one exchange. Equal violations in a list become one with a count. */
function openJudgement(exchange: Exchange, validate: AnswerValidators): OpenJudgement {
  const exercised = new Set<ClauseId>();
  const undecided = new Set<ClauseId>();
  /** Violations by finding, and by the form of the received value. Many equal entries become one violation with a count. */
  const violationsByFinding = new Map<
    string,
    Map<string, { readonly first: Violation; readonly instances: Set<string> }>
  >();
  return {
    exercise(clauses) {
      for (const clause of clauses) exercised.add(clause);
    },
    leaveUndecided(...clauses) {
      for (const clause of clauses) undecided.add(clause);
    },
    report({ clause, pointer: place, kind, expected, received, instance = place }) {
      exercised.add(clause);
      const pointer = place.startsWith('/') ? validate.documentedPlace(place) : place;
      const forms = getOrSet(violationsByFinding, `${clause} ${pointer} ${kind}`, () => new Map());
      const formsAtPlace = [...forms.values()];
      const valueCount = formsAtPlace.reduce((sum, { instances: { size } }) => sum + size, 0);
      // Above the limit, values are not rendered. A value then counts as the only form until now, or as one of the further values.
      const unrenderedText = formsAtPlace.length === 1 ? formsAtPlace[0]!.first.received : FURTHER_FORMS_TEXT;
      const renderedText = valueCount < MAX_RENDERED_VALUES ? renderText(received) : unrenderedText;
      const exceedsMaxForms = forms.size >= MAX_FORMS_PER_PLACE && !forms.has(describeForm(renderedText));
      const receivedText = exceedsMaxForms ? FURTHER_FORMS_TEXT : renderedText;
      const { instances } = getOrSet(forms, describeForm(receivedText), () => {
        const texts = { expected: renderText(expected), received: receivedText };
        const place = instance === pointer ? {} : { instance: shortenName(instance) };
        const { id, operation } = exchange;
        const first: Violation = { clause, operation, pointer, kind, ...texts, exchange: id, ...place };
        return { first, instances: new Set<string>() };
      });
      instances.add(instance);
    },
    conclude(ofBody, value, entries = {}, share = null) {
      const violations = [...violationsByFinding.values()].flatMap((forms) => [...forms.values()]);
      const breaks = violations.map(({ first, instances: { size } }) => (size > 1 ? { ...first, count: size } : first));
      const outcome = classifyAnswer(exchange.answer, ofBody);
      return { outcome, exercised: [...exercised], undecided: [...undecided], breaks, entries, share, value };
    },
  };
}

/** Judges one exchange. Never throws. If `isOver` returns true, the rest of a long list is not judged. */
export function judge(exchange: Exchange, isOver: () => boolean = () => false): Judgement {
  const { answer, kind } = exchange;
  const operation = operations[exchange.operation];
  const form = getQueryForm(operation, exchange.request.asked);
  const validate = getAnswerValidators(exchange);
  const judgement = openJudgement(exchange, validate);
  if (answer === null || classifyAnswer(answer) === 'lost') return judgement.conclude();
  const judgedCase: JudgedCase = { exchange, operation, form, answer, validate, judgement };
  if (answer.status >= 400) {
    if (kind === 'positive') judgeRefusal(judgedCase);
    return judgement.conclude();
  }
  const parsed = parseBody(answer);
  const { value, exact, share } = parsed.content;
  if (kind === 'probe') return judgement.conclude(readProbeOutcome(value, operation, validate), exact);
  if (!isReadable(judgedCase, parsed)) return judgement.conclude('malformed');
  const entries = validate.entryCounts(value);
  if (isRefusal(judgedCase, parsed.content)) return judgement.conclude('refused', exact, entries);
  checkSuccessAgainstOverlay(operation, answer, judgement);
  const isDone = readStatedSuccess(value, operation);
  let judgedContent: Pick<Content, 'share' | 'exact'> = { share, exact };
  for (const part of divideLongList(parsed.content, validate.divisibleLists, isOver)) {
    const wrongPlaces = judgePromises(judgedCase, part, isDone);
    if (wrongPlaces === null) return judgement.conclude('malformed', exact, entries, share);
    judgeExpectations(judgedCase, part, isDone, wrongPlaces);
    judgedContent = part.stopped ?? judgedContent;
  }
  if (isDone) recordRequestClauses(judgedCase);
  judgeByRules(judgedCase, judgedContent.exact, isDone);
  return judgement.conclude(isDone ? 'accepted' : 'declined', judgedContent.exact, entries, judgedContent.share);
}

/** Judges the body of a refusal: it must not show internal details. */
function judgeRefusal({ operation, answer, judgement }: JudgedCase): void {
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
function isReadable({ operation, answer, judgement }: JudgedCase, { content, warnings }: ParsedBody): boolean {
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
function isRefusal({ operation, answer, validate, judgement }: JudgedCase, { value, text }: Content): boolean {
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
  { operation, validate, judgement }: JudgedCase,
  { content, locate }: LongListPart<Content>,
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
  { validate, judgement }: JudgedCase,
  { content, locate }: LongListPart<Content>,
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

function judgeByRules({ exchange, operation, form, judgement }: JudgedCase, exact: unknown, succeeded: boolean): void {
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
function recordRequestClauses({ exchange, operation, judgement }: JudgedCase): void {
  const { asked, headers } = exchange.request;
  const clauseByHeader = readHeaderClauses(operation);
  const clauses: ClauseId[] = [operation.clauses.path, operation.clauses.method];
  for (const { name, clause } of operation.inputs) if (name in asked) clauses.push(clause);
  let undocumentedCount = 0;
  for (const name of Object.keys(headers)) {
    const lowerCaseHeader = name.toLowerCase();
    const clause = clauseByHeader.get(lowerCaseHeader);
    if (clause !== undefined) clauses.push(clause);
    else if (lowerCaseHeader !== 'user-agent') undocumentedCount += 1;
  }
  if (undocumentedCount === 0) clauses.push(areaFacts[operation.area].noOtherHeaders);
  judgement.exercise(clauses);
}
