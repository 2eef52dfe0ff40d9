/** Writes and compares the manifests of shards. A manifest says to which run a shard belongs. Shards of different runs get no verdict. */
import type { RunDescription } from '../model/description.ts';
import { hashValue } from '../../openapi/util/hash.ts';
import { joinWithAnd } from '../text/phrases.ts';

export const MANIFEST_NAME = 'manifest';

export interface Manifest {
  readonly shard: { readonly current: number; readonly total: number };
  /** The settings that must be equal in all shards. The key is the name of the setting in a sentence. */
  readonly settings: Readonly<Record<string, string>>;
  /** Secrets that were found in the journals of the shard, and withheld there. */
  readonly leaks?: readonly string[];
}

/** Variables that may differ between shards: speed and paths. For files, their content is compared and not their path. */
const SHARD_SETTINGS: ReadonlySet<string> = new Set(
  'IN_FLIGHT RATE_LIMIT TIMEOUT_MS REPORT_DIR HOOKS OVERLAY'.split(' '),
);

export function makeManifest(
  description: RunDescription,
  { current, total }: Manifest['shard'],
  leaks: readonly string[],
): Manifest {
  const { target, suite, caps = {}, baselineFiles = {} } = description;
  const { name, build, baseUrl, areas } = target;
  const variables = Object.entries(suite.settings ?? {}).filter(([variable]) => !SHARD_SETTINGS.has(variable));
  const capSettings = Object.entries(caps).map(([kind, cap]) => [`MAX_${kind.toUpperCase()}`, String(cap)] as const);
  return {
    shard: { current, total },
    ...(leaks.length === 0 ? {} : { leaks }),
    settings: {
      'the seed': String(suite.seed),
      'the bank': [name, build, baseUrl, areas].join(' '),
      'the version of the suite': [suite.version, suite.digest, suite.contractDigest, suite.overlay?.digest].join(' '),
      ...Object.fromEntries([...variables, ...capSettings]),
      RUNS: String(suite.runs),
      STRICT: String(suite.strict),
      FAIL_ON: String(suite.failOn),
      KNOWN: hashValue(baselineFiles.known ?? null),
    },
  };
}

/** Returns null if the text is no manifest. */
export function readManifest(text: string): Manifest | null {
  try {
    const manifest = JSON.parse(text) as Manifest;
    const { current, total } = manifest.shard;
    const isValid = Number.isInteger(current) && Number.isInteger(total);
    return isValid ? { ...manifest, settings: { ...manifest.settings } } : null;
  } catch {
    return null;
  }
}

/** Lists why shards do not belong to one run, one sentence each. */
export function findShardFaults(manifests: readonly Manifest[]): readonly string[] {
  const [firstManifest] = manifests;
  if (firstManifest === undefined) return ['None of the merged blobs says which shard of which run it is.'];
  const { total } = firstManifest.shard;
  const shardNumbers = manifests.map(({ shard }) => shard.current);
  const missingShards = Array.from({ length: total }, (_, index) => index + 1).filter(
    (number) => !shardNumbers.includes(number),
  );
  const repeatedShards = [...new Set(shardNumbers.filter((number, index) => shardNumbers.indexOf(number) !== index))];
  const settingsByShard = manifests.map(({ shard, settings }) => ({
    'the number of shards': shard.total,
    ...settings,
  }));
  const describeShards = (shards: readonly number[], fault: string): string[] =>
    shards.length === 0
      ? []
      : [`Of ${total} shards, ${joinWithAnd(shards.map(String))} ${shards.length > 1 ? 'are' : 'is'} ${fault}.`];
  const settingNames = new Set(settingsByShard.flatMap(Object.keys)) as ReadonlySet<
    keyof (typeof settingsByShard)[number]
  >;
  const differingNames = [...settingNames].filter(
    (name) => new Set(settingsByShard.map((settings) => settings[name] ?? '')).size > 1,
  );
  return [
    ...describeShards(missingShards, 'missing'),
    ...describeShards(repeatedShards, 'there twice'),
    ...differingNames.map((name) => `The merged shards differ in ${name}: they are not parts of one run.`),
  ];
}
