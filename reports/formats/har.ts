/** Writes the exchanges as HAR 1.2, for browsers and proxies. Secrets were removed from the records before. */
import type { ExchangeRecord, JournalLine } from '../../openapi/model/journal.ts';
import type { Report } from '../model/report.ts';
import { toJson } from '../text/sanitize.ts';

/** A HAR file has at most about this many characters. */
const MAX_HAR_CHARACTERS = 32_000_000;
/** An exchange has about this many characters in addition to its bodies. */
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
    if (size > MAX_HAR_CHARACTERS) return toHar(report);
    records.push(line.entry);
  }
  const writtenRecords = records.length > 0 ? records : Object.values(report.exchanges);
  const entries = writtenRecords.toSorted(compareStarts).map(makeHarEntry);
  return toJson({ log: { version: '1.2', creator: { name: HAR_CREATOR, version: report.suite.version }, entries } });
}

/** Compares times as ISO 8601 texts. Exchanges with the same time keep their order. */
function compareStarts(recordA: ExchangeRecord, recordB: ExchangeRecord): number {
  const [startA, startB] = [recordA.timing.startedAt, recordB.timing.startedAt];
  if (startA === startB) return 0;
  return startA < startB ? -1 : 1;
}

type Headers = readonly (readonly [name: string, value: string])[];

const toNamedValues = (headers: Headers) => headers.map(([name, value]) => ({ name, value }));
const getContentType = (headers: Headers): string =>
  headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';

function makeHarEntry({ id, kind, request, response, failure, timing, truncated }: ExchangeRecord): object {
  const requestHeaders = Object.entries(request.headers);
  const responseHeaders = response?.headers ?? [];
  const { body = '', encoding = 'utf-8' } = response ?? {};
  const notes = [
    `${id}, ${kind}`,
    ...(failure === null ? [] : [failure.message]),
    ...(truncated ? ['only the beginning of the body was kept'] : []),
  ];
  return {
    startedDateTime: timing.startedAt,
    time: timing.durationMs,
    request: {
      method: request.method,
      url: encodeAddress(request.url),
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: toNamedValues(requestHeaders),
      queryString: listQuery(request.url),
      ...(request.body === null ? {} : { postData: { mimeType: getContentType(requestHeaders), text: request.body } }),
      headersSize: -1,
      bodySize: Buffer.byteLength(request.body ?? ''),
    },
    response: {
      status: response?.status ?? 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: toNamedValues(responseHeaders),
      content: {
        size: Buffer.from(body, encoding).length,
        mimeType: getContentType(responseHeaders),
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

/** Percent-encodes the characters that a URL must not have. */
function encodeAddress(url: string): string {
  return url
    .replace(/[^A-Za-z0-9\-._~:/?#@!$&'()*+,;=%]/gu, (character) =>
      encodeURIComponent(/\p{Cs}/u.test(character) ? '\ufffd' : character),
    )
    .replace(/%(?![0-9A-Fa-f]{2})/g, '%25');
}

function listQuery(url: string): { name: string; value: string }[] {
  const [urlWithoutFragment = ''] = url.split('#');
  const query = urlWithoutFragment.split('?').slice(1).join('?');
  return toNamedValues([...new URLSearchParams(query)]);
}
