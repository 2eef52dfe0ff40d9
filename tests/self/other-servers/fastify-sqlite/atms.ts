import type { FastifyInstance } from 'fastify';
import { type Context, Refusal } from './context.ts';

interface AtmRow {
  atm_no: string;
  name: string;
  address: string;
  city: string;
  district: string;
  latitude: number;
  longitude: number;
}
type AtmQuery = Partial<Record<'latitude' | 'longitude' | 'province_code' | 'district_code', string>>;

const CLOSEST = 4;
const text = { type: 'string', minLength: 1 };

/** Great-circle distance in metres. */
function metres(latitude: number, longitude: number, atm: AtmRow): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const rise = Math.sin(radians(atm.latitude - latitude) / 2) ** 2;
  const turn = Math.sin(radians(atm.longitude - longitude) / 2) ** 2;
  const chord = rise + Math.cos(radians(latitude)) * Math.cos(radians(atm.latitude)) * turn;
  return Math.round(2 * 6_371_000 * Math.asin(Math.min(1, Math.sqrt(chord))));
}

function degrees(value: string, bound: number): number {
  const number = /^[+-]?\d+(?:\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
  if (!(Math.abs(number) <= bound)) throw new Refusal(400, 'latitude and longitude are decimal degrees');
  return number;
}

/** The locator: a position wins over a province. */
export function atmRoutes(app: FastifyInstance, { store, has }: Context): void {
  let cached: object | undefined;
  const show = (row: AtmRow) => ({
    atm_address: row.address,
    atm_city: row.city,
    atm_district: row.district,
    atm_latitude: row.latitude,
    atm_longitude: row.longitude,
    atm_name: row.name,
    atm_no: row.atm_no,
  });

  const answer = ({ latitude, longitude, province_code, district_code }: AtmQuery): object[] => {
    if (latitude !== undefined && longitude !== undefined) {
      const here = [degrees(latitude, 90), degrees(longitude, 180)] as const;
      return store
        .all<AtmRow>('SELECT * FROM atms')
        .map((row) => ({ ...show(row), atm_distance: metres(...here, row) }))
        .sort((a, b) => a.atm_distance - b.atm_distance)
        .slice(0, CLOSEST);
    }
    if (province_code === undefined || district_code === undefined) {
      throw new Refusal(400, 'latitude and longitude, or province_code and district_code');
    }
    const number = has('atm-no-cast') ? 'CAST(CAST(atm_no AS INTEGER) AS TEXT) AS atm_no' : 'atm_no';
    const sql = `SELECT name, address, city, district, latitude, longitude, ${number}
      FROM atms WHERE province_code = ? ${has('or-for-and') ? 'OR' : 'AND'} district_code = ? ORDER BY 7`;
    const rows = store.all<AtmRow>(sql, [province_code, district_code]);
    if (rows.length === 0) throw new Refusal(404, 'no ATM there');
    return rows.map(show);
  };

  const querystring = {
    type: 'object',
    properties: { latitude: text, longitude: text, province_code: text, district_code: text },
  };
  app.get<{ Querystring: AtmQuery }>('/api/v1/atms', { schema: { querystring } }, ({ query }) => {
    const data = has('atm-cache-by-path') && cached ? cached : answer(query);
    cached = data;
    return { data };
  });
}
