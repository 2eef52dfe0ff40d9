/** Compares a run with known findings and an earlier run. Only known findings affect the gate. */
import { renderAnswer } from '../../openapi/model/observation.ts';
import { groupQuestions, VOLATILE_POINTS } from './behaviour-profile.ts';
import {
  omitUndefined,
  type Changes,
  type ComparisonResult,
  type Finding,
  type JudgedEntry,
  type ReportedAnswer,
  type Report,
} from '../model/report.ts';
import type { Comparisons } from '../model/description.ts';
import { groupBy } from '../../openapi/util/group-by.ts';
import { isExplainedByChance } from '../../openapi/util/chance.ts';
import { formatOperationName, formatTargetName, joinWithAnd } from '../text/phrases.ts';
import type { ExceedsCondition } from './expected-failures.ts';
import { listForms, nameForm } from './forms.ts';

/** A median latency below this many milliseconds never counts as changed. */
const MIN_COMPARED_LATENCY_MS = 20;

/** A latency counts as changed if it grew by this factor. */
const LATENCY_FACTOR = 3;

/** Open points about statuses. For other points, the status is not part of the answer. */
const STATUS_POINTS = new Set(['service.success-status', 'service.error-status', 'service.credentials']);

/** The parts of a report that are compared. */
type ComparedParts = Pick<Report, 'verdict' | 'clauses' | 'findings' | 'observations' | 'operations'>;

export function compareWithBaselines(
  { known, baseline }: Comparisons,
  report: ComparedParts,
  entries: readonly JudgedEntry[],
  exceeds: ExceedsCondition,
): ComparisonResult {
  return omitUndefined({
    known: known && entries,
    changes: baseline && findChanges(baseline, report, exceeds),
  });
}

const listObservedValues = (same: readonly ReportedAnswer[]): readonly string[] => {
  const shown = same.map(({ point, value, answer }) =>
    answer !== undefined && 'reply' in answer && !STATUS_POINTS.has(point)
      ? renderAnswer({ ...answer, status: null })
      : value,
  );
  return [...new Set(shown)].sort();
};

/** True if each run has an answer that the other run does not have. An answer that only one run has may be chance. */
const haveDifferentAnswers = (before: readonly string[], now: readonly string[]): boolean =>
  before.some((value) => !now.includes(value)) && now.some((value) => !before.includes(value));

function findChangedPoints(before: ComparedParts, now: ComparedParts): ReadonlySet<string> {
  const earlier = groupQuestions(before.observations);
  const questions = [...groupQuestions(now.observations)].filter(([key, same]) => {
    const [was, is] = [listObservedValues(earlier.get(key) ?? []), listObservedValues(same)];
    return was.length > 0 && was.join('\n') !== is.join('\n');
  });
  return new Set(questions.map(([, same]) => same[0]!.point));
}

