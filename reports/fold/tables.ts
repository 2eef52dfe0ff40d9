/** The tables of the report: operations, observations, and what the run created. */
import { renderQuestion, type Question } from '../../openapi/model/observation.ts';
import { operationIds } from '../../openapi/model/exchange.ts';
import { getOrSet } from '../../openapi/util/group-by.ts';
import type { Catalogue } from '../model/catalogue.ts';
import { operationName } from '../text/phrases.ts';
import type {
  Caps,
  Cover,
  CreatedKind,
  CreatedResources,
  Observation,
  OperationReport,
  Report,
  Target,
} from '../model/report.ts';
import type { RunTallies, OperationTally } from '../model/tally.ts';
import type { RequestOrigin } from '../model/view-model.ts';

/** How many different answers to one question are listed. */
const MAX_VALUES = 40;

/** The selected operations of the selected areas, in the order of the document. */
export function operationReports(
  runTallies: RunTallies,
  catalogue: Catalogue,
  { areas, operations = operationIds }: Pick<Target, 'areas' | 'operations'>,
): OperationReport[] {
  const selected = operations.filter((id) => areas.includes(catalogue.operations[id].area));
  return selected.map((id) => {
    const { area, method, path } = catalogue.operations[id];
    const tally = runTallies.operations.get(id);
    const positives = tally?.positives ?? 0;
    const probes = tally?.probes ?? 0;
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
      unanswered: tally?.unanswered ?? 0,
      ways: waysOf(tally, runTallies.records),
      spread: latencyQuantiles(tally?.latencies ?? []),
      latencyMs: percentiles(tally?.latencies ?? []),
    };
  });
}

function waysOf(tally: OperationTally | undefined, records: RunTallies['records']): OperationReport['ways'] {
  const of = (way: RequestOrigin): { requests: number; exchange: string | null } => {
    const stated = tally?.ways.get(way);
    return { requests: stated?.count ?? 0, exchange: stated && records.has(stated.exchange) ? stated.exchange : null };
  };
  return { flow: of('flow'), property: of('property'), probe: of('probe') };
}

/** At most 101 of the latencies, at evenly spaced ranks from the fastest to the slowest. */
function latencyQuantiles(latencies: readonly number[]): number[] {
  const sorted = latencies.toSorted((a, b) => a - b);
  if (sorted.length <= 101) return sorted.map(round);
  return Array.from({ length: 101 }, (_, at) => round(sorted[Math.round((at / 100) * (sorted.length - 1))]!));
}

/** The installments of each currency, as far as they were seen. */
export function coversOf({ covers }: RunTallies): Cover[] {
  return [...covers].flatMap(([currency, row]) =>
    [...row]
      .map(([installment, { offered, links }]) => ({ currency, installment, offered, links }))
      .toSorted((a, b) => a.installment - b.installment),
  );
}

/** The middle, the slow end and the slowest, each a value that was measured (nearest rank). */
export function percentiles(latencies: readonly number[]): OperationReport['latencyMs'] {
  if (latencies.length === 0) return null;
  const sorted = [...latencies].sort((a, b) => a - b);
  const at = (share: number): number => round(sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!);
  return { p50: at(0.5), p95: at(0.95), max: at(1) };
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}

/** What the document leaves open and the target answered, in the order of the catalogue; the commonest value first. */
export function observationsOf(runTallies: RunTallies, catalogue: Catalogue): Observation[] {
  const order = new Map(Object.keys(catalogue.clauses).map((id, at) => [id, at]));
  const words = (question: Question | null): string => (question === null ? '' : renderQuestion(question));
  const groups = [...runTallies.observations.values()].sort(
    (a, b) =>
      (order.get(a.point) ?? Infinity) - (order.get(b.point) ?? Infinity) ||
      operationIds.indexOf(a.operation) - operationIds.indexOf(b.operation) ||
      (words(a.question) < words(b.question) ? -1 : words(a.question) > words(b.question) ? 1 : 0),
  );
  return groups.flatMap(({ point, operation, question, answers, details }) =>
    [...answers]
      .sort(([a, { count: m }], [b, { count: n }]) => n - m || (a < b ? -1 : 1))
      .slice(0, MAX_VALUES)
      .map(([value, { count, exchange }]) => {
        const { answer = value, control = null } = details.get(value) ?? {};
        return {
          point,
          operation: operationName(catalogue.operations[operation]),
          about: question === null ? null : renderQuestion(question),
          value,
          ...(typeof question === 'object' && question !== null ? { question } : {}),
          ...(typeof answer === 'object' ? { answer } : {}),
          count,
          consistent: answers.size === 1,
          distinct: answers.size,
          exchange,
          control,
        };
      }),
  );
}

/** What the run made at the target, with nominal sums. */
export function createdResourcesOf(runTallies: RunTallies, caps: Caps | null): CreatedResources {
  const counts: Record<CreatedKind, number> = { application: 0, contract: 0, disbursement: 0, link: 0 };
  const totals = new Map<string, { what: CreatedKind; currency: string; cents: number }>();
  for (const { what, amount, currency } of runTallies.created.filter(({ perhaps }) => !perhaps)) {
    counts[what] += 1;
    if (amount === null) continue;
    const key = `${what} ${currency ?? ''}`;
    const total = getOrSet(totals, key, () => ({ what, currency: currency ?? '', cents: 0 }));
    total.cents += Math.round(amount * 100);
  }
  const amounts = [...totals.values()].map(({ what, currency, cents }) => ({ what, currency, total: cents / 100 }));
  return { counts, caps, amounts, items: runTallies.created };
}

/** Concurrency over all shards: the most of any, and what was found out at the smallest number. */
export function concurrencyOf({ concurrency }: RunTallies): Pick<Report, 'concurrency'> {
  const all = [...concurrency.values()];
  if (all.length === 0) return {};
  const [kept] = all.flatMap((one) => (one.kept === undefined ? [] : [one.kept])).sort((a, b) => a.limit - b.limit);
  const most = (of: (one: (typeof all)[number]) => number): number => Math.max(...all.map(of));
  return {
    concurrency: {
      ceiling: most(({ ceiling }) => ceiling),
      most: most((one) => one.most),
      ...(kept === undefined ? {} : { kept }),
    },
  };
}
