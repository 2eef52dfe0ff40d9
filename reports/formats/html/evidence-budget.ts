/** Chooses the exchanges for the page: those that are referenced most come first, up to a size that can be read and mailed. */
import type { ExchangeRecord } from '../../../openapi/model/journal.ts';
import { memoizeByObject } from '../../../openapi/util/memoize.ts';
import type { Finding, Report } from '../../model/report.ts';
import { groupCauses } from '../../fold/root-causes.ts';

/** A page has at most this many characters of exchanges, and this many more for each cause. */
const [MAX_CHARACTERS, MAX_PER_CAUSE] = [260_000, 15_000];
export const MAX_SHOWN_CAUSES = 60;
/** At most this many characters of a body are shown. */
export const MAX_BODY_LENGTH = 5_000;

/** Returns the exchanges of a finding: the smallest or first one with the finding, and the most similar one without it. */
export function getEvidence({ exchange, counterexample, contrast }: Finding): (readonly [id: string, title: string])[] {
  const others = [
    [counterexample?.exchange, 'The smallest request that shows it'],
    [contrast, 'The nearest exchange that was judged fine'],
  ] as const;
  return [
    [exchange, 'Where it was seen'] as const,
    ...others.flatMap(([id, title]) => (id == null || id === exchange ? [] : [[id, title] as const])),
  ];
}

const estimateCost = ({ request, response }: ExchangeRecord): number =>
  1_500 +
  Math.min(MAX_BODY_LENGTH, request.body?.length ?? 0) * 2 +
  Math.min(MAX_BODY_LENGTH, response?.body.length ?? 0) * 2;

/** Returns the exchanges on the page by id, in the order of the report. */
export const selectExchanges = memoizeByObject((report: Report): ReadonlyMap<string, ExchangeRecord> => {
  const causes = groupCauses(report.findings).slice(0, MAX_SHOWN_CAUSES);
  const wanted = new Set([
    ...causes.flatMap(({ worst }) => getEvidence(worst).map(([id]) => id)),
    ...report.flows.flatMap(({ steps }) => steps.map(({ exchange }) => exchange)),
    ...report.operations.flatMap(({ ways }) => Object.values(ways).map(({ exchange }) => exchange)),
    ...report.clauses.map(({ exchange }) => exchange),
    ...report.findings.map(({ exchange }) => exchange),
    ...report.observations.flatMap(({ exchange, control }) => [exchange, control]),
    ...Object.keys(report.exchanges),
  ]);
  let room = MAX_CHARACTERS + causes.length * MAX_PER_CAUSE;
  const ids = new Set<string>();
  for (const id of wanted) {
    const record = report.exchanges[id ?? ''];
    if (id === null || record === undefined || room < estimateCost(record)) continue;
    room -= estimateCost(record);
    ids.add(id);
  }
  return new Map(Object.entries(report.exchanges).filter(([id]) => ids.has(id)));
});