export function findChanges(before: Report, now: ComparedParts, exceeds: ExceedsCondition = () => false): Changes {
  const answered = findChangedPoints(before, now);
  const open = new Set(now.clauses.flatMap(({ id, level }) => (level === 'open' ? id : [])));
  const isOfTarget = (clause: string): boolean => answered.has(clause) || !open.has(clause);
  const earlierClauses = new Map(before.clauses.map(({ id, verdict }) => [id, verdict]));
  const earlierQuestions = groupQuestions(before.observations);
  const judged = new Set(now.clauses.flatMap(({ id, verdict }) => (verdict === 'not-applicable' ? [] : id)));
  const comparable = ({ clause }: { readonly clause: string }): boolean => judged.has(clause) && isOfTarget(clause);
  const [earlier, findings] = [before.findings.filter(comparable), now.findings.filter(comparable)];
  const [earlierIds, ids] = [earlier, findings].map((some) => new Set(some.map(({ id }) => id)));
  return {
    before: {
      startedAt: before.startedAt,
      name: formatTargetName(before.target),
      build: before.target.build,
      verdict: before.verdict,
    },
    verdict: before.verdict === now.verdict ? null : [before.verdict, now.verdict],
    clauses: now.clauses.flatMap(({ id, verdict, level }) => {
      const old = earlierClauses.get(id);
      const isSame = old === verdict || (old === 'observed' && verdict === 'pass');
      return level === 'open' || old === undefined || isSame || !isOfTarget(id) || mayBeUntested(old, verdict)
        ? []
        : [{ clause: id, before: old, now: verdict }];
    }),
    findings: {
      fresh: [...ids!].filter((id) => !earlierIds!.has(id)),
      gone: [...earlierIds!].filter((id) => !ids!.has(id)),
    },
    places: findChangedPlaces(earlier, findings, exceeds),
    answers: [...groupQuestions(now.observations)].flatMap(([key, same]) => {
      const { point, operation, about } = same[0]!;
      const [was, is] = [listObservedValues(earlierQuestions.get(key) ?? []), listObservedValues(same)];
      return VOLATILE_POINTS.has(point) || !haveDifferentAnswers(was, is)
        ? []
        : [{ point, operation, about, before: was, now: is }];
    }),
    latency: now.operations.flatMap((operation) => {
      const old = before.operations.find(({ id }) => id === operation.id)?.latencyMs?.p50 ?? Infinity;
      const current = operation.latencyMs?.p50 ?? 0;
      return current < MIN_COMPARED_LATENCY_MS || current <= old * LATENCY_FACTOR
        ? []
        : [{ operation: formatOperationName(operation), before: old, now: current }];
    }),
    factor: LATENCY_FACTOR,
  };
}

const groupPlaces = (findings: readonly Finding[]): ReadonlyMap<string, readonly Finding[]> =>
  groupBy(findings, ({ clause, operation, pointer }) => `${clause} ${operation} ${pointer}`);

const joinForms = (findings: readonly Finding[]): string =>
  [...new Set(findings.flatMap(listForms))].toSorted().join('\n');

/** Lists the places where findings came, went, have other forms, or occur in more answers than before. */
function findChangedPlaces(
  before: readonly Finding[],
  now: readonly Finding[],
  exceeds: ExceedsCondition,
): NonNullable<Changes['places']> {
  const [earlier, current] = [groupPlaces(before), groupPlaces(now)];
  return [...new Set([...current.keys(), ...earlier.keys()])].flatMap((place) => {
    const [was, is] = [earlier.get(place) ?? [], current.get(place) ?? []];
    const isWider = is.some((finding) =>
      was.some(({ id, ...earlierFinding }) => id === finding.id && isWiderThan(earlierFinding, finding, exceeds)),
    );
    if (joinForms(was) === joinForms(is) && !isWider) return [];
    const { clause, operation, pointer } = [...is, ...was][0]!;
    return [{ clause, operation, pointer, before: describePlace(was), now: describePlace(is) }];
  });
}

const isInAllAnswers = ({ answers, exercised }: Pick<Finding, 'answers' | 'exercised'>): boolean =>
  answers === exercised;

/** Counts differ from run to run: a finding is wider where its condition does not hold, or if chance does not explain all answers. */
function isWiderThan(
  before: Pick<Finding, 'only' | 'answers' | 'exercised'>,
  now: Finding,
  exceeds: ExceedsCondition,
): boolean {
  if (before.only !== undefined && exceeds(now, before.only)) return true;
  return isInAllAnswers(now) && !isExplainedByChance(before.answers / before.exercised, now.exercised);
}

/** Says what comes at a place, and in which answers; null if there is no finding. */
function describePlace(findings: readonly Finding[]): string | null {
  if (findings.length === 0) return null;
  const texts = findings.map((finding) => {
    const { only, unit = 'answers' } = finding;
    const extent = `in ${isInAllAnswers(finding) ? 'all' : 'some'} ${unit}`;
    return `${joinWithAnd(listForms(finding).map(nameForm))} ${only === undefined ? extent : `only where ${only}`}`;
  });
  return joinWithAnd(texts);
}

/** True if chance or another selection of areas explains the change. A run need not test a conditional clause. */
function mayBeUntested(before: string, now: string): boolean {
  const verdicts = [before, now];
  return verdicts.includes('not-applicable') || (verdicts.includes('inconclusive') && verdicts.includes('pass'));
}
