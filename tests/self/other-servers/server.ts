import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeAtmHandlers } from './atms.ts';
import { Refused, type Handlers } from './handlers.ts';
import { makeLinkHandlers } from './links.ts';
import { makeLoanHandlers } from './loans.ts';

const SERVER_CREDENTIALS = { clientId: '4411', clientSecret: 'gul bank secret', accessToken: 'Zm9vOmJhcg==' };
const PATH_PREFIXES = ['/api/bank/revolving-loans/v1/', '/api/bank/card/paybylink/v1/', '/api/v1/'] as const;

function findHandler(handlers: Handlers, method: string, path: readonly string[]): Handlers[string] | undefined {
  for (const [route, handler] of Object.entries(handlers)) {
    const [wanted, ...parts] = route.split(/[ /]/);
    const same = parts.length === path.length && parts.every((part, nth) => part === '*' || part === path[nth]);
    if (wanted === method && same) return handler;
  }
}

const mayEnter = ({ headers }: IncomingMessage, prefix: string): boolean =>
  headers['x-gw-client-id'] === SERVER_CREDENTIALS.clientId &&
  headers['x-gw-client-secret'] === SERVER_CREDENTIALS.clientSecret &&
  (prefix === '/api/v1/' || headers.authorization === `Bearer ${SERVER_CREDENTIALS.accessToken}`);

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  if (request.method !== 'POST') return {};
  try {
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
    if (typeof body === 'object' && body !== null) return body as Record<string, unknown>;
  } catch {}
  throw new Refused('body must be a JSON object');
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'Content-Type': 'application/json;charset=UTF-8',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
}

/** Starts a bank that is written by hand and uses only Node.js. */
export async function startPlainHttp() {
  const areas: Record<(typeof PATH_PREFIXES)[number], Handlers> = {
    '/api/bank/revolving-loans/v1/': makeLoanHandlers(),
    '/api/bank/card/paybylink/v1/': makeLinkHandlers(),
    '/api/v1/': makeAtmHandlers(),
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const prefix = PATH_PREFIXES.find((each) => url.pathname.startsWith(each));
    if (prefix === undefined) return sendJson(response, 404, { hata: 'not found' });
    if (!mayEnter(request, prefix)) return sendJson(response, 401, { hata: 'who are you?' });
    const path = url.pathname.slice(prefix.length).split('/');
    const handler = findHandler(areas[prefix], request.method ?? '', path);
    if (handler === undefined) return sendJson(response, 404, { hata: 'not found' });
    const members = handler({ path, query: url.searchParams, body: await readBody(request) });
    sendJson(response, 200, { status: 'OK', ...members });
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      const isRefused = error instanceof Refused;
      sendJson(response, isRefused ? 400 : 500, { status: 'ERROR', hata: isRefused ? error.message : undefined });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...SERVER_CREDENTIALS,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
