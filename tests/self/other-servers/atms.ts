import { Refused, type Handlers } from './handlers.ts';

const ROAD_DETOUR_FACTOR = 1.25;
const ATMS_PER_ANSWER = 4;

function makeAtm(
  no: string,
  name: string,
  place: [city: string, district: string],
  at: [number, number],
  codes: string,
) {
  const [atm_city, atm_district] = place;
  return { atm_no: no, atm_name: name, atm_address: `${name} No 1`, atm_city, atm_district, at, codes };
}

const ATM_NETWORK = [
  makeAtm('001', 'Şişli Meydan', ['İSTANBUL', 'ŞİŞLİ'], [41.0602, 28.9877], '34/001'),
  makeAtm('002', 'Nişantaşı', ['İSTANBUL', 'ŞİŞLİ'], [41.0522, 28.9932], '34/001'),
  makeAtm('003', 'Üsküdar İskele', ['İSTANBUL', 'ÜSKÜDAR'], [41.0266, 29.0151], '34/002'),
  makeAtm('004', 'Bahçelievler', ['ANKARA', 'ÇANKAYA'], [39.9211, 32.8266], '06/001'),
  makeAtm('005', 'Kaş Marina', ['ANTALYA', 'KAŞ'], [36.2051, 29.6311], '07/003'),
  makeAtm('0056', 'Kaleiçi', ['ANTALYA', 'MURATPAŞA'], [36.8841, 30.7056], '07/001'),
];

/** Returns the great-circle distance in metres between two positions in degrees. */
function measureMetres([a, b]: readonly [number, number], [c, d]: readonly [number, number]): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const [rise, turn] = [Math.sin(radians(a - c) / 2) ** 2, Math.sin(radians(b - d) / 2) ** 2];
  const chord = rise + Math.cos(radians(a)) * Math.cos(radians(c)) * turn;
  return 2 * 6_371_000 * Math.asin(Math.min(1, Math.sqrt(chord)));
}

/** Makes the ATM locator. Distances are metres by road (the straight line plus a quarter), in the order of the list. */
export function makeAtmHandlers(): Handlers {
  const show = ({ at, codes: _codes, ...rest }: (typeof ATM_NETWORK)[number]) => ({
    ...rest,
    atm_latitude: at[0],
    atm_longitude: at[1],
  });
  const metres = (here: [number, number], at: [number, number]): number =>
    Math.round(measureMetres(here, at) * ROAD_DETOUR_FACTOR);

  return {
    'GET atms'({ query }) {
      const [province, district] = [query.get('province_code'), query.get('district_code')];
      const [latitude, longitude] = [query.get('latitude') ?? '', query.get('longitude') ?? ''];
      if (latitude === '' && longitude === '' && province !== null && district !== null) {
        return { data: ATM_NETWORK.filter(({ codes }) => codes === `${province}/${district}`).map(show) };
      }
      const here: [number, number] = [Number(latitude), Number(longitude)];
      const numbers = latitude.trim() !== '' && longitude.trim() !== '';
      if (!numbers || !(Math.abs(here[0]) <= 90) || !(Math.abs(here[1]) <= 180)) throw new Refused('no position');
      const closest = ATM_NETWORK.toSorted((a, b) => metres(here, a.at) - metres(here, b.at)).slice(0, ATMS_PER_ANSWER);
      const list = closest.sort((a, b) => (a.atm_no < b.atm_no ? -1 : 1));
      return {
        data: list.map((each) => ({ ...show(each), atm_distance: metres(here, each.at) })),
      };
    },
  };
}
