/** Starts a server of this folder; with --examine says instead what the suite notices of each of its bugs. */
import { parseArgs } from 'node:util';
import { examineServer, noticed } from './examine.ts';
import { otherServers } from './servers.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { bug: { type: 'string' }, port: { type: 'string', default: '0' }, examine: { type: 'boolean' } },
});
const chosen = otherServers.find(({ name }) => name === positionals[0]);
if (chosen === undefined) throw new Error(`name a server: ${otherServers.map(({ name }) => name).join(', ')}`);
if (values.examine === true) {
  console.log(`sound\t${noticed(await examineServer(chosen))}`);
  for (const [name, { breaks, story, unseen = story }] of Object.entries(chosen.bugs)) {
    const report = await examineServer(chosen, name);
    console.log([name, breaks, noticed(report), report.findings[0]?.clause ?? unseen].join('\t'));
  }
  process.exit(0);
}
const port = Number(values.port);
const server = await chosen.start(values.bug === undefined ? { port } : { port, bug: values.bug });
console.log(`BASE_URL=${server.baseUrl}`);
console.log(`CLIENT_ID='${server.clientId}'`);
console.log(`CLIENT_SECRET='${server.clientSecret}'`);
console.log(`ACCESS_TOKEN='${server.accessToken}'`);
