/**
 * What the configuration gives the reporter of the run: it travels as `metadata.conformance` of the Playwright
 * configuration, which survives blobs and merging.
 */
import { areas } from '../../openapi/model/exchange.ts';
import type { BehaviourProfile } from './behaviour-profile.ts';
import type { Caps, KnownEntry, RecordingReport } from './contents.ts';
import type { Report, Suite, SuiteError, Target } from './report.ts';

/** What the run is compared with, as the configuration gives it. */
export interface Comparisons {
  readonly pins?: BehaviourProfile;
  readonly known?: readonly KnownEntry[];
  readonly baseline?: Report;
  /** By which factor latency must have risen to be listed as a change. */
  readonly latencyFactor?: number;
}

export interface RunDescription {
  /** Drawn when the run began: its journals name it. Empty if the configuration could not be read. */
  readonly run: string;
  readonly target: Target;
  readonly suite: Suite;
  readonly caps?: Caps;
  /** What a user must read first. */
  readonly notice?: string;
  /** What the run may do to the target at most, in sentences. */
  readonly plan?: readonly string[];
  readonly baselineFiles?: Comparisons;
  /** Faults of the configuration, one sentence each. Where there are any no test should run. */
  readonly configuration?: readonly string[];
}

/** What a run knows of itself beside its journal. */
export interface RunFacts extends Omit<RunDescription, 'run' | 'notice' | 'plan'> {
  readonly startedAt: string;
  readonly durationMs: number;
  readonly interrupted?: string | undefined;
  /** What is missing of the run itself, such as shards, one sentence each. No verdict rests on a part. */
  readonly incomplete?: readonly string[];
  /** Faults of the suite that are not in the journal. */
  readonly errors?: readonly SuiteError[];
  /** Which secrets were found in what was to be written, and where. */
  readonly leaks?: readonly string[];
  readonly recording?: RecordingReport | undefined;
}

/** The key under which the description stands in the metadata. */
export const metadataKey = 'conformance';

/** The description of a run whose configuration could not be read. */
const unknown: RunDescription = {
  run: '',
  target: { name: null, build: null, baseUrl: '', embedded: false, areas },
  suite: { version: '', digest: '', contractDigest: '', seed: 0, runs: 0, strict: false },
  configuration: [],
};

/** The description in the metadata of a configuration; what is missing there is unknown. */
export function descriptionIn(metadata: Readonly<Record<string, unknown>> | undefined): RunDescription {
  const stated = metadata?.[metadataKey] as Partial<RunDescription> | undefined;
  return {
    ...unknown,
    ...stated,
    target: { ...unknown.target, ...stated?.target },
    suite: { ...unknown.suite, ...stated?.suite },
  };
}
