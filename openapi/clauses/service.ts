/** The clauses about all areas. */
import { defineLevels, citeSection, FIELDS_SECTION, jsonBodySource } from './levels.ts';

const { expected, robust, secure, observed } = defineLevels('service');

const refusalsSource = citeSection('Errors', 'point 2');
const credentialsGap = citeSection('Authentication', 'closing paragraph');

// One clause, one line.
// prettier-ignore
export const serviceClauses = {
  'service.content-type': expected(jsonBodySource, 'The Content-Type of a successful answer is application/json, or ends in +json.'),
  'service.charset': expected(jsonBodySource, 'The charset in the Content-Type is the charset of the body.'),
  'service.no-byte-order-mark': expected(jsonBodySource, 'A JSON body does not begin with a byte order mark.'),
  'service.no-duplicate-keys': expected(jsonBodySource, 'No object of an answer has the same key twice.'),
  'service.plain-texts': expected(jsonBodySource, 'The texts of an answer are not escaped for HTML, and not encoded in UTF-8 twice.'),
  'service.decoded-texts': expected(jsonBodySource, 'The texts of an answer are not escaped for JSON twice, and not percent-encoded.'),
  'service.filled-texts': expected(jsonBodySource, 'The texts of an answer have no placeholders in place of values, and no lost characters.'),
  'service.content-coding': robust(jsonBodySource, 'A client that accepts gzip gets an answer that it can decode to JSON.'),
  'service.numbers-within-double': expected(jsonBodySource, 'The numbers of an answer are within the range of a double.'),
  'service.refusal-status': expected(refusalsSource, 'A refusal has an error status, not 2xx.'),
  'service.answers': robust(refusalsSource, 'A request like an accepted one gets an answer, not a broken connection, a redirect or a time-out.'),
  'service.no-server-error': robust(refusalsSource, 'The bank does not answer a request with 5xx if it accepts similar requests.'),
  'service.stays-up': robust(refusalsSource, 'No request stops the service.'),
  'service.same-request': robust(jsonBodySource, 'The bank accepts a documented request in every equivalent spelling of JSON, URIs and HTTP.'),
  'service.odd-input': robust(refusalsSource, "The bank does not answer a client's mistake with 5xx."),
  'service.no-internals': secure(refusalsSource, 'An answer shows no stack trace, database text or file path.'),
  'service.credentials-not-reflected': secure(citeSection('Authentication'), 'An answer contains neither the client secret nor the access token.'),
  'service.credentials-stay': robust(citeSection('Authentication'), 'The bank still accepts credentials that it accepted before.'),
  'service.status.consistent': expected(citeSection('Endpoints', 'gap 1'), 'The same request in the same state gets the same success status.'),

  'service.success-status': observed(citeSection('Endpoints', 'gap 1'), 'The success status of each operation.'),
  'service.error-status': observed(refusalsSource, 'The statuses of refusals.'),
  'service.error-body': observed(refusalsSource, 'The shape of error bodies.'),
  'service.credentials': observed(credentialsGap, 'How the bank answers missing or wrong credentials.'),
  'service.token': observed(credentialsGap, 'How a client gets the access token, how long it is valid and what it gives access to.'),
  'service.additional-fields': observed(citeSection(FIELDS_SECTION), 'Fields that the document does not name.'),
  'service.number-spelling': observed(citeSection(FIELDS_SECTION), 'How integers are written: as 5 or as 5.0.'),
  'service.events': observed(citeSection('Events'), 'Events, callbacks and notifications.'),
  'service.rate-limit': observed(citeSection('Limits', 'point 3'), 'Rate limits, quotas and size limits.'),
  'service.versioning': observed(citeSection('Versioning'), 'Rules for changes and deprecation.'),
  'service.other-methods': observed(citeSection('Endpoints'), 'How the bank answers methods that the document does not name.'),
  'service.request-leniency': observed(citeSection(FIELDS_SECTION), 'Whether the bank accepts other JSON types, unknown fields, empty bodies and malformed JSON.'),
  'service.over-time': observed(citeSection('States and transitions'), 'At which seconds links expire and how long outcomes stay, in a run with SOAK.'),
  'service.latency': observed(citeSection('Limits', 'point 3'), 'How long an answer takes.'),
  'service.token-headers': observed(credentialsGap, 'The cache and security headers of answers that carry a payment token.'),
} as const;
