/** What the document states, table by table and sentence by sentence, written by hand, each with the clauses that say it. */
import type { ClauseId } from '../../../openapi/clauses/index.ts';
import type { OperationId } from '../../../openapi/model/exchange.ts';
import type { Section } from '../../../openapi/clauses/clause.ts';

type Fields = Readonly<Record<string, readonly ClauseId[]>>;

export interface Stated {
  /** Method, path and parameters. */
  readonly endpoint: readonly ClauseId[];
  readonly parameters?: Fields;
  readonly request?: Fields;
  readonly answer: Fields;
}

/** Every row of every table about fields and endpoints. */
export const tables: Readonly<Record<OperationId, Stated>> = {
  validateLoan: {
    endpoint: ['loans.validation.path', 'loans.validation.method'],
    request: {
      amount: ['loans.validation.request.amount'],
      currency: ['loans.validation.request.currency'],
      commercial_disbursement: ['loans.validation.request.commercial-disbursement'],
      disbursement_purpose: ['loans.validation.request.disbursement-purpose'],
      order_id: [
        'loans.validation.request.order-id',
        'loans.validation.request.order-id.text',
        'loans.validation.request.order-id.integer',
      ],
    },
    answer: { result: ['loans.validation.result', 'loans.validation.result.boolean'] },
  },
  requestLoan: {
    endpoint: ['loans.application.path', 'loans.application.method'],
    request: {
      amount: ['loans.application.request.amount'],
      currency: ['loans.application.request.currency'],
      commercial_disbursement: ['loans.application.request.commercial-disbursement'],
      disbursement_purpose: ['loans.application.request.disbursement-purpose'],
      order_id: [
        'loans.application.request.order-id',
        'loans.application.request.order-id.text',
        'loans.application.request.order-id.integer',
      ],
    },
    answer: {
      application_id: ['loans.application.id', 'loans.application.id.digits'],
      result: ['loans.application.result', 'loans.application.result.boolean'],
      infos: ['loans.application.infos'],
      'infos/*': ['loans.offer'],
      'infos/*/account_id': ['loans.offer.account-id', 'loans.offer.account-id.digits'],
      'infos/*/account': ['loans.offer.account'],
      'infos/*/avaliable_limit': ['loans.offer.limit', 'loans.offer.limit.decimals'],
      'infos/*/interest_rate': ['loans.offer.interest-rate', 'loans.offer.interest-rate.decimals'],
      'infos/*/interest_term': ['loans.offer.interest-term', 'loans.offer.interest-term.form'],
      'infos/*/commission_rate': ['loans.offer.commission-rate', 'loans.offer.commission-rate.decimals'],
    },
  },
  approveContract: {
    endpoint: ['loans.contract.path', 'loans.contract.method'],
    request: {
      application_id: ['loans.contract.request.application-id'],
      account_id: ['loans.contract.request.account-id'],
    },
    answer: { application_id: ['loans.contract.application-id'] },
  },
  disburse: {
    endpoint: ['loans.disbursement.path', 'loans.disbursement.method'],
    request: {
      amount: ['loans.disbursement.request.amount'],
      account_id: ['loans.disbursement.request.account-id'],
      currency: ['loans.disbursement.request.currency'],
      application_id: ['loans.disbursement.request.application-id'],
      contract_approved: ['loans.disbursement.request.contract-approved'],
      customer_ip: ['loans.disbursement.request.customer-ip'],
    },
    answer: { application_id: ['loans.disbursement.application-id'] },
  },
  queryDisbursement: {
    endpoint: ['loans.outcome.path', 'loans.outcome.method'],
    parameters: { application_id: ['loans.outcome.request.application-id'] },
    answer: { application_id: ['loans.outcome.application-id'], result: ['loans.outcome.result'] },
  },
  listMerchants: {
    endpoint: ['links.merchants.path', 'links.merchants.method'],
    answer: {
      merchants: ['links.merchants.list'],
      'merchants/*': ['links.merchant'],
      'merchants/*/account_no': ['links.merchant.account-no'],
      'merchants/*/branch_code': ['links.merchant.branch-code'],
      'merchants/*/merchant_name': ['links.merchant.name'],
      'merchants/*/merchant_no': ['links.merchant.no'],
      'merchants/*/branch_name': ['links.merchant.branch-name'],
      qr_max_amount: ['links.merchants.qr-max-amount'],
      qr_max_amount_limit_message: ['links.merchants.qr-max-amount-message'],
      editable: ['links.merchants.editable'],
      edit_message: ['links.merchants.edit-message'],
    },
  },
  listCurrencies: {
    endpoint: ['links.currencies.path', 'links.currencies.method'],
    parameters: { merchant_no: ['links.merchant-no'], is_domestic: ['links.currencies.request.is-domestic'] },
    answer: {
      currencies: ['links.currencies.list'],
      'currencies/*': ['links.currency'],
      'currencies/*/code': ['links.currency.code', 'links.currency.code.form'],
    },
  },
  listBranches: {
    endpoint: ['links.branches.path', 'links.branches.method'],
    parameters: { merchant_no: ['links.merchant-no'] },
    answer: {
      branches: ['links.branches.list'],
      'branches/*': ['links.branch'],
      'branches/*/no': ['links.branch.no'],
      'branches/*/name': ['links.branch.name'],
    },
  },
  listInstallments: {
    endpoint: ['links.installments.path', 'links.installments.method'],
    parameters: {
      merchant_no: ['links.merchant-no'],
      branch_no: ['links.installments.request.branch-no'],
      currency_code: ['links.installments.request.currency-code'],
      is_domestic: ['links.installments.request.is-domestic'],
    },
    answer: {
      installments: ['links.installments.list'],
      'installments/*': ['links.installment'],
      'installments/*/value': ['links.installment.value'],
      'installments/*/text': ['links.installment.text'],
    },
  },
  createPaymentLink: {
    endpoint: ['links.link.path', 'links.link.method'],
    request: {
      language_code: ['links.link.request.language-code'],
      branch_no: ['links.link.request.branch-no'],
      personal_description: ['links.link.request.personal-description'],
      amount: ['links.link.request.amount'],
      merchant_no: ['links.link.request.merchant-no'],
      installment: ['links.link.request.installment'],
      currency_code: ['links.link.request.currency-code'],
      is_domestic: ['links.link.request.is-domestic'],
    },
    answer: {
      order_id: ['links.link.order-id', 'links.link.order-id.uuid'],
      payment_link: ['links.link.payment-link', 'links.link.payment-link.url', 'links.token-in-link'],
      payment_token: ['links.link.payment-token'],
      is_success: ['links.link.is-success'],
      end_date: ['links.link.end-date', 'links.link.end-date.form', 'links.link.end-date.exists'],
    },
  },
  findAtms: {
    endpoint: ['atms.path', 'atms.method'],
    parameters: {
      latitude: ['atms.request.latitude'],
      longitude: ['atms.request.longitude'],
      province_code: ['atms.request.province-code'],
      district_code: ['atms.request.district-code'],
    },
    answer: {
      '*': ['atms.atm'],
      '*/atm_address': ['atms.address'],
      '*/atm_city': ['atms.city'],
      '*/atm_distance': ['atms.distance', 'atms.no-distance'],
      '*/atm_district': ['atms.district'],
      '*/atm_latitude': ['atms.latitude', 'atms.latitude.degrees'],
      '*/atm_longitude': ['atms.longitude', 'atms.longitude.degrees'],
      '*/atm_name': ['atms.name'],
      '*/atm_no': ['atms.no', 'atms.no.digits', 'atms.no.same-text'],
    },
  },
};

