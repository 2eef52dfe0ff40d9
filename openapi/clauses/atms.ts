/** The clauses of the ATM locator. */
import { always, conditional, open, should } from './levels.ts';

const [must, mustIfShown, expected, left] = [always('atms'), conditional('atms'), should('atms'), open('atms')];

const service = 'What the service does';
const fields = 'Resources and their fields';
const endpoints = 'Endpoints';
const authentication = 'Authentication';

export const atms = {
  // Authentication
  'atms.header.client-id': must(
    authentication,
    'ATM requests carry the client id in X-GW-client-id and are accepted so.',
  ),
  'atms.header.client-secret': must(
    authentication,
    'ATM requests carry the client secret in X-GW-client-secret and are accepted so.',
  ),
  'atms.header.accept': must(authentication, 'ATM requests carry Accept: application/json and are accepted so.'),
  'atms.header.no-authorization': must(
    authentication,
    'ATM requests carry no Authorization header and are accepted so.',
  ),
  'atms.header.no-others': mustIfShown(authentication, 'ATM requests need no header field beyond the documented ones.'),
  'atms.credentials.client-id': expected(authentication, 'An ATM request without the right client id gets no data.'),
  'atms.credentials.client-secret': expected(
    authentication,
    'An ATM request without the right client secret gets no data.',
  ),

  // GET /api/v1/atms
  'atms.path': must(endpoints, 'The ATMs stand at /api/v1/atms.'),
  'atms.method': must(endpoints, 'The ATMs are asked for with GET.'),
  'atms.request.latitude': must(endpoints, 'ATMs are found by the query latitude, a string, with the longitude.'),
  'atms.request.longitude': must(endpoints, 'ATMs are found by the query longitude, a string, with the latitude.'),
  'atms.request.province-code': must(
    endpoints,
    'ATMs are found by the query province_code, a string, with the district code.',
  ),
  'atms.request.district-code': must(
    endpoints,
    'ATMs are found by the query district_code, a string, with the province code.',
  ),
  'atms.json': must(service, 'The ATM answer is JSON in UTF-8.'),
  'atms.data': must(fields, 'The ATM answer carries its ATMs in the array data.'),
  'atms.atm': must(fields, 'Each entry of the ATM answer is an object.'),
  'atms.address': must(fields, 'An ATM has its address in a string.'),
  'atms.city': must(fields, 'An ATM has its city in a string.'),
  'atms.district': must(fields, 'An ATM has its district in a string.'),
  'atms.latitude': must(fields, 'An ATM has its latitude as a number.'),
  'atms.latitude.degrees': must(fields, 'The latitude of an ATM is in decimal degrees.'),
  'atms.latitude.range': expected(fields, 'The latitude of an ATM is within 90 degrees.'),
  'atms.longitude': must(fields, 'An ATM has its longitude as a number.'),
  'atms.longitude.degrees': must(fields, 'The longitude of an ATM is in decimal degrees.'),
  'atms.longitude.range': expected(fields, 'The longitude of an ATM is within 180 degrees.'),
  'atms.coordinates.not-swapped': expected(fields, 'Latitude and longitude of an ATM are not swapped.'),
  'atms.name': must(fields, 'An ATM has its name in a string.'),
  'atms.name.not-empty': expected(fields, 'The name of an ATM is not empty.'),
  'atms.no': must(fields, 'An ATM has its number in a string.'),
  'atms.no.digits': must(fields, 'The number of an ATM is numeric text.'),
  'atms.no.same-text': must(fields, 'The number of an ATM is the same text in every answer, leading zeros kept.'),
  'atms.no.one-place': expected(fields, 'One ATM number stands for one place.'),
  'atms.no.distinct': expected(fields, 'No ATM stands twice in one answer.'),
  'atms.distance': must(endpoints, 'Each ATM found by position carries its distance as an integer.'),
  'atms.no-distance': must(endpoints, 'ATMs found by province and district carry no distance.'),
  'atms.no-distance.absent': expected(endpoints, 'The distance is left out and not null where there is none.'),
  'atms.distance.not-negative': expected(fields, 'A distance is not negative.'),
  'atms.distance.consistent': expected(
    fields,
    'One unit fits the distances of the run: none is below the great circle or above three times it.',
  ),
  'atms.closest': expected(endpoints, 'The ATMs found by position are the closest of those that the run knows.'),
  'atms.codes-tell': expected(endpoints, 'Different province and district codes do not all bring the very same ATMs.'),
  'atms.required-parameters.consistent': expected(
    endpoints,
    'A query without a certain parameter is taken every time, or refused every time.',
  ),
  'atms.lists-repeat': expected(endpoints, 'Asking the same again brings the same ATMs.'),

  // Left open
  'atms.required-parameters': left(endpoints, 'What half a query form, both forms or none bring.'),
  'atms.distance-unit': left(endpoints, 'The unit of the distance.'),
  'atms.ordering': left(endpoints, 'The order of the ATMs.'),
  'atms.count': left(endpoints, 'How many ATMs an answer holds, and how far they may be.'),
  'atms.codes': left(fields, 'The province and district codes, and what unknown ones bring.'),
  'atms.value-bounds': left(fields, 'What coordinates out of range bring.'),
  'atms.authorization-minded': left(authentication, 'Whether an Authorization header disturbs.'),
} as const;
