/** The clauses of pay-by-link. */
import { defineLevels, section, table } from './levels.ts';

const { must, mustIfShown, expected, money, robust, secure, observed } = defineLevels('payment-links');

const resources = 'Resources and their fields';
const endpoints = table('Endpoints', 'B. Pay-by-Link');
const headers = table('Authentication', 'Revolving Loans and Pay-by-Link');
const merchantList = table(resources, 'Merchant list');
const merchant = table(resources, 'Merchant object');
const currencyList = table(resources, 'Currency list');
const branchList = table(resources, 'Branch list');
const installmentList = table(resources, 'Installment list');
const linkRequest = table(resources, 'Payment link request');
const linkResult = table(resources, 'Payment link result');
const bodies = section('What the service does', 'point 4');
const expiry = section('Limits', 'point 2');
const requiredGap = section('Endpoints', 'gap 2');

// One clause, one line.
// prettier-ignore
export const paymentLinks = {
  // Authentication
  'links.header.client-id': must(headers('X-GW-client-id'), 'The bank accepts pay-by-link requests that send the client id in X-GW-client-id.'),
  'links.header.client-secret': must(headers('X-GW-client-secret'), 'The bank accepts pay-by-link requests that send the client secret in X-GW-client-secret.'),
  'links.header.authorization': must(headers('Authorization'), 'The bank accepts pay-by-link requests that send the access token as a bearer token.'),
  'links.header.content-type': must(headers('Content-Type'), 'The bank accepts pay-by-link requests that send Content-Type: application/json, with or without a body.'),
  'links.header.no-others': mustIfShown(headers(), 'Pay-by-link requests need no header field beyond the documented ones.'),
  'links.credentials.client-id': secure(headers('X-GW-client-id'), 'A pay-by-link request without the right client id gets no data.'),
  'links.credentials.client-secret': secure(headers('X-GW-client-secret'), 'A pay-by-link request without the right client secret gets no data.'),
  'links.credentials.token': secure(headers('Authorization'), 'A pay-by-link request without the right access token gets no data.'),

  // GET /merchants
  'links.merchants.path': must(endpoints('GET /merchants'), 'The path of the merchant list is /merchants, under the prefix of pay-by-link.'),
  'links.merchants.method': must(endpoints('GET /merchants'), 'The method of the merchant list is GET.'),
  'links.merchants.json': must(bodies, 'The merchant list is JSON in UTF-8.'),
  'links.merchants.data': must(bodies, 'The merchant list carries its content in the object data.'),
  'links.merchants.list': must(merchantList('merchants'), 'The merchants are an array.'),
  'links.merchants.qr-max-amount': must(merchantList('qr_max_amount'), 'The merchant list gives the highest amount of a QR payment as a number.'),
  'links.merchants.qr-max-amount.not-negative': money(merchantList('qr_max_amount'), 'The highest amount of a QR payment is not negative.'),
  'links.merchants.qr-max-amount.no-residue': money(merchantList('qr_max_amount'), 'The highest amount of a QR payment has no rounding error of binary fractions, such as 1234.5600000000001.'),
  'links.merchants.qr-max-amount-message': must(merchantList('qr_max_amount_limit_message'), 'The merchant list has a string that explains the highest amount; the string may be empty.'),
  'links.merchants.editable': must(merchantList('editable'), 'The merchant list has a boolean that says whether the list is editable.'),
  'links.merchants.edit-message': must(merchantList('edit_message'), 'The merchant list has a string that explains whether the list is editable; the string may be empty.'),
  'links.merchant': must(merchant(), 'Each entry of the merchant list is an object.'),
  'links.merchant.account-no': must(merchant('account_no'), 'Each merchant has an account number that is a string.'),
  'links.merchant.branch-code': must(merchant('branch_code'), 'Each merchant has a branch code that is an integer.'),
  'links.merchant.name': must(merchant('merchant_name'), 'Each merchant has a name that is a string.'),
  'links.merchant.name.not-empty': expected(merchant('merchant_name'), 'The name of a merchant is not empty.'),
  'links.merchant.no': must(merchant('merchant_no'), 'Each merchant has a number that is an integer.'),
  'links.merchant.branch-name': must(merchant('branch_name'), 'Each merchant has a branch name that is a string.'),
  'links.merchant.branch-name.not-empty': expected(merchant('branch_name'), 'The branch name of a merchant is not empty.'),
  'links.merchant.branch-name.own': expected(merchant('branch_name'), 'The merchant list does not give a branch the name that another branch has in the branch list.'),
  'links.merchant.distinct': expected(merchant(), 'No two entries of the merchant list have the same merchant number and branch code.'),
  'links.merchant-no': must(endpoints(), 'The bank finds a merchant by the merchant number in the path.'),

  // GET /merchants/{merchant_no}/available-currency-codes
  'links.currencies.path': must(endpoints('GET /merchants/{merchant_no}/available-currency-codes'), 'The path of the currency list is /merchants/{merchant_no}/available-currency-codes.'),
  'links.currencies.method': must(endpoints('GET /merchants/{merchant_no}/available-currency-codes'), 'The method of the currency list is GET.'),
  'links.currencies.request.is-domestic': must(endpoints('GET /merchants/{merchant_no}/available-currency-codes'), 'The currency list accepts the query parameter is_domestic, a boolean.'),
  'links.currencies.json': must(bodies, 'The currency list is JSON in UTF-8.'),
  'links.currencies.data': must(bodies, 'The currency list carries its content in the object data.'),
  'links.currencies.list': must(currencyList('currencies'), 'The currencies are an array.'),
  'links.currency': must(currencyList(), 'Each entry of the currency list is an object.'),
  'links.currency.code': must(currencyList('code'), 'Each currency has a code that is a string.'),
  'links.currency.code.form': must(currencyList('code'), 'A currency code is three letters.'),
  'links.currency.code.ordinary': expected(currencyList('code'), 'A currency code is ASCII letters of one case.'),
  'links.currency.distinct': expected(currencyList('code'), 'No currency appears twice in one list.'),

  // GET /merchants/{merchant_no}/branches
  'links.branches.path': must(endpoints('GET /merchants/{merchant_no}/branches'), 'The path of the branch list is /merchants/{merchant_no}/branches.'),
  'links.branches.method': must(endpoints('GET /merchants/{merchant_no}/branches'), 'The method of the branch list is GET.'),
  'links.branches.json': must(bodies, 'The branch list is JSON in UTF-8.'),
  'links.branches.data': must(bodies, 'The branch list carries its content in the object data.'),
  'links.branches.list': must(branchList('branches'), 'The branches are an array.'),
  'links.branch': must(branchList(), 'Each entry of the branch list is an object.'),
  'links.branch.no': must(branchList('no'), 'Each branch has a number that is an integer.'),
  'links.branch.name': must(branchList('name'), 'Each branch has a name that is a string.'),
  'links.branch.name.not-empty': expected(branchList('name'), 'The name of a branch is not empty.'),
  'links.branch.distinct': expected(branchList('no'), 'No two branches of one list have the same number.'),

  // GET /merchants/{merchant_no}/Installments
  'links.installments.path': must(endpoints('GET /merchants/{merchant_no}/Installments'), 'The path of the installment list is /merchants/{merchant_no}/Installments, with a capital I.'),
  'links.installments.method': must(endpoints('GET /merchants/{merchant_no}/Installments'), 'The method of the installment list is GET.'),
  'links.installments.request.branch-no': must(endpoints('GET /merchants/{merchant_no}/Installments'), 'The installment list accepts the query parameter branch_no, an integer.'),
  'links.installments.request.currency-code': must(endpoints('GET /merchants/{merchant_no}/Installments'), 'The installment list accepts the query parameter currency_code, a string.'),
  'links.installments.request.is-domestic': must(endpoints('GET /merchants/{merchant_no}/Installments'), 'The installment list accepts the query parameter is_domestic, a boolean.'),
  'links.installments.json': must(bodies, 'The installment list is JSON in UTF-8.'),
  'links.installments.data': must(bodies, 'The installment list carries its content in the object data.'),
  'links.installments.list': must(installmentList('installments'), 'The installment options are an array.'),
  'links.installment': must(installmentList(), 'Each entry of the installment list is an object.'),
  'links.installment.value': must(installmentList('value'), 'Each installment option has a number of installments that is an integer.'),
  'links.installment.value.positive': money(installmentList('value'), 'A number of installments is one or more.'),
  'links.installment.text': must(installmentList('text'), 'Each installment option has a label that is a string.'),
  'links.installment.text.not-empty': expected(installmentList('text'), 'The label of an installment option is not empty.'),
  'links.installment.text.own-number': expected(installmentList('text'), 'The label of an installment option names its own number of installments, not the number of another option.'),
  'links.installment.distinct': expected(installmentList('value'), 'No number of installments appears twice in one list.'),

  // POST /payment-links
  'links.link.path': must(endpoints('POST /payment-links'), 'Payment links are created at /payment-links under the prefix of pay-by-link.'),
  'links.link.method': must(endpoints('POST /payment-links'), 'Payment links are created with POST.'),
  'links.link.request.language-code': must(linkRequest('language_code'), 'The bank accepts a payment link request whose language code is a string.'),
  'links.link.request.branch-no': must(linkRequest('branch_no'), 'The bank accepts a payment link request whose branch number is an integer.'),
  'links.link.request.personal-description': must(linkRequest('personal_description'), 'The bank accepts a payment link request whose description is a string.'),
  'links.link.request.amount': must(linkRequest('amount'), 'The bank accepts a payment link request whose amount is a number.'),
  'links.link.request.merchant-no': must(linkRequest('merchant_no'), 'The bank accepts a payment link request whose merchant number is an integer.'),
  'links.link.request.installment': must(linkRequest('installment'), 'The bank accepts a payment link request whose number of installments is an integer, a value of the installment list.'),
  'links.link.request.currency-code': must(linkRequest('currency_code'), 'The bank accepts a payment link request whose currency code is a string.'),
  'links.link.request.is-domestic': must(linkRequest('is_domestic'), 'The bank accepts a payment link request whose is_domestic is a boolean.'),
  'links.link.json': must(bodies, 'The answer to a payment link request is JSON in UTF-8.'),
  'links.link.data': must(bodies, 'The answer to a payment link request carries its content in the object data.'),
  'links.link.order-id': must(linkResult('order_id'), 'Each payment link has an order id that is a string.'),
  'links.link.order-id.uuid': must(linkResult('order_id'), 'The order id of a payment link is a UUID.'),
  'links.link.order-id.canonical': expected(linkResult('order_id'), 'The order id of a payment link is written in the form 8-4-4-4-12, with hyphens.'),
  'links.link.order-id.not-nil': expected(linkResult('order_id'), 'The order id of a payment link is not the nil UUID.'),
  'links.link.order-id.distinct': money(linkResult('order_id'), 'Two payment links have different order ids.'),
  'links.link.payment-link': must(linkResult('payment_link'), 'Each payment link has a URL that is a string.'),
  'links.link.payment-link.url': must(linkResult('payment_link'), 'The payment link is a URL.'),
  'links.link.payment-link.absolute': expected(linkResult('payment_link'), 'The payment link is an absolute http or https URL.'),
  'links.link.payment-link.no-script': secure(linkResult('payment_link'), 'The payment link is not a URL that runs a script: no javascript, vbscript or data URL.'),
  'links.link.payment-token': must(linkResult('payment_token'), 'Each payment link has a token that is a string.'),
  'links.link.payment-token.not-empty': expected(linkResult('payment_token'), 'The payment token is not empty.'),
  'links.link.payment-token.distinct': money(linkResult('payment_token'), 'Two payment links have different tokens.'),
  'links.link.payment-token.not-counted': secure(linkResult('payment_token'), 'Payment tokens are not consecutive numbers.'),
  'links.token-in-link': must(linkResult('payment_link'), 'The payment link contains the payment token.'),
  'links.link.is-success': must(linkResult('is_success'), 'The answer to a payment link request has a boolean that says whether the link was created.'),
  'links.link.end-date': must(linkResult('end_date'), 'Each payment link has an expiry that is a string.'),
  'links.link.end-date.form': must(linkResult('end_date'), 'The expiry is written DD.MM.YYYY HH:MM:SS.'),
  'links.link.end-date.exists': must(linkResult('end_date'), 'The expiry is a date and time that exist in the calendar.'),
  'links.link.end-date.ordinary': expected(linkResult('end_date'), 'The expiry has no hour 24 and no second 60.'),
  'links.link.end-date.future': expected(expiry, 'The expiry of a payment link is later than its creation.'),
  'links.link.refused.complete': expected(linkResult(), 'A payment link answer with is_success false still has every documented field.'),

  // Behaviour
  'links.unknown-merchant.currencies': secure(endpoints('GET /merchants/{merchant_no}/available-currency-codes'), 'The currency list of a merchant that does not exist does not show the currencies of another merchant.'),
  'links.unknown-merchant.branches': secure(endpoints('GET /merchants/{merchant_no}/branches'), 'The branch list of a merchant that does not exist does not show the branches of another merchant.'),
  'links.unknown-merchant.installments': secure(endpoints('GET /merchants/{merchant_no}/Installments'), 'The installment list of a merchant that does not exist does not show the options of another merchant.'),
  'links.unknown-merchant.link': money(linkRequest('merchant_no'), 'A payment link for a merchant that does not exist is refused.'),
  'links.unknown-installment': money(linkRequest('installment'), 'A payment link with a number of installments that is not on the list is refused.'),
  'links.foreign-branch': money(linkRequest('branch_no'), 'If a link for an unknown branch is refused, a link for a branch of another merchant is refused too.'),
  'links.amount-positive': money(linkRequest('amount'), 'A payment link for an amount of zero or less is refused.'),
  'links.malformed.refused': robust(bodies, 'A payment link request whose body is not JSON is refused.'),
  'links.required-fields.consistent': expected(requiredGap, 'A pay-by-link request without a certain field is always accepted or always refused.'),
  'links.expiry-period.consistent': expected(expiry, 'Payment links for the same request always have the same lifetime.'),
  'links.lists-repeat': expected(endpoints(), 'The same list request always returns the same list.'),
  'links.link.refusal-explained': robust(linkRequest(), 'The bank does not refuse a payment link for a value that no business rule can explain.'),
  'links.listed-is-taken': robust(endpoints(), 'The bank accepts every entry of its own lists in the requests that use these entries.'),
  'links.independence': expected(endpoints(), 'Requests for one merchant do not change what the bank accepts for another merchant.'),
  'links.link.once': money(linkRequest(), 'If the bank refuses a repeated link request, two identical concurrent requests create at most one link.'),
  'links.link.same-at-once': money(linkRequest(), 'If a repeated link request returns the same link, identical concurrent requests return the same link too.'),

  // Left open
  'links.required-fields': observed(requiredGap, 'Which fields and query parameters of pay-by-link requests are required.'),
  'links.refusals': observed(section('Errors', 'point 2'), 'Which pay-by-link requests are refused, and which business rule explains the refusal.'),
  'links.value-bounds': observed(section(resources, 'closing paragraph'), 'Bounds and lengths of the fields of payment link requests, and the accepted languages.'),
  'links.amount-above-maximum': observed(section('Limits', 'point 1'), 'How the bank answers an amount above qr_max_amount.'),
  'links.expiry-period': observed(expiry, 'How long a payment link is valid, and in which time zone its expiry is written.'),
  'links.unknown-branch': observed(linkRequest('branch_no'), 'How the bank answers a branch or a currency that is not on its lists.'),
  'links.unknown-ids': observed(section('Errors', 'point 2'), 'How the bank answers unknown merchants and installments, and amounts of zero or less.'),
  'links.installments-path-case': observed(endpoints('GET /merchants/{merchant_no}/Installments'), 'Whether the installment list is also found at the path in small letters.'),
  'links.states': observed(section('States and transitions'), 'The states of a payment link and of its order.'),
} as const;
