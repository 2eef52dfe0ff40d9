import { and, asc, eq, sql } from 'drizzle-orm';
import { Router } from 'express';
import { atms, type Bank } from './database.ts';
import { Refusal, parameter } from './fields.ts';
import type { Has } from './bugs.ts';

const CLOSEST = 3;
const DEGREES = /^[+-]?\d{1,3}(?:\.\d{1,20})?$/;
const CODE = /^[^\0]+$/;

/** The locator: distances are worked out by the database, in kilometres. */
export function atmRoutes({ db }: Bank, has: Has): Router {
  const router = Router();
  const columns = {
    atm_no: atms.no,
    atm_name: atms.name,
    atm_address: atms.address,
    atm_city: atms.city,
    atm_district: atms.district,
    atm_latitude: atms.latitude,
    atm_longitude: atms.longitude,
  };

  router.get('/', async ({ query }, response) => {
    if ('province_code' in query && 'district_code' in query) {
      const province = parameter(query, 'province_code', CODE).toUpperCase();
      const quarter = parameter(query, 'district_code', CODE).toUpperCase();
      const swapped = { ...columns, atm_latitude: atms.longitude, atm_longitude: atms.latitude };
      const rows = await db
        .select(has('swapped-axes') ? swapped : columns)
        .from(atms)
        .where(and(eq(atms.province, province), eq(atms.quarter, quarter)))
        .orderBy(asc(atms.name));
      return void response.json({ data: rows });
    }
    const latitude = Number(parameter(query, 'latitude', DEGREES));
    const longitude = Number(parameter(query, 'longitude', DEGREES));
    if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) throw new Refusal(422, 'POSITION_IS_WRONG');
    const exact = sql<number>`12742 * asin(sqrt(least(1, power(sin(radians(${atms.latitude} - ${latitude}::float8) / 2), 2)
      + cos(radians(${latitude}::float8)) * cos(radians(${atms.latitude}))
      * power(sin(radians(${atms.longitude} - ${longitude}::float8) / 2), 2))))`;
    const all = db.select({ ...columns, atm_distance: sql<number>`round(${exact})::int` }).from(atms);
    const rows = await all.orderBy(has('limit-before-order') ? asc(atms.no) : asc(exact)).limit(CLOSEST);
    response.json({ data: rows.sort((a, b) => a.atm_distance - b.atm_distance) });
  });

  return router;
}
