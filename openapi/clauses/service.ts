/** The clauses that concern all areas alike. */
import { open, should } from './levels.ts';

const [expected, left] = [should('service'), open('service')];

const service = 'What the service does';

export const ofService = {
  'service.content-type': expected(service, 'A successful answer is labelled application/json or +json.'),
  'service.charset': expected(service, 'The charset that an answer names is the one it is written in.'),
  'service.no-byte-order-mark': expected(service, 'A JSON body begins without a byte order mark.'),
  'service.no-duplicate-keys': expected(service, 'No object of an answer has the same key twice.'),
  'service.numbers-within-double': expected(service, 'The numbers of an answer are within the range of a double.'),
  'service.refusal-status': expected('Errors', 'A refusal has a status that says so, and not 2xx.'),
  'service.answers': expected(
    'Errors',
    'A request of a kind that was accepted before is answered: no broken connection, no redirect, no time-out.',
  ),
  'service.no-server-error': expected(
    'Errors',
    'A request of a kind that was accepted before is not answered with 5xx.',
  ),
  'service.stays-up': expected('Errors', 'No request ends the service: others are answered after it.'),
  'service.odd-input': expected('Errors', "A client's mistake is not answered with 5xx."),
  'service.no-internals': expected('Errors', 'An answer shows no stack trace, database text or file path.'),
  'service.credentials-not-reflected': expected(
    'Authentication',
    'An answer holds neither the client secret nor the access token.',
  ),
  'service.status.consistent': expected(
    'Endpoints',
    'The same request in the same state gets the same success status.',
  ),

  'service.success-status': left('Endpoints', 'The success status of each operation.'),
  'service.error-status': left('Errors', 'The statuses of refusals.'),
  'service.error-body': left('Errors', 'The shape of error bodies.'),
  'service.credentials': left('Authentication', 'What missing or wrong credentials bring.'),
  'service.token': left('Authentication', 'How the access token is obtained, how long it lives and what it opens.'),
  'service.additional-fields': left('Resources and their fields', 'Fields that the document does not name.'),
  'service.number-spelling': left('Resources and their fields', 'How integers are spelt, as 5 or as 5.0.'),
  'service.events': left('Events', 'Events, callbacks and notifications.'),
  'service.rate-limit': left('Limits', 'Rate limits, quotas and size limits.'),
  'service.versioning': left('Versioning', 'Rules for changes and deprecation.'),
  'service.other-methods': left('Endpoints', 'What methods bring that the document does not name.'),
  'service.request-leniency': left(
    'Resources and their fields',
    'Whether other JSON types, unknown fields, empty bodies and malformed JSON are taken.',
  ),
  'service.latency': left('Limits', 'How long an answer takes.'),
  'service.token-headers': left(
    'Authentication',
    'The cache and security headers of answers that carry a payment token.',
  ),
} as const;
