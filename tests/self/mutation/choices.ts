/** What a bank was built to choose at open points, read from its behaviour, in the words of an observation. */
import type { ClauseId } from '../../../openapi/clauses/index.ts';
import { operations } from '../../../openapi/contract/operations.ts';
import { areas, operationIds, type OperationId } from '../../../openapi/model/exchange.ts';
import type { Variant } from '../../../fixtures/banks/lib/variant.ts';
import { withBehaviour, type BankBehaviour } from '../../../fixtures/reference-bank/options/index.ts';
import type { RefusalOptions } from '../../../fixtures/reference-bank/options/http.ts';
import type { Observation, Report } from '../../../reports/model/report.ts';

/** One choice: what the report has to show of it where it shows the question at all. */
interface Choice {
  readonly point: ClauseId;
  readonly operation: OperationId;
  readonly about: string | null;
  /** The value, or how it begins or ends. */
  readonly value: string | RegExp;
}

const builtAs = (id: OperationId): keyof BankBehaviour['answers']['status'] =>
  id === 'createPaymentLink' ? 'createPaymentLink' : id;

const bodies: Readonly<Record<RefusalOptions['style'], RegExp>> = {
  'json-errors': /^application\/.*json \{"errors":\[\{"message":"string"\}\]\}$/,
  'null-data': /^application\/.*json \{"data":"null","errors":\[\{"message":"string"\}\]\}$/,
  nested: /^application\/.*json \{"error":\{"code":"string","message":"string"\}\}$/,
  problem: /^application\/problem\+json \{"detail":"string","status":"number","title":"string","type":"string"\}$/,
  text: /^text\/plain, text$/,
  html: /^text\/html, a page$/,
  empty: /^no body$/,
};

/** Where the entries of an answer stand. */
const lists: Partial<Record<OperationId, string>> = {
  requestLoan: '/data/infos/*',
  listMerchants: '/data/merchants/*',
  listCurrencies: '/data/currencies/*',
  listBranches: '/data/branches/*',
  listInstallments: '/data/installments/*',
  findAtms: '/data/*',
};

function moreFields({ answers: { extraFields } }: BankBehaviour, id: OperationId): string {
  const names = [
    ...Object.keys(extraFields.envelope).map((name) => `/${name}`),
    ...(id === 'findAtms' ? [] : Object.keys(extraFields.data).map((name) => `/data/${name}`)),
    ...(lists[id] === undefined ? [] : Object.keys(extraFields.entries).map((name) => `${lists[id]}/${name}`)),
  ];
  return names.length === 0 ? 'none' : names.sort().slice(0, 12).join(', ');
}

function answersOf(behaviour: BankBehaviour): Choice[] {
  const { answers, refusals, json, delivery } = behaviour;
  const spelling = { plain: '5', decimal: '5.0', exponent: '5e0' }[json.integers];
  const listed = Object.keys(answers.extraHeaders).filter((name) => name.startsWith('x-ratelimit'));
  return operationIds.flatMap((operation): Choice[] => [
    { point: 'service.success-status', operation, about: null, value: String(answers.status[builtAs(operation)]) },
    ...(refusals.status.business === 200
      ? []
      : [{ point: 'service.error-body', operation, about: null, value: bodies[refusals.style] } as const]),
    { point: 'service.additional-fields', operation, about: null, value: moreFields(behaviour, operation) },
    { point: 'service.number-spelling', operation, about: null, value: spelling },
    {
      point: 'service.rate-limit',
      operation,
      about: 'announced in headers',
      value: listed.length === 0 ? 'nothing is announced' : listed.join(', '),
    },
    {
      point: 'service.rate-limit',
      operation,
      about: 'when it is too much',
      value: `${refusals.status.tooMany} with Retry-After ${/^\d+$/.test(delivery.retryAfter) ? 'in seconds' : 'as a date'}`,
    },
    {
      point: 'service.token',
      operation,
      about: null,
      value: operation === 'findAtms' ? 'opened without a token' : 'opened with a bearer token',
    },
    ...(operation === 'createPaymentLink'
      ? [
          {
            point: 'service.token-headers',
            operation,
            about: 'cache-control',
            value: answers.extraHeaders['cache-control'] ?? 'absent',
          } as const,
        ]
      : []),
  ]);
}

function credentialsOf({ credentials, refusals }: BankBehaviour): Choice[] {
  return operationIds.flatMap((operation) => {
    if (!credentials.checked[operations[operation].area]) return [];
    return (['missing', 'wrong'] as const).flatMap((how) =>
      ['client-id', 'client-secret', 'token'].map((credential): Choice => {
        const status = refusals.status[how === 'missing' ? 'noCredentials' : 'wrongCredentials'];
        return {
          point: 'service.credentials',
          operation,
          about: `${how} ${credential}`,
          value: `refused, status ${status}`,
        };
      }),
    );
  });
}

