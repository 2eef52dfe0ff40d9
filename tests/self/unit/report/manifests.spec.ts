/** Shards that are merged must be the parts of one run. */
import { expect, test } from '@playwright/test';
import { faultsOfShards, type Manifest } from '../../../../reports/journal/manifests.ts';

const shard = (current: number, more: Partial<Manifest> = {}, total = 3): Manifest => ({
  run: `run-${current}`,
  shard: { current, total },
  seed: 7,
  target: 'a bank',
  suite: '1',
  settings: { STRICT: 'true' },
  ...more,
});

for (const [what, manifests, faults] of [
  ['all of one run', [shard(2), shard(1), shard(3)], []],
  ['one missing', [shard(1), shard(3)], ['Of 3 shards, 2 is missing.']],
  ['one twice', [shard(1), shard(2), shard(2), shard(3)], ['Of 3 shards, 2 is there twice.']],
  ['another seed', [shard(1), shard(2, { seed: 8 }), shard(3)], [/^The merged shards differ in the seed:/]],
  ['another target', [shard(1), shard(2, { target: 'b' }), shard(3)], [/^The merged shards differ in the target:/]],
  ['another version', [shard(1), shard(2), shard(3, { suite: '2' })], [/^The merged shards differ in the version/]],
  ['another number', [shard(1), shard(2), shard(3, {}, 4)], [/^The merged shards differ in the number of shards:/]],
  ['another gate', [shard(1), shard(2, { settings: {} }), shard(3)], [/^The merged shards differ in STRICT:/]],
  ['no manifest', [], [/^None of the merged blobs says/]],
] as const)
  test(`Merged shards: ${what}`, () => {
    const found = faultsOfShards(manifests);
    expect(found).toHaveLength(faults.length);
    faults.forEach((fault, at) => expect(found[at]).toMatch(fault));
  });
