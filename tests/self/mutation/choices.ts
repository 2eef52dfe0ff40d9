/** Lists the answers that a report must give to open points: the choices that the options of the bank make. */
import {
  renderAnswer,
  renderQuestion,
  type BodyAnswer,
  type MembersAnswer,
  type ObservedAnswer,
  type Question,
  type ReplyAnswer,
} from '../../../openapi/model/observation.ts';
import type { CatalogueId } from '../../../openapi/catalogue.ts';
import { getOperationName, operations } from '../../../openapi/contract/operations.ts';
import { operationIds, areas, type OperationId } from '../../../openapi/api.ts';
import type { ConformingBank } from '../../../fixtures/banks/lib/conforming-bank.ts';
import { withBehaviour, type BankBehaviour } from '../../../fixtures/reference-bank/options/index.ts';
import type { HttpOptions } from '../../../fixtures/reference-bank/options/http.ts';
import type { Report } from '../../../reports/model/report.ts';

/** A number of queries for a disbursement that is larger than in any test run. */
const UNREACHED_QUERY_COUNT = 100;

/** The expected answer to a question in the report. The report may also leave out the question. */
interface Choice {
  readonly point: CatalogueId;
  readonly operation: OperationId;
  readonly question: Question | null;
  /** The expected answer, or a pattern that matches the text of the answer. */
  readonly answer: ObservedAnswer | RegExp;
}

const makeChoice = (
  point: CatalogueId,
  operation: OperationId,
  question: Question | null,
  answer: ObservedAnswer | RegExp,
): Choice => ({ point, operation, question, answer });

const acceptedWith = (status: number): ReplyAnswer => ({ reply: 'accepted', status });
const refusedWith = (status: number): ReplyAnswer => ({ reply: 'refused', status });

