import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { isInteger, isSafeNumber, parse } from 'lossless-json';
import { bugSwitch, type RunningServer } from '../server-kit.ts';
import { atmRoutes } from './atms.ts';
import { bugs, type Has } from './bugs.ts';
import { openBank } from './database.ts';
import { Refusal } from './fields.ts';
import { linkRoutes } from './links.ts';
import { loanRoutes } from './loans.ts';

const CREDENTIALS = {
  clientId: '6f1d0c1e-lighthouse',
  clientSecret: 'S3cr+t/with=signs',
  accessToken: 'lh_live_5b0e9a77c2d14f',
};

const exact = (digits: string): number | bigint =>
  isInteger(digits) && !isSafeNumber(digits) ? BigInt(digits) : Number(digits);

/** Reads JSON without rounding integers: ids of this bank lie beyond 2^53. */
function readJson(rounding: boolean): RequestHandler {
  return (request, _response, next) => {
    try {
      const body: unknown = request.body;
      request.body = typeof body !== 'string' ? undefined : rounding ? JSON.parse(body) : parse(body, null, exact);
    } catch {
      throw new Refusal(400, 'BODY_IS_NO_JSON');
    }
    next();
  };
}

function guard(has: Has, withToken: boolean): RequestHandler {
  return (request, _response, next) => {
    const [id, secret] = [request.get('X-GW-client-id'), request.get('X-GW-client-secret')];
    if (id !== CREDENTIALS.clientId || secret !== CREDENTIALS.clientSecret) throw new Refusal(403, 'UNKNOWN_CLIENT');
    const [, token] = /^Bearer (\S+)$/.exec(request.get('Authorization') ?? '') ?? [];
    const fits = has('token-prefix')
      ? token !== undefined && CREDENTIALS.accessToken.startsWith(token)
      : token === CREDENTIALS.accessToken;
    if (withToken && !fits) throw new Refusal(401, 'UNKNOWN_TOKEN');
    next();
  };
}

const showError: ErrorRequestHandler = (error: Error & { status?: number }, _request, response, _next) => {
  const status = error.status ?? 500;
  const code = error instanceof Refusal ? error.message : status < 500 ? 'BAD_REQUEST' : 'INTERNAL';
  response.status(status).json({ error: { code, retry: status >= 500 } });
};

/** Starts the bank on Express with its data in Postgres. */
export async function startExpressPostgres(bug?: string): Promise<RunningServer> {
  const has = bugSwitch(bugs, bug);
  const bank = await openBank();
  const app = express();
  // The document writes one path segment with a capital letter, and so does this bank.
  app.enable('case sensitive routing').disable('x-powered-by').disable('etag');
  const json = [express.text({ type: 'application/json', limit: '1mb' }), readJson(has('ids-as-doubles'))];
  app.use('/api/bank/revolving-loans/v1', guard(has, true), json, loanRoutes(bank, has));
  app.use('/api/bank/card/paybylink/v1', guard(has, true), json, linkRoutes(bank, has));
  app.use('/api/v1/atms', guard(has, false), atmRoutes(bank, has));
  app.use(() => {
    throw new Refusal(404, 'NO_SUCH_PATH');
  });
  app.use(showError);
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...CREDENTIALS,
    async close() {
      server.closeAllConnections();
      server.close();
      await bank.close();
    },
  };
}
