/** Ends a shard: it gets no verdict, and its results get into the merged report only through its blob. */
import type { FullConfig } from '@playwright/test/reporter';
import type { ExitStatus, SuiteError } from '../model/report.ts';
import { toOneLine } from '../text/sanitize.ts';

export const SHARD_WITHOUT_BLOB =
  'A shard alone draws no verdict, and what it saw is lost without a blob: give --reporter=blob.';

export interface Shard {
  readonly current: number;
  readonly total: number;
  readonly hasBlob: boolean;
}

/** Returns the shard of a run; null for a complete run. */
export function getShard({ shard, reporter }: Pick<FullConfig, 'shard' | 'reporter'>): Shard | null {
  return shard && { ...shard, hasBlob: reporter.some(([name]) => name === 'blob') };
}

export function describeShardEnd(
  { current, total, hasBlob }: Shard,
  configuration: readonly string[],
  errors: readonly SuiteError[],
): { exit: ExitStatus; text: string } {
  const wrong = hasBlob ? configuration : [...configuration, SHARD_WITHOUT_BLOB];
  const faults = [...wrong, ...errors.map(({ message }) => toOneLine(message))];
  const merging = hasBlob ? '; the verdict is drawn when the shards are merged' : '';
  return {
    exit: errors.length > 0 ? 3 : wrong.length > 0 ? 2 : 0,
    text: `\nShard ${current} of ${total} is done${merging}.\n${faults.map((fault) => `  - ${fault}\n`).join('')}`,
  };
}
