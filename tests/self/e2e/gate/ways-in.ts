/** Wrong ways in: each ends after a handful of requests, with the cure in the sentence. */
import { getRequestListener } from '@hono/node-server';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { listen } from '../../../../fixtures/banks/malformed-http/loopback.ts';
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import type { Handler } from '../../../../fixtures/reference-bank/http/serve.ts';
import { conformance, sandbox, whileServed, type Ran } from '../../support/command.ts';
import { presenting, tlsFile } from '../../support/servers.ts';
import type { GateCase } from './case.ts';

/** More requests than these before the end are not a handful. */
const HANDFUL = 8;

type Env = Readonly<Record<string, string>>;

const judge = (url: string, env: Env): Promise<Ran> =>
  conformance({ ...sandbox(url), SEED: '1', RUNS: '1', TIMEOUT_MS: '2000', ...env });

/** Judges what is served over HTTP; a run that asks it too often is said to. */
async function overHttp(handler: Handler, env: Env = {}, path = ''): Promise<Ran> {
  return whileServed(handler, async (url, asked) => {
    const ran = await judge(`${url}${path}`, env);
    return asked() <= HANDFUL ? ran : { ...ran, out: `${asked()} requests were made.\n${ran.out}`, status: null };
  });
}

/** Judges the bank behind TLS, at its https address or as `address` makes of its port. */
async function overTls(mutual: boolean, address: (port: number) => string): Promise<Ran> {
  const bank = createBank();
  const ca = readFileSync(tlsFile('ca.crt'));
  const options = { ...presenting('server'), ca, requestCert: mutual, rejectUnauthorized: mutual };
  const listener = getRequestListener((request) => bank.fetch(request));
  const server = createServer(options, (incoming, outgoing) => void listener(incoming, outgoing));
  const { port, close } = await listen(server);
  const url = address(port);
  try {
    return await judge(url, url.startsWith('https') ? { TLS_CA: tlsFile('ca.crt') } : {});
  } finally {
    await close();
  }
}

/** What `npm test` takes of them; the rest, of the same mechanism, is for `npm run test:all`. */
const taken: ReadonlySet<string> = new Set(['Wrong credentials', 'A login page in place of every answer']);

const wrongWay = (name: string, says: RegExp, run: () => Promise<Ran>): GateCase => ({
  name,
  status: 2,
  verdict: 'inconclusive',
  says,
  ...(taken.has(name) ? {} : { isInTests: false }),
  run,
});

export const wayInCases: readonly GateCase[] = [
  wrongWay(
    'Wrong credentials',
    /The credentials are not accepted: .* was answered with status 40[13].*check CLIENT_ID, CLIENT_SECRET and ACCESS_TOKEN/,
    () => overHttp(createBank(), { CLIENT_SECRET: 'not-the-secret-of-anybody' }),
  ),
  wrongWay(
    'A wrong token',
    /The access token is not accepted: .* was answered with status 401, while the ATM locator/,
    () => overHttp(createBank(), { ACCESS_TOKEN: 'not-the-token-of-anybody' }),
  ),
  wrongWay('http at a port of TLS', /BASE_URL begins with http, but TLS is spoken at that port: write https:/, () =>
    overTls(false, (port) => `http://127.0.0.1:${port}`),
  ),
  wrongWay('No client certificate where one is wanted', /client certificate.*TLS_CERT/, () =>
    overTls(true, (port) => `https://localhost:${port}`),
  ),
  wrongWay(
    'A redirect to another address',
    /Every request is redirected .*: set BASE_URL to https:\/\/bank\.example\/new\./,
    () =>
      overHttp({
        fetch(request) {
          const { pathname, search } = new URL(request.url);
          return new Response(null, {
            status: 308,
            headers: { location: `https://bank.example/new${pathname}${search}` },
          });
        },
      }),
  ),
  wrongWay(
    'A base URL that ends in the beginning of the documented paths',
    /BASE_URL ends in \/api, with which the documented paths begin.*: write http:\/\/127\.0\.0\.1:\d+\./,
    () => overHttp(createBank(), {}, '/api'),
  ),
  wrongWay(
    'A login page in place of every answer',
    /BASE_URL leads to web pages and not to the API: .* was answered with status 200 and HTML.*check BASE_URL/,
    () =>
      overHttp({
        fetch: () =>
          new Response('<!DOCTYPE html><title>Sign in</title>', { headers: { 'content-type': 'text/html' } }),
      }),
  ),
  wrongWay('A page of maintenance in place of every answer', /A gateway answers in place of the bank: .*503/, () =>
    overHttp({ fetch: () => new Response('<html><body>Back at 06:00</body></html>', { status: 503 }) }),
  ),
];
