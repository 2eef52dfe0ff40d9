/** Finds out who gave the answer of a finding: a cache, or another server than for the contrast. */
import type { ExchangeRecord } from '../../openapi/model/journal.ts';
import { shorten } from '../text/sanitize.ts';

/** Matches header fields with the name of a server or build. */
const SERVER_FIELD =
  /^(server|via|x-(served-by|backend(-server)?|upstream(-(addr|server))?|node|pod|host(name)?|instance(-id)?|server(-id)?|(app-)?version|build|powered-by))$/i;
/** At most this many characters of a header field are shown. */
const MAX_VALUE_LENGTH = 60;

type Field = readonly [name: string, value: string];

const getFields = (record: ExchangeRecord | undefined): readonly Field[] => record?.response?.headers ?? [];

/** True if a header field says that a cache answered (RFC 9111, 5.1; Cache-Status of RFC 9211; X-Cache). */
const isCacheHit = ([name, value]: Field): boolean =>
  /^age$/i.test(name) ? Number(value) > 0 : /cache/i.test(name) && /\bhit\b/i.test(value);

const writeField = ([name, value]: Field): string => `${name.toLowerCase()}: ${shorten(value, MAX_VALUE_LENGTH)}`;

/** Returns parts for the sentence about the received answer; an empty list if both answers name the same server. */
export function findServer(record: ExchangeRecord | undefined, beside: ExchangeRecord | undefined): readonly string[] {
  const [fields, others] = [getFields(record), getFields(beside)];
  const cached = others.some(isCacheHit) ? undefined : fields.find(isCacheHit);
  const [server] = fields.flatMap((field) => {
    const [name, value] = field;
    const other = others.find(([one]) => one.toLowerCase() === name.toLowerCase());
    return !SERVER_FIELD.test(name) || other === undefined || other[1] === value ? [] : [[field, other[1]] as const];
  });
  return [
    cached !== undefined && `the answer says that it came from a cache (${writeField(cached)})`,
    server !== undefined &&
      `another server gave it than the answer beside it (${writeField(server[0])}, not ${shorten(server[1], MAX_VALUE_LENGTH)})`,
  ].filter((part) => part !== false);
}
