/**
 * Makes the recordings of several tools from the same traffic. `read.spec.ts` tests the ways to write a body, an entry without an
 * answer, or a file.
 */
import type { RecordedExchange } from '../../../../fixtures/recording/recording.ts';

interface Recorder {
  readonly name: string;
  write(exchanges: readonly RecordedExchange[]): string;
}

type Pairs = readonly (readonly [name: string, value: string])[];
const convertFields = (pairs: Pairs) => pairs.map(([name, value]) => ({ name, value }));
const renderHar = (name: string, entries: readonly object[]): string =>
  JSON.stringify({ log: { version: '1.2', creator: { name, version: '1.0' }, pages: [], entries } });

/** Returns the header fields that a browser adds to those of the client. */
const makeBrowserFields = ({ request }: RecordedExchange): Pairs => {
  const { host, pathname, search, origin } = new URL(request.url);
  return [
    [':authority', host],
    [':path', pathname + search],
    ['origin', origin],
    ['referer', `${origin}/app/index.html`],
    ['sec-ch-ua', '"Chromium";v="143", "Not;A=Brand";v="24"'],
    ['user-agent', 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36'],
    ['cookie', 'JSESSIONID=9F2Kq77ZpLw03bVx; theme=dark'],
  ];
};

/** Makes one HAR entry. `headers` come before those of the client. */
function convertEntry({ request, answer, startedAt, durationMs }: RecordedExchange, headers: Pairs = []) {
  const mimeType = 'application/json';
  const bytes = Buffer.from(answer?.bytes ?? []);
  return {
    startedDateTime: new Date(startedAt).toISOString(),
    time: durationMs,
    request: {
      method: request.method,
      url: request.url,
      headers: convertFields([...headers, ...request.headers]),
      ...(request.body === null ? {} : { postData: { mimeType, text: request.body } }),
    },
    response: {
      status: answer?.status ?? 0,
      headers: convertFields(answer?.headers ?? []),
      content: answer === null ? { size: 0 } : { mimeType, size: bytes.length, text: bytes.toString('utf8') },
    },
  };
}

/** Makes one execution of newman. */
function convertExecution({ request, answer, durationMs }: RecordedExchange) {
  const { protocol, hostname, port, pathname, searchParams } = new URL(request.url);
  const pairs = (of: Pairs) => of.map(([key, value]) => ({ key, value, system: true }));
  const query = pairs([...searchParams].map(([key, value]) => [key, encodeURIComponent(value)]));
  const place = { host: hostname.split('.'), port, path: pathname.slice(1).split('/'), query };
  const response = answer && {
    code: answer.status,
    header: pairs(answer.headers),
    stream: { type: 'Buffer', data: [...answer.bytes] },
    responseTime: durationMs,
  };
  return {
    cursor: { position: 0, iteration: 0 },
    item: { name: pathname },
    request: {
      url: { protocol: protocol.slice(0, -1), ...place },
      method: request.method,
      header: pairs(request.headers),
      ...(request.body === null ? {} : { body: { mode: 'raw', raw: request.body } }),
    },
    ...(response === null ? {} : { response }),
  };
}

export const recorders: readonly Recorder[] = [
  {
    name: 'Chrome',
    write: (exchanges) =>
      renderHar(
        'WebInspector',
        exchanges.map((exchange) => ({
          ...convertEntry(exchange, makeBrowserFields(exchange)),
          _resourceType: 'fetch',
          _priority: 'High',
        })),
      ),
  },
  {
    name: 'Insomnia',
    // Every entry has the time of the export. A request without a body has an empty body in the file.
    write: (exchanges) =>
      renderHar(
        'Insomnia REST Client',
        exchanges.toReversed().map((exchange) => {
          const { request, ...written } = convertEntry(exchange);
          const postData = { mimeType: 'application/json', text: exchange.request.body ?? '' };
          return { ...written, request: { ...request, postData }, startedDateTime: '2099-01-05T10:00:00.000Z' };
        }),
      ),
  },
  {
    name: 'Postman, by newman',
    write: (exchanges) =>
      JSON.stringify({ collection: { info: { name: 'bank' } }, run: { executions: exchanges.map(convertExecution) } }),
  },
];
