/** What changed since an earlier run. It informs and decides nothing. */
import { renderAnswer } from '../../openapi/model/observation.ts';
import { questionsOf } from './behaviour-profile.ts';
import { VOLATILE_POINTS } from '../model/behaviour-profile.ts';
import type { Changes } from '../model/comparison.ts';
import type { Observation, Report } from '../model/report.ts';

/** Latencies below this are MIN_LATENCY_MS, in milliseconds. */
const MIN_LATENCY_MS = 20;

/** Points that are about statuses; elsewhere a status beside an answer is not the answer. */
const aboutStatuses = new Set(['service.success-status', 'service.error-status', 'service.credentials']);

const values = (same: readonly Observation[]): readonly string[] =>
  [
    ...new Set(
      same.map(({ point, value, answer }) =>
        answer !== undefined && 'reply' in answer && !aboutStatuses.has(point)
          ? renderAnswer({ ...answer, status: null })
          : value,
      ),
    ),
  ].sort();

/** True where each run gave an answer that the other did not: what only one run happened to meet is no change. */
function differs(before: readonly string[], now: readonly string[]): boolean {
  return before.some((value) => !now.includes(value)) && now.some((value) => !before.includes(value));
}

/** What changed from one report to another. Pure. */
export function changesOf(before: Report, now: Report, factor: number): Changes {
  const verdicts = new Map(before.clauses.map(({ id, verdict }) => [id, verdict]));
  const earlier = questionsOf(before.observations);
  const open = new Set(now.clauses.filter(({ level }) => level === 'open').map(({ id }) => id));
  const judged = new Set(now.clauses.flatMap(({ id, verdict }) => (verdict === 'not-applicable' ? [] : [id])));
  const earlierFindings = before.findings.filter(({ clause }) => judged.has(clause));
  const [ids, oldIds] = [new Set(now.findings.map(({ id }) => id)), new Set(earlierFindings.map(({ id }) => id))];
  return {
    before: {
      startedAt: before.startedAt,
      name: before.target.name,
      build: before.target.build,
      verdict: before.verdict,
    },
    verdict: before.verdict === now.verdict ? null : [before.verdict, now.verdict],
    clauses: now.clauses.flatMap(({ id, verdict }) => {
      const old = verdicts.get(id);
      return old === undefined || old === verdict || open.has(id) || oneOfNothing(old, verdict)
        ? []
        : [{ clause: id, before: old, now: verdict }];
    }),
    findings: { fresh: [...ids].filter((id) => !oldIds.has(id)), gone: [...oldIds].filter((id) => !ids.has(id)) },
    answers: [...questionsOf(now.observations)].flatMap(([key, same]) => {
      const [first] = same;
      const old = earlier.get(key);
      if (first === undefined || old === undefined || VOLATILE_POINTS.has(first.point)) return [];
      const [was, is] = [values(old), values(same)];
      return differs(was, is)
        ? [{ point: first.point, operation: first.operation, about: first.about, before: was, now: is }]
        : [];
    }),
    latency: now.operations.flatMap((operation) => {
      const old = before.operations.find(({ id }) => id === operation.id)?.latencyMs?.p50;
      const current = operation.latencyMs?.p50;
      if (old === undefined || current === undefined || current < MIN_LATENCY_MS || current <= old * factor) return [];
      return [{ operation: `${operation.method} ${operation.path}`, before: old, now: current }];
    }),
    factor,
  };
}

/** Conditional clauses may show in one run and not in another, and another selection of areas changes nothing at the target. */
function oneOfNothing(before: string, now: string): boolean {
  if ([before, now].includes('not-applicable')) return true;
  return [before, now].includes('inconclusive') && [before, now].includes('pass');
}
