/** Servers on this machine for tests of the transport: each sends exactly the given bytes. */
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { join } from 'node:path';
import { serveEachRequest, listenOnLoopback } from '../../../fixtures/banks/malformed-http/loopback.ts';
import type { WireRequest } from '../../../fixtures/run/http/connection.ts';
import { systemClock, type Clock } from '../../../fixtures/run/http/clock.ts';
import { readTarget, type Target } from '../../../fixtures/run/config/target.ts';
import { openAccessTokenProvider, type AccessTokenProvider } from '../../../fixtures/run/http/access-token.ts';
import { HttpClient, type SendOptions, type SentRequestResult } from '../../../fixtures/run/http/http-client.ts';

const openedServers: (() => Promise<unknown>)[] = [];

/** Closes every server and every transport of a test. */
export async function closeAllServers(): Promise<void> {
  await Promise.all(openedServers.splice(0).map((close) => close()));
}

/** Listens on a free port of 127.0.0.1 and returns the port. */
export async function listenOnFreePort(server: Server): Promise<number> {
  const { port, close } = await listenOnLoopback(server);
  openedServers.push(close);
  return port;
}

/** Starts a server that calls `serve` for each complete request: its text, and its number on the connection. */
export async function startRawServer(
  serve: (socket: Socket, request: string, number: number) => void,
  tls?: TlsOptions,
): Promise<number> {
  const onConnection = (socket: Socket) => {
    let number = 0;
    serveEachRequest(socket, (request) => serve(socket, request, (number += 1)));
  };
  return listenOnFreePort(tls ? createTlsServer(tls, onConnection) : createServer(onConnection));
}

export async function startHttpServer(serve: RequestListener): Promise<number> {
  return listenOnFreePort(createHttpServer(serve));
}

/** Starts a proxy for CONNECT and for requests in absolute form. `asked` lists its requests. */
export async function startProxyServer(refuse?: number): Promise<{ port: number; asked: string[] }> {
  const asked: string[] = [];
  const port = await startRawServer((client, request) => {
    asked.push(request);
    const [method = '', where = ''] = request.split(' ');
    if (refuse !== undefined) return client.end(`HTTP/1.1 ${refuse} No\r\nContent-Length: 0\r\n\r\n`);
    const url = new URL(method === 'CONNECT' ? `https://${where}` : where);
    const upstream = connect(Number(url.port), '127.0.0.1', () => {
      if (method === 'CONNECT') client.write('HTTP/1.1 200 Connected\r\n\r\n');
      else upstream.write(request.replace(where, url.pathname));
      client.removeAllListeners('data').pipe(upstream).pipe(client);
    });
    upstream.on('error', () => client.destroy());
    return upstream;
  });
  return { port, asked };
}

/** Returns the path of a TLS file for these tests. */
export function locateTlsFile(name: string): string {
  return join(__dirname, '../../../fixtures/tls', name);
}

/** Returns the options of a TLS server with the certificate `name`. */
export function loadTlsOptions(name: string): TlsOptions {
  return { key: readFileSync(locateTlsFile('server.key')), cert: readFileSync(locateTlsFile(`${name}.crt`)) };
}

/** Makes the configuration for a bank at `baseUrl` with short time-outs. `more` has further environment variables. */
export function makeTarget(baseUrl: string, more: Record<string, string> = {}): Target {
  const env = { CLIENT_ID: 'none', CLIENT_SECRET: 'none', ACCESS_TOKEN: 'none', TIMEOUT_MS: '3000', ...more };
  return readTarget({ BASE_URL: baseUrl, ...env });
}

/** A transport that allows every request, except those that the test refuses. */
class Transport extends HttpClient {
  override send(request: WireRequest, options: Partial<SendOptions> = {}): Promise<SentRequestResult> {
    return super.send(request, { askToSend: () => null, ...options });
  }
}

/** Makes a transport that is closed at the end of the test. */
export function openTransport(
  target: Target,
  clock: Clock = systemClock,
  tokens: AccessTokenProvider = openAccessTokenProvider(target, clock),
): Transport {
  const transport = new Transport(target, clock, tokens);
  openedServers.push(() => transport.close());
  return transport;
}
