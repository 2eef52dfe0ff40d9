/** The clauses of pay-by-link. */
import {
  defineLevels,
  citeSection,
  citeTable,
  FIELDS_SECTION,
  jsonBodySource,
  requiredFieldsGap,
} from '../../clauses/clause.ts';

const { must, mustIfShown, expected, money, robust, secure, observed } = defineLevels('payment-links');

export const endpointRow = citeTable('Endpoints', 'B. Pay-by-Link');
const currencyListEndpoint = endpointRow('GET /merchants/{merchant_no}/available-currency-codes');
const branchListEndpoint = endpointRow('GET /merchants/{merchant_no}/branches');
const installmentListEndpoint = endpointRow('GET /merchants/{merchant_no}/Installments');
const headerRow = citeTable('Authentication', 'Revolving Loans and Pay-by-Link');
const merchantListField = citeTable(FIELDS_SECTION, 'Merchant list');
export const merchantField = citeTable(FIELDS_SECTION, 'Merchant object');
const currencyListField = citeTable(FIELDS_SECTION, 'Currency list');
const branchListField = citeTable(FIELDS_SECTION, 'Branch list');
const installmentListField = citeTable(FIELDS_SECTION, 'Installment list');
export const linkRequestField = citeTable(FIELDS_SECTION, 'Payment link request');
export const linkResultField = citeTable(FIELDS_SECTION, 'Payment link result');
export const expirySource = citeSection('Limits', 'point 2');

