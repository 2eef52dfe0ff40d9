/** Describes the end of a shard. A shard has no verdict: only its blob brings its results to the merged report. */
import type { FullConfig } from '@playwright/test/reporter';
import type { ExitStatus, SuiteError } from '../model/report.ts';
import { toOneLine } from '../text/sanitize.ts';

export const SHARD_WITHOUT_BLOB =
  'A single shard has no verdict, and without a blob its results are lost: give --reporter=blob.';

export interface Shard {
  readonly current: number;
  readonly total: number;
  readonly hasBlob: boolean;
}

/** Returns the shard of a run; null for a complete run. */
export function getShard({ shard, reporter }: Pick<FullConfig, 'shard' | 'reporter'>): Shard | null {
  return shard && { ...shard, hasBlob: reporter.some(([name]) => name === 'blob') };
}

function chooseExitStatus(configurationFaults: readonly string[], errors: readonly SuiteError[]): ExitStatus {
  if (errors.length > 0) return 3;
  return configurationFaults.length > 0 ? 2 : 0;
}

export function describeShardEnd(
  { current, total, hasBlob }: Shard,
  configuration: readonly string[],
  errors: readonly SuiteError[],
): { exitStatus: ExitStatus; text: string } {
  const configurationFaults = hasBlob ? configuration : [...configuration, SHARD_WITHOUT_BLOB];
  const faults = [...configurationFaults, ...errors.map(({ message }) => toOneLine(message))];
  const mergeNote = hasBlob ? '; the verdict comes when the shards are merged' : '';
  return {
    exitStatus: chooseExitStatus(configurationFaults, errors),
    text: `\nShard ${current} of ${total} is done${mergeNote}.\n${faults.map((fault) => `  - ${fault}\n`).join('')}`,
  };
}
