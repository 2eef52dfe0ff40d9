/** The clauses of revolving loans. */
import {
  defineLevels,
  citeSection,
  citeTable,
  FIELDS_SECTION,
  jsonBodySource,
  requiredFieldsGap,
} from '../../clauses/clause.ts';

const { must, mustIfShown, expected, money, robust, observed } = defineLevels('loans');

const endpointRow = citeTable('Endpoints', 'A. Revolving Loans');
const headerRow = citeTable('Authentication', 'Revolving Loans and Pay-by-Link');
export const loanRequestField = citeTable(FIELDS_SECTION, 'Validation or loan request');
const validationResultField = citeTable(FIELDS_SECTION, 'Validation result');
export const loanAnswerField = citeTable(FIELDS_SECTION, 'Loan offer');
export const offerField = citeTable(FIELDS_SECTION, 'Offer object');
export const contractRequestField = citeTable(FIELDS_SECTION, 'Contract request');
const contractAnswerField = citeTable(FIELDS_SECTION, 'Contract response');
export const disbursementRequestField = citeTable(FIELDS_SECTION, 'Disbursement request');
const disbursementAnswerField = citeTable(FIELDS_SECTION, 'Disbursement response');
export const outcomeField = citeTable(FIELDS_SECTION, 'Disbursement query result');
export const errorsSource = citeSection('Errors', 'point 1');
export const statesSource = citeSection('States and transitions');

