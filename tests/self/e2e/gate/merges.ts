/** Shards that are merged although they are not all the parts of a run; `manifests.spec.ts` shows other ways. */
import { join } from 'node:path';
import { conformance, merged } from '../../support/command.ts';
import { makeTempDir } from '../../support/temp-dir.ts';
import type { GateCase } from './case.ts';

export const mergeCases: readonly GateCase[] = [
  {
    name: 'Shards of which one is missing',
    status: 2,
    verdict: 'inconclusive',
    says: /Of 2 shards, 1 is missing/,
    async run() {
      const blobs = makeTempDir();
      const env = { AREAS: 'atms', RUNS: '1', SEED: '1', PLAYWRIGHT_BLOB_OUTPUT_FILE: join(blobs, 'shard-2.zip') };
      await conformance(env, { more: ['--shard=2/2', '--reporter=blob'] });
      return merged(blobs);
    },
  },
];
