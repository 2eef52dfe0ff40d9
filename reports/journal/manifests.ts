/** The manifest of a shard says to which run it belongs. Merging gives no verdict if the shards do not make one run. */
import type { RunDescription } from '../model/description.ts';
import { hashValue } from '../../openapi/util/hash.ts';
import { joinWithAnd } from '../text/phrases.ts';

export const MANIFEST_NAME = 'manifest';

export interface Manifest {
  /** The run id of this shard. Each shard has its own. */
  readonly run: string;
  readonly shard: { readonly current: number; readonly total: number };
  readonly seed: number;
  /** Name, build, address and areas of the target. */
  readonly target: string;
  /** Version and digests of the suite, of the contract and of an overlay. */
  readonly suite: string;
  /** The variables on which the verdict depends. All shards need the same values. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Variables that may differ between shards: speed and paths. The content of their files is compared instead. */
const SHARD_SETTINGS: ReadonlySet<string> = new Set(
  'IN_FLIGHT RATE_LIMIT TIMEOUT_MS REPORT_DIR HOOKS OVERLAY PINS'.split(' '),
);

export function makeManifest(description: RunDescription, { current, total }: Manifest['shard']): Manifest {
  const { run, target, suite, caps = {}, baselineFiles = {} } = description;
  const { name, build, baseUrl, areas } = target;
  const asked = Object.entries(suite.settings ?? {}).filter(([variable]) => !SHARD_SETTINGS.has(variable));
  const ofCaps = Object.entries(caps).map(([kind, cap]) => [`MAX_${kind.toUpperCase()}`, String(cap)] as const);
  return {
    run,
    shard: { current, total },
    seed: suite.seed,
    target: [name ?? '', build ?? '', baseUrl, areas.join(',')].join(' ').trim(),
    suite: [suite.version, suite.digest, suite.contractDigest, suite.overlay?.digest ?? ''].join(' ').trim(),
    settings: {
      ...Object.fromEntries([...asked, ...ofCaps]),
      RUNS: String(suite.runs),
      STRICT: String(suite.strict),
      FAIL_ON: String(suite.failOn ?? ''),
      REQUIREMENTS: suite.requirements?.digest ?? '',
      PINS: hashValue(baselineFiles.pins ?? null),
      KNOWN: hashValue(baselineFiles.known ?? null),
    },
  };
}

/** Reads the text of an attached manifest; null if it is no manifest. */
export function readManifest(text: string): Manifest | null {
  try {
    const manifest = JSON.parse(text) as Manifest;
    const { current, total } = manifest.shard;
    const isWhole = Number.isInteger(current) && Number.isInteger(total);
    return isWhole ? { ...manifest, settings: { ...manifest.settings } } : null;
  } catch {
    return null;
  }
}

/** Returns why shards do not make one run, one sentence each. */
export function findShardFaults(manifests: readonly Manifest[]): readonly string[] {
  const [first] = manifests;
  if (first === undefined) return ['None of the merged blobs says which shard of which run it is.'];
  const { total } = first.shard;
  const numbers = manifests.map(({ shard }) => shard.current);
  const missing = Array.from({ length: total }, (_, at) => at + 1).filter((number) => !numbers.includes(number));
  const twice = [...new Set(numbers.filter((number, at) => numbers.indexOf(number) !== at))];
  const names = new Set(manifests.flatMap(({ settings }) => Object.keys(settings)));
  const parts: readonly (readonly [what: string, valueOf: (manifest: Manifest) => string | number])[] = [
    ['the number of shards', ({ shard }) => shard.total],
    ['the seed', ({ seed }) => seed],
    ['the target', ({ target }) => target],
    ['the version of the suite', ({ suite }) => suite],
    ...[...names].map((name) => [name, ({ settings }: Manifest) => settings[name] ?? ''] as const),
  ];
  const counted = [
    [missing, 'missing'],
    [twice, 'there twice'],
  ] as const;
  return [
    ...counted.flatMap(([some, how]) =>
      some.length === 0
        ? []
        : `Of ${total} shards, ${joinWithAnd(some.map(String))} ${some.length > 1 ? 'are' : 'is'} ${how}.`,
    ),
    ...parts.flatMap(([what, valueOf]) =>
      new Set(manifests.map(valueOf)).size > 1
        ? `The merged shards differ in ${what}: they are not parts of one run.`
        : [],
    ),
  ];
}
