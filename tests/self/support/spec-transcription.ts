/** The tables and sentences of the document, copied by hand, with the clauses for each of them. */
import type { CatalogueId } from '../../../openapi/catalogue.ts';
import type { OperationId } from '../../../openapi/model/exchange.ts';
import type { Section } from '../../../openapi/clauses/clause.ts';

/** A row of a table: the type of the field or parameter, and the clauses about the row. */
type Row = readonly [type: string, ...clauses: CatalogueId[]];
type Rows = Readonly<Record<string, Row>>;

/** The tables of one operation. */
export interface Stated {
  /** The method and the path, with the clauses about them. */
  readonly endpoint: readonly [endpoint: string, path: CatalogueId, method: CatalogueId];
  readonly parameters?: Rows;
  readonly request?: Rows;
  /** The fields below `data`. In their paths, `*` is any index of a list. */
  readonly answer: Rows;
}

const LOANS_PREFIX = '/api/bank/revolving-loans/v1';
const LINKS_PREFIX = '/api/bank/card/paybylink/v1';

export const readRowClauses = ([, ...clauses]: Row): readonly CatalogueId[] => clauses;

const makeLoanRequestRows = (name: 'validation' | 'application'): Rows => {
  const order = `loans.${name}.request.order-id` as const;
  return {
    amount: ['number', `loans.${name}.request.amount`],
    currency: ['string', `loans.${name}.request.currency`],
    commercial_disbursement: ['boolean', `loans.${name}.request.commercial-disbursement`],
    disbursement_purpose: ['boolean', `loans.${name}.request.disbursement-purpose`],
    order_id: ['string or integer', order, `${order}.text`, `${order}.integer`],
  };
};

