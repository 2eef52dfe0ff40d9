/** What a bank was built to choose at open points, read from its behaviour, in the words of an observation. */
import { isDeepStrictEqual } from 'node:util';
import {
  renderAnswer,
  renderQuestion,
  type BodyAnswer,
  type MembersAnswer,
} from '../../../openapi/model/observation.ts';
import { operations } from '../../../openapi/contract/operations.ts';
import { areas, operationIds, type OperationId } from '../../../openapi/model/exchange.ts';
import type { Variant } from '../../../fixtures/banks/lib/variant.ts';
import { withBehaviour, type BankBehaviour } from '../../../fixtures/reference-bank/options/index.ts';
import type { RefusalOptions } from '../../../fixtures/reference-bank/options/http.ts';
import type { Observation, Report } from '../../../reports/model/report.ts';
import { accepted, atmsOf, linksOf, loansOf, refused, type Choice } from './area-choices.ts';

const bodies: Readonly<Record<RefusalOptions['style'], BodyAnswer | RegExp>> = {
  'json-errors': /^application\/.*json \{"errors":\[\{"message":"string"\}\]\}$/,
  'null-data': /^application\/.*json \{"data":"null","errors":\[\{"message":"string"\}\]\}$/,
  nested: /^application\/.*json \{"error":\{"code":"string","message":"string"\}\}$/,
  problem: {
    mediaType: 'application/problem+json',
    body: { outline: '{"detail":"string","status":"number","title":"string","type":"string"}' },
  },
  text: { mediaType: 'text/plain', body: 'text' },
  html: { mediaType: 'text/html', body: 'page' },
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

function moreFields({ answers: { extraFields } }: BankBehaviour, id: OperationId): MembersAnswer {
  const names = [
    ...Object.keys(extraFields.envelope).map((name) => `/${name}`),
    ...(id === 'findAtms' ? [] : Object.keys(extraFields.data).map((name) => `/data/${name}`)),
    ...(lists[id] === undefined ? [] : Object.keys(extraFields.entries).map((name) => `${lists[id]}/${name}`)),
  ];
  return { members: names.sort() };
}

function answersOf(behaviour: BankBehaviour): Choice[] {
  const { answers, refusals, json, delivery } = behaviour;
  const spelling = { plain: '5', decimal: '5.0', exponent: '5e0' }[json.integers];
  const listed = Object.keys(answers.extraHeaders).filter((name) => name.startsWith('x-ratelimit'));
  return operationIds.flatMap((operation): Choice[] => [
    { point: 'service.success-status', operation, question: null, answer: String(answers.status[operation]) },
    ...(refusals.status.business === 200
      ? []
      : [{ point: 'service.error-body', operation, question: null, answer: bodies[refusals.style] } as const]),
    { point: 'service.additional-fields', operation, question: null, answer: moreFields(behaviour, operation) },
    { point: 'service.number-spelling', operation, question: null, answer: spelling },
    {
      point: 'service.rate-limit',
      operation,
      question: 'announced in headers',
      answer: listed.length === 0 ? 'no header about limits' : listed.join(', '),
    },
    {
      point: 'service.rate-limit',
      operation,
      question: 'after too many requests',
      answer: `${refusals.status.tooMany} with Retry-After ${/^\d+$/.test(delivery.retryAfter) ? 'in seconds' : 'as a date'}`,
    },
    {
      point: 'service.token',
      operation,
      question: null,
      answer: operation === 'findAtms' ? 'accepted without a token' : 'accepted with a bearer token',
    },
    ...(operation === 'createPaymentLink'
      ? [
          {
            point: 'service.token-headers',
            operation,
            question: 'cache-control',
            answer: answers.extraHeaders['cache-control'] ?? 'absent',
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
          question: `${how} ${credential}`,
          answer: refused(status),
        };
      }),
    );
  });
}

const requiredPoint = { loans: 'loans.required-fields', 'payment-links': 'links.required-fields' } as const;

function requestsOf({ requests, refusals, answers }: BankBehaviour): Choice[] {
  const malformed = refused(refusals.status.malformed);
  const omitted = (['validateLoan', 'listCurrencies', 'listInstallments'] as const).flatMap((operation) =>
    operations[operation].inputs
      .filter((input) => input.in !== 'path')
      .map(({ name }): Choice => ({
        point: requiredPoint[operations[operation].area as 'loans'],
        operation,
        question: { without: name },
        answer: requests.required[operation].includes(name) ? malformed : accepted(answers.status[operation]),
      })),
  );
  const taken = accepted(answers.status.validateLoan);
  const leniency = (question: string, tolerated: boolean): Choice => ({
    point: 'service.request-leniency',
    operation: 'validateLoan',
    question,
    answer: tolerated ? taken : malformed,
  });
  return [
    ...omitted,
    leniency('a number as text', requests.numberTexts === 'tolerated'),
    leniency('a boolean as text', requests.booleanTexts === 'tolerated'),
    leniency('a boolean as 1', false),
    leniency('an unknown field', requests.unknownFields === 'tolerated'),
    leniency('an array', false),
    {
      point: 'links.installments-path-case',
      operation: 'listInstallments',
      question: 'the path in small letters',
      answer:
        requests.paths === 'lenient' ? accepted(answers.status.listInstallments) : refused(refusals.status.unknownPath),
    },
    ...(['OPTIONS', 'GET'] as const).map((question): Choice => ({
      point: 'service.other-methods',
      operation: 'validateLoan',
      question,
      answer: refused(refusals.status.wrongMethod),
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

const aboutOf = ({ question }: Choice): string | null => (question === null ? null : renderQuestion(question));

const placeOf = (choice: Choice): string => [choice.point, choice.operation, aboutOf(choice) ?? []].flat().join(' ');

/** The observations on the question of a choice. */
function shownOf(observations: readonly Observation[], choice: Choice): readonly Observation[] {
  const { method, path } = operations[choice.operation];
  return observations.filter(
    (one) => one.point === choice.point && one.operation === `${method} ${path}` && one.about === aboutOf(choice),
  );
}

function agrees({ value, answer }: Observation, { answer: built }: Choice): boolean {
  return built instanceof RegExp ? built.test(value) : isDeepStrictEqual(answer ?? value, built);
}

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
      ({ choice, shown }) =>
        `${placeOf(choice)}: built as ${choice.answer instanceof RegExp ? String(choice.answer) : renderAnswer(choice.answer)}, shown as ${shown.map((one) => one.value).join(' | ')}`,
    );
  const unsaid = silent.map(({ choice }) => `${placeOf(choice)}: not shown`);
  return { compared: told.length, misread: [...misread, ...unsaid] };
}
