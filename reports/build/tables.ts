/** Makes the tables of the report: operations, answers to open points, created resources, and requests in flight. */
import { renderQuestion } from '../../openapi/model/observation.ts';
import { createdThings, operationIds } from '../../openapi/api.ts';
import { getOrSet } from '../../openapi/util/group-by.ts';
import {
  omitUndefined,
  type ReportedCaps,
  type CreatedKind,
  type CreatedResources,
  type RequestOrigin,
  type ReportedAnswer,
  type OperationReport,
  type Report,
  type JudgedBank,
} from '../model/report.ts';
import type { Catalogue, RunTallies } from '../model/tallies.ts';
import { formatOperationName } from '../text/phrases.ts';

/** At most this many different answers to one question are reported. */
const MAX_REPORTED_VALUES = 40;

export function reportOperations(
  { operations: tallies, records }: RunTallies,
  catalogue: Catalogue,
  { areas, operations = operationIds }: Pick<JudgedBank, 'areas' | 'operations'>,
): OperationReport[] {
  const selectedOperations = operations.filter((id) => areas.includes(catalogue.operations[id].area));
  return selectedOperations.map((id) => {
    const { area, method, path } = catalogue.operations[id];
    const tally = tallies.get(id);
    const { positives = 0, probes = 0, unanswered = 0, latencies = [] } = tally ?? {};
    const describeRequestsFrom = (origin: RequestOrigin) => {
      const { count = 0, exchange = '' } = tally?.requestsByOrigin.get(origin) ?? {};
      return { requests: count, exchange: records.has(exchange) ? exchange : null };
    };
    const sortedLatencies = latencies.toSorted((a, b) => a - b);
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
      ways: {
        flow: describeRequestsFrom('flow'),
        property: describeRequestsFrom('property'),
        probe: describeRequestsFrom('probe'),
      },
      latencyMs: computePercentiles(sortedLatencies),
    };
  });
}

/** Returns the median, the 95th percentile and the maximum of sorted latencies. Each is a measured value (nearest rank). */
function computePercentiles(sortedLatencies: readonly number[]): OperationReport['latencyMs'] {
  if (sortedLatencies.length === 0) return null;
  const percentile = (share: number): number =>
    roundToTenth(sortedLatencies[Math.ceil(share * sortedLatencies.length) - 1]!);
  return { p50: percentile(0.5), p95: percentile(0.95), max: percentile(1) };
}

const roundToTenth = (ms: number): number => Math.round(ms * 10) / 10;

/** Lists the answers to open points, in the order of the catalogue. The most frequent answer comes first. */
export function listObservations({ observations }: RunTallies, catalogue: Catalogue): ReportedAnswer[] {
  const rankByClause = new Map(Object.keys(catalogue.clauses).map((id, index) => [id, index]));
  const rankPoint = (point: string): number => rankByClause.get(point) ?? Infinity;
  const questionTallies = [...observations.values()]
    .map((tally) => ({ ...tally, about: tally.question === null ? null : renderQuestion(tally.question) }))
    .sort(
      (tallyA, tallyB) =>
        rankPoint(tallyA.point) - rankPoint(tallyB.point) ||
        operationIds.indexOf(tallyA.operation) - operationIds.indexOf(tallyB.operation) ||
        ((tallyA.about ?? '') < (tallyB.about ?? '') ? -1 : 1),
    );
  return questionTallies.flatMap(({ point, operation, question, about, answers }) =>
    [...answers]
      .sort(([valueA, { count: countA }], [valueB, { count: countB }]) => countB - countA || (valueA < valueB ? -1 : 1))
      .slice(0, MAX_REPORTED_VALUES)
      .map(([value, { count, exchange, answer, control }]) => ({
        point,
        operation: formatOperationName(catalogue.operations[operation]),
        about,
        value,
        ...omitUndefined({
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

/** Reports which resources the run created at the bank, with the sums of their amounts. */
export function reportCreated({ created, refused }: RunTallies, caps: ReportedCaps | null): CreatedResources {
  const counts = Object.fromEntries(createdThings.map(({ what }) => [what, 0])) as Record<CreatedKind, number>;
  const totals = new Map<string, { what: CreatedKind; currency: string; cents: number }>();
  for (const { what, amount, currency, perhaps } of created) {
    if (perhaps) continue;
    counts[what] += 1;
    if (amount === null) continue;
    const total = getOrSet(totals, `${what} ${currency}`, () => ({ what, currency: currency ?? '', cents: 0 }));
    total.cents += Math.round(amount * 100);
  }
  const amounts = [...totals.values()].map(({ what, currency, cents }) => ({ what, currency, total: cents / 100 }));
  return { counts, caps, amounts, items: created, refused };
}

/** Combines how many requests were in flight in each shard: takes the highest numbers and the lowest limit. */
export function reportConcurrency({ concurrency }: RunTallies): Report['concurrency'] {
  const shards = [...concurrency.values()];
  if (shards.length === 0) return undefined;
  const [lowestLimit] = shards.flatMap((shard) => shard.kept ?? []).sort((a, b) => a.limit - b.limit);
  const findHighest = (name: 'ceiling' | 'most'): number => Math.max(...shards.map((shard) => shard[name]));
  return { ceiling: findHighest('ceiling'), most: findHighest('most'), ...omitUndefined({ kept: lowestLimit }) };
}
