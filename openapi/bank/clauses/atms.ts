/** The clauses of the ATM locator. */
import { defineLevels, citeSection, citeTable, FIELDS_SECTION, requiredFieldsGap } from '../../clauses/clause.ts';

const { must, mustIfShown, expected, robust, observed } = defineLevels('atms');

export const atmEndpointRow = citeTable('Endpoints', 'C. ATM Locator');
const atmQueryEndpoint = atmEndpointRow('GET /api/v1/atms');
const headerRow = citeTable('Authentication', 'ATM Locator');
export const atmField = citeTable(FIELDS_SECTION, 'ATM object');
export const codesRuleSource = citeSection('Endpoints', 'rule 2');
export const positionRuleSource = citeSection('Endpoints', 'rule 1');
const listContentGap = citeSection('Endpoints', 'gap 3');

// prettier-ignore
export const atmClauses = {
  // Authentication
  'atms.header.client-id': must(headerRow('X-GW-client-id'), 'The bank accepts ATM requests that send the client id in X-GW-client-id.'),
  'atms.header.client-secret': must(headerRow('X-GW-client-secret'), 'The bank accepts ATM requests that send the client secret in X-GW-client-secret.'),
  'atms.header.accept': must(headerRow('Accept'), 'The bank accepts ATM requests that send Accept: application/json.'),
  'atms.header.no-authorization': must(headerRow(), 'The bank accepts ATM requests without an Authorization header.'),
  'atms.header.no-others': mustIfShown(headerRow(), 'The bank accepts ATM requests whose header fields are only the documented ones.'),

  // GET /api/v1/atms
  'atms.path': must(atmQueryEndpoint, 'The path of the ATM query is /api/v1/atms.'),
  'atms.method': must(atmQueryEndpoint, 'The method of the ATM query is GET.'),
  'atms.request.latitude': must(atmQueryEndpoint, 'The bank accepts an ATM query with the query parameters latitude and longitude; latitude is a string.'),
  'atms.request.longitude': must(atmQueryEndpoint, 'The bank accepts an ATM query with the query parameters latitude and longitude; longitude is a string.'),
  'atms.request.province-code': must(atmQueryEndpoint, 'The bank accepts an ATM query with the query parameters province_code and district_code; province_code is a string.'),
  'atms.request.district-code': must(atmQueryEndpoint, 'The bank accepts an ATM query with the query parameters province_code and district_code; district_code is a string.'),
  'atms.json': must(citeSection('What the service does', 'point 4'), 'The answer to an ATM query is JSON in UTF-8.'),
  'atms.data': must(atmField(), 'The answer to an ATM query has its list of ATMs in the top-level array "data".'),
  'atms.atm': must(atmField(), 'Each entry of the list of ATMs is an object.'),
  'atms.address': must(atmField('atm_address'), 'Each ATM has an address that is a string.'),
  'atms.city': must(atmField('atm_city'), 'Each ATM has a city that is a string.'),
  'atms.district': must(atmField('atm_district'), 'Each ATM has a district that is a string.'),
  'atms.latitude': must(atmField('atm_latitude'), 'Each ATM has a latitude that is a number.'),
  'atms.latitude.degrees': must(atmField('atm_latitude'), 'The latitude of an ATM is in decimal degrees.'),
  'atms.latitude.range': expected(atmField('atm_latitude'), 'The latitude of an ATM is between -90 and 90 degrees.'),
  'atms.longitude': must(atmField('atm_longitude'), 'Each ATM has a longitude that is a number.'),
  'atms.longitude.degrees': must(atmField('atm_longitude'), 'The longitude of an ATM is in decimal degrees.'),
  'atms.longitude.range': expected(atmField('atm_longitude'), 'The longitude of an ATM is between -180 and 180 degrees.'),
  'atms.name': must(atmField('atm_name'), 'Each ATM has a name that is a string.'),
  'atms.name.not-empty': expected(atmField('atm_name'), 'The name of an ATM is not empty.'),
  'atms.no': must(atmField('atm_no'), 'Each ATM has an ATM number (atm_no) that is a string.'),
  'atms.no.digits': must(atmField('atm_no'), 'The ATM number (atm_no) has only digits.'),
  'atms.no.distinct': expected(atmField('atm_no'), 'No ATM appears twice in one answer.'),
  'atms.distance': must(positionRuleSource, 'If a query has a position, each ATM in the answer has a distance that is an integer.'),
  'atms.no-distance': must(codesRuleSource, 'If a query has a province and a district, the ATMs in the answer have no distance.'),
  'atms.no-distance.absent': expected(codesRuleSource, 'If an ATM has no distance, the answer leaves out the field atm_distance and does not send null.'),
  'atms.distance.not-negative': expected(atmField('atm_distance'), 'The distance of an ATM is not negative.'),
  'atms.refusal-explained': robust(atmEndpointRow(), 'The bank accepts every latitude and longitude that is written in decimal degrees.'),

  // Open points
  'atms.required-parameters': observed(requiredFieldsGap, 'The document does not define how the bank answers an ATM query with one parameter of a pair, with both pairs, or without parameters.'),
  'atms.distance-unit': observed(listContentGap, 'The document does not define the unit of the distance of an ATM.'),
  'atms.ordering': observed(listContentGap, 'The document does not define the order of the ATMs in an answer.'),
  'atms.count': observed(listContentGap, 'The document does not define how many ATMs an answer has, and how far away they may be.'),
  'atms.codes': observed(atmQueryEndpoint, 'The document does not define the province and district codes, or how the bank answers unknown codes.'),
  'atms.value-bounds': observed(citeSection(FIELDS_SECTION, 'closing paragraph'), 'The document does not define how the bank answers a latitude or longitude that is out of range.'),
  'atms.authorization-minded': observed(headerRow(), 'The document does not define whether the bank accepts an Authorization header in ATM requests.'),
} as const;
