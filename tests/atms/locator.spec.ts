/** Queries ATMs by position, and by province and district. */
import {
  listAntipodes,
  listExactPositions,
  listFarPlaces,
  writeAllDecimals,
  listMidpoints,
  listOmissions,
  listQuarterPlaces,
  generatePositions,
  selectedCities,
} from '../../fixtures/bank/arbitraries/positions.ts';
import {
  listNonOctalCodes,
  listSimilarCodes,
  listUnknownCodes,
} from '../../fixtures/bank/arbitraries/province-codes.ts';
import { listAccepted, mapAll, listPositionsIn, scenario, test, searchAtms } from '../../fixtures/runner/index.ts';

const area = 'atms';
const MAX_EXACT_POSITIONS = 16;

test(
  'ATM queries at known ATMs, between them, in cities, and far from all ATMs',
  ...scenario('atm-positions', { area }, async ({ atms, target, run }) => {
    const knownPositions = await atms.findKnownPositions();
    // Some queries have exactly the position of an ATM: the distance is 0.
    const exactPositions = listExactPositions(knownPositions, MAX_EXACT_POSITIONS);
    const exactReplies = await mapAll(exactPositions, target.inFlight, (position) => atms.findNear(position));
    const cities = target.testData.positions.length > 0 ? [] : selectedCities;
    const farPlaces = [...listAntipodes(knownPositions, 2), ...listFarPlaces()];
    const places = [...writeAllDecimals(knownPositions), ...listQuarterPlaces(knownPositions), ...farPlaces, ...cities];
    const otherReplies = await mapAll(places, target.inFlight, (position) => atms.findNear(position));
    // Searches twice: a third city may lie between two cities that the first search found.
    for (let round = 0, positions = knownPositions; round < 2; round += 1) {
      const midpointReplies = await mapAll(listMidpoints(positions), target.inFlight, (position) =>
        atms.findNear(position),
      );
      positions = [...positions, ...midpointReplies.flatMap(listPositionsIn)];
    }
    if ([...exactReplies, ...otherReplies].every(({ data }) => Array.isArray(data) && data.length === 0))
      run.unexercised('atms.distance', 'no query by the positions that were tried brought ATMs: set POSITIONS');
  }),
);

test(
  'ATM queries at random positions',
  ...scenario('atm-any-position', { area }, async ({ atms, forAll, target }) => {
    const knownPositions = await atms.findKnownPositions();
    await forAll('positions', generatePositions(knownPositions), (position) => atms.findNear(position), {
      runs: Math.ceil(0.6 * target.runs),
    });
  }),
);

test(
  'ATM queries at the positions of ATMs in earlier answers',
  ...scenario('atm-crawl', { area }, async ({ atms, target }) =>
    searchAtms(
      atms,
      Math.ceil(1.6 * target.runs),
      target.inFlight,
      listExactPositions(await atms.findKnownPositions(), MAX_EXACT_POSITIONS),
    ),
  ),
);

test(
  'ATM queries by known, similar and unknown codes of province and district',
  ...scenario('atm-provinces', { area }, async ({ atms, target, run }) => {
    const codes = await atms.findCodes();
    if (codes.length === 0)
      run.unexercised(
        'atms.no-distance',
        'no query by the province and district codes that were tried brought ATMs: set PROVINCES',
      );
    const similarCodes =
      target.testData.provinces.length > 0 ? [] : listSimilarCodes(codes, Math.ceil(0.6 * target.runs));
    await mapAll([...similarCodes, ...listNonOctalCodes(codes), ...listUnknownCodes(codes)], target.inFlight, (place) =>
      atms.findInDistrict(place),
    );
  }),
);

test(
  'ATM queries by position and by province, in turn and at the same time',
  ...scenario('atm-both-queries', { area }, async ({ atms }) => {
    const codes = await atms.findCodes();
    const knownPositions = await atms.findKnownPositions();
    await mapAll([0, 1, 2, 3, 4, 5], 2, async (turn) => {
      const position = knownPositions[turn * 3] ?? atms.getStartPositions()[turn];
      const place = codes[turn % Math.max(codes.length, 1)];
      const queryNear = position === undefined ? null : atms.findNear(position);
      // In half of the turns, the two queries are sent at the same time.
      if (turn % 2 === 0) await queryNear;
      await Promise.all([queryNear, place === undefined ? null : atms.findInDistrict(place)]);
    });
  }),
);

const MAX_OMISSIONS = 3;

test(
  'ATM queries at a position whose answer lacked the nearest known ATM, and at this ATM, in turn',
  ...scenario('atm-nearest', { area, stage: 'independence' }, async ({ atms, run, target }) => {
    const answers = listAccepted(run.session.requests, 'findAtms').flatMap(({ values, shown = [] }) =>
      'latitude' in values
        ? [
            {
              queryPosition: { latitude: String(values['latitude']), longitude: String(values['longitude']) },
              atmPositions: shown,
            },
          ]
        : [],
    );
    await mapAll(listOmissions(answers, MAX_OMISSIONS), target.inFlight, async ({ from: position, missing }) => {
      for (const place of [position, missing, position, missing]) {
        await run.session.waiting.waitUntilDataIsVisible();
        await atms.findNear(place);
      }
    });
  }),
);
