/** Rules of the ATM locator. */
import type { Rule } from './context.ts';
import { distinct, entriesOf } from './entries.ts';

export const atmRules = {
  findAtms: (context) => {
    const atms = entriesOf(context.data);
    const authorized = Object.keys(context.exchange.request.headers).some(
      (name) => name.toLowerCase() === 'authorization',
    );
    if (!authorized) context.check('atms.header.no-authorization', 'request/header/Authorization', true, '', () => '');
    distinct(context, 'atms.no.distinct', '/data/*/atm_no', atms, ({ atm_no, atm_latitude, atm_longitude }) =>
      typeof atm_no === 'string' ? `${atm_no} at ${String(atm_latitude)}, ${String(atm_longitude)}` : null,
    );
    if (context.form === 0 || atms.length === 0) return;
    // The schema is only asked where the field is there; that it is not there is what the document promises.
    context.check('atms.no-distance', '/data/*/atm_distance', true, '', () => '');
    const none = atms.every((atm) => atm['atm_distance'] !== null);
    context.check('atms.no-distance.absent', '/data/*/atm_distance', none, 'no atm_distance', () => 'null');
  },
} as const satisfies Record<string, Rule>;
