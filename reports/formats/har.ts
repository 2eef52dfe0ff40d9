/** Writes the exchanges as HAR 1.2, for browsers and proxies. Contains only redacted records. */
import type { ExchangeRecord, JournalLine } from '../../openapi/model/journal.ts';
import type { Report } from '../model/report.ts';
import { toJson } from '../text/sanitize.ts';

/** A HAR file has at most this many characters. Each exchange counts `ENTRY_OVERHEAD_CHARACTERS` characters besides its bodies. */
const MAX_HAR_BYTES = 32_000_000;
const ENTRY_OVERHEAD_CHARACTERS = 2000;

export const HAR_CREATOR = 'Bank Open API conformance suite';

/** Writes the exchanges of the history. Without a history, or if it is too long, writes the exchanges of the report. */
export function toHar(report: Report, history?: { readonly lines: Iterable<JournalLine> }): string {
  const records: ExchangeRecord[] = [];
  let size = 0;
  for (const line of history?.lines ?? []) {
    if (line.line !== 'entry') continue;
    const { request, response } = line.entry;
    size += ENTRY_OVERHEAD_CHARACTERS + (request.body?.length ?? 0) + (response?.body.length ?? 0);
    if (size > MAX_HAR_BYTES) return toHar(report);
    records.push(line.entry);
  }
  const startOf = ({ timing }: ExchangeRecord): string => timing.startedAt;
  const entries = (records.length > 0 ? records : Object.values(report.exchanges))
    .toSorted((a, b) => (startOf(a) < startOf(b) ? -1 : startOf(a) > startOf(b) ? 1 : 0))
    .map(makeHarEntry);
  return toJson({ log: { version: '1.2', creator: { name: HAR_CREATOR, version: report.suite.version }, entries } });
}

type Headers = readonly (readonly [name: string, value: string])[];

const toNameValuePairs = (headers: Headers) => headers.map(([name, value]) => ({ name, value }));
const getContentType = (headers: Headers): string =>
  headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';

function makeHarEntry({ id, kind, request, response, failure, timing, truncated }: ExchangeRecord): object {
  const sent = Object.entries(request.headers);
  const received = response?.headers ?? [];
  const { body = '', encoding = 'utf-8' } = response ?? {};
  const notes = [
    `${id}, ${kind}`,
    ...(failure === null ? [] : [failure.message]),
    ...(truncated ? ['the body is only the beginning of what came'] : []),
  ];
  return {
    startedDateTime: timing.startedAt,
    time: timing.durationMs,
    request: {
      method: request.method,
      url: encodeAddress(request.url),
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: toNameValuePairs(sent),
      queryString: listQuery(request.url),
      ...(request.body === null ? {} : { postData: { mimeType: getContentType(sent), text: request.body } }),
      headersSize: -1,
      bodySize: Buffer.byteLength(request.body ?? ''),
    },
    response: {
      status: response?.status ?? 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: toNameValuePairs(received),
      content: {
        size: Buffer.from(body, encoding).length,
        mimeType: getContentType(received),
        text: body,
        ...(encoding === 'base64' ? { encoding } : {}),
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: timing.durationMs, receive: 0 },
    comment: notes.join('; '),
  };
}

function encodeAddress(url: string): string {
  return url
    .replace(/[^A-Za-z0-9\-._~:/?#@!$&'()*+,;=%]/gu, (odd) => encodeURIComponent(/\p{Cs}/u.test(odd) ? '\ufffd' : odd))
    .replace(/%(?![0-9A-Fa-f]{2})/g, '%25');
}

function listQuery(url: string): { name: string; value: string }[] {
  const query = url.split('#')[0]!.split('?').slice(1).join('?');
  return toNameValuePairs([...new URLSearchParams(query)]);
}
