/** Makes the records of loan answers: accounts, applications, changes of applications, and outcomes. */
import { toRecordedTimes, type RequestInputs, type Exchange } from '../../model/exchange.ts';
import type { AcceptedAnswer, AddRecord, LoggedDetails } from '../../model/operation.ts';
import type { RunRecord } from '../../model/record.ts';
import { getEntries, readMember } from '../../rules/entries.ts';
import { groupBy } from '../../util/group-by.ts';
import { digestText } from '../../util/hash.ts';
import { areEqualAsDoubles, isSameId, toIdText } from '../../util/ids.ts';
import { truncate } from '../../util/truncate.ts';

/** Records a contract or a disbursement that the bank did not refuse. */
export function addChange(exchange: Exchange, add: AddRecord): void {
  const { operation, request } = exchange;
  const { application_id: application, account_id: account } = request.asked;
  const ids = { application: toIdText(application), account: toIdText(account) };
  add('changes', { operation, ...ids, ...toRecordedTimes(exchange) });
}

/** Statuses that may mean “there is no such application”. 401 and 403 mean “no access”. */
const NOT_FOUND_STATUSES = new Set([400, 404, 410, 422]);

/** Records a query that the bank refused: with errors and 2xx, or with a status that means “not found”. */
export function addMissingOutcome(exchange: Exchange, add: AddRecord): void {
  const status = exchange.answer?.status ?? 0;
  const query = {
    application: toIdText(exchange.request.asked['application_id']),
    from: toRecordedTimes(exchange).from,
  };
  if (status < 300) add('outcomesWithoutData', query);
  else if (NOT_FOUND_STATUSES.has(status)) add('missingOutcomes', query);
}

const MAX_KEPT_OFFERS = 20;

/** Records the accounts that a loan answer offers, and its application. */
export function addOffers({ data }: AcceptedAnswer, add: AddRecord): void {
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

/** Records an answer that names another application than its request. */
export function addOtherApplication({ exchange, data }: AcceptedAnswer, add: AddRecord): void {
  const { operation, request } = exchange;
  const requestedId = request.asked['application_id'];
  const answeredId = readMember(data, 'application_id');
  if (requestedId !== undefined && typeof answeredId === 'string' && !isSameId(answeredId, requestedId))
    add('otherApplications', { operation, asked: toIdText(requestedId), answered: toIdText(answeredId) });
}

const hasMembers = (errors: unknown): boolean =>
  typeof errors === 'object' && errors !== null ? Object.keys(errors).length > 0 : Boolean(errors);

export function addDisbursement(answer: AcceptedAnswer, add: AddRecord): void {
  const { exchange } = answer;
  addOtherApplication(answer, add);
  add('disbursed', {
    application: toIdText(exchange.request.asked['application_id']),
    at: toRecordedTimes(exchange).at,
  });
}

export function addOutcome(answer: AcceptedAnswer, add: AddRecord): void {
  const { exchange, data, body } = answer;
  addOtherApplication(answer, add);
  const application = toIdText(exchange.request.asked['application_id']);
  const answeredId = readMember(data, 'application_id');
  const result = readMember(data, 'result');
  // An answer that names another application says nothing about the requested application.
  if (typeof result !== 'string' || (typeof answeredId === 'string' && !areEqualAsDoubles(answeredId, application)))
    return;
  const errors = hasMembers(readMember(body, 'errors'));
  add('outcomes', { application, text: truncate(result.trim()), errors, ...toRecordedTimes(exchange) });
}

/** Returns `no offers` for a loan answer without offers. */
export const readOfferState = (body: unknown): string | undefined =>
  getEntries(readMember(readMember(body, 'data'), 'infos')).length === 0 ? 'no offers' : undefined;

/** Returns the outcome text without numbers, and whether the outcome has errors. */
export function readOutcomeState(body: unknown): string {
  const text = String(readMember(readMember(body, 'data'), 'result')).replaceAll(/\d+/g, '…');
  const errors = readMember(body, 'errors');
  return truncate(Array.isArray(errors) && errors.length > 0 ? `${text} with errors` : text);
}

/** Returns the application that an accepted request opened or names. */
export function findApplication(facts: readonly RunRecord[], asked: RequestInputs): unknown {
  const newApplication = facts.find((fact): fact is RunRecord<'applications'> => fact.kind === 'applications');
  return newApplication?.id ?? asked['application_id'];
}

/** Returns a test that is false for a record about an application id that several loan answers have. */
export function openUniquenessTest(records: readonly RunRecord[]): (record: RunRecord) => boolean {
  const opened = records.filter((record): record is RunRecord<'applications'> => record.kind === 'applications');
  const applications = groupBy(opened, ({ id }) => id);
  return (record) => !('application' in record) || (applications.get(record.application)?.length ?? 0) < 2;
}

/** Returns the application of an accepted loan answer, with the offered accounts and limits in order. */
export function readApplication(data: unknown): LoggedDetails {
  const { application_id: id, infos } = data as { application_id?: unknown; infos?: unknown };
  if (typeof id !== 'string' || !Array.isArray(infos)) return {};
  const offers = infos as readonly ({ account_id?: unknown; avaliable_limit?: unknown } | null)[];
  const accounts = offers.map((offer) => String(offer?.account_id));
  return { opened: { id, accounts, limits: offers.map((offer) => offer?.avaliable_limit) } };
}
