/**
 * Defines what the configuration says of a run to the reporter, and reads this description. The description is
 * `metadata.conformance` in the Playwright configuration, so that merged reports have it too.
 */
import { areas } from '../../openapi/model/exchange.ts';
import type { Section } from '../../openapi/clauses/clause.ts';
import type { ClauseReport, ReportedAnswer } from './report.ts';
import type { ReportedCaps, KnownEntry, RecordingReport, Report, Suite, SuiteError, JudgedBank } from './report.ts';

/** The files with which the user compares a run: known findings, and the report of an earlier run. */
export interface Comparisons {
  readonly known?: readonly KnownEntry[];
  readonly baseline?: Report;
}

export interface RunDescription {
  /** The random id of the run, which is also in the logs of its workers. Empty if the configuration could not be read. */
  readonly run: string;
  readonly target: JudgedBank;
  readonly suite: Suite;
  readonly caps?: ReportedCaps;
  /** A notice that the user must read first. */
  readonly notice?: string;
  /** How much the run may create and send, in sentences. */
  readonly plan?: readonly string[];
  readonly baselineFiles?: Comparisons;
  /** The titles of all scenarios of the selected areas. Unknown for recorded traffic. */
  readonly scope?: readonly string[];
  /** What may have left out scenarios of `scope`: words of the command line, and REPLAY. */
  readonly selection?: string;
  /** Faults of the configuration, one sentence each. If there are any, no test should run. */
  readonly configuration?: readonly string[];
}

/** The data about a run that is not in the logs of its workers. */
export interface RunFacts extends Omit<RunDescription, 'run' | 'notice' | 'plan'> {
  readonly startedAt: string;
  readonly durationMs: number;
  readonly interrupted?: string | undefined;
  /** Missing parts of the run, such as shards, one sentence each. An incomplete run gets no verdict. */
  readonly incomplete?: readonly string[];
  readonly errors?: readonly SuiteError[];
  /** Secrets that were found in the report before it was written, with their places. */
  readonly leaks?: readonly string[];
  readonly recording?: RecordingReport | undefined;
}

export const METADATA_KEY = 'conformance';

const UNKNOWN_RUN: RunDescription = {
  run: '',
  target: { name: null, build: null, baseUrl: '', embedded: false, areas },
  suite: {
    version: '',
    digest: '',
    contractDigest: '',
    catalogueDigest: '',
    seed: 0,
    runs: 0,
    strict: false,
    failOn: [],
  },
  configuration: [],
};

/** Reads the description from the metadata of a configuration. Missing parts are unknown. */
export function readDescription(metadata: Readonly<Record<string, unknown>> | undefined): RunDescription {
  const description = metadata?.[METADATA_KEY] as Partial<RunDescription> | undefined;
  return {
    ...UNKNOWN_RUN,
    ...description,
    target: { ...UNKNOWN_RUN.target, ...description?.target },
    suite: { ...UNKNOWN_RUN.suite, ...description?.suite },
  };
}

export const GATE_PROJECT = 'verdict';

/** The name of the format. The number increases if older programs can no longer read the format. */
export const PROFILE_FORMAT = 'bank-open-api-dialect/1';

export type ProfileAnswer = Pick<ReportedAnswer, 'value' | 'answer' | 'count' | 'exchange' | 'control'>;

export interface ProfileQuestion extends Pick<ReportedAnswer, 'operation' | 'about'> {
  readonly varies: boolean;
  readonly answers: readonly ProfileAnswer[];
}

export interface ProfilePoint extends Pick<ClauseReport, 'area' | 'statement' | 'why'> {
  readonly point: string;
  readonly section: Section;
  readonly questions: readonly ProfileQuestion[];
}

export interface BehaviourProfile {
  readonly format: typeof PROFILE_FORMAT;
  readonly target: Pick<JudgedBank, 'name' | 'build' | 'baseUrl' | 'embedded' | 'areas'>;
  readonly suite: Pick<Suite, 'version' | 'contractDigest' | 'seed'>;
  readonly startedAt: string;
  readonly points: readonly ProfilePoint[];
}
