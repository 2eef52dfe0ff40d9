/** Rules of the ATM locator. */
import type { Rule } from './context.ts';
import { distinct, entriesOf } from './entries.ts';

export const atmRules = {
  findAtms: (bench) => {
    const atms = entriesOf(bench.data);
    const authorized = Object.keys(bench.exchange.request.headers).some(
      (name) => name.toLowerCase() === 'authorization',
    );
    if (!authorized) bench.check('atms.header.no-authorization', 'request/header/Authorization', true, '', () => '');
    distinct(bench, 'atms.no.distinct', '/data/*/atm_no', atms, ({ atm_no, atm_latitude, atm_longitude }) =>
      typeof atm_no === 'string' ? `${atm_no} at ${String(atm_latitude)}, ${String(atm_longitude)}` : null,
    );
    if (bench.form === 0 || atms.length === 0) return;
    // The schema is only asked where the field is there; that it is not there is what the document promises.
    bench.check('atms.no-distance', '/data/*/atm_distance', true, '', () => '');
    const none = atms.every((atm) => atm['atm_distance'] !== null);
    bench.check('atms.no-distance.absent', '/data/*/atm_distance', none, 'no atm_distance', () => 'null');
  },
} as const satisfies Record<string, Rule>;
