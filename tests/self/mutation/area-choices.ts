/** What a bank of each area was built to do at open points, as its dialect card has to say it. */
import type { BankBehaviour } from '../../../fixtures/reference-bank/options/index.ts';
import type { ClauseId } from '../../../openapi/clauses/index.ts';
import type { OperationId } from '../../../openapi/model/exchange.ts';

/** One choice: what the report has to show of it where it shows the question at all. */
export interface Choice {
  readonly point: ClauseId;
  readonly operation: OperationId;
  readonly about: string | null;
  /** The value, or how it begins or ends. */
  readonly value: string | RegExp;
}

/** The choices of revolving loans. */
export function loansOf({ loans, refusals, answers }: BankBehaviour): Choice[] {
  const { order, outcome } = loans;
  const state = (operation: OperationId, about: string, isTaken: boolean, cause: number): Choice => ({
    point: 'loans.states',
    operation,
    about,
    value: isTaken
      ? `taken, status ${answers.status[operation]}`
      : `${cause < 300 ? 'answered without data' : 'refused'}, status ${cause}`,
  });
  const repeated = {
    new: 'another application',
    same: 'the same application',
    refused: `refused, status ${refusals.status.repeated}`,
  };
  const codes = outcome.overLimitErrors;
  return [
    { point: 'loans.order-id-repeated', operation: 'requestLoan', about: null, value: repeated[order.repeatedOrder] },
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
      about: null,
      value:
        outcome.overLimit === 'told'
          ? `taken, and told as “${outcome.failure}”`
          : `refused, status ${refusals.status.business}`,
    },
    {
      point: 'loans.error-codes',
      operation: 'queryDisbursement',
      about: `beside “${outcome.failure}”`,
      value: codes.length === 0 ? 'none' : codes.join(' '),
    },
    { point: 'loans.error-codes', operation: 'queryDisbursement', about: `beside “${outcome.success}”`, value: 'none' },
    ...(loans.rules.outside === 'told'
      ? [
          {
            point: 'loans.result-values',
            operation: 'requestLoan',
            about: 'the result false',
            value: 'without offers',
          } as const,
        ]
      : []),
    ...(loans.offers.least > 0
      ? [
          {
            point: 'loans.result-values',
            operation: 'requestLoan',
            about: 'the result true',
            value: 'with offers',
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
      : new RegExp(`^${period}, presumably in ${zone.replace('+', '\\+')}(?:, though|$)`);
  const outside =
    rules.outside === 'refused' && rules.decimals === 2 && rules.minimum === '0.01' && rules.maximum === '1000000000';
  return [
    { point: 'links.expiry-period', operation: 'createPaymentLink', about: null, value: lasting },
    {
      point: 'links.value-bounds',
      operation: 'createPaymentLink',
      about: 'a language that nobody speaks',
      value:
        rules.languages === null
          ? `taken, status ${answers.status.createPaymentLink}`
          : `refused, status ${refusals.status.business}`,
    },
    ...(outside
      ? [
          {
            point: 'links.value-bounds',
            operation: 'createPaymentLink',
            about: 'amounts',
            value: 'no bound was met',
          } as const,
        ]
      : []),
    ...(outside && merchantList.qrMaxAmount < 50_000
      ? [{ point: 'links.amount-above-maximum', operation: 'createPaymentLink', about: null, value: 'made' } as const]
      : []),
  ];
}

/** The choices of the ATM locator. */
export function atmsOf({ atms: { answer, request, network }, refusals, answers }: BankBehaviour): Choice[] {
  const operation = 'findAtms';
  const taken = `taken, status ${answers.status.findAtms}`;
  const refused = `refused, status ${refusals.status.malformed}`;
  const told = (about: string, isTaken: boolean): Choice => ({
    point: 'atms.required-parameters',
    operation,
    about,
    value: isTaken ? taken : refused,
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
            about: null,
            // A long way in one unit is a short one in the other.
            value:
              answer.unit !== 'm' && answer.detour > 1.6
                ? 'kilometres or miles'
                : { m: 'metres', km: 'kilometres', mi: 'miles' }[answer.unit],
          },
          {
            point: 'atms.distance-unit',
            operation,
            about: 'what is measured',
            value: answer.detour === 1 ? 'straight lines' : 'ways, longer than straight lines',
          },
          { point: 'atms.ordering', operation, about: 'by position', value: orders[answer.order] },
          { point: 'atms.ordering', operation, about: 'by province and district', value: 'by number' },
          {
            point: 'atms.count',
            operation,
            about: 'by position',
            value: answer.count > 288 ? /^\d+, all that are known$/ : new RegExp(`^(?:at most )?${answer.count}$`),
          },
          {
            point: 'atms.count',
            operation,
            about: 'reach of a position',
            value: exact ? 'no bound was met' : `within ${answer.radiusKm} km`,
          },
        ] satisfies Choice[])
      : []),
    told('without latitude', false),
    told('without province_code', false),
    told('without district_code', request.provinceAlone === 'whole'),
    told('both forms', request.bothForms !== 'refused'),
    told('no parameter', request.noForm !== 'refused'),
    {
      point: 'atms.codes',
      operation,
      about: 'codes that stand for nothing',
      value: request.unknownCodes === 'empty' ? 'no ATMs' : `refused, status ${refusals.status.unknownReference}`,
    },
    { point: 'atms.value-bounds', operation, about: 'latitude 91', value: refused },
    { point: 'atms.authorization-minded', operation, about: 'with an access token', value: taken },
  ];
}
