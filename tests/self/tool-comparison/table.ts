/** The results of the comparison, as figures and as Markdown. */
import type { Sampled } from './sample.ts';

/** One bank judged by one tool. */
export interface Tried extends Omit<Sampled, 'open'> {
  /** What the tool reported, each kind once. */
  readonly failures: readonly string[];
  readonly requests: number;
  readonly wallMs: number;
}

/** All that one tool reported. */
export interface Result {
  readonly date: string;
  readonly name: string;
  readonly settings: string;
  readonly packages: readonly string[];
  /** Why it could not be tried, or null. */
  readonly why: string | null;
  readonly all: readonly Tried[];
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

/** Counts a bank as reported where the tool says of it what it did not say of the good bank. */
export function figures({ date, name, settings, packages, why, all }: Result) {
  const usual = new Set(all.filter(({ kind }) => kind === 'good').flatMap(({ failures }) => failures));
  const reported = ({ failures }: Tried): boolean => failures.some((failure) => !usual.has(failure));
  const of = (test: (kind: Tried['kind']) => boolean) => {
    const some = all.filter(({ kind }) => test(kind));
    return { reported: some.filter(reported).length, banks: some.length };
  };
  return {
    date,
    name,
    settings,
    packages,
    why,
    usual: usual.size,
    must: of((kind) => kind === 'derived' || kind === 'manual'),
    conditional: of((kind) => kind === 'conditional'),
    rejecting: of((kind) => kind === 'rejecting'),
    expectations: of((kind) => kind === 'expectation'),
    alarms: of((kind) => kind === 'variant'),
    requests: median(all.map(({ requests }) => requests)),
    seconds: median(all.map(({ wallMs }) => wallMs)) / 1000,
  };
}

/** The table as Markdown. */
export function comparisonTable(rows: readonly ReturnType<typeof figures>[]): string {
  const share = ({ reported, banks }: { reported: number; banks: number }): string => `${reported} of ${banks}`;
  const tried = rows.filter(({ why }) => why === null);
  return [
    `Tried on ${[...new Set(rows.map(({ date }) => date))].sort().join(' and ')}: the same banks for all, each a process of its own with a time-out of two minutes. A bank counts as reported where a tool says of it what it does not say of the good bank; what it says of that one anyway stands in its own column.`,
    '',
    '| | faults of form and rule | that show only now and then | banks that refuse what is documented | broken expectations | false alarms | reported of the good bank | requests | seconds |',
    '|---|--:|--:|--:|--:|--:|--:|--:|--:|',
    ...tried.map(
      ({ name, must, conditional, rejecting, expectations, alarms, usual, requests, seconds }) =>
        `| ${name} | ${[must, conditional, rejecting, expectations, alarms].map(share).join(' | ')} | ${usual} | ${requests.toLocaleString('en')} | ${seconds.toFixed(1)} |`,
    ),
    '',
    ...rows.map(({ name, packages, settings, why }) => `- ${name} (${packages.join(', ')}): ${why ?? settings}.`),
  ].join('\n');
}
