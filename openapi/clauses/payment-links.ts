/** The clauses of pay-by-link. */
import { always, conditional, open, section, should, table } from './levels.ts';

const [must, mustIfShown, expected, money, robust, secure, left] = [
  always('payment-links'),
  conditional('payment-links'),
  should('payment-links'),
  should('payment-links', 'money'),
  should('payment-links', 'robustness'),
  should('payment-links', 'security'),
  open('payment-links'),
];

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
  'links.header.client-id': must(headers('X-GW-client-id'), 'Pay-by-link requests carry the client id in X-GW-client-id and are accepted so.'),
  'links.header.client-secret': must(headers('X-GW-client-secret'), 'Pay-by-link requests carry the client secret in X-GW-client-secret and are accepted so.'),
  'links.header.authorization': must(headers('Authorization'), 'Pay-by-link requests carry the access token as a bearer token and are accepted so.'),
  'links.header.content-type': must(headers('Content-Type'), 'Pay-by-link requests, also those without a body, carry Content-Type: application/json and are accepted so.'),
  'links.header.no-others': mustIfShown(headers(), 'Pay-by-link requests need no header field beyond the documented ones.'),
  'links.credentials.client-id': secure(headers('X-GW-client-id'), 'A pay-by-link request without the right client id gets no data.'),
  'links.credentials.client-secret': secure(headers('X-GW-client-secret'), 'A pay-by-link request without the right client secret gets no data.'),
  'links.credentials.token': secure(headers('Authorization'), 'A pay-by-link request without the right access token gets no data.'),

  // GET /merchants
  'links.merchants.path': must(endpoints('GET /merchants'), 'The merchants stand at /merchants under the prefix of pay-by-link.'),
  'links.merchants.method': must(endpoints('GET /merchants'), 'The merchants are asked for with GET.'),
  'links.merchants.json': must(bodies, 'The merchant list is JSON in UTF-8.'),
  'links.merchants.data': must(bodies, 'The merchant list carries its content in the object data.'),
  'links.merchants.list': must(merchantList('merchants'), 'The merchants are an array.'),
  'links.merchants.qr-max-amount': must(merchantList('qr_max_amount'), 'The merchant list tells the highest amount of a QR payment as a number.'),
  'links.merchants.qr-max-amount.not-negative': money(merchantList('qr_max_amount'), 'The highest amount of a QR payment is not negative.'),
  'links.merchants.qr-max-amount.no-residue': money(merchantList('qr_max_amount'), 'The highest amount has no rest of a binary fraction behind its decimals.'),
  'links.merchants.qr-max-amount-message': must(merchantList('qr_max_amount_limit_message'), 'The merchant list explains the highest amount in a string, which may be empty.'),
  'links.merchants.editable': must(merchantList('editable'), 'The merchant list tells in a boolean whether it is editable.'),
  'links.merchants.edit-message': must(merchantList('edit_message'), 'The merchant list explains that in a string, which may be empty.'),
  'links.merchant': must(merchant(), 'Each entry of the merchant list is an object.'),
  'links.merchant.account-no': must(merchant('account_no'), 'A merchant has its account number in a string.'),
  'links.merchant.branch-code': must(merchant('branch_code'), 'A merchant has its branch code as an integer.'),
  'links.merchant.name': must(merchant('merchant_name'), 'A merchant has its name in a string.'),
  'links.merchant.name.not-empty': expected(merchant('merchant_name'), 'The name of a merchant is not empty.'),
  'links.merchant.no': must(merchant('merchant_no'), 'A merchant has its number as an integer.'),
  'links.merchant.branch-name': must(merchant('branch_name'), 'A merchant has its branch name in a string.'),
  'links.merchant.branch-name.not-empty': expected(merchant('branch_name'), 'The branch name of a merchant is not empty.'),
  'links.merchant.branch-name.own': expected(merchant('branch_name'), 'The merchant list names no branch as the list of branches names another one.'),
  'links.merchant.distinct': expected(merchant(), 'No two entries of the merchant list share merchant number and branch code.'),
  'links.merchant-no': must(endpoints(), 'A merchant is found by its number in the path.'),

  // GET /merchants/{merchant_no}/available-currency-codes
  'links.currencies.path': must(endpoints('GET /merchants/{merchant_no}/available-currency-codes'), 'The currencies of a merchant stand at /merchants/{merchant_no}/available-currency-codes.'),
  'links.currencies.method': must(endpoints('GET /merchants/{merchant_no}/available-currency-codes'), 'The currencies of a merchant are asked for with GET.'),
  'links.currencies.request.is-domestic': must(endpoints('GET /merchants/{merchant_no}/available-currency-codes'), 'The currencies are asked for with the query is_domestic, a boolean.'),
  'links.currencies.json': must(bodies, 'The currency list is JSON in UTF-8.'),
  'links.currencies.data': must(bodies, 'The currency list carries its content in the object data.'),
  'links.currencies.list': must(currencyList('currencies'), 'The currencies are an array.'),
  'links.currency': must(currencyList(), 'Each entry of the currency list is an object.'),
  'links.currency.code': must(currencyList('code'), 'A currency has its code in a string.'),
  'links.currency.code.form': must(currencyList('code'), 'A currency code is three letters.'),
  'links.currency.code.ordinary': expected(currencyList('code'), 'A currency code is ASCII letters of one case.'),
  'links.currency.distinct': expected(currencyList('code'), 'No currency stands twice in one list.'),

  // GET /merchants/{merchant_no}/branches
  'links.branches.path': must(endpoints('GET /merchants/{merchant_no}/branches'), 'The branches of a merchant stand at /merchants/{merchant_no}/branches.'),
  'links.branches.method': must(endpoints('GET /merchants/{merchant_no}/branches'), 'The branches of a merchant are asked for with GET.'),
  'links.branches.json': must(bodies, 'The branch list is JSON in UTF-8.'),
  'links.branches.data': must(bodies, 'The branch list carries its content in the object data.'),
  'links.branches.list': must(branchList('branches'), 'The branches are an array.'),
  'links.branch': must(branchList(), 'Each entry of the branch list is an object.'),
  'links.branch.no': must(branchList('no'), 'A branch has its number as an integer.'),
  'links.branch.name': must(branchList('name'), 'A branch has its name in a string.'),
  'links.branch.name.not-empty': expected(branchList('name'), 'The name of a branch is not empty.'),
  'links.branch.distinct': expected(branchList('no'), 'No two branches of one list share their number.'),

  // GET /merchants/{merchant_no}/Installments
  'links.installments.path': must(endpoints('GET /merchants/{merchant_no}/Installments'), 'The installment options stand at /merchants/{merchant_no}/Installments, with a capital I.'),
  'links.installments.method': must(endpoints('GET /merchants/{merchant_no}/Installments'), 'The installment options are asked for with GET.'),
  'links.installments.request.branch-no': must(endpoints('GET /merchants/{merchant_no}/Installments'), 'The installment options are asked for with the query branch_no, an integer.'),
  'links.installments.request.currency-code': must(endpoints('GET /merchants/{merchant_no}/Installments'), 'The installment options are asked for with the query currency_code, a string.'),
  'links.installments.request.is-domestic': must(endpoints('GET /merchants/{merchant_no}/Installments'), 'The installment options are asked for with the query is_domestic, a boolean.'),
  'links.installments.json': must(bodies, 'The installment list is JSON in UTF-8.'),
  'links.installments.data': must(bodies, 'The installment list carries its content in the object data.'),
  'links.installments.list': must(installmentList('installments'), 'The installment options are an array.'),
  'links.installment': must(installmentList(), 'Each entry of the installment list is an object.'),
  'links.installment.value': must(installmentList('value'), 'An installment option has its number of installments as an integer.'),
  'links.installment.value.positive': money(installmentList('value'), 'A number of installments is one or more.'),
  'links.installment.text': must(installmentList('text'), 'An installment option has its label in a string.'),
  'links.installment.text.not-empty': expected(installmentList('text'), 'The label of an installment option is not empty.'),
  'links.installment.text.own-number': expected(installmentList('text'), 'The labels of installment options name the numbers of their own options.'),
  'links.installment.distinct': expected(installmentList('value'), 'No number of installments stands twice in one list.'),

  // POST /payment-links
  'links.link.path': must(endpoints('POST /payment-links'), 'Payment links are created at /payment-links under the prefix of pay-by-link.'),
  'links.link.method': must(endpoints('POST /payment-links'), 'Payment links are created with POST.'),
  'links.link.request.language-code': must(linkRequest('language_code'), 'A payment link request takes its language code as a text.'),
  'links.link.request.branch-no': must(linkRequest('branch_no'), 'A payment link request takes its branch number as an integer.'),
  'links.link.request.personal-description': must(linkRequest('personal_description'), 'A payment link request takes its description as a text.'),
  'links.link.request.amount': must(linkRequest('amount'), 'A payment link request takes its amount as a number.'),
  'links.link.request.merchant-no': must(linkRequest('merchant_no'), 'A payment link request takes its merchant number as an integer.'),
  'links.link.request.installment': must(linkRequest('installment'), 'A payment link request takes its installment as an integer of the installment list.'),
  'links.link.request.currency-code': must(linkRequest('currency_code'), 'A payment link request takes its currency code as a text.'),
  'links.link.request.is-domestic': must(linkRequest('is_domestic'), 'A payment link request takes is_domestic as a boolean.'),
  'links.link.json': must(bodies, 'The answer to a payment link request is JSON in UTF-8.'),
  'links.link.data': must(bodies, 'The answer to a payment link request carries its content in the object data.'),
  'links.link.order-id': must(linkResult('order_id'), 'A payment link has its order id in a string.'),
  'links.link.order-id.uuid': must(linkResult('order_id'), 'The order id of a payment link is a UUID.'),
  'links.link.order-id.canonical': expected(linkResult('order_id'), 'The order id of a payment link is written 8-4-4-4-12.'),
  'links.link.order-id.not-nil': expected(linkResult('order_id'), 'The order id of a payment link is not the nil UUID.'),
  'links.link.order-id.distinct': money(linkResult('order_id'), 'Two payment links have two order ids.'),
  'links.link.payment-link': must(linkResult('payment_link'), 'A payment link has its URL in a string.'),
  'links.link.payment-link.url': must(linkResult('payment_link'), 'The payment link is a URL.'),
  'links.link.payment-link.absolute': expected(linkResult('payment_link'), 'The payment link is an absolute http or https URL.'),
  'links.link.payment-link.no-script': secure(linkResult('payment_link'), 'The payment link is none that a browser runs: no javascript, vbscript or data URL.'),
  'links.link.payment-token': must(linkResult('payment_token'), 'A payment link has its token in a string.'),
  'links.link.payment-token.not-empty': expected(linkResult('payment_token'), 'The payment token is not empty.'),
  'links.link.payment-token.distinct': money(linkResult('payment_token'), 'Two payment links have two tokens.'),
  'links.link.payment-token.not-counted': secure(linkResult('payment_token'), 'A payment token is not the one before it and one more.'),
  'links.token-in-link': must(linkResult('payment_link'), 'The payment link contains the payment token.'),
  'links.link.is-success': must(linkResult('is_success'), 'A payment link tells in a boolean whether it was made.'),
  'links.link.end-date': must(linkResult('end_date'), 'A payment link has its expiry in a string.'),
  'links.link.end-date.form': must(linkResult('end_date'), 'The expiry is written DD.MM.YYYY HH:MM:SS.'),
  'links.link.end-date.exists': must(linkResult('end_date'), 'The expiry is a moment that exists in the calendar.'),
  'links.link.end-date.ordinary': expected(linkResult('end_date'), 'The expiry has no hour 24 and no second 60.'),
  'links.link.end-date.future': expected(expiry, 'A payment link expires after it is made.'),
  'links.link.refused.complete': expected(linkResult(), 'A payment link answer with is_success false still carries every documented field.'),

  // Behaviour
  'links.unknown-merchant.currencies': secure(endpoints('GET /merchants/{merchant_no}/available-currency-codes'), 'The currencies of a merchant that does not exist are those of nobody.'),
  'links.unknown-merchant.branches': secure(endpoints('GET /merchants/{merchant_no}/branches'), 'The branches of a merchant that does not exist are those of nobody.'),
  'links.unknown-merchant.installments': secure(endpoints('GET /merchants/{merchant_no}/Installments'), 'The installment options of a merchant that does not exist are those of nobody.'),
  'links.unknown-merchant.link': money(linkRequest('merchant_no'), 'A payment link for a merchant that does not exist is refused.'),
  'links.unknown-installment': money(linkRequest('installment'), 'A payment link with an installment that was not on the list is refused.'),
  'links.foreign-branch': money(linkRequest('branch_no'), 'Where a link for a branch that does not exist is refused, so is one for a branch of another merchant.'),
  'links.amount-positive': money(linkRequest('amount'), 'A payment link of an amount of zero or below is refused.'),
  'links.malformed.refused': robust(bodies, 'A payment link request whose body is no JSON is refused.'),
  'links.required-fields.consistent': expected(requiredGap, 'A pay-by-link request without a certain field is taken every time, or refused every time.'),
  'links.expiry-period.consistent': expected(expiry, 'The same payment link request gets a link that lives as long.'),
  'links.lists-repeat': expected(endpoints(), 'Asking for the same list again brings the same list.'),
  'links.link.refusal-explained': robust(linkRequest(), 'A payment link is not refused for a value that no rule of business is about.'),
  'links.listed-is-taken': robust(endpoints(), 'What the lists of the target hold is taken where it is asked for.'),
  'links.independence': expected(endpoints(), 'What was asked of one merchant does not change what is granted to another.'),
  'links.link.once': money(linkRequest(), 'A link that is refused when it is asked for again is not made twice at once.'),
  'links.link.same-at-once': money(linkRequest(), 'A repeated request that brings the same link in a row brings no other one at once.'),

  // Left open
  'links.required-fields': left(requiredGap, 'Which fields and query parameters of pay-by-link requests are required.'),
  'links.refusals': left(section('Errors', 'point 2'), 'Which pay-by-link requests are refused, and which rule of business explains it.'),
  'links.value-bounds': left(section(resources, 'closing paragraph'), 'Bounds and lengths of the fields of payment link requests, and the languages taken.'),
  'links.amount-above-maximum': left(section('Limits', 'point 1'), 'What an amount above qr_max_amount brings.'),
  'links.expiry-period': left(expiry, 'How long a payment link lives, and in which time zone its expiry is written.'),
  'links.unknown-branch': left(linkRequest('branch_no'), 'What a branch or a currency that was not on the list brings.'),
  'links.unknown-ids': left(section('Errors', 'point 2'), 'What a merchant or an installment brings that does not exist, and an amount of zero or below.'),
  'links.installments-path-case': left(endpoints('GET /merchants/{merchant_no}/Installments'), 'Whether the installment options stand also at the path in small letters.'),
  'links.states': left(section('States and transitions'), 'The states of a payment link and of its order.'),
} as const;
