/** The clauses of the ATM locator. */
import { defineLevels, section, table } from './levels.ts';

const { must, mustIfShown, expected, robust, secure, observed } = defineLevels('atms');

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
  'atms.header.client-id': must(headers('X-GW-client-id'), 'The bank accepts ATM requests that send the client id in X-GW-client-id.'),
  'atms.header.client-secret': must(headers('X-GW-client-secret'), 'The bank accepts ATM requests that send the client secret in X-GW-client-secret.'),
  'atms.header.accept': must(headers('Accept'), 'The bank accepts ATM requests that send Accept: application/json.'),
  'atms.header.no-authorization': must(headers(), 'The bank accepts ATM requests without an Authorization header.'),
  'atms.header.no-others': mustIfShown(headers(), 'ATM requests need no header field beyond the documented ones.'),
  'atms.credentials.client-id': secure(headers('X-GW-client-id'), 'An ATM request without the right client id gets no data.'),
  'atms.credentials.client-secret': secure(headers('X-GW-client-secret'), 'An ATM request without the right client secret gets no data.'),

  // GET /api/v1/atms
  'atms.path': must(endpoints('GET /api/v1/atms'), 'The path of the ATM query is /api/v1/atms.'),
  'atms.method': must(endpoints('GET /api/v1/atms'), 'The method of the ATM query is GET.'),
  'atms.request.latitude': must(endpoints('GET /api/v1/atms'), 'The bank accepts an ATM query with latitude, a string, together with longitude.'),
  'atms.request.longitude': must(endpoints('GET /api/v1/atms'), 'The bank accepts an ATM query with longitude, a string, together with latitude.'),
  'atms.request.province-code': must(endpoints('GET /api/v1/atms'), 'The bank accepts an ATM query with province_code, a string, together with district_code.'),
  'atms.request.district-code': must(endpoints('GET /api/v1/atms'), 'The bank accepts an ATM query with district_code, a string, together with province_code.'),
  'atms.json': must(section('What the service does', 'point 4'), 'The ATM answer is JSON in UTF-8.'),
  'atms.data': must(atm(), 'The ATM answer carries its ATMs in the array data.'),
  'atms.atm': must(atm(), 'Each entry of the ATM answer is an object.'),
  'atms.address': must(atm('atm_address'), 'Each ATM has an address that is a string.'),
  'atms.city': must(atm('atm_city'), 'Each ATM has a city that is a string.'),
  'atms.district': must(atm('atm_district'), 'Each ATM has a district that is a string.'),
  'atms.latitude': must(atm('atm_latitude'), 'Each ATM has a latitude that is a number.'),
  'atms.latitude.degrees': must(atm('atm_latitude'), 'The latitude of an ATM is in decimal degrees.'),
  'atms.latitude.range': expected(atm('atm_latitude'), 'The latitude of an ATM is within 90 degrees.'),
  'atms.longitude': must(atm('atm_longitude'), 'Each ATM has a longitude that is a number.'),
  'atms.longitude.degrees': must(atm('atm_longitude'), 'The longitude of an ATM is in decimal degrees.'),
  'atms.longitude.range': expected(atm('atm_longitude'), 'The longitude of an ATM is within 180 degrees.'),
  'atms.coordinates.not-swapped': expected(atm('atm_latitude'), 'Latitude and longitude of an ATM are not swapped.'),
  'atms.name': must(atm('atm_name'), 'Each ATM has a name that is a string.'),
  'atms.name.not-empty': expected(atm('atm_name'), 'The name of an ATM is not empty.'),
  'atms.no': must(atm('atm_no'), 'Each ATM has a number that is a string.'),
  'atms.no.digits': must(atm('atm_no'), 'The number of an ATM is numeric text.'),
  'atms.no.same-text': must(atm('atm_no'), 'The number of an ATM is the same text in every answer, including its leading zeros.'),
  'atms.no.one-place': expected(atm('atm_no'), 'One ATM number always means the same place.'),
  'atms.no.distinct': expected(atm('atm_no'), 'No ATM appears twice in one answer.'),
  'atms.distance': must(positionRule, 'Each ATM found by position has a distance that is an integer.'),
  'atms.no-distance': must(codesRule, 'ATMs found by province and district have no distance.'),
  'atms.no-distance.absent': expected(codesRule, 'If an ATM has no distance, the field is left out and is not null.'),
  'atms.distance.not-negative': expected(atm('atm_distance'), 'A distance is not negative.'),
  'atms.distance.consistent': expected(atm('atm_distance'), 'All distances in a run fit one unit: no distance is shorter than the great circle or more than three times as long.'),
  'atms.closest': expected(positionRule, 'A query by position returns the closest of all ATMs that the bank showed in the run.'),
  'atms.codes-tell': expected(endpoints('GET /api/v1/atms'), 'Different province and district codes do not return exactly the same ATMs.'),
  'atms.refusal-explained': robust(endpoints(), 'A position is not refused because of the form of its numbers, if decimal degrees may have this form.'),
  'atms.districts-tell': expected(codesRule, 'Different districts of one province do not all return exactly the same ATMs.'),
  'atms.required-parameters.consistent': expected(requiredGap, 'An ATM query without a certain parameter is always accepted or always refused.'),
  'atms.lists-repeat': expected(endpoints(), 'The same ATM query always returns the same ATMs.'),

  // Left open
  'atms.required-parameters': observed(requiredGap, 'How the bank answers an incomplete query form, both forms together, or no parameters.'),
  'atms.distance-unit': observed(listGap, 'The unit of the distance.'),
  'atms.ordering': observed(listGap, 'The order of the ATMs.'),
  'atms.count': observed(listGap, 'How many ATMs an answer has, and how far away they may be.'),
  'atms.codes': observed(endpoints('GET /api/v1/atms'), 'The province and district codes, and how the bank answers unknown ones.'),
  'atms.value-bounds': observed(section(resources, 'closing paragraph'), 'How the bank answers coordinates out of range.'),
  'atms.authorization-minded': observed(headers(), 'Whether the bank accepts an Authorization header in ATM requests.'),
} as const;