// prettier-ignore
export const linkClauses = {
  // Authentication
  'links.header.client-id': must(headerRow('X-GW-client-id'), 'The bank accepts pay-by-link requests that send the client id in X-GW-client-id.'),
  'links.header.client-secret': must(headerRow('X-GW-client-secret'), 'The bank accepts pay-by-link requests that send the client secret in X-GW-client-secret.'),
  'links.header.authorization': must(headerRow('Authorization'), 'The bank accepts pay-by-link requests that send the access token as a bearer token.'),
  'links.header.content-type': must(headerRow('Content-Type'), 'The bank accepts pay-by-link requests that send Content-Type: application/json, with or without a body.'),
  'links.header.no-others': mustIfShown(headerRow(), 'The bank accepts pay-by-link requests whose header fields are only the documented ones.'),

  // GET /merchants
  'links.merchants.path': must(endpointRow('GET /merchants'), 'The path of the merchant list is /merchants, after the path prefix of pay-by-link.'),
  'links.merchants.method': must(endpointRow('GET /merchants'), 'The HTTP method for the merchant list is GET.'),
  'links.merchants.json': must(jsonBodySource, 'The answer with the merchant list is JSON in UTF-8.'),
  'links.merchants.data': must(jsonBodySource, 'The merchant list is in the top-level object "data".'),
  'links.merchants.list': must(merchantListField('merchants'), 'The merchants are in the array "merchants".'),
  'links.merchants.qr-max-amount': must(merchantListField('qr_max_amount'), 'The merchant list has the highest amount of a QR payment (qr_max_amount), a number.'),
  'links.merchants.qr-max-amount.not-negative': money(merchantListField('qr_max_amount'), 'The highest amount of a QR payment is not negative.'),
  'links.merchants.qr-max-amount.no-residue': money(merchantListField('qr_max_amount'), 'The highest amount of a QR payment has no rounding error, such as 1234.5600000000001.'),
  'links.merchants.qr-max-amount-message': must(merchantListField('qr_max_amount_limit_message'), 'The merchant list has a message about the highest amount of a QR payment: a string, possibly empty.'),
  'links.merchants.editable': must(merchantListField('editable'), 'The merchant list has a field "editable" that is a boolean.'),
  'links.merchants.edit-message': must(merchantListField('edit_message'), 'The merchant list has a field "edit_message" that is a string, possibly empty.'),
  'links.merchant': must(merchantField(), 'Each entry of the merchant list is an object.'),
  'links.merchant.account-no': must(merchantField('account_no'), 'Each merchant has an account number that is a string.'),
  'links.merchant.branch-code': must(merchantField('branch_code'), 'Each merchant has a branch code that is an integer.'),
  'links.merchant.name': must(merchantField('merchant_name'), 'Each merchant has a name that is a string.'),
  'links.merchant.name.not-empty': expected(merchantField('merchant_name'), 'The name of a merchant is not empty.'),
  'links.merchant.no': must(merchantField('merchant_no'), 'Each merchant has a merchant number (merchant_no) that is an integer.'),
  'links.merchant.branch-name': must(merchantField('branch_name'), 'Each merchant has a branch name that is a string.'),
  'links.merchant.branch-name.not-empty': expected(merchantField('branch_name'), 'The branch name of a merchant is not empty.'),
  'links.merchant.distinct': expected(merchantField(), 'No two entries of the merchant list have the same merchant number and branch code.'),
  'links.merchant-no': must(endpointRow(), 'The bank finds a merchant by the merchant number (merchant_no) in the path.'),

  // GET /merchants/{merchant_no}/available-currency-codes
  'links.currencies.path': must(currencyListEndpoint, 'The path of the currency list is /merchants/{merchant_no}/available-currency-codes, after the path prefix of pay-by-link.'),
  'links.currencies.method': must(currencyListEndpoint, 'The HTTP method for the currency list is GET.'),
  'links.currencies.request.is-domestic': must(currencyListEndpoint, 'The bank accepts the query parameter is_domestic, a boolean, for the currency list.'),
  'links.currencies.json': must(jsonBodySource, 'The answer with the currency list is JSON in UTF-8.'),
  'links.currencies.data': must(jsonBodySource, 'The currency list is in the top-level object "data".'),
  'links.currencies.list': must(currencyListField('currencies'), 'The currencies of a merchant are in the array "currencies".'),
  'links.currency': must(currencyListField(), 'Each entry of the currency list is an object.'),
  'links.currency.code': must(currencyListField('code'), 'Each currency has a currency code that is a string.'),
  'links.currency.code.form': must(currencyListField('code'), 'A currency code is three letters.'),
  'links.currency.code.ordinary': expected(currencyListField('code'), 'A currency code has only capital letters from A to Z, or only small letters from a to z.'),
  'links.currency.distinct': expected(currencyListField('code'), 'No currency appears twice in one currency list.'),

  // GET /merchants/{merchant_no}/branches
  'links.branches.path': must(branchListEndpoint, 'The path of the branch list is /merchants/{merchant_no}/branches, after the path prefix of pay-by-link.'),
  'links.branches.method': must(branchListEndpoint, 'The HTTP method for the branch list is GET.'),
  'links.branches.json': must(jsonBodySource, 'The answer with the branch list is JSON in UTF-8.'),
  'links.branches.data': must(jsonBodySource, 'The branch list is in the top-level object "data".'),
  'links.branches.list': must(branchListField('branches'), 'The branches of a merchant are in the array "branches".'),
  'links.branch': must(branchListField(), 'Each entry of the branch list is an object.'),
  'links.branch.no': must(branchListField('no'), 'Each branch has a branch number that is an integer.'),
  'links.branch.name': must(branchListField('name'), 'Each branch has a name that is a string.'),
  'links.branch.name.not-empty': expected(branchListField('name'), 'The name of a branch is not empty.'),
  'links.branch.distinct': expected(branchListField('no'), 'No branch number appears twice in one branch list.'),

  // GET /merchants/{merchant_no}/Installments
  'links.installments.path': must(installmentListEndpoint, 'The path of the installment list is /merchants/{merchant_no}/Installments, with a capital I.'),
  'links.installments.method': must(installmentListEndpoint, 'The HTTP method for the installment list is GET.'),
  'links.installments.request.branch-no': must(installmentListEndpoint, 'The bank accepts the query parameter branch_no, an integer, for the installment list.'),
  'links.installments.request.currency-code': must(installmentListEndpoint, 'The bank accepts the query parameter currency_code, a string, for the installment list.'),
  'links.installments.request.is-domestic': must(installmentListEndpoint, 'The bank accepts the query parameter is_domestic, a boolean, for the installment list.'),
  'links.installments.json': must(jsonBodySource, 'The answer with the installment list is JSON in UTF-8.'),
  'links.installments.data': must(jsonBodySource, 'The installment list is in the top-level object "data".'),
  'links.installments.list': must(installmentListField('installments'), 'The installment options are in the array "installments".'),
  'links.installment': must(installmentListField(), 'Each entry of the installment list is an object.'),
  'links.installment.value': must(installmentListField('value'), 'Each installment option has a number of installments that is an integer.'),
  'links.installment.value.positive': money(installmentListField('value'), 'The number of installments of an installment option is one or more.'),
  'links.installment.text': must(installmentListField('text'), 'Each installment option has a label that is a string.'),
  'links.installment.text.not-empty': expected(installmentListField('text'), 'The label of an installment option is not empty.'),
  'links.installment.text.own-number': expected(installmentListField('text'), 'The label of an installment option does not name the number of installments of another option.'),
  'links.installment.distinct': expected(installmentListField('value'), 'No number of installments appears twice in one installment list.'),

  // POST /payment-links
  'links.link.path': must(endpointRow('POST /payment-links'), 'The path of the payment link request is /payment-links, after the path prefix of pay-by-link.'),
  'links.link.method': must(endpointRow('POST /payment-links'), 'The method of the payment link request is POST.'),
  'links.link.request.language-code': must(linkRequestField('language_code'), 'The bank accepts a payment link request whose language code is a string.'),
  'links.link.request.branch-no': must(linkRequestField('branch_no'), 'The bank accepts a payment link request whose branch number is an integer.'),
  'links.link.request.personal-description': must(linkRequestField('personal_description'), 'The bank accepts a payment link request whose description is a string.'),
  'links.link.request.amount': must(linkRequestField('amount'), 'The bank accepts a payment link request whose amount is a number.'),
  'links.link.request.merchant-no': must(linkRequestField('merchant_no'), 'The bank accepts a payment link request whose merchant number is an integer.'),
  'links.link.request.installment': must(linkRequestField('installment'), 'The bank accepts a payment link request whose number of installments is an integer from the installment list.'),
  'links.link.request.currency-code': must(linkRequestField('currency_code'), 'The bank accepts a payment link request whose currency code is a string.'),
  'links.link.request.is-domestic': must(linkRequestField('is_domestic'), 'The bank accepts a payment link request whose is_domestic is a boolean.'),
  'links.link.json': must(jsonBodySource, 'The answer to a payment link request is JSON in UTF-8.'),
  'links.link.data': must(jsonBodySource, 'The answer to a payment link request has its content in the top-level object "data".'),
  'links.link.order-id': must(linkResultField('order_id'), 'The answer to a payment link request has an order id that is a string.'),
  'links.link.order-id.uuid': must(linkResultField('order_id'), 'The order id of a payment link is a UUID.'),
  'links.link.order-id.canonical': expected(linkResultField('order_id'), 'The order id of a payment link is a UUID with four hyphens, in the form 8-4-4-4-12.'),
  'links.link.order-id.not-nil': expected(linkResultField('order_id'), 'The order id of a payment link is not the UUID that has only zeros.'),
  'links.link.payment-link': must(linkResultField('payment_link'), 'The answer to a payment link request has the payment link as a string.'),
  'links.link.payment-link.url': must(linkResultField('payment_link'), 'The payment link is a URL.'),
  'links.link.payment-link.absolute': expected(linkResultField('payment_link'), 'The payment link is an absolute http or https URL.'),
  'links.link.payment-link.no-script': secure(linkResultField('payment_link'), 'The payment link is not a javascript, vbscript or data URL.'),
  'links.link.payment-token': must(linkResultField('payment_token'), 'The answer to a payment link request has a payment token that is a string.'),
  'links.link.payment-token.not-empty': expected(linkResultField('payment_token'), 'The payment token is not empty.'),
  'links.token-in-link': must(linkResultField('payment_link'), 'The payment link (a URL) contains the payment token.'),
  'links.link.is-success': must(linkResultField('is_success'), 'The answer to a payment link request has a field "is_success" that is a boolean.'),
  'links.link.end-date': must(linkResultField('end_date'), 'The answer to a payment link request has the expiry time of the link as a string.'),
  'links.link.end-date.form': must(linkResultField('end_date'), 'The expiry time of a payment link is written in the format DD.MM.YYYY HH:MM:SS.'),
  'links.link.end-date.exists': must(linkResultField('end_date'), 'The expiry time of a payment link is a date and time that exist in the calendar.'),
  'links.link.end-date.ordinary': expected(linkResultField('end_date'), 'The expiry time of a payment link has no hour 24 and no second 60.'),
  'links.link.end-date.future': expected(expirySource, 'The expiry time of a payment link is later than the creation of the link.'),
  'links.link.refused.complete': expected(linkResultField(), 'The answer to a payment link request has all documented fields, even if is_success is false.'),

  // Behaviour
  'links.link.refusal-explained': robust(linkRequestField(), 'The bank refuses a value in a payment link request only if a business rule can explain the refusal.'),
  'links.listed-is-taken': robust(endpointRow(), 'The bank accepts the merchants, branches, currencies and installments of its own lists in later requests.'),
  'links.independence': expected(endpointRow(), 'Requests for one merchant do not change what the bank accepts for another merchant.'),

  // Open points
  'links.required-fields': observed(requiredFieldsGap, 'The document does not define which fields and query parameters of pay-by-link requests are required.'),
  'links.refusals': observed(citeSection('Errors', 'point 2'), 'The document does not define which pay-by-link requests the bank refuses, or which business rules explain the refusals.'),
  'links.value-bounds': observed(citeSection(FIELDS_SECTION, 'closing paragraph'), 'The document does not define the bounds and lengths of the fields of payment link requests, and the accepted languages.'),
  'links.amount-above-maximum': observed(citeSection('Limits', 'point 1'), 'The document does not define how the bank answers a payment link request for an amount above qr_max_amount.'),
  'links.expiry-period': observed(expirySource, 'The document does not define how long a payment link is valid, or which time zone its expiry time has.'),
  'links.unknown-branch': observed(linkRequestField('branch_no'), 'The document does not define how the bank answers a branch or currency that is not on the lists of the bank.'),
  'links.unknown-ids': observed(citeSection('Errors', 'point 2'), 'The document does not define how the bank answers unknown merchants and numbers of installments, and amounts of zero or less.'),
  'links.installments-path-case': observed(installmentListEndpoint, 'The document does not define whether the bank also accepts the path of the installment list in small letters.'),
  'links.states': observed(citeSection('States and transitions'), 'The document does not define the states of a payment link and of its order.'),
} as const;
