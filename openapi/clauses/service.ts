/** The clauses about all areas. */
import { defineLevels, citeSection, FIELDS_SECTION, jsonBodySource } from './clause.ts';

const { expected, robust, secure, observed } = defineLevels('service');

export const refusalsSource = citeSection('Errors', 'point 2');
const credentialsGap = citeSection('Authentication', 'closing paragraph');

// prettier-ignore
export const serviceClauses = {
  'service.content-type': expected(jsonBodySource, 'The Content-Type of a successful answer is application/json, or ends in +json.'),
  'service.charset': expected(jsonBodySource, 'The charset parameter of the Content-Type is the real encoding of the body.'),
  'service.no-byte-order-mark': expected(jsonBodySource, 'A JSON body does not begin with a byte order mark.'),
  'service.no-duplicate-keys': expected(jsonBodySource, 'No object of an answer has the same key twice.'),
  'service.plain-texts': expected(jsonBodySource, 'The texts of an answer are not escaped for HTML, and not encoded in UTF-8 twice.'),
  'service.decoded-texts': expected(jsonBodySource, 'The texts of an answer are not escaped for JSON twice, and not percent-encoded.'),
  'service.filled-texts': expected(jsonBodySource, 'The texts of an answer have no placeholders in place of values, and no characters that were lost in encoding.'),
  'service.numbers-within-double': expected(jsonBodySource, 'The numbers of an answer are within the range of a 64-bit floating-point number (double).'),
  'service.refusal-status': expected(refusalsSource, 'If the bank refuses a request, the status is an error status and not 2xx.'),
  'service.odd-input': robust(refusalsSource, 'The bank does not answer a faulty request with 5xx.'),
  'service.no-internals': secure(refusalsSource, 'An answer contains no stack trace, database text or file path.'),
  'service.credentials-not-reflected': secure(citeSection('Authentication'), 'An answer contains neither the client secret nor the access token.'),
  'service.credentials-stay': robust(citeSection('Authentication'), 'The bank keeps accepting credentials that it accepted before.'),

  'service.success-status': observed(citeSection('Endpoints', 'gap 1'), 'The document does not define the success status of each operation.'),
  'service.error-status': observed(refusalsSource, 'The document does not define which status the bank sends if it refuses a request.'),
  'service.error-body': observed(refusalsSource, 'The document does not define the format of error bodies.'),
  'service.credentials': observed(credentialsGap, 'The document does not define how the bank answers missing or wrong credentials.'),
  'service.token': observed(credentialsGap, 'The document does not define how a client gets the access token, how long it is valid and what it gives access to.'),
  'service.additional-fields': observed(citeSection(FIELDS_SECTION), 'The document does not define whether answers have fields beyond the documented ones.'),
  'service.number-spelling': observed(citeSection(FIELDS_SECTION), 'The document does not define whether the bank writes integers as 5 or as 5.0.'),
  'service.events': observed(citeSection('Events'), 'The document does not define events, callbacks and notifications.'),
  'service.rate-limit': observed(citeSection('Limits', 'point 3'), 'The document does not define rate limits, quotas and size limits.'),
  'service.versioning': observed(citeSection('Versioning'), 'The document does not define rules for changes and deprecation.'),
  'service.other-methods': observed(citeSection('Endpoints'), 'The document does not define how the bank answers HTTP methods that the document does not name.'),
  'service.request-leniency': observed(citeSection(FIELDS_SECTION), 'The document does not define whether the bank accepts other JSON types, unknown fields, empty bodies and malformed JSON.'),
  'service.over-time': observed(citeSection('States and transitions'), 'The document does not define when payment links expire and how long the bank keeps the outcome of a disbursement.'),
  'service.latency': observed(citeSection('Limits', 'point 3'), 'The document does not define how long an answer may take.'),
  'service.token-headers': observed(credentialsGap, 'The document does not define the cache and security headers of answers that contain a payment token.'),
} as const;
