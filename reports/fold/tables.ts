/** The tables of the report: operations, observations, and what the run created. */
import { renderQuestion } from '../../openapi/model/observation.ts';
import { operationIds } from '../../openapi/model/exchange.ts';
import { getOrSet } from '../../openapi/util/group-by.ts';
import type { Catalogue } from '../model/catalogue.ts';
import type { Caps, Cover, CreatedKind, CreatedResources, RequestOrigin } from '../model/contents.ts';
import type { Observation, OperationReport, Report, Target } from '../model/report.ts';
import type { RunTallies } from '../model/tally.ts';
import { given } from '../text/given.ts';
import { operationName } from '../text/phrases.ts';

/** How many different answers to one question are listed. */
const MAX_VALUES = 40;

/** The selected operations of the selected areas, in the order of the document. */
export function operationReports(
  { operations: tallies, records }: RunTallies,
  catalogue: Catalogue,
  { areas, operations = operationIds }: Pick<Target, 'areas' | 'operations'>,
): OperationReport[] {
  const selected = operations.filter((id) => areas.includes(catalogue.operations[id].area));
  return selected.map((id) => {
    const { area, method, path } = catalogue.operations[id];
    const tally = tallies.get(id);
    const { positives = 0, probes = 0, unanswered = 0, latencies = [] } = tally ?? {};
    const way = (origin: RequestOrigin) => {
      const { count = 0, exchange = '' } = tally?.ways.get(origin) ?? {};
      return { requests: count, exchange: records.has(exchange) ? exchange : null };
    };
    const sorted = latencies.toSorted((a, b) => a - b);
    return {
      id,
      area,
      method,
      path,
      requests: positives + probes,
      positives,
      probes,
      successes: tally?.outcomes.get('accepted') ?? 0,
      outcomes: Object.fromEntries(tally?.outcomes ?? []),
      statuses: Object.fromEntries([...(tally?.statuses ?? [])].sort(([a], [b]) => a - b)),
      unanswered,
      ways: { flow: way('flow'), property: way('property'), probe: way('probe') },
      spread: spreadOf(sorted),
      latencyMs: percentiles(sorted),
    };
  });
}

/** Sorted latencies that a report keeps: one for each percentile. */
const MAX_SPREAD = 101;

function spreadOf(sorted: readonly number[]): number[] {
  const kept = Math.min(MAX_SPREAD, sorted.length);
  const last = Math.max(1, kept - 1);
  return Array.from({ length: kept }, (_, at) => rounded(sorted[Math.round((at / last) * (sorted.length - 1))]!));
}

/** The middle, the slow end and the slowest of sorted latencies, each a value that was measured (nearest rank). */
export function percentiles(sorted: readonly number[]): OperationReport['latencyMs'] {
  if (sorted.length === 0) return null;
  const at = (share: number): number => rounded(sorted[Math.ceil(share * sorted.length) - 1]!);
  return { p50: at(0.5), p95: at(0.95), max: at(1) };
}

const rounded = (ms: number): number => Math.round(ms * 10) / 10;

/** The installments of each currency, as far as they were seen. */
export const coversOf = ({ covers }: RunTallies): Cover[] =>
  [...covers].flatMap(([currency, row]) =>
    [...row]
      .map(([installment, { offered, links }]) => ({ currency, installment, offered, links }))
      .toSorted((a, b) => a.installment - b.installment),
  );

/** What the document leaves open and the target answered, in the order of the catalogue; the most frequent value first. */
export function observationsOf({ observations }: RunTallies, catalogue: Catalogue): Observation[] {
  const order = new Map(Object.keys(catalogue.clauses).map((id, at) => [id, at]));
  const groups = [...observations.values()]
    .map((one) => ({ ...one, about: one.question === null ? null : renderQuestion(one.question) }))
    .sort(
      (a, b) =>
        (order.get(a.point) ?? Infinity) - (order.get(b.point) ?? Infinity) ||
        operationIds.indexOf(a.operation) - operationIds.indexOf(b.operation) ||
        ((a.about ?? '') < (b.about ?? '') ? -1 : 1),
    );
  return groups.flatMap(({ point, operation, question, about, answers }) =>
    [...answers]
      .sort(([a, { count: m }], [b, { count: n }]) => n - m || (a < b ? -1 : 1))
      .slice(0, MAX_VALUES)
      .map(([value, { count, exchange, answer, control }]) => ({
        point,
        operation: operationName(catalogue.operations[operation]),
        about,
        value,
        ...given({
          question: typeof question === 'object' && question !== null ? question : undefined,
          answer: typeof answer === 'object' ? answer : undefined,
        }),
        count,
        consistent: answers.size === 1,
        distinct: answers.size,
        exchange,
        control,
      })),
  );
}

/** What the run created at the target, with nominal sums. */
export function createdResourcesOf({ created }: RunTallies, caps: Caps | null): CreatedResources {
  const counts: Record<CreatedKind, number> = { application: 0, contract: 0, disbursement: 0, link: 0 };
  const totals = new Map<string, { what: CreatedKind; currency: string; cents: number }>();
  for (const { what, amount, currency, perhaps } of created) {
    if (perhaps) continue;
    counts[what] += 1;
    if (amount === null) continue;
    const total = getOrSet(totals, `${what} ${currency}`, () => ({ what, currency: currency ?? '', cents: 0 }));
    total.cents += Math.round(amount * 100);
  }
  const amounts = [...totals.values()].map(({ what, currency, cents }) => ({ what, currency, total: cents / 100 }));
  return { counts, caps, amounts, items: created };
}

/** Concurrency over all shards: the highest of each number, and the lowest limit that was kept to. */
export function concurrencyOf({ concurrency }: RunTallies): Report['concurrency'] {
  const all = [...concurrency.values()];
  if (all.length === 0) return undefined;
  const [kept] = all.flatMap((one) => one.kept ?? []).sort((a, b) => a.limit - b.limit);
  const highest = (name: 'ceiling' | 'most'): number => Math.max(...all.map((one) => one[name]));
  return { ceiling: highest('ceiling'), most: highest('most'), ...given({ kept }) };
}
