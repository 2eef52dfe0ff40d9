/** Finds out who gave the answer of a finding: a cache, or another server than for the contrast. */
import type { ExchangeRecord } from '../../openapi/model/journal.ts';
import { shortened } from '../text/sanitize.ts';

/** Matches header fields with the name of a server or build. */
const NAMES_SERVER =
  /^(server|via|x-(served-by|backend(-server)?|upstream(-(addr|server))?|node|pod|host(name)?|instance(-id)?|server(-id)?|(app-)?version|build|powered-by))$/i;
/** At most this many characters of a header field are shown. */
const MAX_SHOWN = 60;

type Field = readonly [name: string, value: string];

const fieldsOf = (record: ExchangeRecord | undefined): readonly Field[] => record?.response?.headers ?? [];

/** True if a header field says that a cache answered (RFC 9111, 5.1; Cache-Status of RFC 9211; X-Cache). */
const saysCached = ([name, value]: Field): boolean =>
  /^age$/i.test(name) ? Number(value) > 0 : /cache/i.test(name) && /\bhit\b/i.test(value);

const shown = ([name, value]: Field): string => `${name.toLowerCase()}: ${shortened(value, MAX_SHOWN)}`;

/** Returns parts for the sentence about the received answer; an empty list if both answers name the same server. */
export function answeredBy(record: ExchangeRecord | undefined, beside: ExchangeRecord | undefined): readonly string[] {
  const [fields, others] = [fieldsOf(record), fieldsOf(beside)];
  const cached = others.some(saysCached) ? undefined : fields.find(saysCached);
  const [server] = fields.flatMap((field) => {
    const [name, value] = field;
    const other = others.find(([one]) => one.toLowerCase() === name.toLowerCase());
    return !NAMES_SERVER.test(name) || other === undefined || other[1] === value ? [] : [[field, other[1]] as const];
  });
  return [
    cached !== undefined && `the answer says that it came from a cache (${shown(cached)})`,
    server !== undefined &&
      `another server gave it than the answer beside it (${shown(server[0])}, not ${shortened(server[1], MAX_SHOWN)})`,
  ].filter((part) => part !== false);
}
