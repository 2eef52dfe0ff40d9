/** Makes the records of one exchange. */
import { parseDateTime } from '../contract/formats.ts';
import { operations } from '../contract/operations.ts';
import { getBodyText, getOrderIdType, type Exchange, type SentRequest } from '../model/exchange.ts';
import type { ExchangeRecord } from '../model/journal.ts';
import { isAnswered, isRejection, isRetryable, isThrottled, type Outcome } from '../model/outcome.ts';
import type { Inputs, RecordByKind, RecordKind, RunRecord } from '../model/record.ts';
import { getEntries, readMember } from '../rules/entries.ts';
import type { JsonObject } from '../contract/references.ts';
import { digestText } from '../util/hash.ts';
import { areEqualAsDoubles, isSameId, toIdText } from '../util/ids.ts';
import { truncate } from '../util/truncate.ts';
import { isErrorBody } from '../validation/envelope.ts';
import { findInformationLeak } from '../validation/information-leaks.ts';
import { getAnswerValidators } from '../validation/validators.ts';
import { quoteAnswer, readAnswer } from './answers.ts';
import { readAtmAnswer, readList } from './list-records.ts';

const INPUTS_NEW_EACH_TIME = new Set(['application_id', 'order_id', 'personal_description']);

export function getRepeatableInputs({ asked, body }: SentRequest): Inputs {
  const inputs: Record<string, string> = {};
  for (const [name, value] of Object.entries(asked)) if (!INPUTS_NEW_EACH_TIME.has(name)) inputs[name] = String(value);
  if ('order_id' in asked) inputs['type of order_id'] = getOrderIdType({ body }) ?? 'integer';
  if ('personal_description' in asked)
    inputs['length of personal_description'] = String(String(asked['personal_description']).length);
  return inputs;
}

type Add = <K extends RecordKind>(kind: K, record: RecordByKind[K]) => void;

/** Returns the records of an exchange; for a probe, only records of changes that the probe may have caused. */
export function readRecords(exchange: Exchange, outcome: Outcome, body: unknown): readonly RunRecord[] {
  const { id, operation, startedAt, durationMs } = exchange;
  const records: RunRecord[] = [];
  const add: Add = (kind, record) => void records.push({ kind, exchange: id, ...record } as unknown as RunRecord);
  const isDone = !isRejection({ outcome });
  if (operation === 'createPaymentLink' && isDone) add('payments', { from: startedAt, at: startedAt + durationMs });
  const change = readChange(exchange, outcome);
  if (change !== null) add('changes', change);
  if (exchange.kind === 'probe') return records;
  const data = readMember(body, 'data');
  addAnswer(add, exchange, outcome, body);
  if (operation === 'queryDisbursement' && outcome === 'refused') addMissingOutcome(add, exchange);
  if (outcome === 'accepted') addData(add, exchange, data, body);
  return records;
}

function addData(add: Add, exchange: Exchange, data: unknown, body: unknown): void {
  const { operation } = exchange;
  if (operation === 'requestLoan') addOffers(add, data);
  else addOtherApplication(add, exchange, data);
  if (operation === 'queryDisbursement' || operation === 'disburse') addOutcome(add, exchange, data, body);
  if (operation === 'listMerchants' || operation === 'listBranches') addBranches(add, exchange, data);
  if (operation === 'createPaymentLink') addLink(add, exchange, data);
  if (operation === 'findAtms') add('atmAnswers', readAtmAnswer(exchange, data));
  const list = readList(exchange, data);
  if (list !== null) add('lists', list);
}

function findSubjectId({ operation, request: { asked } }: Exchange): string | undefined {
  const id = operation === 'requestLoan' ? asked['order_id'] : asked['application_id'];
  return id === undefined ? undefined : toIdText(id);
}

function findApplicationState({ operation }: Exchange, body: unknown): string | undefined {
  if (operation === 'requestLoan')
    return getEntries(readMember(readMember(body, 'data'), 'infos')).length === 0 ? 'no offers' : undefined;
  if (operation !== 'queryDisbursement') return undefined;
  const text = String(readMember(readMember(body, 'data'), 'result')).replaceAll(/\d+/g, '…');
  const errors = readMember(body, 'errors');
  return truncate(Array.isArray(errors) && errors.length > 0 ? `${text} with errors` : text);
}

