/** The same traffic as each tool writes it down. */
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { RecordedExchange } from '../../../../fixtures/recording/recording.ts';

interface Recorder {
  readonly name: string;
  /** True where the tool sends no more than the request of its user, so that nothing stands in the way of a verdict. */
  readonly isPlain: boolean;
  write(exchanges: readonly RecordedExchange[]): string | Buffer;
}

type Pair = readonly [name: string, value: string];
const fields = (pairs: readonly Pair[]) => pairs.map(([name, value]) => ({ name, value }));
const bytesOf = ({ answer }: RecordedExchange): Buffer => Buffer.from(answer?.bytes ?? []);
const startedAt = (at: number): string => new Date(at).toISOString();
const valueOf = (pairs: readonly Pair[], name: string): string =>
  pairs.find(([field]) => field.toLowerCase() === name)?.[1] ?? '';
const har = (name: string, entries: readonly object[], more: object = {}): string =>
  JSON.stringify({ log: { version: '1.2', creator: { name, version: '1.0' }, pages: [], entries, ...more } });
/** Header fields beside those of the client, as a browser adds them. */
const ofBrowser = ({ request }: RecordedExchange): readonly Pair[] => {
  const { host, pathname, search, origin } = new URL(request.url);
  return [
    [':authority', host],
    [':method', request.method],
    [':path', pathname + search],
    [':scheme', 'http'],
    ['origin', origin],
    ['referer', `${origin}/app/index.html`],
    ['sec-ch-ua', '"Chromium";v="143", "Not;A=Brand";v="24"'],
    ['sec-fetch-mode', 'cors'],
    ['sec-fetch-site', 'same-origin'],
    ['user-agent', 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36'],
    ['cookie', 'JSESSIONID=9F2Kq77ZpLw03bVx; theme=dark'],
  ];
};

interface Body {
  readonly content: object;
  readonly coding?: string;
}

/** One entry, with the body of the answer as `body` writes it. */
function entry(
  exchange: RecordedExchange,
  body: (bytes: Buffer) => Body,
  change: { readonly headers?: readonly Pair[]; readonly post?: object; readonly more?: object } = {},
): object {
  const { request, answer } = exchange;
  const { content, coding } = body(bytesOf(exchange));
  const answered = [
    ...(answer?.headers ?? []),
    ...(coding === undefined ? [] : [['content-encoding', coding] as const]),
  ];
  return {
    startedDateTime: startedAt(exchange.startedAt),
    time: exchange.durationMs,
    request: {
      method: request.method,
      url: request.url,
      httpVersion: 'HTTP/1.1',
      headers: fields([...(change.headers ?? []), ...request.headers]),
      queryString: fields([...new URL(request.url).searchParams]),
      cookies: [],
      headersSize: -1,
      bodySize: request.body?.length ?? 0,
      ...(request.body === null
        ? {}
        : { postData: change.post ?? { mimeType: 'application/json', text: request.body } }),
    },
    response: {
      status: answer?.status ?? 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      headers: fields(answered),
      cookies: [],
      content:
        answer === null
          ? { size: 0, mimeType: 'x-unknown' }
          : { mimeType: valueOf(answered, 'content-type'), ...content },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: exchange.durationMs, receive: 0 },
    ...change.more,
  };
}

const text = (bytes: Buffer): Body => ({ content: { size: bytes.length, text: bytes.toString('utf8') } });
const inBase64 = (bytes: Buffer): object => ({
  size: bytes.length,
  text: bytes.toString('base64'),
  encoding: 'base64',
});

const noise = (url: string) => ({
  startedDateTime: startedAt(Date.now()),
  time: null,
  request: { method: 'GET', url, headers: [] },
  response: { status: 200, headers: [], content: { size: 3, text: 'x y' } },
});

export const recorders: readonly Recorder[] = [
  {
    name: 'Chrome',
    isPlain: false,
    write: (exchanges) =>
      har('WebInspector', [
        noise('data:image/png;base64,AAAA'),
        noise('chrome-extension://abcdef/page.js'),
        ...exchanges.flatMap((one) => [
          { ...entry(one, text), request: { method: 'OPTIONS', url: one.request.url, headers: [] } },
          entry(one, text, { headers: ofBrowser(one), more: { _resourceType: 'fetch', _priority: 'High' } }),
        ]),
        // What came from a cache, was blocked or was not kept says nothing of the bank.
        ...exchanges
          .slice(0, 3)
          .map((one) =>
            entry(one, () => ({ content: { size: 9, text: '{"old":1}' } }), { more: { _fromCache: 'disk' } }),
          ),
        ...exchanges.slice(0, 3).map((one) => entry({ ...one, answer: null }, text)),
        ...exchanges.slice(0, 3).map((one) => entry(one, () => ({ content: { size: 0 } }))),
      ]),
  },
  {
    name: 'Firefox',
    isPlain: false,
    // Text is marked as base64 that is none; times may be missing; the file is packed.
    write: (exchanges) =>
      gzipSync(
        har(
          'Firefox',
          exchanges.map((one, at) =>
            entry(one, (bytes) => ({ content: { ...text(bytes).content, encoding: 'base64' } }), {
              headers: ofBrowser(one).filter(([name]) => !name.startsWith(':')),
              more: at % 3 === 0 ? { time: null } : {},
            }),
          ),
        ),
      ),
  },
  {
    name: 'mitmproxy',
    isPlain: true,
    write: (exchanges) =>
      har(
        'mitmproxy',
        exchanges.map((one) => ({
          ...entry(one, (bytes) => ({
            content: { ...text(bytes).content, size: gzipSync(bytes).length, compression: 0 },
            coding: 'gzip',
          })),
          startedDateTime: startedAt(one.startedAt).replace('Z', '000+00:00'),
        })),
      ),
  },
  {
    name: 'Charles',
    isPlain: true,
    // Bodies in base64, and left as they went over the wire; a file in UTF-16.
    write: (exchanges) =>
      Buffer.from(
        `\ufeff${har(
          'Charles Proxy',
          exchanges.map((one, at) =>
            entry(
              one,
              (bytes) =>
                at % 2 === 0
                  ? { content: inBase64(gzipSync(bytes)), coding: 'gzip' }
                  : { content: inBase64(brotliCompressSync(bytes)), coding: 'br' },
              {
                post: {
                  mimeType: '',
                  text: Buffer.from(one.request.body ?? '').toString('base64'),
                  encoding: 'base64',
                },
              },
            ),
          ),
        )}`,
        'utf16le',
      ),
  },
  {
    name: 'Insomnia',
    isPlain: true,
    // Every entry has the time of the export, and a request without a body an empty one.
    write: (exchanges) =>
      har(
        'Insomnia REST Client',
        exchanges.toReversed().map((one) => {
          const written = entry(one, text) as { request: object };
          const postData = { mimeType: 'application/json', text: one.request.body ?? '' };
          return { ...written, request: { ...written.request, postData }, startedDateTime: '2099-01-05T10:00:00.000Z' };
        }),
      ),
  },
  {
    name: 'Postman, by newman',
    isPlain: true,
    write: (exchanges) =>
      JSON.stringify({
        collection: { info: { name: 'bank' } },
        run: {
          stats: {},
          timings: { started: Date.now() },
          executions: exchanges.map(({ request, answer, durationMs }) => {
            const { protocol, hostname, port, pathname, searchParams } = new URL(request.url);
            const pairs = (of: readonly Pair[]) => of.map(([key, value]) => ({ key, value, system: true }));
            return {
              cursor: { position: 0, iteration: 0 },
              item: { name: pathname },
              request: {
                url: {
                  protocol: protocol.slice(0, -1),
                  host: hostname.split('.'),
                  port,
                  path: pathname.slice(1).split('/'),
                  query: pairs([...searchParams].map(([key, value]) => [key, encodeURIComponent(value)])),
                },
                method: request.method,
                header: pairs(request.headers),
                ...(request.body === null ? {} : { body: { mode: 'raw', raw: request.body } }),
              },
              ...(answer === null
                ? {}
                : {
                    response: {
                      code: answer.status,
                      header: pairs(answer.headers),
                      stream: { type: 'Buffer', data: [...answer.bytes] },
                      responseTime: durationMs,
                    },
                  }),
            };
          }),
        },
      }),
  },
];