function listLoanChoices({ loans, refusals, answers }: BankBehaviour): Choice[] {
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
  const lastWord = outcome.processingQueries < UNREACHED_QUERY_COUNT ? outcome.failure : outcome.processing;
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

function listLinkChoices({ paymentLinks, refusals, answers }: BankBehaviour): Choice[] {
  const { rules, link } = paymentLinks;
  const operation = 'createPaymentLink';
  const lasting = `${link.validMinutes + link.utcOffsetMinutes} minutes after the request, if the expiry is in UTC`;
  const unknown =
    rules.languages === null ? acceptedWith(answers.status[operation]) : refusedWith(refusals.status.business);
  return [
    makeChoice('links.expiry-period', operation, null, lasting),
    makeChoice('links.value-bounds', operation, 'a language code that does not exist', unknown),
  ];
}

function listAtmChoices({ atms: { answer, request, network }, refusals, answers }: BankBehaviour): Choice[] {
  const [taken, malformed] = [acceptedWith(answers.status.findAtms), refusedWith(refusals.status.malformed)];
  const observed = (point: CatalogueId, question: Question | null, value: ObservedAnswer | RegExp): Choice =>
    makeChoice(point, 'findAtms', question, value);
  const required = (question: Question, isTaken: boolean): Choice =>
    observed('atms.required-parameters', question, isTaken ? taken : malformed);
  const many = network.atms > 100 && network.coordinateDecimals > 1;
  const orders = { distance: 'closest first', 'farthest-first': 'farthest first', number: 'by number' };
  // A number may be a long distance in kilometres and a short distance in metres.
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

const bodyByRefusalStyle: Readonly<Record<HttpOptions['refusals']['style'], BodyAnswer | RegExp>> = {
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

/** The JSON pointer to the list in the answer of each operation. */
const listPointerByOperation: Partial<Record<OperationId, string>> = {
  requestLoan: '/data/infos/*',
  listMerchants: '/data/merchants/*',
  listCurrencies: '/data/currencies/*',
  listBranches: '/data/branches/*',
  listInstallments: '/data/installments/*',
  findAtms: '/data/*',
};

function readExtraFields({ answers: { extraFields } }: BankBehaviour, id: OperationId): MembersAnswer {
  const names = [
    ...Object.keys(extraFields.envelope).map((name) => `/${name}`),
    ...(id === 'findAtms' ? [] : Object.keys(extraFields.data).map((name) => `/data/${name}`)),
    ...(listPointerByOperation[id] === undefined
      ? []
      : Object.keys(extraFields.entries).map((name) => `${listPointerByOperation[id]}/${name}`)),
  ];
  return { members: names.sort() };
}

function listAnswerChoices(behaviour: BankBehaviour): Choice[] {
  const { answers, refusals, json, delivery } = behaviour;
  const spelling = { plain: '5', decimal: '5.0', exponent: '5e0' }[json.integers];
  const listed = Object.keys(answers.extraHeaders).filter((name) => name.startsWith('x-ratelimit'));
  const until = /^\d+$/.test(delivery.retryAfter) ? 'in seconds' : 'as a date';
  const throttled = `${refusals.status.tooMany} with Retry-After ${until}`;
  return [
    ...operationIds.flatMap((operation): Choice[] => {
      const observed = (point: CatalogueId, question: string | null, answer: Choice['answer']): Choice =>
        makeChoice(point, operation, question, answer);
      return [
        observed('service.success-status', null, String(answers.status[operation])),
        ...(refusals.status.business === 200
          ? []
          : [observed('service.error-body', null, bodyByRefusalStyle[refusals.style])]),
        observed('service.additional-fields', null, readExtraFields(behaviour, operation)),
        observed('service.number-spelling', null, spelling),
        observed('service.rate-limit', 'announced in headers', listed.join(', ') || 'no header about limits'),
        observed('service.rate-limit', 'after too many requests', throttled),
        observed('service.token', null, `accepted ${operation === 'findAtms' ? 'without a' : 'with a bearer'} token`),
      ];
    }),
    makeChoice(
      'service.token-headers',
      'createPaymentLink',
      'cache-control',
      answers.extraHeaders['cache-control'] ?? 'absent',
    ),
  ];
}

function listCredentialChoices({ credentials, refusals: { status } }: BankBehaviour): Choice[] {
  const operationsBehind = operationIds.filter((id) => credentials.checked[operations[id].area]);
  return operationsBehind.flatMap((operation) =>
    ['client-id', 'client-secret', 'token'].flatMap((credential) => [
      makeChoice('service.credentials', operation, `missing ${credential}`, refusedWith(status.noCredentials)),
      makeChoice('service.credentials', operation, `wrong ${credential}`, refusedWith(status.wrongCredentials)),
    ]),
  );
}

const requiredFieldsPoint = { loans: 'loans.required-fields', 'payment-links': 'links.required-fields' } as const;

function listRequestChoices({ requests, refusals, answers }: BankBehaviour): Choice[] {
  const malformed = refusedWith(refusals.status.malformed);
  const omitted = (['validateLoan', 'listCurrencies', 'listInstallments'] as const).flatMap((operation) =>
    operations[operation].inputs
      .filter((input) => input.in !== 'path')
      .map(({ name }) =>
        makeChoice(
          requiredFieldsPoint[operations[operation].area as 'loans'],
          operation,
          { without: name },
          requests.required[operation].includes(name) ? malformed : acceptedWith(answers.status[operation]),
        ),
      ),
  );
  const leniency = (question: string, isTolerated: boolean): Choice =>
    makeChoice(
      'service.request-leniency',
      'validateLoan',
      question,
      isTolerated ? acceptedWith(answers.status.validateLoan) : malformed,
    );
  const inSmallLetters =
    requests.paths === 'lenient'
      ? acceptedWith(answers.status.listInstallments)
      : refusedWith(refusals.status.unknownPath);
  return [
    ...omitted,
    leniency('a number as text', requests.numberTexts === 'tolerated'),
    leniency('a boolean as text', requests.booleanTexts === 'tolerated'),
    leniency('a boolean as 1', false),
    leniency('an unknown field', requests.unknownFields === 'tolerated'),
    leniency('an array', false),
    makeChoice('links.installments-path-case', 'listInstallments', 'the path in small letters', inSmallLetters),
    ...['OPTIONS', 'GET'].map((question) =>
      makeChoice('service.other-methods', 'validateLoan', question, refusedWith(refusals.status.wrongMethod)),
    ),
  ];
}

function listChoices(behaviour: BankBehaviour): readonly Choice[] {
  return [
    ...listAnswerChoices(behaviour),
    ...listCredentialChoices(behaviour),
    ...listRequestChoices(behaviour),
    ...listLoanChoices(behaviour),
    ...listLinkChoices(behaviour),
    ...listAtmChoices(behaviour),
  ];
}

/**
 * Compares the open points in a report with the options of the bank. Returns the number of choices that the report shows, and
 * the choices that the report shows wrongly. The options describe a bank only if its answers are not changed by other code.
 */
export function compareOpenPoints(
  { behaviour, wrap, because }: ConformingBank,
  { observations, target }: Report,
): { readonly compared: number; readonly misread: readonly string[] } {
  if (wrap !== undefined || because !== undefined) return { compared: 0, misread: [] };
  // The reference bank with default options has the test data for every question about the areas.
  const isOrdinary = behaviour === undefined && target.areas.length === areas.length;
  const misread: string[] = [];
  let compared = 0;
  for (const { point, operation, question, answer } of listChoices(withBehaviour(behaviour))) {
    const about = question === null ? null : renderQuestion(question);
    const built = answer instanceof RegExp ? answer : renderAnswer(answer);
    const shown = observations
      .filter((seen) => seen.point === point && seen.operation === getOperationName(operation) && seen.about === about)
      .map(({ value }) => value);
    const key = about === null ? `${point} ${operation}` : `${point} ${operation} ${about}`;
    if (shown.length > 0) compared += 1;
    else if (isOrdinary && !point.startsWith('service.')) misread.push(`${key}: not shown`);
    if (!shown.every((value) => (built instanceof RegExp ? built.test(value) : value === built)))
      misread.push(`${key}: built as ${String(built)}, shown as ${shown.join(' | ')}`);
  }
  return { compared, misread };
}
