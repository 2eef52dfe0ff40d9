/** What a bank was built to choose at open points, read from its behaviour, in the words of an observation. */
import { operations } from '../../../openapi/contract/operations.ts';
import { areas, operationIds, type OperationId } from '../../../openapi/model/exchange.ts';
import type { Variant } from '../../../fixtures/banks/lib/variant.ts';
import { withBehaviour, type BankBehaviour } from '../../../fixtures/reference-bank/options/index.ts';
import type { RefusalOptions } from '../../../fixtures/reference-bank/options/http.ts';
import type { Observation, Report } from '../../../reports/model/report.ts';
import { atmsOf, linksOf, loansOf, type Choice } from './area-choices.ts';

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
    { point: 'service.success-status', operation, about: null, value: String(answers.status[operation]) },
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
