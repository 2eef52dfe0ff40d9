/** Compares the list of a district with queries at the positions of its ATMs. */
import { listEntries, listAccepted, mapAll, scenario, test, type Reply } from '../../fixtures/runner/index.ts';

const MAX_DISTRICTS = 3;
/** The number of repetitions of the list and of the position query, alternately. */
const TURN_COUNT = 2;

/** True if the answer shows another ATM of the district of this ATM that is not at one of the `listedPositions`. */
function showsUnlistedAtm({ data }: Reply<'findAtms'>, position: string, listedPositions: readonly string[]): boolean {
  const shownAtms = listEntries(data).map((atm) => ({
    position: `${atm.atm_latitude},${atm.atm_longitude}`,
    names: `${atm.atm_city}\n${atm.atm_district}`,
  }));
  const namesOfDistrict = shownAtms.find((atm) => atm.position === position)?.names;
  return shownAtms.some((atm) => atm.names === namesOfDistrict && !listedPositions.includes(atm.position));
}

test(
  'ATM queries at an ATM of a district; where its list lacks an ATM, both again in turn',
  ...scenario('atm-place-lists', { area: 'atms', stage: 'end' }, async ({ atms, run, target }) => {
    const lists = listAccepted(run.session.requests, 'findAtms').flatMap(
      ({ values: { province_code, district_code }, shown: atmPositions = [] }) =>
        province_code === undefined || atmPositions.length === 0
          ? []
          : [
              {
                placeCodes: { province_code: String(province_code), district_code: String(district_code) },
                shown: atmPositions,
              },
            ],
    );
    // The longest list may be only one page. Then it need not be complete.
    const maxLength = Math.max(...lists.map(({ shown }) => shown.length));
    const shorterLists = lists.filter(({ shown }) => shown.length < maxLength);
    const examinedLists = [...new Map(shorterLists.map((list) => [list.shown.join(), list])).values()].slice(
      0,
      MAX_DISTRICTS,
    );
    await mapAll(examinedLists, target.inFlight, async ({ placeCodes, shown: listedPositions }) => {
      const firstPosition = listedPositions[0] ?? '';
      const [latitude = '', longitude = ''] = firstPosition.split(',');
      const queryNear = () => atms.findNear({ latitude, longitude });
      if (!showsUnlistedAtm(await queryNear(), firstPosition, listedPositions)) return;
      for (let turn = 0; turn < TURN_COUNT; turn += 1) {
        await run.session.waiting.waitUntilDataIsVisible();
        await atms.findInDistrict(placeCodes);
        await run.session.waiting.waitUntilDataIsVisible();
        await queryNear();
      }
    });
  }),
);
