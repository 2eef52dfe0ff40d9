/** What the judge said of the exchanges that are kept, in a form in which it can be said again and compared. */
import type { ExchangeRecord } from '../../openapi/model/journal.ts';
import { getOrSet } from '../../openapi/util/group-by.ts';
import type { Judged, Report } from '../model/report.ts';
import type { RunTallies } from '../model/tally.ts';

/** The judgements of `exchanges`; those that the journal does not hold are left out. */
export function recordedJudgements(
  exchanges: Readonly<Record<string, ExchangeRecord>>,
  runTallies: RunTallies,
): Pick<Report, 'judged' | 'clauseSets'> {
  const judged: Record<string, Judged> = {};
  const numbers = new Map<string, number>();
  const clauseSets: (readonly string[])[] = [];
  for (const id of Object.keys(exchanges)) {
    const stated = runTallies.judged.get(id);
    if (stated === undefined) continue;
    const sorted = [...stated.clauses].sort();
    const clauses = getOrSet(numbers, sorted.join(' '), () => clauseSets.push(sorted) - 1);
    const found = runTallies.judgedBreaks.get(id) ?? [];
    const broken = found.map(({ clause, pointer, kind }) => ({ clause, pointer, kind }));
    judged[id] = { outcome: stated.outcome, way: stated.way, clauses, broken };
  }
  return { judged, clauseSets };
}
