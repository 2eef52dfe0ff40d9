/** What a bank of each area was built to do at open points, as its dialect card has to say it. */
import type { BankBehaviour } from '../../../fixtures/reference-bank/options/index.ts';
import type { ClauseId } from '../../../openapi/clauses/index.ts';
import type { OperationId } from '../../../openapi/model/exchange.ts';
import type { ObservedAnswer, Question, ReplyAnswer } from '../../../openapi/model/observation.ts';

/** One choice: what the report has to show of it where it shows the question at all. */
export interface Choice {
  readonly point: ClauseId;
  readonly operation: OperationId;
  readonly question: Question | null;
  /** The answer, or what its words match. */
  readonly answer: ObservedAnswer | RegExp;
}

/** A request that is taken, or refused, with this status. */
export const accepted = (status: number): ReplyAnswer => ({ reply: 'accepted', status });
export const refused = (status: number): ReplyAnswer => ({ reply: 'refused', status });

/** The choices of revolving loans. */
export function loansOf({ loans, refusals, answers }: BankBehaviour): Choice[] {
  const { order, outcome } = loans;
  const state = (operation: OperationId, question: string, isTaken: boolean, cause: number): Choice => ({
    point: 'loans.states',
    operation,
    question,
    answer: isTaken
      ? accepted(answers.status[operation])
      : { reply: cause < 300 ? 'no-data' : 'refused', status: cause },
  });
  const repeated = {
    new: 'another application',
    same: 'the same application',
    refused: refused(refusals.status.repeated),
  };
  const codes = outcome.overLimitErrors;
  return [
    {
      point: 'loans.order-id-repeated',
      operation: 'requestLoan',
      question: null,
      answer: repeated[order.repeatedOrder],
    },
    state('disburse', 'a disbursement without a contract', !order.contractRequired, refusals.status.outOfOrder),
    state(
      'queryDisbursement',
      'a query before the disbursement',
      order.earlyQuery === 'told',
      refusals.status.unknownEntity,
    ),
    {
      point: 'loans.amount-above-limit',
      operation: outcome.overLimit === 'told' ? 'queryDisbursement' : 'disburse',
      question: null,
      answer:
        outcome.overLimit === 'told'
          ? `accepted, with the outcome “${outcome.failure}”`
          : refused(refusals.status.business),
    },
    {
      point: 'loans.error-codes',
      operation: 'queryDisbursement',
      question: `with “${outcome.failure}”`,
      answer: codes.length === 0 ? 'none' : codes.join(' '),
    },
    {
      point: 'loans.error-codes',
      operation: 'queryDisbursement',
      question: `with “${outcome.success}”`,
      answer: 'none',
    },
    ...(loans.rules.outside === 'told'
      ? [
          {
            point: 'loans.result-values',
            operation: 'requestLoan',
            question: 'the result false',
            answer: 'without offers',
          } as const,
        ]
      : []),
    ...(loans.offers.minimum > 0
      ? [
          {
            point: 'loans.result-values',
            operation: 'requestLoan',
            question: 'the result true',
            answer: 'with offers',
          } as const,
        ]
      : []),
  ];
}

/** The choices of payment links. */
export function linksOf({ paymentLinks, refusals, answers }: BankBehaviour): Choice[] {
  const { rules, link, merchantList } = paymentLinks;
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
  const outside =
    rules.outside === 'refused' && rules.decimals === 2 && rules.minimum === '0.01' && rules.maximum === '1000000000';
  return [
    { point: 'links.expiry-period', operation: 'createPaymentLink', question: null, answer: lasting },
    {
      point: 'links.value-bounds',
      operation: 'createPaymentLink',
      question: 'a language code that does not exist',
      answer: rules.languages === null ? accepted(answers.status.createPaymentLink) : refused(refusals.status.business),
    },
    ...(outside
      ? [
          {
            point: 'links.value-bounds',
            operation: 'createPaymentLink',
            question: 'amounts',
            answer: 'no limit was seen',
          } as const,
        ]
      : []),
    ...(outside && merchantList.qrMaxAmount < 50_000
      ? [
          {
            point: 'links.amount-above-maximum',
            operation: 'createPaymentLink',
            question: null,
            answer: 'created',
          } as const,
        ]
      : []),
  ];
}

/** The choices of the ATM locator. */
export function atmsOf({ atms: { answer, request, network }, refusals, answers }: BankBehaviour): Choice[] {
  const operation = 'findAtms';
  const [taken, malformed] = [accepted(answers.status.findAtms), refused(refusals.status.malformed)];
  const told = (question: Question, isTaken: boolean): Choice => ({
    point: 'atms.required-parameters',
    operation,
    question,
    answer: isTaken ? taken : malformed,
  });
  const many = network.atms > 100 && network.coordinateDecimals > 1;
  const orders = { distance: 'closest first', 'farthest-first': 'farthest first', number: 'by number' };
  const exact = answer.radiusKm > 20_000;
  return [
    ...(many
      ? ([
          {
            point: 'atms.distance-unit',
            operation,
            question: null,
            // A long way in one unit is a short one in the other.
            answer:
              answer.unit !== 'm' && answer.detour > 1.6
                ? 'kilometres or miles'
                : { m: 'metres', km: 'kilometres', mi: 'miles' }[answer.unit],
          },
          {
            point: 'atms.distance-unit',
            operation,
            question: 'what is measured',
            answer: answer.detour === 1 ? 'straight lines' : 'routes, longer than straight lines',
          },
          { point: 'atms.ordering', operation, question: 'by position', answer: orders[answer.order] },
          { point: 'atms.ordering', operation, question: 'by province and district', answer: 'by number' },
          {
            point: 'atms.count',
            operation,
            question: 'by position',
            answer: answer.count > 288 ? /^\d+, all that are known$/ : new RegExp(`^(?:at most )?${answer.count}$`),
          },
          {
            point: 'atms.count',
            operation,
            question: 'distance of the farthest ATM',
            answer: exact ? 'no limit was seen' : `within ${answer.radiusKm} km`,
          },
        ] satisfies Choice[])
      : []),
    told({ without: 'latitude' }, false),
    told({ without: 'province_code' }, false),
    told({ without: 'district_code' }, request.provinceAlone === 'whole'),
    told('both forms', request.bothForms !== 'refused'),
    told('no parameter', request.noForm !== 'refused'),
    {
      point: 'atms.codes',
      operation,
      question: 'codes without ATMs',
      answer: request.unknownCodes === 'empty' ? 'no ATMs' : refused(refusals.status.unknownReference),
    },
    { point: 'atms.value-bounds', operation, question: 'latitude 91', answer: malformed },
    { point: 'atms.authorization-minded', operation, question: 'with an access token', answer: taken },
  ];
}