function addAnswer(add: Add, exchange: Exchange, outcome: Outcome, body: unknown): void {
  const { answer, failure, operation } = exchange;
  const wasAnswered = isAnswered({ outcome });
  const subject = findSubjectId(exchange);
  const state = wasAnswered ? findApplicationState(exchange, body) : undefined;
  add('answers', {
    operation,
    outcome,
    at: exchange.startedAt,
    what: answer === null ? (failure?.message ?? 'no answer') : `status ${answer.status}`,
    status: answer?.status ?? null,
    asked: getRepeatableInputs(exchange.request),
    ...(isRetryable(answer) && !wasAnswered && outcome !== 'lost' ? { isRetryable: true } : {}),
    ...(subject === undefined ? {} : { subject }),
    ...(state === undefined ? {} : { state }),
  });
}

/** Returns when an exchange was sent and answered: ticks of the session, or milliseconds since the epoch. */
const readTimes = ({ ticks, startedAt, durationMs }: Exchange) =>
  ticks === undefined ? { from: startedAt, at: startedAt + durationMs } : { from: ticks[0], at: ticks[1] };

export function readChange(exchange: Exchange, outcome: Outcome): RecordByKind['changes'] | null {
  const { operation, request } = exchange;
  if ((operation !== 'approveContract' && operation !== 'disburse') || isRejection({ outcome })) return null;
  const { application_id: application, account_id: account } = request.asked;
  return { operation, application: toIdText(application), account: toIdText(account), ...readTimes(exchange) };
}

/** Statuses that mean "not found". 401 and 403 mean "no access". */
const NOT_FOUND_STATUSES = new Set([400, 404, 410, 422]);

function addMissingOutcome(add: Add, exchange: Exchange): void {
  const status = exchange.answer?.status ?? 0;
  const missing = { application: toIdText(exchange.request.asked['application_id']), from: readTimes(exchange).from };
  if (status < 300) add('outcomesWithoutData', missing);
  else if (NOT_FOUND_STATUSES.has(status)) add('missingOutcomes', missing);
}

const MAX_KEPT_OFFERS = 20;

function addOffers(add: Add, data: unknown): void {
  for (const offer of getEntries(readMember(data, 'infos')).slice(0, MAX_KEPT_OFFERS)) {
    const { account_id: id, account } = offer;
    if (typeof id !== 'string' || typeof account !== 'string') continue;
    const rates = { interest: Number(offer['interest_rate']), commission: Number(offer['commission_rate']) };
    const areNumbers = isFinite(rates.interest) && isFinite(rates.commission);
    add('accounts', {
      id: toIdText(id),
      text: truncate(id),
      reference: digestText(account),
      rates: areNumbers ? rates : null,
    });
  }
  const application = readMember(data, 'application_id');
  if (typeof application === 'string') add('applications', { id: toIdText(application), text: truncate(application) });
}

function addOtherApplication(add: Add, { operation, request }: Exchange, data: unknown): void {
  const asked = request.asked['application_id'];
  const answered = readMember(data, 'application_id');
  if (asked !== undefined && typeof answered === 'string' && !isSameId(answered, asked))
    add('otherApplications', { operation, asked: toIdText(asked), answered: toIdText(answered) });
}

const hasMembers = (errors: unknown): boolean =>
  typeof errors === 'object' && errors !== null ? Object.keys(errors).length > 0 : Boolean(errors);

function addOutcome(add: Add, exchange: Exchange, data: unknown, body: unknown): void {
  const application = toIdText(exchange.request.asked['application_id']);
  const { from, at } = readTimes(exchange);
  if (exchange.operation === 'disburse') return add('disbursed', { application, at });
  const answered = readMember(data, 'application_id');
  const result = readMember(data, 'result');
  // An answer that names another application says nothing about the requested application.
  if (typeof result !== 'string' || (typeof answered === 'string' && !areEqualAsDoubles(answered, application))) return;
  const errors = hasMembers(readMember(body, 'errors'));
  add('outcomes', { application, text: truncate(result.trim()), errors, from, at });
}

