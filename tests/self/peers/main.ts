/**
 * The suite beside what somebody might use instead, on the same banks: `npm run peers -- [--only name] [--banks n] [--write]`.
 * Installs the tools into a folder of temporary files, and nothing is sent anywhere but to this machine after that.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sandboxCredentials } from '../../../fixtures/reference-bank/bank.ts';
import { serve } from '../../../fixtures/reference-bank/serve.ts';
import { between } from '../bench/table.ts';
import { contract30, contract30Named, contract31 } from './contract.ts';
import { knownValues } from './examples.ts';
import { install } from './install.ts';
import { ours } from './ours.ts';
import { peers } from './peers.ts';
import { sample, type Sampled } from './sample.ts';
import { figures, peersTable, type Tried } from './table.ts';
import type { Peer } from './peer.ts';

const { values } = parseArgs({
  options: { only: { type: 'string' }, banks: { type: 'string' }, write: { type: 'boolean', default: false } },
});
const work = join(tmpdir(), 'bank-open-api-peers');
mkdirSync(work, { recursive: true });
const known = await knownValues();
const [file31, file30, named] = ['3.1', '3.0', '3.0-named'].map((version) =>
  join(work, `contract-${version}.json`),
) as [string, string, string];
writeFileSync(file31, JSON.stringify(contract31(known), null, 1));
writeFileSync(file30, JSON.stringify(contract30(known), null, 1));
writeFileSync(named, JSON.stringify(contract30Named(known), null, 1));

/** Has one tool judge one bank. */
async function tried(peer: Pick<Peer, 'judge'>, home: string, { open, ...bank }: Sampled): Promise<Tried> {
  const handler = open();
  let requests = 0;
  const served = await serve({
    fetch(request) {
      requests += 1;
      return handler.fetch(request);
    },
  });
  const folder = mkdtempSync(join(tmpdir(), 'peer-'));
  const started = performance.now();
  try {
    const failures = await peer.judge({
      home,
      folder,
      baseUrl: served.url,
      contract31: file31,
      contract30: file30,
      contractNamed: named,
      credentials: sandboxCredentials,
    });
    return { ...bank, failures: [...new Set(failures)].sort(), requests, wallMs: performance.now() - started };
  } finally {
    await served.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const results = [];
for (const peer of [...peers, ...ours]) {
  if (values.only !== undefined && !peer.name.toLowerCase().includes(values.only.toLowerCase())) continue;
  const installed = await install(peer, work);
  if (installed.why !== null) {
    console.log(`${peer.name}: ${installed.why}`);
    results.push({ name: peer.name, settings: peer.settings, packages: peer.packages, why: installed.why, all: [] });
    continue;
  }
  const all: Tried[] = [];
  for (const bank of sample(values.banks === undefined ? undefined : Number(values.banks))) {
    const one = await tried(peer, installed.home, bank);
    all.push(one);
    console.log(
      `${peer.name}: ${one.kind} ${one.name}: ${one.failures.length} reported, ${one.requests} requests, ${Math.round(one.wallMs)} ms`,
    );
  }
  results.push({ name: peer.name, settings: peer.settings, packages: peer.packages, why: null, all });
  mkdirSync('reports/out', { recursive: true });
  writeFileSync(
    'reports/out/peers.json',
    `${JSON.stringify({ date: new Date().toISOString().slice(0, 10), results }, null, 1)}\n`,
  );
}
const text = peersTable(new Date().toISOString().slice(0, 10), results.map(figures));
if (values.write) await between('README.md', 'peers', text);
console.log(`\n${text}`);
