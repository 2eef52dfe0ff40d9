/** The figures as Markdown, and the place in a document where they stand. */
import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import type { InProcess } from './in-process.ts';
import { figure, type Figure } from './statistics.ts';

export interface BenchResult extends InProcess {
  readonly date: string;
  readonly machine: string;
  readonly node: string;
  readonly playwright: string;
  readonly full: Readonly<Record<'wall' | 'cpu' | 'requests' | 'wallMs' | 'emptyMs', Figure>>;
  /** Rounds of requests that wait for one another: with any number in flight, and with the default. */
  readonly chain: { readonly longest: number; readonly usual: number };
  readonly far: readonly ({ readonly latencyMs: number } & Readonly<
    Record<'wallMs' | 'requests' | 'inFlight' | 'ratio', Figure>
  >)[];
  readonly growth: readonly ({ readonly factor: number | undefined } & Readonly<
    Record<'requests' | 'time' | 'memory' | 'memoryMiB' | 'report', Figure>
  >)[];
  readonly startUpMs: Figure;
}

const written = (value: number, digits: number): string =>
  digits === 0 ? Math.round(value).toLocaleString('en') : value.toFixed(digits);
const told = ({ median, least, most }: Figure, digits = 2): string =>
  `${written(median, digits)} | ${written(least, digits)} – ${written(most, digits)}`;
const middle = ({ median }: Figure, digits = 0): string => written(median, digits);

/** The table of the README. */
export function table({
  date,
  machine,
  node,
  playwright,
  full,
  client,
  judgedPerSecond,
  barePerSecond,
  judging,
  chain,
  far,
  growth,
  startUpMs,
}: BenchResult): string {
  const rows = [
    `A whole run on the embedded bank (${middle(full.requests)} judged requests) ÷ a Playwright run of one empty test, wall | ${told(full.wall)}`,
    `The same, processor time | ${told(full.cpu)}`,
    `Judged exchanges per second (${middle(judgedPerSecond)}) ÷ bare undici requests per second (${middle(barePerSecond)}), same number in flight | ${told(client)}`,
    `Judging ÷ \`JSON.parse\` of the same bytes | ${told(judging)}`,
    `Rounds of requests that wait for one another (${chain.usual}) ÷ the longest chain of them (${chain.longest}) | ${told(figure([chain.usual / chain.longest]))}`,
    ...far.map(
      ({ latencyMs, wallMs, requests, inFlight, ratio }) =>
        `A target ${latencyMs} ms away: time after the first request (wall ${(wallMs.median / 1000).toFixed(1)} s, ${middle(requests)} requests, at most ${middle(inFlight)} in flight) ÷ longest chain × ${latencyMs} ms | ${told(ratio)}`,
    ),
    ...growth
      .slice(1)
      .flatMap(({ factor, requests, time, memory, report }) => [
        `${factor} times the cases (${middle(requests)} requests): time | ${told(time)}`,
        `${factor} times the cases: peak memory | ${told(memory)}`,
        `${factor} times the cases: size of what is written | ${told(report)}`,
      ]),
    `From the command to the first request, milliseconds | ${told(startUpMs, 0)}`,
  ];
  return [
    `Measured on ${date}: ${machine}; Node.js ${node}, Playwright ${playwright}. Median and spread of ${full.wall.samples} turns, both sides of a ratio side by side.`,
    '',
    '| what | median | spread |',
    '|---|--:|--:|',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n');
}

/** Puts `text` between the marks `name` of a document. */
export async function between(file: string, name: string, text: string): Promise<void> {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const whole = readFileSync(file, 'utf8');
  const [from, to] = [whole.indexOf(begin), whole.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${file} has no place for it: put ${begin} and ${end} where it belongs.`);
  const written = `${whole.slice(0, from + begin.length)}\n\n${text}\n\n${whole.slice(to)}`;
  writeFileSync(file, await format(written, { ...(await resolveConfig(file)), filepath: file }));
}
