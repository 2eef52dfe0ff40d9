/** Makes the recordings of several tools from the same traffic. */
import { gzipSync } from 'node:zlib';
import type { RecordedExchange } from '../../../../fixtures/recording/recording.ts';

interface Recorder {
  readonly name: string;
  write(exchanges: readonly RecordedExchange[]): string | Buffer;
}

type Pairs = readonly (readonly [name: string, value: string])[];
const convertFields = (pairs: Pairs) => pairs.map(([name, value]) => ({ name, value }));

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
  const bytes = Buffer.from(answer.bytes);
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
      status: answer.status,
      headers: convertFields(answer.headers),
      content: { mimeType, size: bytes.length, text: bytes.toString('utf8') },
    },
  };
}

const renderHar = (name: string, entries: readonly object[]): string =>
  JSON.stringify({ log: { version: '1.2', creator: { name, version: '1.0' }, pages: [], entries } });

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
    name: 'a tool that writes the latest first, bodies in base64, and packs the file',
    write: (exchanges) =>
      gzipSync(
        renderHar(
          'tool',
          exchanges.toReversed().map((exchange) => {
            const { response, ...entry } = convertEntry(exchange);
            const text = Buffer.from(exchange.answer.bytes).toString('base64');
            return { ...entry, response: { ...response, content: { ...response.content, text, encoding: 'base64' } } };
          }),
        ),
      ),
  },
];
