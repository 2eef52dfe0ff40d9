import { parseArgs } from 'node:util';
import { startPlainHttp } from './plain-http/server.ts';
import type { RunningServer, StartOptions } from './server-kit.ts';
import { startExpressPostgres } from './express-postgres/server.ts';
import { startFastifySqlite } from './fastify-sqlite/server.ts';

/** The servers by name. */
const servers: Record<string, (options: StartOptions) => Promise<RunningServer>> = {
  'fastify-sqlite': startFastifySqlite,
  'express-postgres': startExpressPostgres,
  'plain-http': startPlainHttp,
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { bug: { type: 'string' }, port: { type: 'string', default: '0' } },
});
const start = servers[positionals[0] ?? ''];
if (start === undefined) throw new Error(`name a server: ${Object.keys(servers).join(', ')}`);
const server = await start({ port: Number(values.port), ...(values.bug === undefined ? {} : { bug: values.bug }) });
console.log(`BASE_URL=${server.baseUrl}`);
console.log(`CLIENT_ID='${server.clientId}'`);
console.log(`CLIENT_SECRET='${server.clientSecret}'`);
console.log(`ACCESS_TOKEN='${server.accessToken}'`);