const requiredPoint = { loans: 'loans.required-fields', 'payment-links': 'links.required-fields' } as const;

function requestsOf({ requests, refusals, answers }: BankBehaviour): Choice[] {
  const refused = `refused, status ${refusals.status.malformed}`;
  const omitted = (['validateLoan', 'listCurrencies', 'listInstallments'] as const).flatMap((operation) =>
    operations[operation].inputs
      .filter((input) => input.in !== 'path')
      .map(({ name }): Choice => ({
        point: requiredPoint[operations[operation].area as 'loans'],
        operation,
        about: `without ${name}`,
        value: requests.required[operation].includes(name) ? refused : `taken, status ${answers.status[operation]}`,
      })),
  );
  const taken = `taken, status ${answers.status.validateLoan}`;
  const leniency = (about: string, tolerated: boolean): Choice => ({
    point: 'service.request-leniency',
    operation: 'validateLoan',
    about,
    value: tolerated ? taken : refused,
  });
  return [
    ...omitted,
    leniency('a number as text', requests.numberTexts === 'tolerated'),
    leniency('a boolean as text', requests.booleanTexts === 'tolerated'),
    leniency('a boolean as 1', false),
    leniency('a field that nobody knows', requests.unknownFields === 'tolerated'),
    leniency('an array', false),
    {
      point: 'links.installments-path-case',
      operation: 'listInstallments',
      about: 'the path in small letters',
      value:
        requests.paths === 'lenient'
          ? `taken, status ${answers.status.listInstallments}`
          : `refused, status ${refusals.status.unknownPath}`,
    },
    ...(['OPTIONS', 'GET'] as const).map((about): Choice => ({
      point: 'service.other-methods',
      operation: 'validateLoan',
      about,
      value: `refused, status ${refusals.status.wrongMethod}`,
    })),
  ];
}

function loansOf({ loans, refusals, answers }: BankBehaviour): Choice[] {
  const { order, outcome } = loans;
  const state = (operation: OperationId, about: string, isTaken: boolean, cause: number): Choice => ({
    point: 'loans.states',
    operation,
    about,
    value: isTaken
      ? `taken, status ${answers.status[builtAs(operation)]}`
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

function linksOf({ paymentLinks, refusals, answers }: BankBehaviour): Choice[] {
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

function atmsOf({ atms: { answer, request, network }, refusals, answers }: BankBehaviour): Choice[] {
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

/** Every choice that can be read from the behaviour of a bank. */
function choicesOf(behaviour: BankBehaviour): readonly Choice[] {
  return [
    ...answersOf(behaviour),
    ...credentialsOf(behaviour),
    ...requestsOf(behaviour),
    ...loansOf(behaviour),
    ...linksOf(behaviour),
    ...atmsOf(behaviour),
  ];
}

/** The observations on the question of a choice. */
function shownOf(observations: readonly Observation[], { point, operation, about }: Choice): readonly Observation[] {
  const { method, path } = operations[operation];
  return observations.filter(
    (one) => one.point === point && one.operation === `${method} ${path}` && one.about === about,
  );
}

const agrees = ({ value: shown }: Observation, { value }: Choice): boolean =>
  typeof value === 'string' ? shown === value : value.test(shown);

/**
 * Compares the variant card of a bank with what the bank was built to do: on how many choices the card speaks, and those
 * of which it says something else. A bank that is wrapped, or lacks what has to be asked, is not all in its behaviour.
 */
export function compareCard(
  { behaviour, wrap, because }: Variant,
  { observations, target }: Report,
): { readonly compared: number; readonly misread: readonly string[] } {
  if (wrap !== undefined || because !== undefined) return { compared: 0, misread: [] };
  const all = choicesOf(withBehaviour(behaviour)).map((choice) => ({ choice, shown: shownOf(observations, choice) }));
  const told = all.filter(({ shown }) => shown.length > 0);
  // The ordinary bank has all that it takes to ask about the areas.
  const isOrdinary = behaviour === undefined && target.areas.length === areas.length;
  const silent = all.filter(
    ({ choice, shown }) => isOrdinary && shown.length === 0 && !choice.point.startsWith('service.'),
  );
  const misread = told
    .filter(({ choice, shown }) => !shown.every((one) => agrees(one, choice)))
    .map(
      ({ choice: { point, operation, about, value }, shown }) =>
        `${point} ${operation}${about === null ? '' : ` ${about}`}: built as ${String(value)}, shown as ${shown.map((one) => one.value).join(' | ')}`,
    );
  const unsaid = silent.map(({ choice: { point, operation, about } }) => `${point} ${operation} ${about}: not shown`);
  return { compared: told.length, misread: [...misread, ...unsaid] };
}
