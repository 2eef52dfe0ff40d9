/** Compares the list of a district with queries at the positions of its ATMs. */
import { listEntries, listAccepted, mapAll, scenario, test, type Reply } from '../../fixtures/runner/index.ts';

const MAX_DISTRICTS = 3;
/** The number of repetitions of the list and of the position query, alternately. */
const TURNS = 2;

/** True if the answer shows another ATM of the district of this ATM that is not at one of the `listedPositions`. */
function showsUnlistedAtm({ data }: Reply<'findAtms'>, position: string, listedPositions: readonly string[]): boolean {
  const atms = listEntries(data).map((atm) => ({
    position: `${atm.atm_latitude},${atm.atm_longitude}`,
    names: `${atm.atm_city}\n${atm.atm_district}`,
  }));
  const names = atms.find((atm) => atm.position === position)?.names;
  return atms.some((atm) => atm.names === names && !listedPositions.includes(atm.position));
}

test(
  'ATM queries at an ATM of a district; where its list lacks an ATM, both again in turn',
  ...scenario('atm-place-lists', { area: 'atms', stage: 'end' }, async ({ atms, run, target }) => {
    const lists = listAccepted(run.session.requests, 'findAtms').flatMap(
      ({ values: { province_code, district_code }, shown = [] }) =>
        province_code === undefined || shown.length === 0
          ? []
          : [{ place: { province_code: String(province_code), district_code: String(district_code) }, shown }],
    );
    // The longest list may be only one page. Then it need not be complete.
    const maxLength = Math.max(...lists.map(({ shown }) => shown.length));
    const shorterLists = lists.filter(({ shown }) => shown.length < maxLength);
    const districts = [...new Map(shorterLists.map((list) => [list.shown.join(), list])).values()].slice(
      0,
      MAX_DISTRICTS,
    );
    await mapAll(districts, target.inFlight, async ({ place, shown }) => {
      const position = shown[0] ?? '';
      const [latitude = '', longitude = ''] = position.split(',');
      const queryNear = () => atms.findNear({ latitude, longitude });
      if (!showsUnlistedAtm(await queryNear(), position, shown)) return;
      for (let turn = 0; turn < TURNS; turn += 1) {
        await run.session.waiting.untilDataIsVisible();
        await atms.findInDistrict(place);
        await run.session.waiting.untilDataIsVisible();
        await queryNear();
      }
    });
  }),
);