/** Every row of every table about fields and endpoints. */
export const documentedTables: Readonly<Record<OperationId, Stated>> = {
  validateLoan: {
    endpoint: [`POST ${LOANS_PREFIX}/validations`, 'loans.validation.path', 'loans.validation.method'],
    request: makeLoanRequestRows('validation'),
    answer: { result: ['string', 'loans.validation.result', 'loans.validation.result.boolean'] },
  },
  requestLoan: {
    endpoint: [`POST ${LOANS_PREFIX}/loans`, 'loans.application.path', 'loans.application.method'],
    request: makeLoanRequestRows('application'),
    answer: {
      application_id: ['string', 'loans.application.id', 'loans.application.id.digits'],
      result: ['string', 'loans.application.result', 'loans.application.result.boolean'],
      infos: ['array', 'loans.application.infos'],
      'infos/*': ['object', 'loans.offer'],
      'infos/*/account_id': ['string', 'loans.offer.account-id', 'loans.offer.account-id.digits'],
      'infos/*/account': ['string', 'loans.offer.account'],
      'infos/*/avaliable_limit': ['string', 'loans.offer.limit', 'loans.offer.limit.decimals'],
      'infos/*/interest_rate': ['string', 'loans.offer.interest-rate', 'loans.offer.interest-rate.decimals'],
      'infos/*/interest_term': ['string', 'loans.offer.interest-term', 'loans.offer.interest-term.form'],
      'infos/*/commission_rate': ['string', 'loans.offer.commission-rate', 'loans.offer.commission-rate.decimals'],
    },
  },
  approveContract: {
    endpoint: [`POST ${LOANS_PREFIX}/contracts`, 'loans.contract.path', 'loans.contract.method'],
    request: {
      application_id: ['integer', 'loans.contract.request.application-id'],
      account_id: ['integer', 'loans.contract.request.account-id'],
    },
    answer: { application_id: ['string', 'loans.contract.application-id'] },
  },
  disburse: {
    endpoint: [`POST ${LOANS_PREFIX}/disbursements`, 'loans.disbursement.path', 'loans.disbursement.method'],
    request: {
      amount: ['number', 'loans.disbursement.request.amount'],
      account_id: ['integer', 'loans.disbursement.request.account-id'],
      currency: ['string', 'loans.disbursement.request.currency'],
      application_id: ['integer', 'loans.disbursement.request.application-id'],
      contract_approved: ['boolean', 'loans.disbursement.request.contract-approved'],
      customer_ip: ['string', 'loans.disbursement.request.customer-ip'],
    },
    answer: { application_id: ['string', 'loans.disbursement.application-id'] },
  },
  queryDisbursement: {
    endpoint: [`GET ${LOANS_PREFIX}/disbursements/{application_id}`, 'loans.outcome.path', 'loans.outcome.method'],
    parameters: { application_id: ['path string', 'loans.outcome.request.application-id'] },
    answer: { application_id: ['string', 'loans.outcome.application-id'], result: ['string', 'loans.outcome.result'] },
  },
  listMerchants: {
    endpoint: [`GET ${LINKS_PREFIX}/merchants`, 'links.merchants.path', 'links.merchants.method'],
    answer: {
      merchants: ['array', 'links.merchants.list'],
      'merchants/*': ['object', 'links.merchant'],
      'merchants/*/account_no': ['string', 'links.merchant.account-no'],
      'merchants/*/branch_code': ['integer', 'links.merchant.branch-code'],
      'merchants/*/merchant_name': ['string', 'links.merchant.name'],
      'merchants/*/merchant_no': ['integer', 'links.merchant.no'],
      'merchants/*/branch_name': ['string', 'links.merchant.branch-name'],
      qr_max_amount: ['number', 'links.merchants.qr-max-amount'],
      qr_max_amount_limit_message: ['string', 'links.merchants.qr-max-amount-message'],
      editable: ['boolean', 'links.merchants.editable'],
      edit_message: ['string', 'links.merchants.edit-message'],
    },
  },
  listCurrencies: {
    endpoint: [
      `GET ${LINKS_PREFIX}/merchants/{merchant_no}/available-currency-codes`,
      'links.currencies.path',
      'links.currencies.method',
    ],
    parameters: {
      merchant_no: ['path integer', 'links.merchant-no'],
      is_domestic: ['query boolean', 'links.currencies.request.is-domestic'],
    },
    answer: {
      currencies: ['array', 'links.currencies.list'],
      'currencies/*': ['object', 'links.currency'],
      'currencies/*/code': ['string', 'links.currency.code', 'links.currency.code.form'],
    },
  },
  listBranches: {
    endpoint: [`GET ${LINKS_PREFIX}/merchants/{merchant_no}/branches`, 'links.branches.path', 'links.branches.method'],
    parameters: { merchant_no: ['path integer', 'links.merchant-no'] },
    answer: {
      branches: ['array', 'links.branches.list'],
      'branches/*': ['object', 'links.branch'],
      'branches/*/no': ['integer', 'links.branch.no'],
      'branches/*/name': ['string', 'links.branch.name'],
    },
  },
  listInstallments: {
    endpoint: [
      `GET ${LINKS_PREFIX}/merchants/{merchant_no}/Installments`,
      'links.installments.path',
      'links.installments.method',
    ],
    parameters: {
      merchant_no: ['path integer', 'links.merchant-no'],
      branch_no: ['query integer', 'links.installments.request.branch-no'],
      currency_code: ['query string', 'links.installments.request.currency-code'],
      is_domestic: ['query boolean', 'links.installments.request.is-domestic'],
    },
    answer: {
      installments: ['array', 'links.installments.list'],
      'installments/*': ['object', 'links.installment'],
      'installments/*/value': ['integer', 'links.installment.value'],
      'installments/*/text': ['string', 'links.installment.text'],
    },
  },
  createPaymentLink: {
    endpoint: [`POST ${LINKS_PREFIX}/payment-links`, 'links.link.path', 'links.link.method'],
    request: {
      language_code: ['string', 'links.link.request.language-code'],
      branch_no: ['integer', 'links.link.request.branch-no'],
      personal_description: ['string', 'links.link.request.personal-description'],
      amount: ['number', 'links.link.request.amount'],
      merchant_no: ['integer', 'links.link.request.merchant-no'],
      installment: ['integer', 'links.link.request.installment'],
      currency_code: ['string', 'links.link.request.currency-code'],
      is_domestic: ['boolean', 'links.link.request.is-domestic'],
    },
    answer: {
      order_id: ['string', 'links.link.order-id', 'links.link.order-id.uuid'],
      payment_link: ['string', 'links.link.payment-link', 'links.link.payment-link.url', 'links.token-in-link'],
      payment_token: ['string', 'links.link.payment-token'],
      is_success: ['boolean', 'links.link.is-success'],
      end_date: ['string', 'links.link.end-date', 'links.link.end-date.form', 'links.link.end-date.exists'],
    },
  },
  findAtms: {
    endpoint: ['GET /api/v1/atms', 'atms.path', 'atms.method'],
    parameters: {
      latitude: ['query string', 'atms.request.latitude'],
      longitude: ['query string', 'atms.request.longitude'],
      province_code: ['query string', 'atms.request.province-code'],
      district_code: ['query string', 'atms.request.district-code'],
    },
    answer: {
      '*': ['object', 'atms.atm'],
      '*/atm_address': ['string', 'atms.address'],
      '*/atm_city': ['string', 'atms.city'],
      '*/atm_distance': ['integer', 'atms.distance', 'atms.no-distance'],
      '*/atm_district': ['string', 'atms.district'],
      '*/atm_latitude': ['number', 'atms.latitude', 'atms.latitude.degrees'],
      '*/atm_longitude': ['number', 'atms.longitude', 'atms.longitude.degrees'],
      '*/atm_name': ['string', 'atms.name'],
      '*/atm_no': ['string', 'atms.no', 'atms.no.digits', 'atms.no.same-text'],
    },
  },
};