/** At most this many digits at the end of a token are read as a counter. */
const MAX_TOKEN_DIGITS = 18;

function digestNextToken(token: string): string | null {
  const digits = new RegExp(`\\d{1,${MAX_TOKEN_DIGITS}}$`).exec(token)?.[0];
  if (digits === undefined) return null;
  return digestText(token.slice(0, -digits.length) + String(BigInt(digits) + 1n).padStart(digits.length, '0'));
}

function addLink(add: Add, { request, startedAt, durationMs }: Exchange, data: unknown): void {
  const { order_id: orderId, payment_token: token, end_date: expiry } = data as JsonObject;
  add('links', {
    orderId: typeof orderId === 'string' ? digestText(orderId.toLowerCase().replaceAll(/[^0-9a-f]/g, '')) : null,
    token: typeof token === 'string' && token !== '' ? digestText(token) : null,
    nextToken: typeof token === 'string' ? digestNextToken(token) : null,
    expiry: typeof expiry === 'string' && parseDateTime(expiry) !== null ? expiry : null,
    from: startedAt,
    at: startedAt + durationMs,
    asked: getRepeatableInputs(request),
  });
}

const MAX_KEPT_BRANCHES = 50;

const digestName = (name: unknown): string | null =>
  typeof name === 'string' && name.trim() !== '' ? digestText(name.replaceAll(/\s+/g, '').toLowerCase()) : null;

function addBranches(add: Add, { operation, request, startedAt: at }: Exchange, data: unknown): void {
  const isOfMerchants = operation === 'listMerchants';
  const highest = readMember(data, 'qr_max_amount');
  if (isOfMerchants && typeof highest === 'number') add('highestAmounts', { amount: highest });
  const all = getEntries(readMember(data, isOfMerchants ? 'merchants' : 'branches'));
  const asked = isOfMerchants ? '' : toIdText(String(request.asked['merchant_no']));
  const named = all.slice(0, MAX_KEPT_BRANCHES).flatMap((entry) => {
    const merchant = isOfMerchants ? entry['merchant_no'] : asked;
    const branch = entry[isOfMerchants ? 'branch_code' : 'no'];
    const name = digestName(entry[isOfMerchants ? 'branch_name' : 'name']);
    if (name === null || merchant == null || branch == null) return [];
    return [{ merchant: toIdText(String(merchant)), branch: toIdText(String(branch)), name }];
  });
  add('branchLists', { isOfMerchants, asked, entries: all.length, named, at });
}

/** True for a 5xx, except a 501 after an undocumented HTTP method (RFC 9110, 15.6.2). */
export const isServerError = ({ operation, request, answer }: Exchange): boolean =>
  answer !== null &&
  answer.status >= 500 &&
  answer.status <= 599 &&
  (answer.status !== 501 || request.method === operations[operation].method);

export function readProbe(
  { control, repeats }: Pick<ExchangeRecord, 'control' | 'repeats'>,
  exchange: Exchange,
  outcome: Outcome,
): readonly RunRecord<'probes'>[] {
  const { id, operation, answer } = exchange;
  if (control === undefined && repeats === undefined) return [];
  const answered = readAnswer(exchange, outcome);
  const isError = isServerError(exchange);
  const isDisguised = answered.body !== undefined && isErrorBody(answered.body, getAnswerValidators(exchange));
  return [
    {
      ...{ kind: 'probes', exchange: id, operation, status: answered.status },
      ...(control === undefined ? {} : { control }),
      ...(repeats === undefined ? {} : { repeats }),
      isServerError: isError,
      isThrottled: isThrottled(answer),
      isRetryable: isRetryable(answer),
      isDisguised,
      leak: answered.accepted ? null : findInformationLeak(getBodyText(answer)),
      what: isError || isDisguised ? quoteAnswer(answered, 'response/status') : '',
    },
  ];
}
