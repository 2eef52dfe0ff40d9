import type { FastifyInstance } from 'fastify';
import { measureMetres } from '../server-kit.ts';
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

const MAX_CLOSEST_ATMS = 4;
const textSchema = { type: 'string', minLength: 1 };

function parseDegrees(value: string, bound: number): number {
  const number = /^[+-]?\d+(?:\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
  if (!(Math.abs(number) <= bound)) throw new Refusal(400, 'latitude and longitude are decimal degrees');
  return number;
}

/** Adds the locator; a query with a position and a province is answered by position. */
export function addAtmRoutes(app: FastifyInstance, { store, has }: Context): void {
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
      const here = [parseDegrees(latitude, 90), parseDegrees(longitude, 180)] as const;
      return store
        .all<AtmRow>('SELECT * FROM atms')
        .map((row) => ({ ...show(row), atm_distance: Math.round(measureMetres(here, [row.latitude, row.longitude])) }))
        .sort((a, b) => a.atm_distance - b.atm_distance)
        .slice(0, MAX_CLOSEST_ATMS);
    }
    if (province_code === undefined || district_code === undefined)
      throw new Refusal(400, 'latitude and longitude, or province_code and district_code');
    const sql = 'SELECT * FROM atms WHERE province_code = ? AND district_code = ? ORDER BY atm_no';
    const rows = store.all<AtmRow>(sql, [province_code, district_code]);
    if (rows.length === 0) throw new Refusal(404, 'no ATM there');
    return rows.map(show);
  };

  const querystring = {
    type: 'object',
    properties: { latitude: textSchema, longitude: textSchema, province_code: textSchema, district_code: textSchema },
  };
  app.get<{ Querystring: AtmQuery }>('/api/v1/atms', { schema: { querystring } }, ({ query }) => {
    const data = has('atm-cache-by-path') && cached ? cached : answer(query);
    cached = data;
    return { data };
  });
}
