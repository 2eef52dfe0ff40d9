/** Shards that are merged although they are not the parts of one run. */
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { conformance, merged } from '../../support/command.ts';
import { makeTempDir } from '../../support/temp-dir.ts';
import type { GateCase } from './case.ts';

const SHARDS = 2;

/** The blobs of a run of the embedded bank in two shards, one after the other; `env` is for the second. */
async function blobs(env: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = makeTempDir();
  for (let shard = 1; shard <= SHARDS; shard += 1)
    await conformance(
      {
        AREAS: 'atms',
        RUNS: '1',
        SEED: '1',
        ...(shard === SHARDS ? env : {}),
        PLAYWRIGHT_BLOB_OUTPUT_FILE: join(folder, `shard-${shard}.zip`),
      },
      `--shard=${shard}/${SHARDS}`,
      '--reporter=blob',
    );
  return folder;
}

const merge = (name: string, says: RegExp, made: () => Promise<string>): GateCase => ({
  name,
  status: 2,
  verdict: 'inconclusive',
  says,
  run: async () => merged(await made()),
});

export const mergeCases: readonly GateCase[] = [
  {
    name: 'Two shards of one run, one after the other on one machine',
    status: 0,
    verdict: 'conformant',
    says: /^Verdict: conformant/m,
    run: async () => merged(await blobs()),
  },
  merge('Shards of which one is missing', /Of 2 shards, 1 is missing/, async () => {
    const folder = await blobs();
    rmSync(join(folder, 'shard-1.zip'));
    return folder;
  }),
  merge('Shards of which one is there twice', /Of 2 shards, 2 is there twice/, async () => {
    const [folder, again] = [await blobs(), await blobs()];
    copyFileSync(join(again, 'shard-2.zip'), join(folder, 'again.zip'));
    return folder;
  }),
  merge('Shards with another seed', /The merged shards differ in the seed/, () => blobs({ SEED: '2' })),
  merge('Shards of another target', /The merged shards differ in the target/, () => blobs({ TARGET_NAME: 'another' })),
];
