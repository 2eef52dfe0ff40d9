/** Judges the kept evidence of a report again, with the suite's own judge, and names each difference. */
import { read, sealed, takenFromRun } from '../../openapi/history/reading.ts';
import { findingKey, type Violation } from '../../openapi/model/finding.ts';
import type { Report } from '../model/report.ts';

export interface Difference {
  /** Id of the exchange, clause or finding; `report` where it concerns the whole. */
  readonly at: string;
  /** End of a sentence that begins with `at`. */
  readonly what: string;
}

/** What was compared about the exchanges. */
export interface Rejudged {
  /** Exchanges that were judged again, and of which the SHA-256 digest was computed again. */
  readonly exchanges: number;
  /** Verdicts on one clause by one exchange. */
  readonly verdicts: number;
  /** Verdicts that are taken from the run, as a secret stood there or the body was cut. */
  readonly taken: ReturnType<typeof takenFromRun>;
  /** Clauses that an exchange exercised, by what the judge says today. */
  readonly exercised: ReadonlySet<string>;
  /** Violations that the judge finds today. */
  readonly violations: readonly Violation[];
  readonly differences: readonly Difference[];
}

/** Judges all kept exchanges again and computes their digests again. */
export function rejudge({ exchanges, findings }: Report): Rejudged {
  const differences: Difference[] = [];
  const exercised = new Set<string>();
  const violations: Violation[] = [];
  const taken: Rejudged['taken'][number][] = [];
  let verdicts = 0;
  for (const [id, record] of Object.entries(exchanges)) {
    const { sha256, ...unsealed } = record;
    if (sealed(unsealed).sha256 !== sha256)
      differences.push({ at: id, what: 'its SHA-256 is not the one that it was recorded with' });
    taken.push(...takenFromRun(record));
    const again = read(record);
    verdicts += again.exercised.length;
    for (const clause of again.exercised) exercised.add(clause);
    violations.push(...again.breaks);
  }
  const broken = new Set(violations.map((one) => `${one.exchange} ${findingKey(one)}`));
  for (const { id, exchange, alone, clause, pointer, kind } of findings)
    if (alone === true && !broken.has(`${exchange} ${id}`)) {
      const where = `${clause} at ${pointer || 'the body'} (${kind})`;
      const what =
        exchange in exchanges ? `${where} is broken in the report and not now` : `it shows ${where}, and is not there`;
      differences.push({ at: exchange, what });
    }
  return { exchanges: Object.keys(exchanges).length, verdicts, taken, exercised, violations, differences };
}
