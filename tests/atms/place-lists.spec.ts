/** Compares the list of a district with queries at the positions of its ATMs. */
import { listEntries, listAccepted, mapAll, scenario, test, type Reply } from '../../fixtures/runner/index.ts';

const MAX_DISTRICTS = 3;
/** How often the list and the position are asked for again, by turns. */
const TURNS = 2;

/** True if the answer at the position of an ATM shows another ATM of its district that is not one of the `listed` positions. */
function showsUnlisted({ data }: Reply<'findAtms'>, position: string, listed: readonly string[]): boolean {
  const atms = listEntries(data).map((atm) => ({
    position: `${atm.atm_latitude},${atm.atm_longitude}`,
    names: `${atm.atm_city}\n${atm.atm_district}`,
  }));
  const names = atms.find((atm) => atm.position === position)?.names;
  return atms.some((atm) => atm.names === names && !listed.includes(atm.position));
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
    // The longest list may be a page: then it need not be complete.
    const longest = Math.max(...lists.map(({ shown }) => shown.length));
    const shorter = lists.filter(({ shown }) => shown.length < longest);
    const districts = [...new Map(shorter.map((list) => [list.shown.join(), list])).values()].slice(0, MAX_DISTRICTS);
    await mapAll(districts, target.inFlight, async ({ place, shown }) => {
      const position = shown[0] ?? '';
      const [latitude = '', longitude = ''] = position.split(',');
      const near = () => atms.findNear({ latitude, longitude });
      if (!showsUnlisted(await near(), position, shown)) return;
      for (let turn = 0; turn < TURNS; turn += 1) {
        await run.session.waiting.untilDataIsVisible();
        await atms.findInDistrict(place);
        await run.session.waiting.untilDataIsVisible();
        await near();
      }
    });
  }),
);
