/** Makes a report again from its history, with all exchanges judged again, and names each difference. */
import { sealed, takenFromRun } from '../../openapi/history/reading.ts';
import { fold } from '../fold/index.ts';
import type { History } from '../journal/history.ts';
import type { ClauseReport, Report } from '../model/report.ts';
import type { Difference } from './rejudge.ts';

interface Refolded {
  /** Exchanges of the history. */
  readonly exchanges: number;
  /** Verdicts that are taken from the run, as a secret stood there or the body was cut. */
  readonly taken: ReturnType<typeof takenFromRun>;
  readonly differences: readonly Difference[];
}

/** The report that the history makes, under all that the report says of its run. Faults of the suite are as the report has them. */
function foldedAgain(report: Report, { lines }: History): Report {
  const { target, suite, startedAt, durationMs, interrupted, configuration, errors, recording } = report;
  const { caps } = report.createdResources;
  return fold({
    lines: {
      *[Symbol.iterator]() {
        for (const line of lines) if (line.line !== 'error') yield line;
      },
    },
    run: {
      ...{ target, suite, startedAt, durationMs, configuration, errors },
      ...(interrupted === null ? {} : { interrupted }),
      ...(caps === null ? {} : { caps }),
      ...(recording === undefined ? {} : { recording }),
    },
  });
}

/** How the items of one part differ, by their keys. */
function differing<T>(
  part: string,
  before: readonly T[],
  after: readonly T[],
  keyOf: (item: T) => string,
  shown?: (item: T) => string,
): Difference[] {
  const [then, now] = [before, after].map((items) => new Map(items.map((item) => [keyOf(item), item]))) as [
    Map<string, T>,
    Map<string, T>,
  ];
  return [...new Set([...then.keys(), ...now.keys()])].flatMap((at): Difference[] => {
    const [one, other] = [then.get(at), now.get(at)];
    if (JSON.stringify(one) === JSON.stringify(other)) return [];
    if (one === undefined) return [{ at, what: `its history gives this ${part}, and the report does not` }];
    if (other === undefined) return [{ at, what: `its history does not give this ${part}` }];
    const said = shown === undefined || shown(one) === shown(other) ? '' : `: ${shown(one)}, and now ${shown(other)}`;
    return [{ at, what: `its history gives another ${part}${said}` }];
  });
}

const counts = ({ verdict, exercised, broken }: ClauseReport): string =>
  `“${verdict}”, tested ${exercised} times and broken ${broken} times`;

/** Compares a report with what its history gives. */
export function refold(report: Report, history: History): Refolded {
  const differences: Difference[] = [];
  const taken: Refolded['taken'][number][] = [];
  let exchanges = 0;
  // Shards may have given one id twice.
  const digests = new Set<string>();
  for (const line of history.lines)
    if (line.line === 'entry') {
      const { sha256, ...unsealed } = line.entry;
      const { id } = unsealed;
      exchanges += 1;
      taken.push(...takenFromRun(line.entry));
      if (sealed(unsealed).sha256 !== sha256)
        differences.push({ at: id, what: 'in the history its SHA-256 is not the one that it was recorded with' });
      if (id in report.exchanges) digests.add(`${id} ${sha256}`);
    }
  for (const [id, { sha256 }] of Object.entries(report.exchanges))
    if (!digests.has(`${id} ${sha256}`)) differences.push({ at: id, what: 'it is not in the history as it is here' });
  if (report.history !== history.sha256)
    differences.push({ at: 'report', what: 'the history beside it is not the one that it was made from' });
  const again = foldedAgain(report, history);
  // What is held against pins, or known, rests on files that the report does not hold.
  const pinned = new Set(report.against?.pins?.points ?? []);
  const clauses = ({ clauses: all }: Report) => all.filter(({ id }) => !pinned.has(id));
  const findings = ({ findings: all }: Report) =>
    all.flatMap(({ known: _, ...one }) => (pinned.has(one.clause) ? [] : [one]));
  const observed = ({ point, operation, about, value }: Report['observations'][number]): string =>
    [point, operation, about ?? '', value].join(' | ');
  differences.push(
    ...differing('clause', clauses(report), clauses(again), ({ id }) => id, counts),
    ...differing('finding', findings(report), findings(again), ({ id }) => id),
    ...differing('observation', report.observations, again.observations, observed),
    ...differing('operation', report.operations, again.operations, ({ id }) => id),
    ...differing('flow', report.flows, again.flows, ({ area }) => area),
  );
  return { exchanges, taken, differences };
}