const LOAN_CLAUSE_NAMES = ['validation', 'application', 'contract', 'disbursement', 'outcome'] as const;
const LINK_CLAUSE_NAMES = ['merchants', 'currencies', 'branches', 'installments', 'link'] as const;

/** Returns the clauses of all eleven operations whose id ends in `word`. */
const listClausesOfOperations = (word: 'json' | 'data'): readonly CatalogueId[] => [
  ...LOAN_CLAUSE_NAMES.map((name) => `loans.${name}.${word}` as const),
  ...LINK_CLAUSE_NAMES.map((name) => `links.${name}.${word}` as const),
  `atms.${word}`,
];

const listHeaders = (area: 'loans' | 'links'): readonly CatalogueId[] =>
  (['client-id', 'client-secret', 'authorization', 'content-type'] as const).map(
    (name) => `${area}.header.${name}` as const,
  );

/** The statements of the document outside of its tables, in other words. */
export const documentedSentences: readonly (readonly [Section, string, readonly CatalogueId[]])[] = [
  ['What the service does', 'Bodies are JSON', listClausesOfOperations('json')],
  ['What the service does', 'A success carries its content in data at the top', listClausesOfOperations('data')],
  [
    'Endpoints',
    'A position brings the closest ATMs, each with its distance',
    ['atms.distance', 'atms.closest', 'atms.closest.nearest'],
  ],
  ['Endpoints', 'Province and district bring ATMs without a distance', ['atms.no-distance']],
  ['Authentication', 'Loans: four headers', listHeaders('loans')],
  ['Authentication', 'Pay-by-link: the same four', listHeaders('links')],
  [
    'Authentication',
    'ATM locator: client id, client secret, Accept, no Authorization',
    ['atms.header.client-id', 'atms.header.client-secret', 'atms.header.accept', 'atms.header.no-authorization'],
  ],
  [
    'Authentication',
    'These headers and no others',
    ['loans.header.no-others', 'links.header.no-others', 'atms.header.no-others'],
  ],
  [
    'Errors',
    'The disbursement query can bring errors beside data',
    ['loans.outcome.errors', 'loans.outcome.error', 'loans.outcome.message'],
  ],
  ['Errors', 'A message is R, three digits and a semicolon', ['loans.outcome.message.code']],
  ['Errors', 'A code comes with the failure text', ['loans.outcome.text-and-errors']],
  [
    'Limits',
    'The merchant list gives the highest QR amount and explains it',
    ['links.merchants.qr-max-amount', 'links.merchants.qr-max-amount-message'],
  ],
  ['Limits', 'and whether it is editable', ['links.merchants.editable', 'links.merchants.edit-message']],
  ['Limits', 'A link expires', ['links.link.end-date', 'links.link.end-date.future']],
  ['Versioning', 'Every path carries v1', ['loans.validation.path', 'links.merchants.path', 'atms.path']],
];

/** Points that the document calls "not shown". */
export const clausesNotShown: readonly (readonly [Section, string, readonly CatalogueId[]])[] = [
  [
    'Resources and their fields',
    'Bounds and lengths, further currency and language codes',
    ['loans.value-bounds', 'links.value-bounds', 'atms.value-bounds'],
  ],
  ['States and transitions', 'States and transitions', ['loans.states', 'links.states']],
  ['States and transitions', 'The outcome texts', ['loans.outcome-texts']],
  ['Endpoints', 'Success statuses', ['service.success-status']],
  ['Endpoints', 'Required fields', ['loans.required-fields', 'links.required-fields', 'atms.required-parameters']],
  ['Endpoints', 'Unit, order and number of the ATMs', ['atms.distance-unit', 'atms.ordering', 'atms.count']],
  ['Authentication', 'How a token is had, how long it lives, what it opens', ['service.token']],
  ['Authentication', 'What missing or wrong credentials bring', ['service.credentials']],
  ['Events', 'Events, callbacks, notifications', ['service.events']],
  ['Errors', 'Statuses and bodies of refusals', ['service.error-status', 'service.error-body']],
  ['Errors', 'The error codes', ['loans.error-codes']],
  ['Limits', 'Rates, quotas, sizes', ['service.rate-limit']],
  ['Versioning', 'Change and deprecation', ['service.versioning']],
];
