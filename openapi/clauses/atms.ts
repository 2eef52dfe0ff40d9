/** The clauses of the ATM locator. */
import { always, conditional, open, section, should, table } from './levels.ts';

const [must, mustIfShown, expected, robust, secure, left] = [
  always('atms'),
  conditional('atms'),
  should('atms'),
  should('atms', 'robustness'),
  should('atms', 'security'),
  open('atms'),
];

const resources = 'Resources and their fields';
const endpoints = table('Endpoints', 'C. ATM Locator');
const headers = table('Authentication', 'ATM Locator');
const atm = table(resources, 'ATM object');
const codesRule = section('Endpoints', 'rule 2');
const positionRule = section('Endpoints', 'rule 1');
const requiredGap = section('Endpoints', 'gap 2');
const listGap = section('Endpoints', 'gap 3');

// One clause, one line.
// prettier-ignore
export const atms = {
  // Authentication
  'atms.header.client-id': must(headers('X-GW-client-id'), 'ATM requests carry the client id in X-GW-client-id and are accepted so.'),
  'atms.header.client-secret': must(headers('X-GW-client-secret'), 'ATM requests carry the client secret in X-GW-client-secret and are accepted so.'),
  'atms.header.accept': must(headers('Accept'), 'ATM requests carry Accept: application/json and are accepted so.'),
  'atms.header.no-authorization': must(headers(), 'ATM requests carry no Authorization header and are accepted so.'),
  'atms.header.no-others': mustIfShown(headers(), 'ATM requests need no header field beyond the documented ones.'),
  'atms.credentials.client-id': secure(headers('X-GW-client-id'), 'An ATM request without the right client id gets no data.'),
  'atms.credentials.client-secret': secure(headers('X-GW-client-secret'), 'An ATM request without the right client secret gets no data.'),

  // GET /api/v1/atms
  'atms.path': must(endpoints('GET /api/v1/atms'), 'The ATMs stand at /api/v1/atms.'),
  'atms.method': must(endpoints('GET /api/v1/atms'), 'The ATMs are asked for with GET.'),
  'atms.request.latitude': must(endpoints('GET /api/v1/atms'), 'ATMs are found by the query latitude, a string, with the longitude.'),
  'atms.request.longitude': must(endpoints('GET /api/v1/atms'), 'ATMs are found by the query longitude, a string, with the latitude.'),
  'atms.request.province-code': must(endpoints('GET /api/v1/atms'), 'ATMs are found by the query province_code, a string, with the district code.'),
  'atms.request.district-code': must(endpoints('GET /api/v1/atms'), 'ATMs are found by the query district_code, a string, with the province code.'),
  'atms.json': must(section('What the service does', 'point 4'), 'The ATM answer is JSON in UTF-8.'),
  'atms.data': must(atm(), 'The ATM answer carries its ATMs in the array data.'),
  'atms.atm': must(atm(), 'Each entry of the ATM answer is an object.'),
  'atms.address': must(atm('atm_address'), 'An ATM has its address in a string.'),
  'atms.city': must(atm('atm_city'), 'An ATM has its city in a string.'),
  'atms.district': must(atm('atm_district'), 'An ATM has its district in a string.'),
  'atms.latitude': must(atm('atm_latitude'), 'An ATM has its latitude as a number.'),
  'atms.latitude.degrees': must(atm('atm_latitude'), 'The latitude of an ATM is in decimal degrees.'),
  'atms.latitude.range': expected(atm('atm_latitude'), 'The latitude of an ATM is within 90 degrees.'),
  'atms.longitude': must(atm('atm_longitude'), 'An ATM has its longitude as a number.'),
  'atms.longitude.degrees': must(atm('atm_longitude'), 'The longitude of an ATM is in decimal degrees.'),
  'atms.longitude.range': expected(atm('atm_longitude'), 'The longitude of an ATM is within 180 degrees.'),
  'atms.coordinates.not-swapped': expected(atm('atm_latitude'), 'Latitude and longitude of an ATM are not swapped.'),
  'atms.name': must(atm('atm_name'), 'An ATM has its name in a string.'),
  'atms.name.not-empty': expected(atm('atm_name'), 'The name of an ATM is not empty.'),
  'atms.no': must(atm('atm_no'), 'An ATM has its number in a string.'),
  'atms.no.digits': must(atm('atm_no'), 'The number of an ATM is numeric text.'),
  'atms.no.same-text': must(atm('atm_no'), 'The number of an ATM is the same text in every answer, leading zeros kept.'),
  'atms.no.one-place': expected(atm('atm_no'), 'One ATM number stands for one place.'),
  'atms.no.distinct': expected(atm('atm_no'), 'No ATM stands twice in one answer.'),
  'atms.distance': must(positionRule, 'Each ATM found by position carries its distance as an integer.'),
  'atms.no-distance': must(codesRule, 'ATMs found by province and district carry no distance.'),
  'atms.no-distance.absent': expected(codesRule, 'The distance is left out and not null where there is none.'),
  'atms.distance.not-negative': expected(atm('atm_distance'), 'A distance is not negative.'),
  'atms.distance.consistent': expected(atm('atm_distance'), 'One unit fits the distances of the run: none is below the great circle or above three times it.'),
  'atms.closest': expected(positionRule, 'The ATMs found by position are the closest of those that the run knows.'),
  'atms.codes-tell': expected(endpoints('GET /api/v1/atms'), 'Codes of other provinces and districts do not bring the very same ATMs.'),
  'atms.refusal-explained': robust(endpoints(), 'A position is not refused for a spelling of its numbers that decimal degrees may have.'),
  'atms.districts-tell': expected(codesRule, 'Different districts of one province do not all bring the very same ATMs.'),
  'atms.required-parameters.consistent': expected(requiredGap, 'A query without a certain parameter is taken every time, or refused every time.'),
  'atms.lists-repeat': expected(endpoints(), 'Asking the same again brings the same ATMs.'),

  // Left open
  'atms.required-parameters': left(requiredGap, 'What half a query form, both forms or none bring.'),
  'atms.distance-unit': left(listGap, 'The unit of the distance.'),
  'atms.ordering': left(listGap, 'The order of the ATMs.'),
  'atms.count': left(listGap, 'How many ATMs an answer holds, and how far they may be.'),
  'atms.codes': left(endpoints('GET /api/v1/atms'), 'The province and district codes, and what unknown ones bring.'),
  'atms.value-bounds': left(section(resources, 'closing paragraph'), 'What coordinates out of range bring.'),
  'atms.authorization-minded': left(headers(), 'Whether an Authorization header disturbs.'),
} as const;
