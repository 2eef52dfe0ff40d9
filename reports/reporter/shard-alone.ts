/** What a shard says of itself: it draws no verdict, and what it saw reaches the merged report in a blob alone. */
import type { FullConfig } from '@playwright/test/reporter';
import type { ExitStatus, SuiteError } from '../model/report.ts';
import { oneLine } from '../text/sanitize.ts';

/** Why a shard without a blob fails. */
export const SHARD_WITHOUT_BLOB =
  'A shard alone draws no verdict, and what it saw is lost without a blob: give --reporter=blob.';

export interface Shard {
  readonly current: number;
  readonly total: number;
  /** True if the blob reporter hears it. */
  readonly hasBlob: boolean;
}

/** The shard that a run is, or null: it is a whole one. */
export function shardOf({ shard, reporter }: Pick<FullConfig, 'shard' | 'reporter'>): Shard | null {
  return shard && { ...shard, hasBlob: reporter.some(([name]) => name === 'blob') };
}

/** The exit status of a shard, and what the terminal shows. */
export function endOfShard(
  { current, total, hasBlob }: Shard,
  configuration: readonly string[],
  errors: readonly SuiteError[],
): { exit: ExitStatus; text: string } {
  const wrong = hasBlob ? configuration : [...configuration, SHARD_WITHOUT_BLOB];
  const faults = [...wrong, ...errors.map(({ message }) => oneLine(message))];
  const merging = hasBlob ? '; the verdict is drawn when the shards are merged' : '';
  return {
    exit: errors.length > 0 ? 3 : wrong.length > 0 ? 2 : 0,
    text: `\nShard ${current} of ${total} is done${merging}.\n${faults.map((fault) => `  - ${fault}\n`).join('')}`,
  };
}
