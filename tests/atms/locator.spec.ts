/** Queries ATMs by position and by province and district. */
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
} from '../../fixtures/arbitraries/positions.ts';
import { listNonOctalCodes, listSimilarCodes, listUnknownCodes } from '../../fixtures/arbitraries/province-codes.ts';
import { listAccepted, mapAll, listPositionsIn, scenario, test, searchAtms } from '../../fixtures/runner/index.ts';

const area = 'atms';
const MAX_EXACT_POSITIONS = 16;

test(
  'ATM queries at known ATMs, between them, in cities, and far from all ATMs',
  ...scenario('atm-positions', { area }, async ({ atms, target, run }) => {
    const known = await atms.findKnownPositions();
    // Sends queries with exactly the position of an ATM: the distance is 0.
    const exact = listExactPositions(known, MAX_EXACT_POSITIONS);
    const there = await mapAll(exact, target.inFlight, (position) => atms.findNear(position));
    const further = target.testData.positions.length > 0 ? [] : selectedCities;
    const far = [...listAntipodes(known, 2), ...listFarPlaces()];
    const places = [...writeAllDecimals(known), ...listQuarterPlaces(known), ...far, ...further];
    const elsewhere = await mapAll(places, target.inFlight, (position) => atms.findNear(position));
    // Searches twice: a third city may lie between two cities.
    for (let time = 0, met = known; time < 2; time += 1) {
      const between = await mapAll(listMidpoints(met), target.inFlight, (position) => atms.findNear(position));
      met = [...met, ...between.flatMap(listPositionsIn)];
    }
    if ([...there, ...elsewhere].every(({ data }) => Array.isArray(data) && data.length === 0))
      run.unexercised('atms.distance', 'no query by the positions that were tried brought ATMs: set POSITIONS');
  }),
);

test(
  'ATM queries at random positions',
  ...scenario('atm-any-position', { area }, async ({ atms, forAll, target }) => {
    const known = await atms.findKnownPositions();
    await forAll('positions', generatePositions(known), (position) => atms.findNear(position), {
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
    const more = target.testData.provinces.length > 0 ? [] : listSimilarCodes(codes, Math.ceil(0.6 * target.runs));
    await mapAll([...more, ...listNonOctalCodes(codes), ...listUnknownCodes(codes)], target.inFlight, (place) =>
      atms.findInDistrict(place),
    );
  }),
);

test(
  'ATM queries by position and by province, in turn and at the same time',
  ...scenario('atm-both-queries', { area }, async ({ atms }) => {
    const codes = await atms.findCodes();
    const known = await atms.findKnownPositions();
    await mapAll([0, 1, 2, 3, 4, 5], 2, async (turn) => {
      const position = known[turn * 3] ?? atms.getStartPositions()[turn];
      const place = codes[turn % Math.max(codes.length, 1)];
      const near = position === undefined ? null : atms.findNear(position);
      // Sends two queries at the same time.
      if (turn % 2 === 0) await near;
      await Promise.all([near, place === undefined ? null : atms.findInDistrict(place)]);
    });
  }),
);

const MAX_OMISSIONS = 3;

test(
  'ATM queries at a position whose answer lacked the nearest known ATM, and at this ATM, in turn',
  ...scenario('atm-nearest', { area, stage: 'independence' }, async ({ atms, run, target }) => {
    const answers = listAccepted(run.session.requests, 'findAtms').flatMap(({ values, shown = [] }) =>
      'latitude' in values
        ? [{ from: { latitude: String(values['latitude']), longitude: String(values['longitude']) }, shown }]
        : [],
    );
    await mapAll(listOmissions(answers, MAX_OMISSIONS), target.inFlight, async ({ from, missing }) => {
      for (const place of [from, missing, from, missing]) {
        await run.session.waiting.untilDataIsVisible();
        await atms.findNear(place);
      }
    });
  }),
);
