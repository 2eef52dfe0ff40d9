/** The clauses that concern all areas alike. */
import { open, section, should } from './levels.ts';

const [expected, robust, secure, left] = [
  should('service'),
  should('service', 'robustness'),
  should('service', 'security'),
  open('service'),
];

const resources = 'Resources and their fields';
const bodies = section('What the service does', 'point 4');
const refusals = section('Errors', 'point 2');
const credentialsGap = section('Authentication', 'closing paragraph');

// One clause, one line.
// prettier-ignore
export const ofService = {
  'service.content-type': expected(bodies, 'A successful answer is labelled application/json or +json.'),
  'service.charset': expected(bodies, 'The charset that an answer names is the one it is written in.'),
  'service.no-byte-order-mark': expected(bodies, 'A JSON body begins without a byte order mark.'),
  'service.no-duplicate-keys': expected(bodies, 'No object of an answer has the same key twice.'),
  'service.plain-texts': expected(bodies, 'The texts of an answer are neither escaped for a web page nor encoded as UTF-8 twice.'),
  'service.decoded-texts': expected(bodies, 'The texts of an answer are not escaped as in JSON once more, nor percent-encoded.'),
  'service.filled-texts': expected(bodies, 'No text of an answer has a placeholder in the place of a value, or lost letters.'),
  'service.content-coding': robust(bodies, 'An answer to a client that takes gzip is JSON once its Content-Encoding is undone.'),
  'service.numbers-within-double': expected(bodies, 'The numbers of an answer are within the range of a double.'),
  'service.refusal-status': expected(refusals, 'A refusal has a status that says so, and not 2xx.'),
  'service.answers': robust(refusals, 'A request of a kind that was accepted before is answered: no broken connection, no redirect, no time-out.'),
  'service.no-server-error': robust(refusals, 'A request of a kind that was accepted before is not answered with 5xx.'),
  'service.stays-up': robust(refusals, 'No request ends the service: others are answered after it.'),
  'service.same-request': robust(bodies, 'A documented request is taken in every spelling that JSON, URIs and HTTP hold to be the same.'),
  'service.odd-input': robust(refusals, "A client's mistake is not answered with 5xx."),
  'service.no-internals': secure(refusals, 'An answer shows no stack trace, database text or file path.'),
  'service.credentials-not-reflected': secure(section('Authentication'), 'An answer holds neither the client secret nor the access token.'),
  'service.credentials-stay': robust(section('Authentication'), 'Credentials that are accepted are not refused with 401 now and then.'),
  'service.status.consistent': expected(section('Endpoints', 'gap 1'), 'The same request in the same state gets the same success status.'),

  'service.success-status': left(section('Endpoints', 'gap 1'), 'The success status of each operation.'),
  'service.error-status': left(refusals, 'The statuses of refusals.'),
  'service.error-body': left(refusals, 'The shape of error bodies.'),
  'service.credentials': left(credentialsGap, 'What missing or wrong credentials bring.'),
  'service.token': left(credentialsGap, 'How the access token is obtained, how long it lives and what it opens.'),
  'service.additional-fields': left(section(resources), 'Fields that the document does not name.'),
  'service.number-spelling': left(section(resources), 'How integers are spelt, as 5 or as 5.0.'),
  'service.events': left(section('Events'), 'Events, callbacks and notifications.'),
  'service.rate-limit': left(section('Limits', 'point 3'), 'Rate limits, quotas and size limits.'),
  'service.versioning': left(section('Versioning'), 'Rules for changes and deprecation.'),
  'service.other-methods': left(section('Endpoints'), 'What methods bring that the document does not name.'),
  'service.request-leniency': left(section(resources), 'Whether other JSON types, unknown fields, empty bodies and malformed JSON are taken.'),
  'service.over-time': left(section('States and transitions'), 'What time of clock a run with SOAK covered: in which seconds links end, and for how long outcomes are told.'),
  'service.latency': left(section('Limits', 'point 3'), 'How long an answer takes.'),
  'service.token-headers': left(credentialsGap, 'The cache and security headers of answers that carry a payment token.'),
} as const;
