/** The clauses of revolving loans. */
import { always, conditional, open, should } from './levels.ts';

const { must, mustIfShown, expected, left } = {
  must: always('loans'),
  mustIfShown: conditional('loans'),
  expected: should('loans'),
  left: open('loans'),
};

const fields = 'Resources and their fields';
const endpoints = 'Endpoints';
const authentication = 'Authentication';

export const loans = {
  // Authentication
  'loans.header.client-id': must(
    authentication,
    'Loan requests carry the client id in X-GW-client-id and are accepted so.',
  ),
  'loans.header.client-secret': must(
    authentication,
    'Loan requests carry the client secret in X-GW-client-secret and are accepted so.',
  ),
  'loans.header.authorization': must(
    authentication,
    'Loan requests carry the access token as a bearer token and are accepted so.',
  ),
  'loans.header.content-type': must(
    authentication,
    'Loan requests, also those without a body, carry Content-Type: application/json and are accepted so.',
  ),
  'loans.header.no-others': mustIfShown(
    authentication,
    'Loan requests need no header field beyond the documented ones.',
  ),
  'loans.credentials.client-id': expected(authentication, 'A loan request without the right client id gets no data.'),
  'loans.credentials.client-secret': expected(
    authentication,
    'A loan request without the right client secret gets no data.',
  ),
  'loans.credentials.token': expected(authentication, 'A loan request without the right access token gets no data.'),

  // POST /validations
  'loans.validation.path': must(endpoints, 'The check stands at /validations under the prefix of revolving loans.'),
  'loans.validation.method': must(endpoints, 'The check is asked for with POST.'),
  'loans.validation.request.amount': must(fields, 'A check takes its amount as a number.'),
  'loans.validation.request.currency': must(fields, 'A check takes its currency as a text.'),
  'loans.validation.request.commercial-disbursement': must(
    fields,
    'A check takes commercial_disbursement as a boolean.',
  ),
  'loans.validation.request.disbursement-purpose': must(fields, 'A check takes disbursement_purpose as a boolean.'),
  'loans.validation.request.order-id': must(fields, 'A check takes an order_id.'),
  'loans.validation.request.order-id.text': must(fields, 'A check takes an order_id that is a string.'),
  'loans.validation.request.order-id.integer': must(fields, 'A check takes an order_id that is an integer.'),
  'loans.validation.json': must('What the service does', 'The answer to a check is JSON in UTF-8.'),
  'loans.validation.data': must(
    'What the service does',
    'The answer to a check carries its content in the object data.',
  ),
  'loans.validation.result': must(fields, 'The result of a check is there as a string.'),
  'loans.validation.result.boolean': must(fields, 'The result of a check is the text of a boolean.'),
  'loans.validation.result.exact': expected(fields, 'The result of a check is spelt true or false.'),

  // POST /loans
  'loans.application.path': must(endpoints, 'Loans are asked for at /loans under the prefix of revolving loans.'),
  'loans.application.method': must(endpoints, 'Loans are asked for with POST.'),
  'loans.application.request.amount': must(fields, 'A loan request takes its amount as a number.'),
  'loans.application.request.currency': must(fields, 'A loan request takes its currency as a text.'),
  'loans.application.request.commercial-disbursement': must(
    fields,
    'A loan request takes commercial_disbursement as a boolean.',
  ),
  'loans.application.request.disbursement-purpose': must(
    fields,
    'A loan request takes disbursement_purpose as a boolean.',
  ),
  'loans.application.request.order-id': must(fields, 'A loan request takes an order_id.'),
  'loans.application.request.order-id.text': must(fields, 'A loan request takes an order_id that is a string.'),
  'loans.application.request.order-id.integer': must(fields, 'A loan request takes an order_id that is an integer.'),
  'loans.application.json': must('What the service does', 'The answer to a loan request is JSON in UTF-8.'),
  'loans.application.data': must(
    'What the service does',
    'The answer to a loan request carries its content in the object data.',
  ),
  'loans.application.id': must(fields, 'A loan answer names its application in a string.'),
  'loans.application.id.digits': must(fields, 'The application id of a loan answer is numeric text.'),
  'loans.application.id.distinct': expected(fields, 'Two loan requests open two applications with different ids.'),
  'loans.application.result': must(fields, 'A loan answer tells its outcome in a string.'),
  'loans.application.result.boolean': must(fields, 'The outcome of a loan answer is the text of a boolean.'),
  'loans.application.result.exact': expected(fields, 'The outcome of a loan answer is spelt true or false.'),
  'loans.application.infos': must(fields, 'A loan answer lists the accounts on offer in the array infos.'),
  'loans.application.refused.complete': expected(
    fields,
    'A loan answer with the result false still carries every documented field.',
  ),
  'loans.offer': must(fields, 'Each entry of infos is an offer object.'),
  'loans.offer.account-id': must(fields, 'An offer names its account id in a string.'),
  'loans.offer.account-id.digits': must(fields, 'The account id of an offer is numeric text.'),
  'loans.offer.account-id.distinct': expected(fields, 'No two offers of one answer share an account.'),
  'loans.offer.account': must(fields, 'An offer carries its account reference in a string.'),
  'loans.offer.account.not-empty': expected(fields, 'The account reference of an offer is not empty.'),
  'loans.offer.limit': must(fields, 'An offer carries avaliable_limit, spelt so, in a string.'),
  'loans.offer.limit.decimals': must(fields, 'The available limit is decimal text with two decimals.'),
  'loans.offer.limit.plain': expected(fields, 'The available limit is plain digits, a point and its decimals.'),
  'loans.offer.limit.not-negative': expected(fields, 'The available limit is not negative.'),
  'loans.offer.interest-rate': must(fields, 'An offer carries its interest rate in a string.'),
  'loans.offer.interest-rate.decimals': must(fields, 'The interest rate is decimal text with five decimals.'),
  'loans.offer.interest-rate.plain': expected(fields, 'The interest rate is plain digits, a point and its decimals.'),
  'loans.offer.interest-rate.not-negative': expected(fields, 'The interest rate is not negative.'),
  'loans.offer.interest-term': must(fields, 'An offer carries its interest term in a string.'),
  'loans.offer.interest-term.form': must(fields, 'The interest term is one digit and one letter.'),
  'loans.offer.interest-term.upper-case': expected(fields, 'The interest term is an ASCII digit and an ASCII capital.'),
  'loans.offer.commission-rate': must(fields, 'An offer carries its commission rate in a string.'),
  'loans.offer.commission-rate.decimals': must(fields, 'The commission rate is decimal text with five decimals.'),
  'loans.offer.commission-rate.plain': expected(
    fields,
    'The commission rate is plain digits, a point and its decimals.',
  ),
  'loans.offer.commission-rate.not-negative': expected(fields, 'The commission rate is not negative.'),

  // POST /contracts
  'loans.contract.path': must(endpoints, 'Contracts are approved at /contracts under the prefix of revolving loans.'),
  'loans.contract.method': must(endpoints, 'Contracts are approved with POST.'),
  'loans.contract.request.application-id': must(fields, 'A contract request takes the application id as an integer.'),
  'loans.contract.request.account-id': must(fields, 'A contract request takes the account id as an integer.'),
  'loans.contract.json': must('What the service does', 'The answer to a contract request is JSON in UTF-8.'),
  'loans.contract.data': must(
    'What the service does',
    'The answer to a contract request carries its content in the object data.',
  ),
  'loans.contract.application-id': must(fields, 'The answer to a contract request names the application in a string.'),
  'loans.contract.application-id.echo': expected(
    fields,
    'The application id answered to a contract request is the one sent.',
  ),

  // POST /disbursements
  'loans.disbursement.path': must(
    endpoints,
    'Disbursements are asked for at /disbursements under the prefix of revolving loans.',
  ),
  'loans.disbursement.method': must(endpoints, 'Disbursements are asked for with POST.'),
  'loans.disbursement.request.amount': must(fields, 'A disbursement request takes its amount as a number.'),
  'loans.disbursement.request.account-id': must(fields, 'A disbursement request takes the account id as an integer.'),
  'loans.disbursement.request.currency': must(fields, 'A disbursement request takes its currency as a text.'),
  'loans.disbursement.request.application-id': must(
    fields,
    'A disbursement request takes the application id as an integer.',
  ),
  'loans.disbursement.request.contract-approved': must(
    fields,
    'A disbursement request takes contract_approved as a boolean.',
  ),
  'loans.disbursement.request.customer-ip': must(
    fields,
    'A disbursement request takes the IP address of the customer as a text.',
  ),
  'loans.disbursement.json': must('What the service does', 'The answer to a disbursement request is JSON in UTF-8.'),
  'loans.disbursement.data': must(
    'What the service does',
    'The answer to a disbursement request carries its content in the object data.',
  ),
  'loans.disbursement.application-id': must(
    fields,
    'The answer to a disbursement request names the application in a string.',
  ),
  'loans.disbursement.application-id.echo': expected(
    fields,
    'The application id answered to a disbursement request is the one sent.',
  ),

  // GET /disbursements/{application_id}
  'loans.outcome.path': must(endpoints, 'The outcome stands at /disbursements and the application id.'),
  'loans.outcome.method': must(endpoints, 'The outcome is asked for with GET.'),
  'loans.outcome.request.application-id': must(
    endpoints,
    'The outcome is found by the application id as the target wrote it.',
  ),
  'loans.outcome.json': must('What the service does', 'The answer to a disbursement query is JSON in UTF-8.'),
  'loans.outcome.data': must(
    'What the service does',
    'The answer to a disbursement query carries its content in the object data, errors or not.',
  ),
  'loans.outcome.application-id': must(fields, 'The answer to a disbursement query names the application in a string.'),
  'loans.outcome.application-id.echo': expected(
    fields,
    'The application id answered to a disbursement query is the one asked for.',
  ),
  'loans.outcome.result': must(fields, 'A disbursement query tells the outcome in a string.'),
  'loans.outcome.result.not-empty': expected(fields, 'The outcome text is not empty.'),
  'loans.outcome.errors': mustIfShown('Errors', 'The errors of a disbursement query are an array beside data.'),
  'loans.outcome.errors.not-null': expected(
    'Errors',
    'A disbursement query without errors leaves the field out and does not send null.',
  ),
  'loans.outcome.error': mustIfShown('Errors', 'Each entry of errors is an object.'),
  'loans.outcome.message': mustIfShown('Errors', 'Each error carries its message in a string.'),
  'loans.outcome.message.code': mustIfShown(
    'Errors',
    'An error message is the letter R, three digits and a semicolon.',
  ),
  'loans.outcome.message.exact': expected('Errors', 'An error message is one code with nothing around it.'),
  'loans.outcome.text-and-errors': expected(
    'Errors',
    'The same outcome text is not told with errors once and without them another time.',
  ),
  'loans.outcome.errors-stay': expected('Errors', 'Errors once told of an application stay.'),
  'loans.outcome.final': expected(
    'States and transitions',
    'An outcome that is the last word for other applications is not followed by another.',
  ),

  // Behaviour
  'loans.unknown-application.contract': expected(
    fields,
    'A contract for an application that does not exist is refused.',
  ),
  'loans.unknown-application.disbursement': expected(
    fields,
    'A disbursement for an application that does not exist is refused.',
  ),
  'loans.unknown-application.outcome': expected(
    fields,
    'The query of an application that does not exist brings no outcome of another.',
  ),
  'loans.unknown-account.contract': expected(fields, 'A contract for an account that was not offered is refused.'),
  'loans.unknown-account.disbursement': expected(
    fields,
    'A disbursement to an account that was not offered is refused.',
  ),
  'loans.amount-positive.validation': expected(
    fields,
    'A check of an amount of zero or below is refused or answered false.',
  ),
  'loans.amount-positive.application': expected(
    fields,
    'A loan of an amount of zero or below is refused or answered false.',
  ),
  'loans.amount-positive.disbursement': expected(
    fields,
    'A disbursement of an amount of zero or below is refused or not made.',
  ),
  'loans.malformed.refused': expected(fields, 'A loan request whose body is no JSON is refused.'),
  'loans.required-fields.consistent': expected(
    'Endpoints',
    'A loan request without a certain field is taken every time, or refused every time.',
  ),
  'loans.over-limit': expected(
    'Errors',
    'An amount above the available limit is refused, or its outcome is told in other words than a disbursement within it.',
  ),

  // Left open
  'loans.required-fields': left('Endpoints', 'Which fields of a loan request are required.'),
  'loans.value-bounds': left(fields, 'Bounds and lengths of the fields of loan requests, and the currencies taken.'),
  'loans.result-values': left(fields, 'What a false result goes with: offers or none.'),
  'loans.outcome-texts': left('States and transitions', 'The outcome texts of disbursements and what they mean.'),
  'loans.states': left(
    'States and transitions',
    'The states of an application: steps out of order, twice, or without approval.',
  ),
  'loans.error-codes': left('Errors', 'The error codes of the disbursement query and their meanings.'),
  'loans.unknown-ids': left(
    fields,
    'What an application or an account brings that does not exist, and an amount of zero or below.',
  ),
  'loans.amount-above-limit': left('Errors', 'What an amount above the available limit brings.'),
  'loans.order-id-repeated': left(fields, 'What a repeated order_id brings.'),
} as const;
