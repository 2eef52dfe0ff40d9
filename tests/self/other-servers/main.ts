import { parseArgs } from 'node:util';
import { otherServers } from './servers.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { bug: { type: 'string' }, port: { type: 'string', default: '0' } },
});
const chosen = otherServers.find(({ name }) => name === positionals[0]);
if (chosen === undefined) throw new Error(`name a server: ${otherServers.map(({ name }) => name).join(', ')}`);
const port = Number(values.port);
const server = await chosen.start(values.bug === undefined ? { port } : { port, bug: values.bug });
console.log(`BASE_URL=${server.baseUrl}`);
console.log(`CLIENT_ID='${server.clientId}'`);
console.log(`CLIENT_SECRET='${server.clientSecret}'`);
console.log(`ACCESS_TOKEN='${server.accessToken}'`);
