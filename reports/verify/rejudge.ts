/** Judges the kept evidence of a report again, with the suite's own judge, and names each difference. */
import { read, sealed } from '../../openapi/history/reading.ts';
import type { Violation } from '../../openapi/model/finding.ts';
import type { Reading } from '../../openapi/model/journal.ts';
import type { Judged, Report } from '../model/report.ts';

export interface Difference {
  /** Id of the exchange, clause or finding; `report` where it concerns the whole. */
  readonly at: string;
  /** End of a sentence that begins with `at`. */
  readonly what: string;
}

/** What was compared about the exchanges. */
export interface Rejudged {
  /** Exchanges that were judged again. */
  readonly exchanges: number;
  /** SHA-256 digests that were computed again. */
  readonly digests: number;
  /** Verdicts on one clause by one exchange. */
  readonly verdicts: number;
  /** Exchanges of which something is taken from the run, as a secret stood there or the body was cut. */
  readonly taken: number;
  /** Clauses that an exchange exercised, by what the judge says today. */
  readonly exercised: ReadonlySet<string>;
  /** Violations that the judge finds today. */
  readonly violations: readonly Violation[];
  readonly differences: readonly Difference[];
}

const violationKey = ({ clause, pointer, kind }: Judged['broken'][number]): string =>
  `${clause} at ${pointer || 'the body'} (${kind})`;

const missingFrom = <T>(set: ReadonlySet<T>, items: Iterable<T>): T[] => [...items].filter((one) => !set.has(one));

/** What differs between the recorded judgement of an exchange and today's. */
function differencesOf(id: string, recorded: Judged, clauses: ReadonlySet<string>, again: Reading): Difference[] {
  const [before, after] = [new Set(recorded.broken.map(violationKey)), new Set(again.breaks.map(violationKey))];
  const exercised = new Set<string>(again.exercised);
  const whats = [
    ...missingFrom(exercised, clauses).map((clause) => `${clause} was tested in the report and is not tested now`),
    ...missingFrom(clauses, exercised).map((clause) => `${clause} was not tested in the report and is tested now`),
    ...missingFrom(after, before).map((one) => `${one} is broken in the report and not now`),
    ...missingFrom(before, after).map((one) => `${one} is not broken in the report and is now`),
    ...(again.outcome === recorded.outcome
      ? []
      : [`its outcome is “${recorded.outcome}” in the report and “${again.outcome}” now`]),
  ];
  return whats.map((what) => ({ at: id, what }));
}

/** Judges all kept exchanges again and computes their digests again. */
export function rejudge({ exchanges, judged, clauseSets, interrupted }: Report): Rejudged {
  const differences: Difference[] = [];
  const exercised = new Set<string>();
  const violations: Violation[] = [];
  let [verdicts, taken, looked] = [0, 0, 0];
  for (const id of Object.keys(judged))
    if (exchanges[id] === undefined) differences.push({ at: id, what: 'it was judged, and its exchange is not there' });
  for (const [id, record] of Object.entries(exchanges)) {
    const { sha256, ...unsigned } = record;
    if (sealed(unsigned).sha256 !== sha256)
      differences.push({ at: id, what: 'its SHA-256 is not the one that it was recorded with' });
    const recorded = judged[id];
    if (recorded === undefined) {
      if (interrupted === null) differences.push({ at: id, what: 'what the judge said of it is not there' });
      continue;
    }
    looked += 1;
    if (record.takenFromRun !== undefined) taken += 1;
    const { breaks, ...reading } = read(record);
    // That a credential is reflected is no verdict of the judge.
    const again = { ...reading, breaks: breaks.filter(({ kind }) => kind !== 'behaviour') };
    const clauses = new Set(clauseSets[recorded.clauses] ?? []);
    verdicts += new Set<string>([...clauses, ...again.exercised]).size;
    for (const clause of again.exercised) exercised.add(clause);
    violations.push(...again.breaks);
    differences.push(...differencesOf(id, recorded, clauses, again));
  }
  const digests = Object.keys(exchanges).length;
  return { exchanges: looked, digests, verdicts, taken, exercised, violations, differences };
}
