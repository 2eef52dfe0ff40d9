/** The results of the comparison, as figures and as Markdown. */
import { median, middle } from '../bench/table.ts';
import type { Sampled } from './sample.ts';
import type { ComparedTool } from './tools.ts';

/** One bank judged by one tool. */
export interface Tried extends Omit<Sampled, 'open'> {
  /** What the tool reported, each kind once. */
  readonly failures: readonly string[];
  readonly requests: number;
  readonly wallMs: number;
}

/** All that one tool reported. */
export interface Result extends Pick<ComparedTool, 'name' | 'version' | 'settings'> {
  readonly all: readonly Tried[];
}

/** Counts a bank as reported where the tool says of it what it did not say of the good bank. */
function row({ name, all }: Result): string {
  const usual = new Set(all.filter(({ kind }) => kind === 'good').flatMap(({ failures }) => failures));
  const share = (...kinds: readonly Tried['kind'][]): string => {
    const some = all.filter(({ kind }) => kinds.includes(kind));
    const reported = some.filter(({ failures }) => failures.some((failure) => !usual.has(failure)));
    return `${reported.length} of ${some.length}`;
  };
  const cells = [
    name,
    share('derived', 'manual'),
    share('conditional'),
    share('rejecting'),
    share('expectation'),
    share('variant'),
    usual.size,
    middle(all.map(({ requests }) => requests)),
    (median(all.map(({ wallMs }) => wallMs)) / 1000).toFixed(1),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** The table as Markdown. */
export function comparisonTable(results: readonly Result[]): string {
  return [
    `Tried on ${new Date().toISOString().slice(0, 10)}: the same banks for all, each a process of its own with a time-out of two minutes. A bank counts as reported where a tool says of it what it does not say of the good bank; what it says of that one anyway stands in its own column.`,
    '',
    '| | faults of form and rule | that show only now and then | banks that refuse what is documented | broken expectations | false alarms | reported of the good bank | requests | seconds |',
    '|---|--:|--:|--:|--:|--:|--:|--:|--:|',
    ...results.map(row),
    '',
    ...results.map(({ name, version, settings }) => `- ${name} (${version}): ${settings}.`),
  ].join('\n');
}
