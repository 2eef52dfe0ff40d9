/** What an operation that never succeeded answered instead, or why it was not asked. */
import type { Area, OperationId } from '../../../openapi/model/exchange.ts';
import type { OperationReport } from '../../model/report.ts';
import { answersInWords, counted, grouped, listed } from '../../text/phrases.ts';
import { shortened } from '../../text/sanitize.ts';
import type { Limits } from './run-tally.ts';

/** Characters of an answer that a reason quotes. */
const MAX_BODY = 120;

/** The setting of the user that kept every request of an operation from being sent, or null. */
export function limitOn({ id, method }: OperationReport, { settings, caps }: Limits): string | null {
  if (
    ['1', 'true'].includes(settings?.['READ_ONLY']?.toLowerCase() ?? '') &&
    (method !== 'GET' || id === 'queryDisbursement')
  )
    return 'READ_ONLY allows GET requests only';
  if (caps === undefined) return null;
  if (['requestLoan', 'approveContract', 'disburse', 'queryDisbursement'].includes(id) && caps.applications === 0)
    return 'MAX_APPLICATIONS is 0';
  if (['disburse', 'queryDisbursement'].includes(id) && caps.disbursements === 0) return 'MAX_DISBURSEMENTS is 0';
  return id === 'createPaymentLink' && caps.links === 0 ? 'MAX_LINKS is 0' : null;
}

/** The operation whose answers give the ids that others of its area need. */
const giverOfIds: Readonly<Partial<Record<Area, OperationId>>> = {
  loans: 'requestLoan',
  'payment-links': 'listMerchants',
};

/** The lists that an operation takes its values from; without any of its own, those that its area begins with. */
const listsFor: Readonly<Partial<Record<OperationId, readonly OperationId[]>>> = {
  listInstallments: ['listBranches', 'listCurrencies'],
  createPaymentLink: ['listInstallments'],
};

/** Where the ids of an operation were looked for: in answers that came, and did not hold them. */
function whereIdsLacked(operation: OperationReport, source: OperationId, { operations }: Limits): string | null {
  const came = (ids: readonly OperationId[]): boolean =>
    ids.every((id) => operations.some((one) => one.id === id && one.successes > 0));
  const lists = [listsFor[operation.id] ?? [], [source]].find((ids) => ids.length > 0 && came(ids));
  return lists === undefined || lists.includes(operation.id) ? null : `in what ${listed(lists)} answered`;
}

export function whyNotAsked(operation: OperationReport, run: Limits): string {
  if (run.isRecorded === true) return 'the recording has no request for it';
  const limit = limitOn(operation, run);
  if (limit !== null) return `no request was sent, because ${limit}`;
  if (run.interrupted !== null) return 'no request was sent before the run ended';
  const asked = run.operations.filter(({ requests }) => requests > 0);
  if (asked.length > 0 && asked.every(({ requests, unanswered }) => unanswered === requests))
    return 'no request was sent, because no other was answered';
  const source = operation.id === 'validateLoan' ? undefined : giverOfIds[operation.area];
  const giver = run.operations.find(({ id }) => id === source);
  if (source === undefined || giver?.requests === 0) return 'no scenario that ran calls it';
  const silent = [...(listsFor[operation.id] ?? []), source].filter((id) =>
    run.operations.some((one) => one.id === id && one.requests > 0 && one.successes === 0),
  );
  if (silent.length > 0)
    return `no request was sent, because ${listed(silent)} never succeeded, where its ids come from`;
  const where = whereIdsLacked(operation, source, run);
  return `no request was sent, because the ids for it were not found${where === null ? '' : ` ${where}`}`;
}

/** What an operation that never succeeded answered instead. */
export function whatCame(operation: OperationReport, run: Limits): string {
  if (operation.requests === 0) return whyNotAsked(operation, run);
  const { requests, statuses, unanswered } = operation;
  const kinds = [...Object.keys(statuses), ...(unanswered > 0 ? ['no answer'] : [])];
  const came =
    kinds.length === 1
      ? `${requests === 1 ? 'the only request' : requests === 2 ? 'both requests' : `all ${grouped(requests)} requests`} got ${kinds[0]}`
      : `${counted(requests, 'request')} got ${answersInWords(statuses, unanswered)}`;
  const { declined = 0, malformed = 0 } = operation.outcomes;
  const share = (n: number, what: string): string[] =>
    n === 0
      ? []
      : [`${n === requests ? (n === 1 ? 'the answer' : 'each answer') : `${grouped(n)} of the answers`} ${what}`];
  const but = [
    ...share(declined, 'said that the outcome was false'),
    ...share(malformed, 'had no data in the documented form'),
  ];
  return `${came}${but.length > 0 ? `; ${listed(but)}` : ''}${inItsWords(operation, run)}`;
}

/** Why an answer that came counts as none; null where none came, or it is not known. */
export function unreadable({ ways }: OperationReport, { records }: Limits): string | null {
  const record = records?.get(ways.flow.exchange ?? ways.property.exchange ?? '');
  return record?.response == null ? null : (record.failure?.message ?? null);
}

/** The beginning of an answer with the most frequent status: the bank's own reason. */
export function inItsWords({ ways, statuses, requests }: OperationReport, { records }: Limits): string {
  const response = [ways.flow, ways.property]
    .map(({ exchange }) => records?.get(exchange ?? '')?.response)
    .find((one) => one != null && (statuses[one.status] ?? 0) * 2 > requests);
  const body = response?.encoding === 'utf-8' ? response.body.replace(/\s+/g, ' ').trim() : '';
  return body === '' ? '' : `, for example ${shortened(body, MAX_BODY)}`;
}
