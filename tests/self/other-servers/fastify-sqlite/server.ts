import type { AddressInfo } from 'node:net';
import { Ajv } from 'ajv';
import Fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import type { RunningServer } from '../server-kit.ts';
import { addAtmRoutes } from './atms.ts';
import { makeContext } from './context.ts';
import { addLinkRoutes } from './links.ts';
import { addLoanRoutes } from './loans.ts';

export { bugs } from './context.ts';

const SERVER_CREDENTIALS = { clientId: 'anadolu-app', clientSecret: 'k9-Sumak-41', accessToken: 'eyJ0.anadolu.token' };

/** Adds the check of credentials; Fastify applies it only to the given instance. */
function requireCredentials(app: FastifyInstance, withToken: boolean): void {
  const expected = new Map([
    ['x-gw-client-id', SERVER_CREDENTIALS.clientId],
    ['x-gw-client-secret', SERVER_CREDENTIALS.clientSecret],
    ...(withToken ? ([['authorization', `Bearer ${SERVER_CREDENTIALS.accessToken}`]] as const) : []),
  ]);
  app.addHook('onRequest', async ({ headers }, reply) => {
    for (const [name, value] of expected) {
      if (headers[name] !== value) return reply.status(401).send({ statusCode: 401, error: 'Unauthorized' });
    }
  });
}

/** Starts the bank on Fastify with its data in SQLite. */
export async function startFastifySqlite(bug?: string): Promise<RunningServer> {
  const context = makeContext(bug);
  const app = Fastify();
  // Values in a body keep their types; values in the query or the path are text and need conversion.
  const strict = new Ajv({ allowUnionTypes: true });
  const converting = new Ajv({ coerceTypes: true });
  app.setValidatorCompiler(({ schema, httpPart }) => (httpPart === 'body' ? strict : converting).compile(schema));
  app.setErrorHandler<FastifyError>((error, _request, reply) => {
    const statusCode = error.statusCode ?? 500;
    return reply.status(statusCode).send({ statusCode, message: statusCode < 500 ? error.message : 'internal error' });
  });
  await app.register(
    async (loans) => {
      requireCredentials(loans, true);
      addLoanRoutes(loans, context);
    },
    { prefix: '/api/bank/revolving-loans/v1' },
  );
  await app.register(
    async (links) => {
      requireCredentials(links, true);
      addLinkRoutes(links, context);
    },
    { prefix: '/api/bank/card/paybylink/v1' },
  );
  await app.register(async (locator) => {
    if (!context.has('open-locator')) requireCredentials(locator, false);
    addAtmRoutes(locator, context);
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return {
    baseUrl: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    ...SERVER_CREDENTIALS,
    async close() {
      app.server.closeAllConnections();
      await app.close();
      context.store.close();
    },
  };
}
