/** Makes notes about applications, their accounts and their outcomes. */
import type { Exchange } from '../model/exchange.ts';
import type { Fact, LoanFact } from '../model/facts.ts';
import { isRejection, type Outcome } from '../model/outcome.ts';
import { getEntries, readMember } from '../rules/entries.ts';
import { digestText } from '../util/hash.ts';
import { toIdText, isSameId, areEqualAsDoubles } from '../util/ids.ts';
import { truncate } from '../util/truncate.ts';

export function listLoanFacts(exchange: Exchange, data: unknown, body: unknown): readonly LoanFact[] {
  const { application_id: id, result } = data as { application_id?: unknown; result?: unknown };
  if (exchange.operation === 'requestLoan' && typeof id === 'string')
    return [{ rule: 'application', id: toIdText(id) }];
  const application = toIdText(exchange.request.asked['application_id']);
  const [from, at] = exchange.ticks ?? [exchange.startedAt, exchange.startedAt + exchange.durationMs];
  if (exchange.operation === 'disburse') return [{ rule: 'disbursed', application, at }];
  if (exchange.operation !== 'queryDisbursement' || typeof result !== 'string') return [];
  // An answer that names another application says nothing about the requested application.
  if (typeof id === 'string' && !areEqualAsDoubles(id, application)) return [];
  const { errors } = body as { errors?: unknown };
  return [{ rule: 'outcome', application, text: truncate(result.trim()), errors: hasEntries(errors), from, at }];
}

/** True if `errors` contains an error, in any form. */
const hasEntries = (errors: unknown): boolean =>
  typeof errors === 'object' && errors !== null ? Object.keys(errors).length > 0 : Boolean(errors);

/** Statuses that mean "not found". 401 and 403 mean "no access". */
const NOT_FOUND_STATUSES = new Set([400, 404, 410, 422]);
/** At most this many offers are noted per answer. */
const MAX_NOTED_OFFERS = 20;

export function listApplicationIdFacts(exchange: Exchange, outcome: Outcome, data: unknown): readonly LoanFact[] {
  const { operation, request, answer } = exchange;
  const asked = request.asked['application_id'];
  if (operation === 'queryDisbursement' && outcome === 'refused') {
    const of = { application: toIdText(asked), from: exchange.ticks?.[0] ?? exchange.startedAt };
    if (answer !== null && answer.status < 300) return [{ rule: 'outcome-without-data', ...of }];
    return NOT_FOUND_STATUSES.has(answer?.status ?? 0) ? [{ rule: 'outcome-missing', ...of }] : [];
  }
  if (outcome !== 'accepted') return [];
  if (operation === 'requestLoan')
    return getEntries(readMember(data, 'infos'))
      .slice(0, MAX_NOTED_OFFERS)
      .flatMap(({ account_id: id, account, interest_rate: interest, commission_rate: commission }): LoanFact[] => {
        if (typeof id !== 'string' || typeof account !== 'string') return [];
        const rates = [Number(interest), Number(commission)] as const;
        return [
          {
            rule: 'account',
            id: toIdText(id),
            reference: digestText(account),
            rates: rates.every(isFinite) ? rates : null,
          },
        ];
      });
  const answered = readMember(data, 'application_id');
  if (asked === undefined || typeof answered !== 'string' || isSameId(answered, asked)) return [];
  return [{ rule: 'other-application', operation, asked: toIdText(asked), answered: toIdText(answered) }];
}

/** Makes a note about a request that may have changed an application. */
export function listChangeFacts(
  { operation, request, ticks, ...exchange }: Exchange,
  outcome: Outcome,
): readonly Fact<'changed'>[] {
  if ((operation !== 'approveContract' && operation !== 'disburse') || isRejection({ outcome })) return [];
  const [from, at] = ticks ?? [exchange.startedAt, exchange.startedAt + exchange.durationMs];
  const [application, account] = [request.asked['application_id'], request.asked['account_id']].map(toIdText);
  return [{ rule: 'changed', operation, application: String(application), account: String(account), from, at }];
}
