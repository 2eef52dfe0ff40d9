/** The clauses of pay-by-link. */
import { always, conditional, open, should } from './levels.ts';

const [must, mustIfShown, expected, left] = [
  always('payment-links'),
  conditional('payment-links'),
  should('payment-links'),
  open('payment-links'),
];

const service = 'What the service does';
const fields = 'Resources and their fields';
const endpoints = 'Endpoints';
const authentication = 'Authentication';

export const paymentLinks = {
  // Authentication
  'links.header.client-id': must(
    authentication,
    'Pay-by-link requests carry the client id in X-GW-client-id and are accepted so.',
  ),
  'links.header.client-secret': must(
    authentication,
    'Pay-by-link requests carry the client secret in X-GW-client-secret and are accepted so.',
  ),
  'links.header.authorization': must(
    authentication,
    'Pay-by-link requests carry the access token as a bearer token and are accepted so.',
  ),
  'links.header.content-type': must(
    authentication,
    'Pay-by-link requests, also those without a body, carry Content-Type: application/json and are accepted so.',
  ),
  'links.header.no-others': mustIfShown(
    authentication,
    'Pay-by-link requests need no header field beyond the documented ones.',
  ),
  'links.credentials.client-id': expected(
    authentication,
    'A pay-by-link request without the right client id gets no data.',
  ),
  'links.credentials.client-secret': expected(
    authentication,
    'A pay-by-link request without the right client secret gets no data.',
  ),
  'links.credentials.token': expected(
    authentication,
    'A pay-by-link request without the right access token gets no data.',
  ),

  // GET /merchants
  'links.merchants.path': must(endpoints, 'The merchants stand at /merchants under the prefix of pay-by-link.'),
  'links.merchants.method': must(endpoints, 'The merchants are asked for with GET.'),
  'links.merchants.json': must(service, 'The merchant list is JSON in UTF-8.'),
  'links.merchants.data': must(service, 'The merchant list carries its content in the object data.'),
  'links.merchants.list': must(fields, 'The merchants are an array.'),
  'links.merchants.qr-max-amount': must(
    'Limits',
    'The merchant list tells the highest amount of a QR payment as a number.',
  ),
  'links.merchants.qr-max-amount-message': must(
    'Limits',
    'The merchant list explains the highest amount in a string, which may be empty.',
  ),
  'links.merchants.editable': must('Limits', 'The merchant list tells in a boolean whether it is editable.'),
  'links.merchants.edit-message': must('Limits', 'The merchant list explains that in a string, which may be empty.'),
  'links.merchant': must(fields, 'Each entry of the merchant list is an object.'),
  'links.merchant.account-no': must(fields, 'A merchant has its account number in a string.'),
  'links.merchant.branch-code': must(fields, 'A merchant has its branch code as an integer.'),
  'links.merchant.name': must(fields, 'A merchant has its name in a string.'),
  'links.merchant.name.not-empty': expected(fields, 'The name of a merchant is not empty.'),
  'links.merchant.no': must(fields, 'A merchant has its number as an integer.'),
  'links.merchant.branch-name': must(fields, 'A merchant has its branch name in a string.'),
  'links.merchant.branch-name.not-empty': expected(fields, 'The branch name of a merchant is not empty.'),
  'links.merchant.distinct': expected(
    fields,
    'No two entries of the merchant list share merchant number and branch code.',
  ),
  'links.merchant-no': must(endpoints, 'A merchant is found by its number in the path.'),

  // GET /merchants/{merchant_no}/available-currency-codes
  'links.currencies.path': must(
    endpoints,
    'The currencies of a merchant stand at /merchants/{merchant_no}/available-currency-codes.',
  ),
  'links.currencies.method': must(endpoints, 'The currencies of a merchant are asked for with GET.'),
  'links.currencies.request.is-domestic': must(
    endpoints,
    'The currencies are asked for with the query is_domestic, a boolean.',
  ),
  'links.currencies.json': must(service, 'The currency list is JSON in UTF-8.'),
  'links.currencies.data': must(service, 'The currency list carries its content in the object data.'),
  'links.currencies.list': must(fields, 'The currencies are an array.'),
  'links.currency': must(fields, 'Each entry of the currency list is an object.'),
  'links.currency.code': must(fields, 'A currency has its code in a string.'),
  'links.currency.code.form': must(fields, 'A currency code is three letters.'),
  'links.currency.code.ordinary': expected(fields, 'A currency code is ASCII letters of one case.'),
  'links.currency.distinct': expected(fields, 'No currency stands twice in one list.'),

  // GET /merchants/{merchant_no}/branches
  'links.branches.path': must(endpoints, 'The branches of a merchant stand at /merchants/{merchant_no}/branches.'),
  'links.branches.method': must(endpoints, 'The branches of a merchant are asked for with GET.'),
  'links.branches.json': must(service, 'The branch list is JSON in UTF-8.'),
  'links.branches.data': must(service, 'The branch list carries its content in the object data.'),
  'links.branches.list': must(fields, 'The branches are an array.'),
  'links.branch': must(fields, 'Each entry of the branch list is an object.'),
  'links.branch.no': must(fields, 'A branch has its number as an integer.'),
  'links.branch.name': must(fields, 'A branch has its name in a string.'),
  'links.branch.name.not-empty': expected(fields, 'The name of a branch is not empty.'),
  'links.branch.distinct': expected(fields, 'No two branches of one list share their number.'),

  // GET /merchants/{merchant_no}/Installments
  'links.installments.path': must(
    endpoints,
    'The installment options stand at /merchants/{merchant_no}/Installments, with a capital I.',
  ),
  'links.installments.method': must(endpoints, 'The installment options are asked for with GET.'),
  'links.installments.request.branch-no': must(
    endpoints,
    'The installment options are asked for with the query branch_no, an integer.',
  ),
  'links.installments.request.currency-code': must(
    endpoints,
    'The installment options are asked for with the query currency_code, a string.',
  ),
  'links.installments.request.is-domestic': must(
    endpoints,
    'The installment options are asked for with the query is_domestic, a boolean.',
  ),
  'links.installments.json': must(service, 'The installment list is JSON in UTF-8.'),
  'links.installments.data': must(service, 'The installment list carries its content in the object data.'),
  'links.installments.list': must(fields, 'The installment options are an array.'),
  'links.installment': must(fields, 'Each entry of the installment list is an object.'),
  'links.installment.value': must(fields, 'An installment option has its number of installments as an integer.'),
  'links.installment.value.positive': expected(fields, 'A number of installments is one or more.'),
  'links.installment.text': must(fields, 'An installment option has its label in a string.'),
  'links.installment.text.not-empty': expected(fields, 'The label of an installment option is not empty.'),
  'links.installment.distinct': expected(fields, 'No number of installments stands twice in one list.'),

  // POST /payment-links
  'links.link.path': must(endpoints, 'Payment links are created at /payment-links under the prefix of pay-by-link.'),
  'links.link.method': must(endpoints, 'Payment links are created with POST.'),
  'links.link.request.language-code': must(fields, 'A payment link request takes its language code as a text.'),
  'links.link.request.branch-no': must(fields, 'A payment link request takes its branch number as an integer.'),
  'links.link.request.personal-description': must(fields, 'A payment link request takes its description as a text.'),
  'links.link.request.amount': must(fields, 'A payment link request takes its amount as a number.'),
  'links.link.request.merchant-no': must(fields, 'A payment link request takes its merchant number as an integer.'),
  'links.link.request.installment': must(
    fields,
    'A payment link request takes its installment as an integer of the installment list.',
  ),
  'links.link.request.currency-code': must(fields, 'A payment link request takes its currency code as a text.'),
  'links.link.request.is-domestic': must(fields, 'A payment link request takes is_domestic as a boolean.'),
  'links.link.json': must(service, 'The answer to a payment link request is JSON in UTF-8.'),
  'links.link.data': must(service, 'The answer to a payment link request carries its content in the object data.'),
  'links.link.order-id': must(fields, 'A payment link has its order id in a string.'),
  'links.link.order-id.uuid': must(fields, 'The order id of a payment link is a UUID.'),
  'links.link.order-id.canonical': expected(fields, 'The order id of a payment link is written 8-4-4-4-12.'),
  'links.link.order-id.not-nil': expected(fields, 'The order id of a payment link is not the nil UUID.'),
  'links.link.order-id.distinct': expected(fields, 'Two payment links have two order ids.'),
  'links.link.payment-link': must(fields, 'A payment link has its URL in a string.'),
  'links.link.payment-link.url': must(fields, 'The payment link is a URL.'),
  'links.link.payment-link.absolute': expected(fields, 'The payment link is an absolute http or https URL.'),
  'links.link.payment-token': must(fields, 'A payment link has its token in a string.'),
  'links.link.payment-token.not-empty': expected(fields, 'The payment token is not empty.'),
  'links.link.payment-token.distinct': expected(fields, 'Two payment links have two tokens.'),
  'links.token-in-link': must(fields, 'The payment link contains the payment token.'),
  'links.link.is-success': must(fields, 'A payment link tells in a boolean whether it was made.'),
  'links.link.end-date': must('Limits', 'A payment link has its expiry in a string.'),
  'links.link.end-date.form': must(fields, 'The expiry is written DD.MM.YYYY HH:MM:SS.'),
  'links.link.end-date.exists': must(fields, 'The expiry is a moment that exists in the calendar.'),
  'links.link.end-date.ordinary': expected(fields, 'The expiry has no hour 24 and no second 60.'),
  'links.link.end-date.future': expected('Limits', 'A payment link expires after it is made.'),
  'links.link.refused.complete': expected(
    fields,
    'A payment link answer with is_success false still carries every documented field.',
  ),

  // Behaviour
  'links.unknown-merchant.currencies': expected(
    endpoints,
    'The currencies of a merchant that does not exist are those of nobody.',
  ),
  'links.unknown-merchant.branches': expected(
    endpoints,
    'The branches of a merchant that does not exist are those of nobody.',
  ),
  'links.unknown-merchant.installments': expected(
    endpoints,
    'The installment options of a merchant that does not exist are those of nobody.',
  ),
  'links.unknown-merchant.link': expected(fields, 'A payment link for a merchant that does not exist is refused.'),
  'links.unknown-installment': expected(
    fields,
    'A payment link with an installment that was not on the list is refused.',
  ),
  'links.amount-positive': expected(fields, 'A payment link of an amount of zero or below is refused.'),
  'links.malformed.refused': expected(fields, 'A payment link request whose body is no JSON is refused.'),
  'links.required-fields.consistent': expected(
    endpoints,
    'A pay-by-link request without a certain field is taken every time, or refused every time.',
  ),
  'links.expiry-period.consistent': expected('Limits', 'The same payment link request gets a link that lives as long.'),
  'links.lists-repeat': expected(endpoints, 'Asking for the same list again brings the same list.'),

  // Left open
  'links.required-fields': left(endpoints, 'Which fields and query parameters of pay-by-link requests are required.'),
  'links.value-bounds': left(
    fields,
    'Bounds and lengths of the fields of payment link requests, and the languages taken.',
  ),
  'links.amount-above-maximum': left('Limits', 'What an amount above qr_max_amount brings.'),
  'links.expiry-period': left('Limits', 'How long a payment link lives, and in which time zone its expiry is written.'),
  'links.unknown-branch': left(fields, 'What a branch or a currency that was not on the list brings.'),
  'links.unknown-ids': left(
    fields,
    'What a merchant or an installment brings that does not exist, and an amount of zero or below.',
  ),
  'links.installments-path-case': left(
    endpoints,
    'Whether the installment options stand also at the path in small letters.',
  ),
  'links.states': left('States and transitions', 'The states of a payment link and of its order.'),
} as const;
