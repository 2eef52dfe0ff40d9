/** Lists a bank's choices at the open points of each area, as the report has to show them. */
import type { BankBehaviour } from '../../../fixtures/reference-bank/options/index.ts';
import type { ClauseId } from '../../../openapi/clauses/index.ts';
import type { OperationId } from '../../../openapi/model/exchange.ts';
import type { ObservedAnswer, Question, ReplyAnswer } from '../../../openapi/model/observation.ts';

/** No run makes this many queries for one disbursement. */
const MANY_QUERIES = 100;

/** One choice: what the report has to show if it shows the question at all. */
export interface Choice {
  readonly point: ClauseId;
  readonly operation: OperationId;
  readonly question: Question | null;
  /** The answer, or a pattern that its words match. */
  readonly answer: ObservedAnswer | RegExp;
}

export const makeChoice = (
  point: ClauseId,
  operation: OperationId,
  question: Question | null,
  answer: ObservedAnswer | RegExp,
): Choice => ({ point, operation, question, answer });

/** Makes the answer of a bank that accepts a request with this status. */
export const acceptedWith = (status: number): ReplyAnswer => ({ reply: 'accepted', status });
export const refusedWith = (status: number): ReplyAnswer => ({ reply: 'refused', status });

/** Returns the choices of the revolving loans. */
export function listLoanChoices({ loans, refusals, answers }: BankBehaviour): Choice[] {
  const { order, outcome, rules, offers } = loans;
  const state = (operation: OperationId, question: string, isTaken: boolean, cause: number): Choice =>
    makeChoice(
      'loans.states',
      operation,
      question,
      isTaken
        ? acceptedWith(answers.status[operation])
        : { ...refusedWith(cause), ...(cause < 300 ? { withoutData: true } : {}) },
    );
  const repeated = {
    new: 'another application',
    same: 'the same application',
    refused: refusedWith(refusals.status.repeated),
  };
  const codes = outcome.overLimitErrors;
  const lastWord = outcome.processingQueries < MANY_QUERIES ? outcome.failure : outcome.processing;
  const { outOfOrder, unknownEntity, business } = refusals.status;
  return [
    makeChoice('loans.order-id-repeated', 'requestLoan', null, repeated[order.repeatedOrder]),
    state('disburse', 'a disbursement without a contract', !order.contractRequired, outOfOrder),
    state('queryDisbursement', 'a query before the disbursement', order.earlyQuery === 'answered', unknownEntity),
    outcome.overLimit === 'answered'
      ? makeChoice('loans.amount-above-limit', 'queryDisbursement', null, `accepted, with the outcome “${lastWord}”`)
      : makeChoice('loans.amount-above-limit', 'disburse', null, refusedWith(business)),
    makeChoice(
      'loans.error-codes',
      'queryDisbursement',
      `with “${outcome.failure}”`,
      codes.length === 0 ? 'none' : codes.join(' '),
    ),
    makeChoice('loans.error-codes', 'queryDisbursement', `with “${outcome.success}”`, 'none'),
    ...(rules.outside === 'answered'
      ? [makeChoice('loans.result-values', 'requestLoan', 'the result false', 'without offers')]
      : []),
    ...(offers.minimum > 0 ? [makeChoice('loans.result-values', 'requestLoan', 'the result true', 'with offers')] : []),
  ];
}

/** Returns the choices of payment links. */
export function listLinkChoices({ paymentLinks, refusals, answers }: BankBehaviour): Choice[] {
  const { rules, link } = paymentLinks;
  const operation = 'createPaymentLink';
  const minutes: Readonly<Record<number, string>> = {
    5: '5 minutes',
    10: '10 minutes',
    1440: '24 hours',
    527_040: 'a year',
  };
  const zones: Readonly<Record<number, string>> = { 0: 'UTC', 840: 'UTC+14:00', [-720]: 'UTC-12:00' };
  const [period, zone] = [minutes[link.validMinutes], zones[link.utcOffsetMinutes]];
  const lasting =
    period === undefined || zone === undefined
      ? /^many years/
      : new RegExp(`^${period}, probably in ${zone.replace('+', '\\+')}(?: \\(in another|$)`);
  const unknown =
    rules.languages === null ? acceptedWith(answers.status[operation]) : refusedWith(refusals.status.business);
  return [
    makeChoice('links.expiry-period', operation, null, lasting),
    makeChoice('links.value-bounds', operation, 'a language code that does not exist', unknown),
  ];
}

/** Returns the choices of the ATM locator. */
export function listAtmChoices({ atms: { answer, request, network }, refusals, answers }: BankBehaviour): Choice[] {
  const [taken, malformed] = [acceptedWith(answers.status.findAtms), refusedWith(refusals.status.malformed)];
  const observed = (point: ClauseId, question: Question | null, value: ObservedAnswer | RegExp): Choice =>
    makeChoice(point, 'findAtms', question, value);
  const required = (question: Question, isTaken: boolean): Choice =>
    observed('atms.required-parameters', question, isTaken ? taken : malformed);
  const many = network.atms > 100 && network.coordinateDecimals > 1;
  const orders = { distance: 'closest first', 'farthest-first': 'farthest first', number: 'by number' };
  // A long distance in one unit may be a short distance in the other unit.
  const unit =
    answer.unit !== 'm' && answer.detour > 1.6
      ? 'kilometres or miles'
      : { m: 'metres', km: 'kilometres', mi: 'miles' }[answer.unit];
  const ways = answer.detour === 1 ? 'straight lines' : 'routes, longer than straight lines';
  const count = answer.count > 288 ? /^\d+, all that are known$/ : new RegExp(`^(?:at most )?${answer.count}$`);
  const reach = answer.radiusKm > 20_000 ? 'no limit was seen' : `within ${answer.radiusKm} km`;
  return [
    ...(many
      ? [
          observed('atms.distance-unit', null, unit),
          observed('atms.distance-unit', 'what is measured', ways),
          observed('atms.ordering', 'by position', orders[answer.order]),
          observed('atms.ordering', 'by province and district', 'by number'),
          observed('atms.count', 'by position', count),
          observed('atms.count', 'distance of the farthest ATM', reach),
        ]
      : []),
    required({ without: 'latitude' }, false),
    required({ without: 'province_code' }, false),
    required({ without: 'district_code' }, request.provinceAlone === 'whole'),
    required('both forms', request.bothForms !== 'refused'),
    required('no parameter', request.noForm !== 'refused'),
    observed(
      'atms.codes',
      'codes without ATMs',
      request.unknownCodes === 'empty' ? 'no ATMs' : refusedWith(refusals.status.unknownReference),
    ),
    observed('atms.value-bounds', 'latitude 91', malformed),
    observed('atms.authorization-minded', 'with a made-up access token', taken),
  ];
}
