/** What the page does with its evidence when it is opened: judges it again, and says where that differs. */
import type { Exchange } from '../../../../openapi/model/exchange.ts';
import type { ExchangeRecord } from '../../../../openapi/model/journal.ts';
import { digest } from '../../../../openapi/util/hash.ts';
import { judge } from '../../../../openapi/judge.ts';
import type { Judged } from '../../../model/report.ts';
import { canonical, sha256 } from './sha256.ts';

export { digest };

/** The evidence that a page carries. */
export interface Evidence {
  /** The verdict of the run. */
  readonly verdict: string;
  readonly exchanges: Readonly<Record<string, ExchangeRecord>>;
  readonly judged: Readonly<Record<string, Judged>>;
  readonly clauseSets: readonly (readonly string[])[];
  /** Verdicts of clauses, with what they rest on. */
  readonly clauses: readonly {
    readonly id: string;
    readonly level: string;
    readonly verdict: string;
    readonly exercised: number;
    readonly broken: number;
  }[];
}

export interface Difference {
  /** The exchange or the clause. */
  readonly at: string;
  readonly what: string;
}

export interface Rejudged {
  readonly exchanges: number;
  /** Verdicts on one clause by one exchange. */
  readonly verdicts: number;
  readonly equal: number;
  /** Exchanges whose digest does not fit. */
  readonly changed: number;
  /** Exchanges whose body was cut when it was recorded. */
  readonly cut: number;
  /** Clauses with a verdict that no exchange alone shows, or none that is kept. */
  readonly beyond: number;
  readonly differences: readonly Difference[];
}

/** The exchange that a record was made of, as far as it tells. */
export function exchangeOf(record: ExchangeRecord): Exchange {
  const { id, operation, kind, request, response, failure, timing } = record;
  const bytes = (text: string, encoding: string): Uint8Array =>
    encoding === 'base64'
      ? Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
      : new TextEncoder().encode(text);
  const answered = response !== null && failure === null;
  return {
    id,
    operation,
    kind,
    request,
    answer: answered
      ? { status: response.status, headers: response.headers, bytes: bytes(response.body, response.encoding) }
      : null,
    failure,
    startedAt: Date.parse(timing.startedAt),
    durationMs: timing.durationMs,
  };
}

/** Judges all evidence again. */
export function rejudge({ exchanges, judged, clauseSets, clauses }: Evidence): Rejudged {
  const differences: Difference[] = [];
  const [shown, failed] = [new Set<string>(), new Set<string>()];
  let [verdicts, equal, changed, cut, looked] = [0, 0, 0, 0, 0];
  for (const [id, record] of Object.entries(exchanges)) {
    const { sha256: sum, ...unsigned } = record;
    if (sha256(canonical(unsigned)) !== sum) {
      changed += 1;
      differences.push({ at: id, what: 'its SHA-256 is another than the one it was recorded with' });
    }
    const told = judged[id];
    if (told === undefined) continue;
    if (record.truncated) {
      cut += 1;
      continue;
    }
    looked += 1;
    const again = judge(exchangeOf(record));
    const key = ({ clause, pointer, kind }: { clause: string; pointer: string; kind: string }): string =>
      `${clause} at ${pointer || 'the body'} (${kind})`;
    const [before, after] = [new Set(told.broken.map(key)), new Set(again.breaks.map(key))];
    const brokenNow = new Set<string>(again.breaks.map(({ clause }) => clause));
    const brokenThen = new Set(told.broken.map(({ clause }) => clause));
    const then = new Set(clauseSets[told.clauses] ?? []);
    const all = new Set<string>([...then, ...again.exercised]);
    for (const clause of all) {
      verdicts += 1;
      shown.add(clause);
      if (brokenNow.has(clause)) failed.add(clause);
      const exercisedAlike = then.has(clause) === again.exercised.has(clause as never);
      if (exercisedAlike && brokenNow.has(clause) === brokenThen.has(clause)) equal += 1;
      else if (!exercisedAlike)
        differences.push({ at: id, what: `${clause} is ${then.has(clause) ? 'no longer' : 'now'} put to the test` });
    }
    for (const one of before) if (!after.has(one)) differences.push({ at: id, what: `${one} was broken and is not` });
    for (const one of after) if (!before.has(one)) differences.push({ at: id, what: `${one} was not broken and is` });
    if (again.outcome !== told.outcome)
      differences.push({ at: id, what: `it was ${told.outcome} and is ${again.outcome}` });
  }
  let beyond = 0;
  for (const { id, level, verdict, exercised, broken } of clauses) {
    const fits =
      level === 'open' || verdict === 'not-applicable'
        ? null
        : broken > 0
          ? level === 'must'
            ? 'fail'
            : 'warning'
          : exercised > 0
            ? 'pass'
            : 'inconclusive';
    if (fits !== null && fits !== verdict)
      differences.push({ at: id, what: `its verdict is ${verdict}, and its counts say ${fits}` });
    if (failed.has(id) && verdict === 'pass')
      differences.push({ at: id, what: 'its verdict is pass, and an exchange breaks it' });
    if (['pass', 'fail', 'warning'].includes(verdict) && !shown.has(id)) beyond += 1;
  }
  return { exchanges: looked, verdicts, equal, changed, cut, beyond, differences };
}
