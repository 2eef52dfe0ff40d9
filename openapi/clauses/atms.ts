/** The clauses of the ATM locator. */
import { defineLevels, citeSection, citeTable, FIELDS_SECTION, requiredFieldsGap } from './levels.ts';

const { must, mustIfShown, expected, robust, secure, observed } = defineLevels('atms');

const endpointRow = citeTable('Endpoints', 'C. ATM Locator');
const headerRow = citeTable('Authentication', 'ATM Locator');
const atmField = citeTable(FIELDS_SECTION, 'ATM object');
const codesRuleSource = citeSection('Endpoints', 'rule 2');
const positionRuleSource = citeSection('Endpoints', 'rule 1');
const listContentGap = citeSection('Endpoints', 'gap 3');

// One clause, one line.
// prettier-ignore
export const atmClauses = {
  // Authentication
  'atms.header.client-id': must(headerRow('X-GW-client-id'), 'The bank accepts ATM requests that send the client id in X-GW-client-id.'),
  'atms.header.client-secret': must(headerRow('X-GW-client-secret'), 'The bank accepts ATM requests that send the client secret in X-GW-client-secret.'),
  'atms.header.accept': must(headerRow('Accept'), 'The bank accepts ATM requests that send Accept: application/json.'),
  'atms.header.no-authorization': must(headerRow(), 'The bank accepts ATM requests without an Authorization header.'),
  'atms.header.no-others': mustIfShown(headerRow(), 'The bank accepts ATM requests that have only the documented header fields.'),
  'atms.credentials.client-id': secure(headerRow('X-GW-client-id'), 'An ATM request without the right client id gets no data.'),
  'atms.credentials.client-secret': secure(headerRow('X-GW-client-secret'), 'An ATM request without the right client secret gets no data.'),

  // GET /api/v1/atms
  'atms.path': must(endpointRow('GET /api/v1/atms'), 'The path of the ATM query is /api/v1/atms.'),
  'atms.method': must(endpointRow('GET /api/v1/atms'), 'The method of the ATM query is GET.'),
  'atms.request.latitude': must(endpointRow('GET /api/v1/atms'), 'The bank accepts an ATM query with latitude, a string, together with longitude.'),
  'atms.request.longitude': must(endpointRow('GET /api/v1/atms'), 'The bank accepts an ATM query with longitude, a string, together with latitude.'),
  'atms.request.province-code': must(endpointRow('GET /api/v1/atms'), 'The bank accepts an ATM query with province_code, a string, together with district_code.'),
  'atms.request.district-code': must(endpointRow('GET /api/v1/atms'), 'The bank accepts an ATM query with district_code, a string, together with province_code.'),
  'atms.json': must(citeSection('What the service does', 'point 4'), 'The ATM answer is JSON in UTF-8.'),
  'atms.data': must(atmField(), 'The ATM answer carries its ATMs in the array data.'),
  'atms.atm': must(atmField(), 'Each entry of the ATM answer is an object.'),
  'atms.address': must(atmField('atm_address'), 'Each ATM has an address that is a string.'),
  'atms.city': must(atmField('atm_city'), 'Each ATM has a city that is a string.'),
  'atms.district': must(atmField('atm_district'), 'Each ATM has a district that is a string.'),
  'atms.latitude': must(atmField('atm_latitude'), 'Each ATM has a latitude that is a number.'),
  'atms.latitude.degrees': must(atmField('atm_latitude'), 'The latitude of an ATM is in decimal degrees.'),
  'atms.latitude.range': expected(atmField('atm_latitude'), 'The latitude of an ATM is between -90 and 90 degrees.'),
  'atms.longitude': must(atmField('atm_longitude'), 'Each ATM has a longitude that is a number.'),
  'atms.longitude.degrees': must(atmField('atm_longitude'), 'The longitude of an ATM is in decimal degrees.'),
  'atms.longitude.range': expected(atmField('atm_longitude'), 'The longitude of an ATM is between -180 and 180 degrees.'),
  'atms.coordinates.not-swapped': expected(atmField('atm_latitude'), 'Latitude and longitude of an ATM are not swapped.'),
  'atms.name': must(atmField('atm_name'), 'Each ATM has a name that is a string.'),
  'atms.name.not-empty': expected(atmField('atm_name'), 'The name of an ATM is not empty.'),
  'atms.no': must(atmField('atm_no'), 'Each ATM has a number that is a string.'),
  'atms.no.digits': must(atmField('atm_no'), 'The number of an ATM has only digits.'),
  'atms.no.same-text': must(atmField('atm_no'), 'The number of an ATM is the same text in every answer, including its leading zeros.'),
  'atms.no.one-place': expected(atmField('atm_no'), 'One ATM number always means the same place.'),
  'atms.no.distinct': expected(atmField('atm_no'), 'No ATM appears twice in one answer.'),
  'atms.distance': must(positionRuleSource, 'Each ATM found by position has a distance that is an integer.'),
  'atms.no-distance': must(codesRuleSource, 'ATMs found by province and district have no distance.'),
  'atms.no-distance.absent': expected(codesRuleSource, 'If an ATM has no distance, the answer leaves out the field atm_distance and does not send null.'),
  'atms.distance.not-negative': expected(atmField('atm_distance'), 'A distance is not negative.'),
  'atms.distance.consistent': expected(atmField('atm_distance'), 'All distances of a run have the same unit and fit the positions of the ATMs.'),
  'atms.closest': expected(positionRuleSource, 'A query by position returns the closest of all ATMs that the bank showed in the run.'),
  'atms.codes-tell': expected(endpointRow('GET /api/v1/atms'), 'Different province and district codes return different ATMs.'),
  'atms.refusal-explained': robust(endpointRow(), 'The bank accepts a position in every form of decimal degrees.'),
  'atms.districts-tell': expected(codesRuleSource, 'The districts of one province do not all have the same ATMs.'),
  'atms.required-parameters.consistent': expected(requiredFieldsGap, 'If an ATM query lacks a parameter, the bank always accepts it or always refuses it.'),
  'atms.lists-repeat': expected(endpointRow(), 'The same ATM query always returns the same ATMs.'),

  // Open points
  'atms.required-parameters': observed(requiredFieldsGap, 'How the bank answers a query with one parameter of a pair, with both pairs, or without parameters.'),
  'atms.distance-unit': observed(listContentGap, 'The unit of the distance.'),
  'atms.ordering': observed(listContentGap, 'The order of the ATMs.'),
  'atms.count': observed(listContentGap, 'How many ATMs an answer has, and how far away they may be.'),
  'atms.codes': observed(endpointRow('GET /api/v1/atms'), 'The province and district codes, and how the bank answers unknown ones.'),
  'atms.value-bounds': observed(citeSection(FIELDS_SECTION, 'closing paragraph'), 'How the bank answers coordinates out of range.'),
  'atms.authorization-minded': observed(headerRow(), 'Whether the bank accepts an Authorization header in ATM requests.'),
} as const;
