/** The clauses of revolving loans. */
import { defineLevels, section, table } from './levels.ts';

const { must, mustIfShown, expected, money, robust, secure, observed } = defineLevels('loans');

const resources = 'Resources and their fields';
const endpoints = table('Endpoints', 'A. Revolving Loans');
const headers = table('Authentication', 'Revolving Loans and Pay-by-Link');
const loanRequest = table(resources, 'Validation or loan request');
const validationResult = table(resources, 'Validation result');
const loanOffer = table(resources, 'Loan offer');
const offer = table(resources, 'Offer object');
const contractRequest = table(resources, 'Contract request');
const contractAnswer = table(resources, 'Contract response');
const disbursementRequest = table(resources, 'Disbursement request');
const disbursementAnswer = table(resources, 'Disbursement response');
const outcome = table(resources, 'Disbursement query result');
const bodies = section('What the service does', 'point 4');
const errors = section('Errors', 'point 1');
const states = section('States and transitions');
const requiredGap = section('Endpoints', 'gap 2');

// One clause, one line.
// prettier-ignore
export const loans = {
  // Authentication
  'loans.header.client-id': must(headers('X-GW-client-id'), 'The bank accepts loan requests that send the client id in X-GW-client-id.'),
  'loans.header.client-secret': must(headers('X-GW-client-secret'), 'The bank accepts loan requests that send the client secret in X-GW-client-secret.'),
  'loans.header.authorization': must(headers('Authorization'), 'The bank accepts loan requests that send the access token as a bearer token.'),
  'loans.header.content-type': must(headers('Content-Type'), 'The bank accepts loan requests that send Content-Type: application/json, with or without a body.'),
  'loans.header.no-others': mustIfShown(headers(), 'Loan requests need no header field beyond the documented ones.'),
  'loans.credentials.client-id': secure(headers('X-GW-client-id'), 'A loan request without the right client id gets no data.'),
  'loans.credentials.client-secret': secure(headers('X-GW-client-secret'), 'A loan request without the right client secret gets no data.'),
  'loans.credentials.token': secure(headers('Authorization'), 'A loan request without the right access token gets no data.'),

  // POST /validations
  'loans.validation.path': must(endpoints('POST /validations'), 'The path of the check is /validations, under the prefix of revolving loans.'),
  'loans.validation.method': must(endpoints('POST /validations'), 'The method of the check is POST.'),
  'loans.validation.request.amount': must(loanRequest('amount'), 'The bank accepts a check whose amount is a number.'),
  'loans.validation.request.currency': must(loanRequest('currency'), 'The bank accepts a check whose currency is a string.'),
  'loans.validation.request.commercial-disbursement': must(loanRequest('commercial_disbursement'), 'The bank accepts a check whose commercial_disbursement is a boolean.'),
  'loans.validation.request.disbursement-purpose': must(loanRequest('disbursement_purpose'), 'The bank accepts a check whose disbursement_purpose is a boolean.'),
  'loans.validation.request.order-id': must(loanRequest('order_id'), 'The bank accepts a check with an order_id.'),
  'loans.validation.request.order-id.text': must(loanRequest('order_id'), 'The bank accepts a check whose order_id is a string.'),
  'loans.validation.request.order-id.integer': must(loanRequest('order_id'), 'The bank accepts a check whose order_id is an integer.'),
  'loans.validation.json': must(bodies, 'The answer to a check is JSON in UTF-8.'),
  'loans.validation.data': must(bodies, 'The answer to a check carries its content in the object data.'),
  'loans.validation.result': must(validationResult('result'), 'The answer to a check has a result that is a string.'),
  'loans.validation.result.boolean': must(validationResult('result'), 'The result of a check is a boolean written as text.'),
  'loans.validation.result.exact': expected(validationResult('result'), 'The result of a check is spelt true or false.'),

  // POST /loans
  'loans.application.path': must(endpoints('POST /loans'), 'The path of the loan request is /loans, under the prefix of revolving loans.'),
  'loans.application.method': must(endpoints('POST /loans'), 'The method of the loan request is POST.'),
  'loans.application.request.amount': must(loanRequest('amount'), 'The bank accepts a loan request whose amount is a number.'),
  'loans.application.request.currency': must(loanRequest('currency'), 'The bank accepts a loan request whose currency is a string.'),
  'loans.application.request.commercial-disbursement': must(loanRequest('commercial_disbursement'), 'The bank accepts a loan request whose commercial_disbursement is a boolean.'),
  'loans.application.request.disbursement-purpose': must(loanRequest('disbursement_purpose'), 'The bank accepts a loan request whose disbursement_purpose is a boolean.'),
  'loans.application.request.order-id': must(loanRequest('order_id'), 'The bank accepts a loan request with an order_id.'),
  'loans.application.request.order-id.text': must(loanRequest('order_id'), 'The bank accepts a loan request whose order_id is a string.'),
  'loans.application.request.order-id.integer': must(loanRequest('order_id'), 'The bank accepts a loan request whose order_id is an integer.'),
  'loans.application.json': must(bodies, 'The answer to a loan request is JSON in UTF-8.'),
  'loans.application.data': must(bodies, 'The answer to a loan request carries its content in the object data.'),
  'loans.application.id': must(loanOffer('application_id'), 'The answer to a loan request has an application id that is a string.'),
  'loans.application.id.digits': must(loanOffer('application_id'), 'The application id of a loan answer is numeric text.'),
  'loans.application.id.distinct': expected(loanOffer('application_id'), 'Two loan requests open two applications with different ids.'),
  'loans.application.result': must(loanOffer('result'), 'The answer to a loan request has a result that is a string.'),
  'loans.application.result.boolean': must(loanOffer('result'), 'The result of a loan request is a boolean written as text.'),
  'loans.application.result.exact': expected(loanOffer('result'), 'The result of a loan request is spelt true or false.'),
  'loans.application.infos': must(loanOffer('infos'), 'The answer to a loan request lists the offered accounts in the array infos.'),
  'loans.application.refused.complete': expected(loanOffer(), 'A loan answer with the result false still has every documented field.'),
  'loans.offer': must(offer(), 'Each entry of infos is an offer object.'),
  'loans.offer.account-id': must(offer('account_id'), 'Each offer has an account id that is a string.'),
  'loans.offer.account-id.digits': must(offer('account_id'), 'The account id of an offer is numeric text.'),
  'loans.offer.account-id.distinct': expected(offer('account_id'), 'No two offers of one answer have the same account.'),
  'loans.offer.account': must(offer('account'), 'Each offer has an account reference that is a string.'),
  'loans.offer.account.not-empty': expected(offer('account'), 'The account reference of an offer is not empty.'),
  'loans.offer.limit': must(offer('avaliable_limit'), 'Each offer has an available limit that is a string, in the field avaliable_limit (spelt this way).'),
  'loans.offer.limit.decimals': must(offer('avaliable_limit'), 'The available limit is decimal text with two decimals.'),
  'loans.offer.limit.plain': expected(offer('avaliable_limit'), 'The available limit is written as plain digits, a point and decimals.'),
  'loans.offer.limit.not-negative': money(offer('avaliable_limit'), 'The available limit is not negative.'),
  'loans.offer.interest-rate': must(offer('interest_rate'), 'Each offer has an interest rate that is a string.'),
  'loans.offer.interest-rate.decimals': must(offer('interest_rate'), 'The interest rate is decimal text with five decimals.'),
  'loans.offer.interest-rate.plain': expected(offer('interest_rate'), 'The interest rate is written as plain digits, a point and decimals.'),
  'loans.offer.interest-rate.not-negative': money(offer('interest_rate'), 'The interest rate is not negative.'),
  'loans.offer.interest-term': must(offer('interest_term'), 'Each offer has an interest term that is a string.'),
  'loans.offer.interest-term.form': must(offer('interest_term'), 'The interest term is one digit and one letter.'),
  'loans.offer.interest-term.upper-case': expected(offer('interest_term'), 'The interest term is an ASCII digit and an ASCII capital.'),
  'loans.offer.commission-rate': must(offer('commission_rate'), 'Each offer has a commission rate that is a string.'),
  'loans.offer.commission-rate.decimals': must(offer('commission_rate'), 'The commission rate is decimal text with five decimals.'),
  'loans.offer.commission-rate.plain': expected(offer('commission_rate'), 'The commission rate is written as plain digits, a point and decimals.'),
  'loans.offer.commission-rate.not-negative': money(offer('commission_rate'), 'The commission rate is not negative.'),

  // POST /contracts
  'loans.contract.path': must(endpoints('POST /contracts'), 'The path of the contract request is /contracts, under the prefix of revolving loans.'),
  'loans.contract.method': must(endpoints('POST /contracts'), 'The method of the contract request is POST.'),
  'loans.contract.request.application-id': must(contractRequest('application_id'), 'The bank accepts a contract request whose application id is an integer.'),
  'loans.contract.request.account-id': must(contractRequest('account_id'), 'The bank accepts a contract request whose account id is an integer.'),
  'loans.contract.json': must(bodies, 'The answer to a contract request is JSON in UTF-8.'),
  'loans.contract.data': must(bodies, 'The answer to a contract request carries its content in the object data.'),
  'loans.contract.application-id': must(contractAnswer('application_id'), 'The answer to a contract request has an application id that is a string.'),
  'loans.contract.application-id.echo': expected(contractAnswer('application_id'), 'The answer to a contract request has the application id that was sent.'),

  // POST /disbursements
  'loans.disbursement.path': must(endpoints('POST /disbursements'), 'The path of the disbursement request is /disbursements, under the prefix of revolving loans.'),
  'loans.disbursement.method': must(endpoints('POST /disbursements'), 'The method of the disbursement request is POST.'),
  'loans.disbursement.request.amount': must(disbursementRequest('amount'), 'The bank accepts a disbursement request whose amount is a number.'),
  'loans.disbursement.request.account-id': must(disbursementRequest('account_id'), 'The bank accepts a disbursement request whose account id is an integer.'),
  'loans.disbursement.request.currency': must(disbursementRequest('currency'), 'The bank accepts a disbursement request whose currency is a string.'),
  'loans.disbursement.request.application-id': must(disbursementRequest('application_id'), 'The bank accepts a disbursement request whose application id is an integer.'),
  'loans.disbursement.request.contract-approved': must(disbursementRequest('contract_approved'), 'The bank accepts a disbursement request whose contract_approved is a boolean.'),
  'loans.disbursement.request.customer-ip': must(disbursementRequest('customer_ip'), 'The bank accepts a disbursement request whose customer IP address is a string.'),
  'loans.disbursement.json': must(bodies, 'The answer to a disbursement request is JSON in UTF-8.'),
  'loans.disbursement.data': must(bodies, 'The answer to a disbursement request carries its content in the object data.'),
  'loans.disbursement.application-id': must(disbursementAnswer('application_id'), 'The answer to a disbursement request has an application id that is a string.'),
  'loans.disbursement.application-id.echo': expected(disbursementAnswer('application_id'), 'The answer to a disbursement request has the application id that was sent.'),

  // GET /disbursements/{application_id}
  'loans.outcome.path': must(endpoints('GET /disbursements/{application_id}'), 'The path of the disbursement query is /disbursements/{application_id}, under the prefix of revolving loans.'),
  'loans.outcome.method': must(endpoints('GET /disbursements/{application_id}'), 'The method of the disbursement query is GET.'),
  'loans.outcome.request.application-id': must(endpoints('GET /disbursements/{application_id}'), 'The bank accepts a disbursement query with the application id exactly as the bank wrote it.'),
  'loans.outcome.json': must(bodies, 'The answer to a disbursement query is JSON in UTF-8.'),
  'loans.outcome.data': must(bodies, 'The answer to a disbursement query carries its content in the object data, with or without errors.'),
  'loans.outcome.application-id': must(outcome('application_id'), 'The answer to a disbursement query has an application id that is a string.'),
  'loans.outcome.application-id.echo': expected(outcome('application_id'), 'The answer to a disbursement query has the application id that was asked for.'),
  'loans.outcome.result': must(outcome('result'), 'The answer to a disbursement query has an outcome text that is a string.'),
  'loans.outcome.result.not-empty': expected(outcome('result'), 'The outcome text is not empty.'),
  'loans.outcome.result.words': expected(outcome('result'), 'The outcome text is words for people, not only a boolean, a number or a code.'),
  'loans.outcome.errors': mustIfShown(outcome('errors'), 'The errors of a disbursement query are an array next to data.'),
  'loans.outcome.errors.not-null': expected(errors, 'If there are no errors, the answer leaves out the field errors and does not send null.'),
  'loans.outcome.error': mustIfShown(errors, 'Each entry of errors is an object.'),
  'loans.outcome.message': mustIfShown(errors, 'Each error has a message that is a string.'),
  'loans.outcome.message.code': mustIfShown(errors, 'An error message is the letter R, three digits and a semicolon.'),
  'loans.outcome.message.exact': expected(errors, 'An error message is exactly one code, with nothing before or after it.'),
  'loans.outcome.text-and-errors': expected(errors, 'The same outcome text always comes with errors or always without.'),
  'loans.outcome.errors-stay': expected(errors, 'Once an application has errors, later answers have them too.'),
  'loans.outcome.errors-beside-data': expected(errors, 'The error codes of a failure stand in errors next to data, and nowhere else.'),
  'loans.outcome.final': expected(states, 'An outcome text that is final for other applications does not change later.'),
  'loans.outcome.reached': expected(states, 'Every accepted disbursement with documented values reaches an outcome in the end.'),
  'loans.outcome.found-again': expected(states, 'An outcome that the bank returned once is still found by later queries.'),
  'loans.outcome.not-of-a-refused': money(states, 'A refused disbursement does not get the outcome text of a disbursement that was made.'),
  'loans.independence': expected(states, 'Unrelated applications do not affect each other.'),
  'loans.offer.is-taken': robust(contractRequest('account_id'), 'A contract request is accepted for each of the offered accounts.'),
  'loans.offer.rates-stay': money(offer(), 'The rates of an account stay in the same fields and in the same unit.'),
  'loans.offer.account.same-reference': expected(offer('account'), 'One account has the same reference in every loan answer.'),

  // Behaviour
  'loans.unknown-application.contract': money(contractRequest('application_id'), 'A contract for an application that does not exist is refused.'),
  'loans.unknown-application.disbursement': money(disbursementRequest('application_id'), 'A disbursement for an application that does not exist is refused.'),
  'loans.unknown-application.outcome': secure(outcome('application_id'), 'A query for an application that does not exist does not return the outcome of another application.'),
  'loans.unknown-account.contract': money(contractRequest('account_id'), 'A contract for an account that was not offered is refused.'),
  'loans.unknown-account.disbursement': money(disbursementRequest('account_id'), 'A disbursement to an account that was not offered is refused.'),
  'loans.amount-positive.validation': money(loanRequest('amount'), 'A check of an amount of zero or less is refused, or its result is false.'),
  'loans.amount-positive.application': money(loanRequest('amount'), 'A loan request for an amount of zero or less is refused, or its result is false.'),
  'loans.amount-positive.disbursement': money(disbursementRequest('amount'), 'A disbursement of zero or less is refused, or it is not made.'),
  'loans.malformed.refused': robust(bodies, 'A loan request whose body is not JSON is refused.'),
  'loans.required-fields.consistent': expected(requiredGap, 'A loan request without a certain field is always accepted or always refused.'),
  'loans.over-limit': money(offer('avaliable_limit'), 'A disbursement above the available limit is refused, or its outcome text differs from that of a disbursement within the limit.'),
  'loans.limit.ledger': money(offer('avaliable_limit'), 'Every disbursement reduces the available limit of its account by the same rule as a single disbursement, to the cent.'),
  'loans.disbursement.at-limit': money(offer('avaliable_limit'), 'A disbursement of exactly the available limit is treated like a disbursement of one cent less.'),
  'loans.disbursement.once': money(states, 'If the bank refuses a repeated disbursement, it accepts at most one of two identical concurrent disbursements.'),
  'loans.contract.once': money(states, 'If the bank refuses a repeated contract request, it accepts at most one of two identical concurrent contract requests.'),
  'loans.application.once': money(states, 'If the bank refuses a repeated order, two concurrent requests for one order open at most one application.'),
  'loans.application.same-at-once': money(states, 'If a repeated order returns the same application, concurrent requests for one order return the same application too.'),
  'loans.validation.refusal-explained': robust(loanRequest(), 'The bank does not refuse a check for a value that no business rule can explain.'),
  'loans.application.refusal-explained': robust(loanRequest(), 'The bank does not refuse a loan request for a value that no business rule can explain.'),
  'loans.disbursement.refusal-explained': robust(disbursementRequest(), 'The bank does not refuse a disbursement for a value that no business rule can explain.'),

  // Left open
  'loans.required-fields': observed(requiredGap, 'Which fields of a loan request are required.'),
  'loans.refusals': observed(section('Errors', 'point 2'), 'Which loan requests are refused, and which business rule explains the refusal.'),
  'loans.value-bounds': observed(section(resources, 'closing paragraph'), 'Bounds and lengths of the fields of loan requests, and the accepted currencies.'),
  'loans.result-values': observed(loanOffer('result'), 'Whether a false result comes with offers.'),
  'loans.outcome-texts': observed(states, 'The outcome texts of disbursements and what they mean.'),
  'loans.states': observed(states, 'How the bank answers steps out of order, repeated steps, and steps without approval.'),
  'loans.error-codes': observed(section('Errors', 'point 3'), 'The error codes of the disbursement query and their meanings.'),
  'loans.unknown-ids': observed(section('Errors', 'point 2'), 'How the bank answers unknown applications and accounts, and amounts of zero or less.'),
  'loans.amount-above-limit': observed(offer('avaliable_limit'), 'How the bank answers an amount above the available limit.'),
  'loans.order-id-repeated': observed(loanRequest('order_id'), 'How the bank answers a repeated order_id.'),
} as const;
