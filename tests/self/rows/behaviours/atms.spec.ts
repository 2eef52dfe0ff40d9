/** Tests the clauses about distances, closest ATMs, districts and ATM numbers, with an invented network of ten ATMs. */
import { expect } from '@playwright/test';
import { closestAtms } from '../../../../openapi/bank/behaviours/atms/closest.ts';
import { districtsDiffer } from '../../../../openapi/bank/behaviours/atms/codes.ts';
import { coordinatesNotSwapped, distancesConsistent } from '../../../../openapi/bank/behaviours/atms/distances.ts';
import { nearestAtm } from '../../../../openapi/bank/behaviours/atms/nearest.ts';
import { atmAtOnePlace, atmNumberSameText } from '../../../../openapi/bank/behaviours/atms/same-atm.ts';
import type { Exchange } from '../../../../openapi/model/exchange.ts';
import { measureKm, type Position } from '../../../../openapi/util/geo.ts';
import { body, exchange, NOON } from '../../support/judge-harness.ts';
import { broken, kept, notTested, runRows } from './rows.ts';

const [example] = (body('findAtms') as { data: object[] }).data;
/** Ten ATMs in two countries. The first ATMs in the list are near each other. */
const network = Array.from({ length: 10 }, (_, nth) => ({
  no: String(100 + nth),
  latitude: 41.00001 + (nth % 3) * 0.2 + (nth > 5 ? 9 : 0),
  longitude: 28.70001 + nth * 0.15,
}));
type Atm = (typeof network)[number];

/** Makes the answer to a query that was sent `second` seconds after noon. */
const answer = (
  { latitude, longitude }: Position,
  atms: readonly Atm[],
  measure: (from: Position, to: Position) => number = measureKm,
  second = 0,
): Exchange =>
  exchange(
    'findAtms',
    {
      data: atms.map((atm) => ({
        ...example,
        atm_no: atm.no,
        atm_name: `ATM ${atm.no}`,
        atm_address: `${atm.no} Main Street`,
        atm_latitude: atm.latitude,
        atm_longitude: atm.longitude,
        atm_distance: Math.round(1000 * measure({ latitude, longitude }, atm)),
      })),
    },
    { asked: { latitude: String(latitude), longitude: String(longitude) }, at: NOON + second * 1000 },
  );

const listClosest = (from: Position, count: number, measure = measureKm): readonly Atm[] =>
  network.toSorted((a, b) => measure(from, a) - measure(from, b)).slice(0, count);

const east = network[2] as Atm;
/** A position on the western side that is nearer to the ATM `east` than to any ATM on the western side. */
const between = { latitude: 41.32, longitude: 28.93 };

const endsWith = (words: string): string => expect.stringMatching(`${words}$`) as unknown as string;
const radians = ({ latitude, longitude }: Position): Position => ({
  latitude: (latitude * 180) / Math.PI,
  longitude: (longitude * 180) / Math.PI,
});
const measureRadians: typeof measureKm = (from, to) => measureKm(radians(from), radians(to));
runRows(distancesConsistent, {
  'all distances are straight lines in metres': kept(network.map((from) => answer(from, network))),
  'one mistake of the bank explains all distances': broken(
    network.map((from) => answer(from, network, measureRadians)),
    { received: endsWith('as if degrees were radians') },
  ),
  'all distances are random': broken(network.map((from) => answer(from, network, () => Math.random() * 50))),
  'the run saw only two ATMs, about equally far away': notTested(
    [answer(between, network.slice(1, 3))],
    'the run has too few distances: any distances would fit',
  ),
});
const onDiagonal = network.map(({ no, latitude }) => ({ no, latitude, longitude: latitude }));
runRows(coordinatesNotSwapped, {
  'the distances fit the coordinates of the ATMs': kept(network.map((from) => answer(from, network))),
  'the distances also fit swapped coordinates': notTested(
    onDiagonal.map((from) => answer(from, onDiagonal)),
    'the distances do not show which coordinate is the latitude',
  ),
});

const answerDistrict = (district_code: string, ...atms: readonly Atm[]): Exchange => {
  const asked = { province_code: '34', district_code };
  return { ...answer(between, atms), request: exchange('findAtms', null, { asked }).request };
};
const [first, second, third] = network as [Atm, Atm, Atm];
runRows(districtsDiffer, {
  'two districts have different ATMs': kept([answerDistrict('1', first), answerDistrict('2', second)]),
  'two districts have the same ATMs': notTested(
    ['1', '2'].map((code) => answerDistrict(code, first)),
    'the two districts of a province may share all their ATMs',
  ),
  'one district has different ATMs in two answers': notTested(
    [answerDistrict('1', first), answerDistrict('1', second), answerDistrict('2', first), answerDistrict('3', first)],
    'the same district got different ATMs at different times',
  ),
});
for (const sameAtm of [atmAtOnePlace, atmNumberSameText])
  runRows(sameAtm, {
    'an ATM is in two answers with the same number and place': kept([
      answer(between, [first, second]),
      answer(east, [second]),
    ]),
    'no ATM is in two answers': notTested(
      [answer(between, [first, second]), answer(east, [third])],
      'no ATM came twice',
    ),
  });

const asTexts: typeof measureKm = (from, to) => Number(`0.${Math.round(1000 * measureKm(from, to))}`);
runRows(closestAtms, {
  'each answer has the four closest ATMs': kept(network.map((from) => answer(from, listClosest(from, 4)))),
  'the answers have the closest ATMs if distances are compared as texts': broken(
    network.map((from) => answer(from, listClosest(from, 4, asTexts))),
    { received: endsWith('as if distances were compared as texts') },
  ),
});

const isWest = ({ longitude }: Position): boolean => longitude < 28.95;
const listBySide = (from: Position): readonly Atm[] => network.filter((atm) => isWest(atm) === isWest(from));
/** Makes answers at all ten positions, and then at `between` and `east` by turns, `pause` seconds apart. */
const byTurns = (list: (from: Position) => readonly Atm[], pause = 3): readonly Exchange[] => [
  ...network.map((from) => answer(from, list(from), measureKm, -60)),
  ...[between, east, between, east].map((from, turn) => answer(from, list(from), measureKm, turn * pause)),
];
const UNPROVEN = 'an answer left out the nearest ATM, but the run could not prove a fault';
runRows(nearestAtm, {
  'each answer leaves out the ATMs of the other side, and with them the nearest ATM': broken(byTurns(listBySide)),
  'each answer has the nearest ATM': kept(byTurns((from) => listClosest(from, 2))),
  'the nearest ATM is left out by turns, but the queries follow each other within a second': notTested(
    byTurns(listBySide, 1),
    UNPROVEN,
  ),
  'the bank may prefer the ATMs of one side': notTested(
    byTurns((from) => (from === east ? network : network.filter((atm) => isWest(atm)))),
    UNPROVEN,
  ),
});
