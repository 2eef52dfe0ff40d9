/** Describes the answers of an operation that never succeeded, or why no request was sent. */
import type { Area, OperationId } from '../../../openapi/model/exchange.ts';
import type { OperationReport } from '../../model/report.ts';
import { describeAnswers, counted, grouped, joinWithAnd } from '../../text/phrases.ts';
import { shorten } from '../../text/sanitize.ts';
import type { RunContext } from './run-context.ts';

/** A reason quotes at most this many characters of an answer. */
const MAX_BODY_LENGTH = 120;

/** Returns the user setting that blocks all requests of an operation, or null. */
export function findLimit({ id }: OperationReport, { facts: { caps } }: RunContext): string | null {
  const limits: readonly (readonly [cap: number | undefined, name: string, operations: readonly OperationId[]])[] = [
    [caps?.applications, 'MAX_APPLICATIONS', ['requestLoan', 'approveContract', 'disburse', 'queryDisbursement']],
    [caps?.disbursements, 'MAX_DISBURSEMENTS', ['disburse', 'queryDisbursement']],
    [caps?.links, 'MAX_LINKS', ['createPaymentLink']],
  ];
  const [, name] = limits.find(([cap, , operations]) => cap === 0 && operations.includes(id)) ?? [];
  return name === undefined ? null : `${name} is 0`;
}

/** The operation whose answers give the ids for the other operations of its area. */
const idGivers: Readonly<Partial<Record<Area, OperationId>>> = {
  loans: 'requestLoan',
  'payment-links': 'listMerchants',
};

/** The lists from which an operation takes its values, if not only from `idGivers`. */
const requiredLists: Readonly<Partial<Record<OperationId, readonly OperationId[]>>> = {
  listInstallments: ['listBranches', 'listCurrencies'],
  createPaymentLink: ['listInstallments'],
};

export function explainNotAsked(operation: OperationReport, run: RunContext): string {
  const { operations, interrupted } = run;
  if (run.facts.recording !== undefined) return 'the recording has no request for it';
  const limit = findLimit(operation, run);
  if (limit !== null) return `no request was sent, because ${limit}`;
  if (interrupted !== null) return 'no request was sent before the run ended';
  const source = operation.id === 'validateLoan' ? undefined : idGivers[operation.area];
  const givers = operations.filter(({ id }) => id === source || requiredLists[operation.id]?.includes(id));
  if (!givers.some(({ id, requests }) => id === source && requests > 0)) return 'no scenario that ran calls it';
  const silent = givers.filter(({ requests, successes }) => requests > 0 && successes === 0);
  return silent.length > 0
    ? `no request was sent, because ${joinWithAnd(silent.map(({ id }) => id))} never succeeded, where its ids come from`
    : 'no request was sent, because the ids for it were not found';
}

export function describeOutcomes(operation: OperationReport, run: RunContext): string {
  const { requests, statuses, unanswered, outcomes } = operation;
  if (requests === 0) return explainNotAsked(operation, run);
  const kinds = [...Object.keys(statuses), ...(unanswered > 0 ? ['no answer'] : [])];
  const all =
    requests === 1 ? 'the only request' : requests === 2 ? 'both requests' : `all ${grouped(requests)} requests`;
  const came =
    kinds.length === 1
      ? `${all} got ${kinds[0]}`
      : `${counted(requests, 'request')} got ${describeAnswers(statuses, unanswered)}`;
  const but = [
    [outcomes.declined ?? 0, 'said that the outcome was false'] as const,
    [outcomes.malformed ?? 0, 'had no data in the documented form'] as const,
  ].flatMap(([count, what]) => {
    const some = count < requests ? `${grouped(count)} of the answers` : count === 1 ? 'the answer' : 'each answer';
    return count === 0 ? [] : `${some} ${what}`;
  });
  return `${came}${but.length > 0 ? `; ${joinWithAnd(but)}` : ''}${answerExample(operation, run)}`;
}

/** Quotes an answer with the most frequent status, or says why it is unreadable, as the end of a sentence. */
export function answerExample({ ways, statuses, requests }: OperationReport, { tallies }: RunContext): string {
  const records = [ways.flow, ways.property].flatMap(({ exchange }) => tallies.records.get(exchange ?? '') ?? []);
  const shown = records.find(({ response }) => response !== null && (statuses[response.status] ?? 0) * 2 > requests);
  const unread = records.find(({ response, failure }) => response !== null && failure !== null)?.failure?.message;
  const body = shown?.response?.encoding === 'utf-8' ? shown.response.body.replace(/\s+/g, ' ').trim() : '';
  const example = body === '' ? unread : shorten(body, MAX_BODY_LENGTH);
  return example === undefined ? '' : `, for example ${example.replace(/\.$/, '')}`;
}
