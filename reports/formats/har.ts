/** HAR 1.2 of the evidence, for browsers and proxies that read such archives. Redacted as the records are. */
import type { ExchangeRecord, JournalLine } from '../../openapi/model/journal.ts';
import type { Report } from '../model/report.ts';
import { asJson } from '../text/sanitize.ts';

/** Characters of the exchanges in an archive, and of what each takes beside its bodies. */
const MAX_SIZE = 32_000_000;
const OVERHEAD = 2000;

/**
 * The exchanges of the history as an archive, with what the run laid side by side, so that `judge` comes to the findings of the
 * run; without a history, or of a very long one, the exchanges of the report.
 */
export function har(report: Report, history?: { readonly lines: Iterable<JournalLine> }): string {
  const records: ExchangeRecord[] = [];
  const _comparisons: object[] = [];
  let size = 0;
  for (const line of history?.lines ?? []) {
    if (line.line === 'entry') {
      const { request, response } = line.entry;
      size += OVERHEAD + (request.body?.length ?? 0) + (response?.body.length ?? 0);
      if (size > MAX_SIZE) return har(report);
      records.push(line.entry);
    } else if (line.line === 'comparison') _comparisons.push({ ...line, line: undefined });
  }
  const whole = records.length > 0;
  const entries = (whole ? records : Object.values(report.exchanges))
    .toSorted((a, b) =>
      a.timing.startedAt < b.timing.startedAt ? -1 : a.timing.startedAt > b.timing.startedAt ? 1 : 0,
    )
    .map((one) => ({
      ...harEntry(one),
      ...(isOther(one) ? { _truncated: true } : {}),
      ...(whole ? { _conformance: asked(one) } : {}),
    }));
  const creator = { name: 'Bank Open API conformance suite', version: report.suite.version };
  return asJson({ log: { version: '1.2', creator, entries, ...(whole ? { _comparisons } : {}) } });
}

/** True where the run judged otherwise than can be judged by what is shown: to a reader it lacks as much as a body that was cut. */
const isOther = ({ provesNothing, takenFromRun: { breaks, outcome } = {} }: ExchangeRecord): boolean =>
  provesNothing === true || breaks !== undefined || outcome !== undefined;

/** What an exchange was sent for. */
const asked = ({ id, ticks, control, repeats, open }: ExchangeRecord): object => ({
  id,
  ticks,
  control,
  repeats,
  open,
});

/** The entry of one exchange. Custom fields begin with `_`, as HAR wants it. */
export function harEntry({ id, kind, request, response, failure, timing, truncated }: ExchangeRecord): object {
  const type = (headers: readonly (readonly [string, string])[]): string =>
    headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const sent = Object.entries(request.headers);
  const received = response?.headers ?? [];
  const body = response?.body ?? '';
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
      url: addressOf(request.url),
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: sent.map(([name, value]) => ({ name, value })),
      queryString: queryOf(request.url),
      ...(request.body === null ? {} : { postData: { mimeType: type(sent), text: request.body } }),
      headersSize: -1,
      bodySize: request.body === null ? 0 : Buffer.byteLength(request.body),
    },
    response: {
      status: response?.status ?? 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: received.map(([name, value]) => ({ name, value })),
      content: {
        size: response?.encoding === 'base64' ? Buffer.from(body, 'base64').length : Buffer.byteLength(body),
        mimeType: type(received),
        text: body,
        ...(response?.encoding === 'base64' ? { encoding: 'base64' } : {}),
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: timing.durationMs, receive: 0 },
    comment: notes.join('; '),
    ...(failure === null ? {} : { _failure: failure }),
    ...(truncated ? { _truncated: true } : {}),
  };
}

/** An address in which only the characters of RFC 3986 stand, whatever was sent. */
function addressOf(url: string): string {
  return url
    .replace(/[^A-Za-z0-9\-._~:/?#@!$&'()*+,;=%]/gu, (odd) => encodeURIComponent(/\p{Cs}/u.test(odd) ? '\ufffd' : odd))
    .replace(/%(?![0-9A-Fa-f]{2})/g, '%25');
}

function queryOf(url: string): { name: string; value: string }[] {
  const query = url.split('#')[0]!.split('?').slice(1).join('?');
  return [...new URLSearchParams(query)].map(([name, value]) => ({ name, value }));
}
