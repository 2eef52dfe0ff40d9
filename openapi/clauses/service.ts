/** The clauses about all areas. */
import { defineLevels, citeSection } from './levels.ts';

const { expected, robust, secure, observed } = defineLevels('service');

const FIELDS_SECTION = 'Resources and their fields';
const jsonBodySource = citeSection('What the service does', 'point 4');
const refusalsSource = citeSection('Errors', 'point 2');
const credentialsGap = citeSection('Authentication', 'closing paragraph');

// One clause, one line.
// prettier-ignore
export const serviceClauses = {
  'service.content-type': expected(jsonBodySource, 'A successful answer is labelled application/json or +json.'),
  'service.charset': expected(jsonBodySource, 'The body of an answer is written in the charset that the answer names.'),
  'service.no-byte-order-mark': expected(jsonBodySource, 'A JSON body does not begin with a byte order mark.'),
  'service.no-duplicate-keys': expected(jsonBodySource, 'No object of an answer has the same key twice.'),
  'service.plain-texts': expected(jsonBodySource, 'The texts of an answer are not escaped for HTML, and not encoded in UTF-8 twice.'),
  'service.decoded-texts': expected(jsonBodySource, 'The texts of an answer are not escaped for JSON twice, and not percent-encoded.'),
  'service.filled-texts': expected(jsonBodySource, 'No text of an answer has a placeholder in place of a value, and no text has lost characters.'),
  'service.content-coding': robust(jsonBodySource, 'The answer to a client that accepts gzip is JSON after its Content-Encoding is decoded.'),
  'service.numbers-within-double': expected(jsonBodySource, 'The numbers of an answer are within the range of a double.'),
  'service.refusal-status': expected(refusalsSource, 'A refusal has an error status, not 2xx.'),
  'service.answers': robust(refusalsSource, 'A request similar to an accepted one gets an answer: no broken connection, no redirect, no time-out.'),
  'service.no-server-error': robust(refusalsSource, 'A request similar to an accepted one is not answered with 5xx.'),
  'service.stays-up': robust(refusalsSource, 'No request stops the service: it still answers later requests.'),
  'service.same-request': robust(jsonBodySource, 'A documented request is accepted in every form that JSON, URIs and HTTP define as equivalent.'),
  'service.odd-input': robust(refusalsSource, "A client's mistake is not answered with 5xx."),
  'service.no-internals': secure(refusalsSource, 'An answer shows no stack trace, database text or file path.'),
  'service.credentials-not-reflected': secure(citeSection('Authentication'), 'An answer contains neither the client secret nor the access token.'),
  'service.credentials-stay': robust(citeSection('Authentication'), 'The bank does not refuse accepted credentials with 401 from time to time.'),
  'service.status.consistent': expected(citeSection('Endpoints', 'gap 1'), 'The same request in the same state gets the same success status.'),

  'service.success-status': observed(citeSection('Endpoints', 'gap 1'), 'The success status of each operation.'),
  'service.error-status': observed(refusalsSource, 'The statuses of refusals.'),
  'service.error-body': observed(refusalsSource, 'The shape of error bodies.'),
  'service.credentials': observed(credentialsGap, 'How the bank answers missing or wrong credentials.'),
  'service.token': observed(credentialsGap, 'How the access token is obtained, how long it is valid and what it gives access to.'),
  'service.additional-fields': observed(citeSection(FIELDS_SECTION), 'Fields that the document does not name.'),
  'service.number-spelling': observed(citeSection(FIELDS_SECTION), 'How integers are written: as 5 or as 5.0.'),
  'service.events': observed(citeSection('Events'), 'Events, callbacks and notifications.'),
  'service.rate-limit': observed(citeSection('Limits', 'point 3'), 'Rate limits, quotas and size limits.'),
  'service.versioning': observed(citeSection('Versioning'), 'Rules for changes and deprecation.'),
  'service.other-methods': observed(citeSection('Endpoints'), 'How the bank answers methods that the document does not name.'),
  'service.request-leniency': observed(citeSection(FIELDS_SECTION), 'Whether other JSON types, unknown fields, empty bodies and malformed JSON are accepted.'),
  'service.over-time': observed(citeSection('States and transitions'), 'What a run with SOAK covered: the seconds in which links expire, and how long outcomes stay.'),
  'service.latency': observed(citeSection('Limits', 'point 3'), 'How long an answer takes.'),
  'service.token-headers': observed(credentialsGap, 'The cache and security headers of answers that carry a payment token.'),
} as const;
