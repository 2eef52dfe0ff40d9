/** Judges the exchanges in a report again and lists each difference. */
import { readEntry, sealEntry, listRunViolations } from '../../openapi/history/reading.ts';
import { getFindingKey, type Violation } from '../../openapi/model/finding.ts';
import type { ExchangeRecord } from '../../openapi/model/journal.ts';
import type { Report } from '../model/report.ts';
import { formatPlace } from '../text/phrases.ts';

export interface Difference {
  /** The id of the exchange, clause or finding; `report` for the whole report. */
  readonly at: string;
  /** The end of a sentence that begins with `at`. */
  readonly what: string;
}

/** Makes the differences at one place from the texts that are not `false`. */
export const makeDifferences = (at: string, ...claims: readonly (string | false)[]): Difference[] =>
  claims.flatMap((what) => (what === false ? [] : { at, what }));

export interface Rejudged {
  /** The number of verdicts on one clause by one exchange. */
  readonly verdicts: number;
  /** Verdicts of the run that cannot be made again, because a secret is hidden or the body is cut. */
  readonly taken: ReturnType<typeof listRunViolations>;
  /** The clauses that an exchange tests, judged now. */
  readonly exercised: ReadonlySet<string>;
  readonly violations: readonly Violation[];
  readonly differences: readonly Difference[];
}

/** True if the digest of a record is the digest of its content. */
export const hasRightDigest = ({ sha256, ...unsealed }: ExchangeRecord): boolean =>
  sealEntry(unsealed).sha256 === sha256;

export function rejudgeExchanges({ exchanges, findings }: Report): Rejudged {
  const records = Object.entries(exchanges);
  const readings = records.map(([, record]) => readEntry(record));
  const violations = readings.flatMap(({ breaks }) => breaks);
  const broken = new Set(violations.map((one) => `${one.exchange} ${getFindingKey(one)}`));
  const missing = findings.filter(({ id, exchange, alone }) => alone === true && !broken.has(`${exchange} ${id}`));
  return {
    verdicts: readings.reduce((sum, { exercised }) => sum + exercised.length, 0),
    taken: records.flatMap(([, record]) => listRunViolations(record)),
    exercised: new Set<string>(readings.flatMap(({ exercised }) => exercised)),
    violations,
    differences: [
      ...records.flatMap(([id, record]) =>
        makeDifferences(id, !hasRightDigest(record) && 'its SHA-256 is not the one that it was recorded with'),
      ),
      ...missing.flatMap(({ exchange, clause, pointer, kind }) => {
        const where = `${clause} at ${formatPlace(pointer)} (${kind})`;
        const isThere = exchange in exchanges;
        return makeDifferences(
          exchange,
          isThere ? `${where} is broken in the report and not now` : `it shows ${where}, and is not there`,
        );
      }),
    ],
  };
}