// prettier-ignore
export const loanClauses = {
  // Authentication
  'loans.header.client-id': must(headerRow('X-GW-client-id'), 'The bank accepts loan requests that send the client id in X-GW-client-id.'),
  'loans.header.client-secret': must(headerRow('X-GW-client-secret'), 'The bank accepts loan requests that send the client secret in X-GW-client-secret.'),
  'loans.header.authorization': must(headerRow('Authorization'), 'The bank accepts loan requests that send the access token as a bearer token.'),
  'loans.header.content-type': must(headerRow('Content-Type'), 'The bank accepts loan requests that send Content-Type: application/json, with or without a body.'),
  'loans.header.no-others': mustIfShown(headerRow(), 'The bank accepts loan requests whose header fields are only the documented ones.'),

  // POST /validations
  'loans.validation.path': must(endpointRow('POST /validations'), 'The path of the validation request is /validations, after the path prefix of revolving loans.'),
  'loans.validation.method': must(endpointRow('POST /validations'), 'The method of the validation request is POST.'),
  'loans.validation.request.amount': must(loanRequestField('amount'), 'The bank accepts a validation request whose amount is a number.'),
  'loans.validation.request.currency': must(loanRequestField('currency'), 'The bank accepts a validation request whose currency is a string.'),
  'loans.validation.request.commercial-disbursement': must(loanRequestField('commercial_disbursement'), 'The bank accepts a validation request whose commercial_disbursement is a boolean.'),
  'loans.validation.request.disbursement-purpose': must(loanRequestField('disbursement_purpose'), 'The bank accepts a validation request whose disbursement_purpose is a boolean.'),
  'loans.validation.request.order-id': must(loanRequestField('order_id'), 'The bank accepts a validation request with an order_id.'),
  'loans.validation.request.order-id.text': must(loanRequestField('order_id'), 'The bank accepts a validation request whose order_id is a string.'),
  'loans.validation.request.order-id.integer': must(loanRequestField('order_id'), 'The bank accepts a validation request whose order_id is an integer.'),
  'loans.validation.json': must(jsonBodySource, 'The answer to a validation request is JSON in UTF-8.'),
  'loans.validation.data': must(jsonBodySource, 'The answer to a validation request has its content in the top-level object "data".'),
  'loans.validation.result': must(validationResultField('result'), 'The answer to a validation request has a field "result" that is a string.'),
  'loans.validation.result.boolean': must(validationResultField('result'), 'The field "result" in the answer to a validation request is a boolean, written as text.'),
  'loans.validation.result.exact': expected(validationResultField('result'), 'The field "result" in the answer to a validation request is exactly the text "true" or "false".'),

  // POST /loans
  'loans.application.path': must(endpointRow('POST /loans'), 'The path of the loan request is /loans, after the path prefix of revolving loans.'),
  'loans.application.method': must(endpointRow('POST /loans'), 'The method of the loan request is POST.'),
  'loans.application.request.amount': must(loanRequestField('amount'), 'The bank accepts a loan request whose amount is a number.'),
  'loans.application.request.currency': must(loanRequestField('currency'), 'The bank accepts a loan request whose currency is a string.'),
  'loans.application.request.commercial-disbursement': must(loanRequestField('commercial_disbursement'), 'The bank accepts a loan request whose commercial_disbursement is a boolean.'),
  'loans.application.request.disbursement-purpose': must(loanRequestField('disbursement_purpose'), 'The bank accepts a loan request whose disbursement_purpose is a boolean.'),
  'loans.application.request.order-id': must(loanRequestField('order_id'), 'The bank accepts a loan request with an order_id.'),
  'loans.application.request.order-id.text': must(loanRequestField('order_id'), 'The bank accepts a loan request whose order_id is a string.'),
  'loans.application.request.order-id.integer': must(loanRequestField('order_id'), 'The bank accepts a loan request whose order_id is an integer.'),
  'loans.application.json': must(jsonBodySource, 'The answer to a loan request is JSON in UTF-8.'),
  'loans.application.data': must(jsonBodySource, 'The answer to a loan request has its content in the top-level object "data".'),
  'loans.application.id': must(loanAnswerField('application_id'), 'The answer to a loan request has an application id that is a string.'),
  'loans.application.id.digits': must(loanAnswerField('application_id'), 'The application id in the answer to a loan request has only digits.'),
  'loans.application.result': must(loanAnswerField('result'), 'The answer to a loan request has a field "result" that is a string.'),
  'loans.application.result.boolean': must(loanAnswerField('result'), 'The field "result" in the answer to a loan request is a boolean, written as text.'),
  'loans.application.result.exact': expected(loanAnswerField('result'), 'The field "result" in the answer to a loan request is exactly the text "true" or "false".'),
  'loans.application.infos': must(loanAnswerField('infos'), 'The answer to a loan request lists the offered accounts in the array "infos".'),
  'loans.application.refused.complete': expected(loanAnswerField(), 'The answer to a loan request has all documented fields, even if its result is false.'),
  'loans.offer': must(offerField(), 'Each entry of the array "infos" is an object: the offer of one account.'),
  'loans.offer.account-id': must(offerField('account_id'), 'Each offer has an account id that is a string.'),
  'loans.offer.account-id.digits': must(offerField('account_id'), 'The account id of an offer has only digits.'),
  'loans.offer.account-id.distinct': expected(offerField('account_id'), 'No two offers of one answer have the same account.'),
  'loans.offer.account': must(offerField('account'), 'Each offer has an account reference (account) that is a string.'),
  'loans.offer.account.not-empty': expected(offerField('account'), 'The account reference of an offer is not empty text.'),
  'loans.offer.limit': must(offerField('avaliable_limit'), 'Each offer has an available limit that is a string, in the field avaliable_limit (with this spelling).'),
  'loans.offer.limit.decimals': must(offerField('avaliable_limit'), 'The available limit is a number with two decimals, written as text.'),
  'loans.offer.limit.plain': expected(offerField('avaliable_limit'), 'The available limit is written with digits and a decimal point only, such as 1500.00.'),
  'loans.offer.limit.not-negative': money(offerField('avaliable_limit'), 'The available limit is not negative.'),
  'loans.offer.interest-rate': must(offerField('interest_rate'), 'Each offer has an interest rate that is a string.'),
  'loans.offer.interest-rate.decimals': must(offerField('interest_rate'), 'The interest rate is a number with five decimals, written as text.'),
  'loans.offer.interest-rate.plain': expected(offerField('interest_rate'), 'The interest rate is written with digits and a decimal point only, such as 0.01250.'),
  'loans.offer.interest-rate.not-negative': expected(offerField('interest_rate'), 'The interest rate is not negative.'),
  'loans.offer.interest-term': must(offerField('interest_term'), 'Each offer has an interest term that is a string.'),
  'loans.offer.interest-term.form': must(offerField('interest_term'), 'The interest term is one digit and one letter.'),
  'loans.offer.interest-term.upper-case': expected(offerField('interest_term'), 'The interest term is a digit from 0 to 9 and a capital letter from A to Z, such as 1M.'),
  'loans.offer.commission-rate': must(offerField('commission_rate'), 'Each offer has a commission rate that is a string.'),
  'loans.offer.commission-rate.decimals': must(offerField('commission_rate'), 'The commission rate is a number with five decimals, written as text.'),
  'loans.offer.commission-rate.plain': expected(offerField('commission_rate'), 'The commission rate is written with digits and a decimal point only, such as 0.01250.'),
  'loans.offer.commission-rate.not-negative': expected(offerField('commission_rate'), 'The commission rate is not negative.'),

  // POST /contracts
  'loans.contract.path': must(endpointRow('POST /contracts'), 'The path of the contract request is /contracts, after the path prefix of revolving loans.'),
  'loans.contract.method': must(endpointRow('POST /contracts'), 'The method of the contract request is POST.'),
  'loans.contract.request.application-id': must(contractRequestField('application_id'), 'The bank accepts a contract request whose application id is an integer.'),
  'loans.contract.request.account-id': must(contractRequestField('account_id'), 'The bank accepts a contract request whose account id is an integer.'),
  'loans.contract.json': must(jsonBodySource, 'The answer to a contract request is JSON in UTF-8.'),
  'loans.contract.data': must(jsonBodySource, 'The answer to a contract request has its content in the top-level object "data".'),
  'loans.contract.application-id': must(contractAnswerField('application_id'), 'The answer to a contract request has an application id that is a string.'),
  'loans.contract.application-id.echo': expected(contractAnswerField('application_id'), 'The answer to a contract request has the same application id as the request.'),

  // POST /disbursements
  'loans.disbursement.path': must(endpointRow('POST /disbursements'), 'The path of the disbursement request is /disbursements, after the path prefix of revolving loans.'),
  'loans.disbursement.method': must(endpointRow('POST /disbursements'), 'The method of the disbursement request is POST.'),
  'loans.disbursement.request.amount': must(disbursementRequestField('amount'), 'The bank accepts a disbursement request whose amount is a number.'),
  'loans.disbursement.request.account-id': must(disbursementRequestField('account_id'), 'The bank accepts a disbursement request whose account id is an integer.'),
  'loans.disbursement.request.currency': must(disbursementRequestField('currency'), 'The bank accepts a disbursement request whose currency is a string.'),
  'loans.disbursement.request.application-id': must(disbursementRequestField('application_id'), 'The bank accepts a disbursement request whose application id is an integer.'),
  'loans.disbursement.request.contract-approved': must(disbursementRequestField('contract_approved'), 'The bank accepts a disbursement request whose contract_approved is a boolean.'),
  'loans.disbursement.request.customer-ip': must(disbursementRequestField('customer_ip'), 'The bank accepts a disbursement request whose customer IP address is a string.'),
  'loans.disbursement.json': must(jsonBodySource, 'The answer to a disbursement request is JSON in UTF-8.'),
  'loans.disbursement.data': must(jsonBodySource, 'The answer to a disbursement request has its content in the top-level object "data".'),
  'loans.disbursement.application-id': must(disbursementAnswerField('application_id'), 'The answer to a disbursement request has an application id that is a string.'),
  'loans.disbursement.application-id.echo': expected(disbursementAnswerField('application_id'), 'The answer to a disbursement request has the same application id as the request.'),

  // GET /disbursements/{application_id}
  'loans.outcome.path': must(endpointRow('GET /disbursements/{application_id}'), 'The path of the disbursement query is /disbursements/{application_id}, after the path prefix of revolving loans.'),
  'loans.outcome.method': must(endpointRow('GET /disbursements/{application_id}'), 'The method of the disbursement query is GET.'),
  'loans.outcome.request.application-id': must(endpointRow('GET /disbursements/{application_id}'), 'The bank accepts a disbursement query with an application id, written exactly as in the answer to the loan request.'),
  'loans.outcome.json': must(jsonBodySource, 'The answer to a disbursement query is JSON in UTF-8.'),
  'loans.outcome.data': must(jsonBodySource, 'The answer to a disbursement query has its content in the top-level object "data", even if it has errors.'),
  'loans.outcome.application-id': must(outcomeField('application_id'), 'The answer to a disbursement query has an application id that is a string.'),
  'loans.outcome.application-id.echo': expected(outcomeField('application_id'), 'The answer to a disbursement query has the same application id as the query.'),
  'loans.outcome.result': must(outcomeField('result'), 'The answer to a disbursement query has an outcome text (result) that is a string.'),
  'loans.outcome.result.not-empty': expected(outcomeField('result'), 'The outcome text of a disbursement is not empty.'),
  'loans.outcome.result.words': expected(outcomeField('result'), 'The outcome text of a disbursement has words that a person can read.'),
  'loans.outcome.errors': mustIfShown(outcomeField('errors'), 'If the answer to a disbursement query has errors, they are in the top-level array "errors", next to "data".'),
  'loans.outcome.errors.not-null': expected(errorsSource, 'If a disbursement has no errors, the answer leaves out the field "errors" and does not send null.'),
  'loans.outcome.error': mustIfShown(errorsSource, 'Each entry of the array "errors" is an object.'),
  'loans.outcome.message': mustIfShown(errorsSource, 'Each entry of the array "errors" has a field "message" that is a string.'),
  'loans.outcome.message.code': mustIfShown(errorsSource, 'Each error message is an error code: the letter R, three digits and a semicolon.'),
  'loans.outcome.message.exact': expected(errorsSource, 'Each error message is exactly one error code, with no text before or after the code.'),
  'loans.outcome.errors-beside-data': expected(errorsSource, 'If the answer to a disbursement query has error codes, they are in the top-level array "errors".'),
  'loans.independence': expected(statesSource, 'Unrelated applications do not affect each other.'),
  'loans.offer.is-taken': robust(contractRequestField('account_id'), 'The bank accepts a contract request for each offered account.'),

  // Behaviour
  'loans.validation.refusal-explained': robust(loanRequestField(), 'The bank refuses a value in a validation request only if a business rule can explain the refusal.'),
  'loans.application.refusal-explained': robust(loanRequestField(), 'The bank refuses a value in a loan request only if a business rule can explain the refusal.'),
  'loans.disbursement.refusal-explained': robust(disbursementRequestField(), 'The bank refuses a value in a disbursement request only if a business rule can explain the refusal.'),

  // Open points
  'loans.required-fields': observed(requiredFieldsGap, 'The document does not define which fields of loan requests are required.'),
  'loans.refusals': observed(citeSection('Errors', 'point 2'), 'The document does not define which loan requests the bank refuses, or which business rules explain the refusals.'),
  'loans.value-bounds': observed(citeSection(FIELDS_SECTION, 'closing paragraph'), 'The document does not define the bounds and lengths of the fields of loan requests, and the accepted currencies.'),
  'loans.result-values': observed(loanAnswerField('result'), 'The document does not define whether an answer to a loan request has offers if its result is false.'),
  'loans.outcome-texts': observed(statesSource, 'The document does not define the outcome texts of disbursements and what they mean.'),
  'loans.states': observed(statesSource, 'The document does not define how the bank answers loan requests that are out of order, repeated, or without an approved contract.'),
  'loans.error-codes': observed(citeSection('Errors', 'point 3'), 'The document does not define the error codes of the disbursement query and what they mean.'),
  'loans.unknown-ids': observed(citeSection('Errors', 'point 2'), 'The document does not define how the bank answers unknown applications and accounts, and amounts of zero or less.'),
  'loans.amount-above-limit': observed(offerField('avaliable_limit'), 'The document does not define how the bank answers an amount above the available limit.'),
  'loans.order-id-repeated': observed(loanRequestField('order_id'), 'The document does not define how the bank answers a loan request with an order_id that was used before.'),
} as const;
