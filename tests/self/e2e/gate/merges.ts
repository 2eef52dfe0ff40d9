/** Shards that are merged although they are not the parts of one run. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { conformance, merged } from '../../support/command.ts';
import { makeTempDir } from '../../support/temp-dir.ts';
import type { GateCase } from './case.ts';

const SHARDS = 2;

/** One shard of a run of the embedded bank; gives the file of its blob. */
async function shard(nth: number, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const file = join(makeTempDir(), `shard-${nth}.zip`);
  await conformance(
    { AREAS: 'atms', RUNS: '1', SEED: '1', ...env, PLAYWRIGHT_BLOB_OUTPUT_FILE: file },
    { more: [`--shard=${nth}/${SHARDS}`, '--reporter=blob'] },
  );
  return file;
}

/** The shards of one run, one after the other; made once for all cases. */
let parts: Promise<readonly [string, string]> | undefined;
const partsOfOneRun = (): Promise<readonly [string, string]> =>
  (parts ??= shard(1).then(async (first) => [first, await shard(2)] as const));

/** A folder with copies of blobs. */
function folderWith(...files: readonly string[]): string {
  const folder = makeTempDir();
  files.forEach((file, at) => copyFileSync(file, join(folder, `part-${at}.zip`)));
  return folder;
}

const merge = (name: string, says: RegExp, made: () => Promise<string>): GateCase => ({
  name,
  status: 2,
  verdict: 'inconclusive',
  says,
  run: async () => merged(await made()),
});

/** One of the ways that `manifests.spec.ts` shows as well. */
const shownElsewhere = (...one: Parameters<typeof merge>): GateCase => ({ ...merge(...one), isInTests: false });

export const mergeCases: readonly GateCase[] = [
  {
    name: 'Two shards of one run, one after the other on one machine',
    status: 0,
    verdict: 'conformant',
    says: /^Verdict: conformant/m,
    // The script for CI shows as much.
    isInTests: false,
    run: async () => merged(folderWith(...(await partsOfOneRun()))),
  },
  merge('Shards of which one is missing', /Of 2 shards, 1 is missing/, async () => folderWith(await shard(2))),
  shownElsewhere('Shards of which one is there twice', /Of 2 shards, 2 is there twice/, async () =>
    folderWith(...(await partsOfOneRun()), await shard(2)),
  ),
  shownElsewhere('Shards with another seed', /The merged shards differ in the seed/, async () =>
    folderWith((await partsOfOneRun())[0], await shard(2, { SEED: '2' })),
  ),
  shownElsewhere('Shards of another target', /The merged shards differ in the target/, async () =>
    folderWith((await partsOfOneRun())[0], await shard(2, { TARGET_NAME: 'another' })),
  ),
];
