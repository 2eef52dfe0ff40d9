/** The clauses of pay-by-link. */
import { defineLevels, citeSection, citeTable, FIELDS_SECTION, jsonBodySource, requiredFieldsGap } from './levels.ts';

const { must, mustIfShown, expected, money, robust, secure, observed } = defineLevels('payment-links');

const endpointRow = citeTable('Endpoints', 'B. Pay-by-Link');
const headerRow = citeTable('Authentication', 'Revolving Loans and Pay-by-Link');
const merchantListField = citeTable(FIELDS_SECTION, 'Merchant list');
const merchantField = citeTable(FIELDS_SECTION, 'Merchant object');
const currencyListField = citeTable(FIELDS_SECTION, 'Currency list');
const branchListField = citeTable(FIELDS_SECTION, 'Branch list');
const installmentListField = citeTable(FIELDS_SECTION, 'Installment list');
const linkRequestField = citeTable(FIELDS_SECTION, 'Payment link request');
const linkResultField = citeTable(FIELDS_SECTION, 'Payment link result');
const expirySource = citeSection('Limits', 'point 2');

// One clause, one line.
// prettier-ignore
export const linkClauses = {
  // Authentication
  'links.header.client-id': must(headerRow('X-GW-client-id'), 'The bank accepts pay-by-link requests that send the client id in X-GW-client-id.'),
  'links.header.client-secret': must(headerRow('X-GW-client-secret'), 'The bank accepts pay-by-link requests that send the client secret in X-GW-client-secret.'),
  'links.header.authorization': must(headerRow('Authorization'), 'The bank accepts pay-by-link requests that send the access token as a bearer token.'),
  'links.header.content-type': must(headerRow('Content-Type'), 'The bank accepts pay-by-link requests that send Content-Type: application/json, with or without a body.'),
  'links.header.no-others': mustIfShown(headerRow(), 'The bank accepts pay-by-link requests that have only the documented header fields.'),
  'links.credentials.client-id': secure(headerRow('X-GW-client-id'), 'A pay-by-link request without the right client id gets no data.'),
  'links.credentials.client-secret': secure(headerRow('X-GW-client-secret'), 'A pay-by-link request without the right client secret gets no data.'),
  'links.credentials.token': secure(headerRow('Authorization'), 'A pay-by-link request without the right access token gets no data.'),

  // GET /merchants
  'links.merchants.path': must(endpointRow('GET /merchants'), 'The path of the merchant list is /merchants, under the prefix of pay-by-link.'),
  'links.merchants.method': must(endpointRow('GET /merchants'), 'The method of the merchant list is GET.'),
  'links.merchants.json': must(jsonBodySource, 'The merchant list is JSON in UTF-8.'),
  'links.merchants.data': must(jsonBodySource, 'The merchant list carries its content in the object data.'),
  'links.merchants.list': must(merchantListField('merchants'), 'The merchants are an array.'),
  'links.merchants.qr-max-amount': must(merchantListField('qr_max_amount'), 'The merchant list gives the highest amount of a QR payment as a number.'),
  'links.merchants.qr-max-amount.not-negative': money(merchantListField('qr_max_amount'), 'The highest amount of a QR payment is not negative.'),
  'links.merchants.qr-max-amount.no-residue': money(merchantListField('qr_max_amount'), 'The highest amount of a QR payment has no rounding error, such as 1234.5600000000001.'),
  'links.merchants.qr-max-amount-message': must(merchantListField('qr_max_amount_limit_message'), 'The merchant list has a message about the highest amount: a string that may be empty.'),
  'links.merchants.editable': must(merchantListField('editable'), 'The merchant list says with a boolean whether it is editable.'),
  'links.merchants.edit-message': must(merchantListField('edit_message'), 'The merchant list has a message about editing: a string that may be empty.'),
  'links.merchant': must(merchantField(), 'Each entry of the merchant list is an object.'),
  'links.merchant.account-no': must(merchantField('account_no'), 'Each merchant has an account number that is a string.'),
  'links.merchant.branch-code': must(merchantField('branch_code'), 'Each merchant has a branch code that is an integer.'),
  'links.merchant.name': must(merchantField('merchant_name'), 'Each merchant has a name that is a string.'),
  'links.merchant.name.not-empty': expected(merchantField('merchant_name'), 'The name of a merchant is not empty.'),
  'links.merchant.no': must(merchantField('merchant_no'), 'Each merchant has a number that is an integer.'),
  'links.merchant.branch-name': must(merchantField('branch_name'), 'Each merchant has a branch name that is a string.'),
  'links.merchant.branch-name.not-empty': expected(merchantField('branch_name'), 'The branch name of a merchant is not empty.'),
  'links.merchant.branch-name.own': expected(merchantField('branch_name'), 'The merchant list does not give a branch the name of another branch.'),
  'links.merchant.distinct': expected(merchantField(), 'No two entries of the merchant list have the same merchant number and branch code.'),
  'links.merchant-no': must(endpointRow(), 'The bank finds a merchant by the merchant number in the path.'),

  // GET /merchants/{merchant_no}/available-currency-codes
  'links.currencies.path': must(endpointRow('GET /merchants/{merchant_no}/available-currency-codes'), 'The path of the currency list is /merchants/{merchant_no}/available-currency-codes.'),
  'links.currencies.method': must(endpointRow('GET /merchants/{merchant_no}/available-currency-codes'), 'The method of the currency list is GET.'),
  'links.currencies.request.is-domestic': must(endpointRow('GET /merchants/{merchant_no}/available-currency-codes'), 'The currency list accepts the query parameter is_domestic, a boolean.'),
  'links.currencies.json': must(jsonBodySource, 'The currency list is JSON in UTF-8.'),
  'links.currencies.data': must(jsonBodySource, 'The currency list carries its content in the object data.'),
  'links.currencies.list': must(currencyListField('currencies'), 'The currencies are an array.'),
  'links.currency': must(currencyListField(), 'Each entry of the currency list is an object.'),
  'links.currency.code': must(currencyListField('code'), 'Each currency has a code that is a string.'),
  'links.currency.code.form': must(currencyListField('code'), 'A currency code is three letters.'),
  'links.currency.code.ordinary': expected(currencyListField('code'), 'A currency code has only letters from A to Z, or only letters from a to z.'),
  'links.currency.distinct': expected(currencyListField('code'), 'No currency appears twice in one list.'),

  // GET /merchants/{merchant_no}/branches
  'links.branches.path': must(endpointRow('GET /merchants/{merchant_no}/branches'), 'The path of the branch list is /merchants/{merchant_no}/branches.'),
  'links.branches.method': must(endpointRow('GET /merchants/{merchant_no}/branches'), 'The method of the branch list is GET.'),
  'links.branches.json': must(jsonBodySource, 'The branch list is JSON in UTF-8.'),
  'links.branches.data': must(jsonBodySource, 'The branch list carries its content in the object data.'),
  'links.branches.list': must(branchListField('branches'), 'The branches are an array.'),
  'links.branch': must(branchListField(), 'Each entry of the branch list is an object.'),
  'links.branch.no': must(branchListField('no'), 'Each branch has a number that is an integer.'),
  'links.branch.name': must(branchListField('name'), 'Each branch has a name that is a string.'),
  'links.branch.name.not-empty': expected(branchListField('name'), 'The name of a branch is not empty.'),
  'links.branch.distinct': expected(branchListField('no'), 'No two branches of one list have the same number.'),

  // GET /merchants/{merchant_no}/Installments
  'links.installments.path': must(endpointRow('GET /merchants/{merchant_no}/Installments'), 'The path of the installment list is /merchants/{merchant_no}/Installments, with a capital I.'),
  'links.installments.method': must(endpointRow('GET /merchants/{merchant_no}/Installments'), 'The method of the installment list is GET.'),
  'links.installments.request.branch-no': must(endpointRow('GET /merchants/{merchant_no}/Installments'), 'The installment list accepts the query parameter branch_no, an integer.'),
  'links.installments.request.currency-code': must(endpointRow('GET /merchants/{merchant_no}/Installments'), 'The installment list accepts the query parameter currency_code, a string.'),
  'links.installments.request.is-domestic': must(endpointRow('GET /merchants/{merchant_no}/Installments'), 'The installment list accepts the query parameter is_domestic, a boolean.'),
  'links.installments.json': must(jsonBodySource, 'The installment list is JSON in UTF-8.'),
  'links.installments.data': must(jsonBodySource, 'The installment list carries its content in the object data.'),
  'links.installments.list': must(installmentListField('installments'), 'The installment options are an array.'),
  'links.installment': must(installmentListField(), 'Each entry of the installment list is an object.'),
  'links.installment.value': must(installmentListField('value'), 'Each installment option has a number of installments that is an integer.'),
  'links.installment.value.positive': money(installmentListField('value'), 'A number of installments is one or more.'),
  'links.installment.text': must(installmentListField('text'), 'Each installment option has a label that is a string.'),
  'links.installment.text.not-empty': expected(installmentListField('text'), 'The label of an installment option is not empty.'),
  'links.installment.text.own-number': expected(installmentListField('text'), 'The label of an installment option does not name the number of another option.'),
  'links.installment.distinct': expected(installmentListField('value'), 'No number of installments appears twice in one list.'),

  // POST /payment-links
  'links.link.path': must(endpointRow('POST /payment-links'), 'The path of the payment link request is /payment-links, under the prefix of pay-by-link.'),
  'links.link.method': must(endpointRow('POST /payment-links'), 'The method of the payment link request is POST.'),
  'links.link.request.language-code': must(linkRequestField('language_code'), 'The bank accepts a payment link request whose language code is a string.'),
  'links.link.request.branch-no': must(linkRequestField('branch_no'), 'The bank accepts a payment link request whose branch number is an integer.'),
  'links.link.request.personal-description': must(linkRequestField('personal_description'), 'The bank accepts a payment link request whose description is a string.'),
  'links.link.request.amount': must(linkRequestField('amount'), 'The bank accepts a payment link request whose amount is a number.'),
  'links.link.request.merchant-no': must(linkRequestField('merchant_no'), 'The bank accepts a payment link request whose merchant number is an integer.'),
  'links.link.request.installment': must(linkRequestField('installment'), 'The bank accepts a payment link request whose number of installments is an integer, a value of the installment list.'),
  'links.link.request.currency-code': must(linkRequestField('currency_code'), 'The bank accepts a payment link request whose currency code is a string.'),
  'links.link.request.is-domestic': must(linkRequestField('is_domestic'), 'The bank accepts a payment link request whose is_domestic is a boolean.'),
  'links.link.json': must(jsonBodySource, 'The answer to a payment link request is JSON in UTF-8.'),
  'links.link.data': must(jsonBodySource, 'The answer to a payment link request carries its content in the object data.'),
  'links.link.order-id': must(linkResultField('order_id'), 'Each payment link has an order id that is a string.'),
  'links.link.order-id.uuid': must(linkResultField('order_id'), 'The order id of a payment link is a UUID.'),
  'links.link.order-id.canonical': expected(linkResultField('order_id'), 'The order id of a payment link is written in the form 8-4-4-4-12, with hyphens.'),
  'links.link.order-id.not-nil': expected(linkResultField('order_id'), 'The order id of a payment link is not the nil UUID, which has only zeros.'),
  'links.link.order-id.distinct': money(linkResultField('order_id'), 'Two payment links have different order ids.'),
  'links.link.payment-link': must(linkResultField('payment_link'), 'Each payment link has a URL that is a string.'),
  'links.link.payment-link.url': must(linkResultField('payment_link'), 'The payment link is a URL.'),
  'links.link.payment-link.absolute': expected(linkResultField('payment_link'), 'The payment link is an absolute http or https URL.'),
  'links.link.payment-link.no-script': secure(linkResultField('payment_link'), 'The payment link is not a javascript, vbscript or data URL.'),
  'links.link.payment-token': must(linkResultField('payment_token'), 'Each payment link has a token that is a string.'),
  'links.link.payment-token.not-empty': expected(linkResultField('payment_token'), 'The payment token is not empty.'),
  'links.link.payment-token.distinct': money(linkResultField('payment_token'), 'Two payment links have different tokens.'),
  'links.link.payment-token.not-counted': secure(linkResultField('payment_token'), 'Payment tokens are not consecutive numbers.'),
  'links.token-in-link': must(linkResultField('payment_link'), 'The payment link contains the payment token.'),
  'links.link.is-success': must(linkResultField('is_success'), 'The answer to a payment link request says with a boolean whether the bank created the link.'),
  'links.link.end-date': must(linkResultField('end_date'), 'Each payment link has an expiry that is a string.'),
  'links.link.end-date.form': must(linkResultField('end_date'), 'The expiry is written DD.MM.YYYY HH:MM:SS.'),
  'links.link.end-date.exists': must(linkResultField('end_date'), 'The expiry is a date and time that exist in the calendar.'),
  'links.link.end-date.ordinary': expected(linkResultField('end_date'), 'The expiry has no hour 24 and no second 60.'),
  'links.link.end-date.future': expected(expirySource, 'The expiry of a payment link is later than its creation.'),
  'links.link.refused.complete': expected(linkResultField(), 'A payment link answer with is_success false still has every documented field.'),

  // Behaviour
  'links.unknown-merchant.currencies': secure(endpointRow('GET /merchants/{merchant_no}/available-currency-codes'), 'The bank shows no currencies for a merchant that does not exist.'),
  'links.unknown-merchant.branches': secure(endpointRow('GET /merchants/{merchant_no}/branches'), 'The bank shows no branches for a merchant that does not exist.'),
  'links.unknown-merchant.installments': secure(endpointRow('GET /merchants/{merchant_no}/Installments'), 'The bank shows no installment options for a merchant that does not exist.'),
  'links.unknown-merchant.link': money(linkRequestField('merchant_no'), 'The bank refuses a payment link request for a merchant that does not exist.'),
  'links.unknown-installment': money(linkRequestField('installment'), 'The bank refuses a payment link request with a number of installments that is not on the list.'),
  'links.foreign-branch': money(linkRequestField('branch_no'), 'If the bank refuses a link for an unknown branch, it also refuses a link for a branch of another merchant.'),
  'links.amount-positive': money(linkRequestField('amount'), 'The bank refuses a payment link request for an amount of zero or less.'),
  'links.malformed.refused': robust(jsonBodySource, 'The bank refuses a payment link request whose body is not JSON.'),
  'links.required-fields.consistent': expected(requiredFieldsGap, 'If a pay-by-link request lacks a field or parameter, the bank always accepts it or always refuses it.'),
  'links.expiry-period.consistent': expected(expirySource, 'Payment links for the same request always have the same lifetime.'),
  'links.lists-repeat': expected(endpointRow(), 'The same list request always returns the same list.'),
  'links.link.refusal-explained': robust(linkRequestField(), 'If the bank refuses a value of a payment link request, a business rule can explain the refusal.'),
  'links.listed-is-taken': robust(endpointRow(), 'The bank accepts each entry of its own lists in later requests.'),
  'links.independence': expected(endpointRow(), 'Requests for one merchant do not change what the bank accepts for another merchant.'),
  'links.link.once': money(linkRequestField(), 'If the bank refuses a repeated link request, two identical requests at the same time create only one link.'),
  'links.link.same-at-once': money(linkRequestField(), 'If a repeated link request returns the same link, two identical requests at the same time also return the same link.'),

  // Open points
  'links.required-fields': observed(requiredFieldsGap, 'Which fields and query parameters of pay-by-link requests are required.'),
  'links.refusals': observed(citeSection('Errors', 'point 2'), 'Which pay-by-link requests the bank refuses, and which business rules explain the refusals.'),
  'links.value-bounds': observed(citeSection(FIELDS_SECTION, 'closing paragraph'), 'Bounds and lengths of the fields of payment link requests, and the accepted languages.'),
  'links.amount-above-maximum': observed(citeSection('Limits', 'point 1'), 'How the bank answers an amount above qr_max_amount.'),
  'links.expiry-period': observed(expirySource, 'How long a payment link is valid, and in which time zone its expiry is written.'),
  'links.unknown-branch': observed(linkRequestField('branch_no'), 'How the bank answers a branch or a currency that is not on its lists.'),
  'links.unknown-ids': observed(citeSection('Errors', 'point 2'), 'How the bank answers unknown merchants and installments, and amounts of zero or less.'),
  'links.installments-path-case': observed(endpointRow('GET /merchants/{merchant_no}/Installments'), 'Whether the installment list is also found at the path in small letters.'),
  'links.states': observed(citeSection('States and transitions'), 'The states of a payment link and of its order.'),
} as const;