/** What the document states besides its tables, in our words. */
export const sentences: readonly (readonly [Section, string, readonly ClauseId[]])[] = [
  [
    'What the service does',
    'Bodies are JSON',
    [
      ...([
        'loans.validation.json',
        'loans.application.json',
        'loans.contract.json',
        'loans.disbursement.json',
        'loans.outcome.json',
      ] as const),
      ...([
        'links.merchants.json',
        'links.currencies.json',
        'links.branches.json',
        'links.installments.json',
        'links.link.json',
        'atms.json',
      ] as const),
    ],
  ],
  [
    'What the service does',
    'A success carries its content in data at the top',
    [
      ...([
        'loans.validation.data',
        'loans.application.data',
        'loans.contract.data',
        'loans.disbursement.data',
        'loans.outcome.data',
      ] as const),
      ...([
        'links.merchants.data',
        'links.currencies.data',
        'links.branches.data',
        'links.installments.data',
        'links.link.data',
        'atms.data',
      ] as const),
    ],
  ],
  ['Endpoints', 'A position brings the closest ATMs, each with its distance', ['atms.distance', 'atms.closest']],
  ['Endpoints', 'Province and district bring ATMs without a distance', ['atms.no-distance']],
  [
    'Authentication',
    'Loans: client id, client secret, bearer token, Content-Type',
    ['loans.header.client-id', 'loans.header.client-secret', 'loans.header.authorization', 'loans.header.content-type'],
  ],
  [
    'Authentication',
    'Pay-by-link: the same four',
    ['links.header.client-id', 'links.header.client-secret', 'links.header.authorization', 'links.header.content-type'],
  ],
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
    'The merchant list tells the highest QR amount and explains it',
    ['links.merchants.qr-max-amount', 'links.merchants.qr-max-amount-message'],
  ],
  ['Limits', 'and whether it is editable', ['links.merchants.editable', 'links.merchants.edit-message']],
  ['Limits', 'A link expires', ['links.link.end-date', 'links.link.end-date.future']],
  ['Versioning', 'Every path carries v1', ['loans.validation.path', 'links.merchants.path', 'atms.path']],
];

/** What the document says that it does not show. */
export const notShown: readonly (readonly [Section, string, readonly ClauseId[]])[] = [
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
