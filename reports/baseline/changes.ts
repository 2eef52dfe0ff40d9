/** Compares a run with an earlier run (the baseline) and with known findings. Only known findings affect the gate. */
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
import { listForms, describeFormInSentence, type ExceedsCondition } from './expected-failures.ts';

/** A median latency below this many milliseconds never counts as changed. */
const MIN_COMPARED_LATENCY_MS = 20;

/** A latency counts as changed if it grew by this factor. */
const LATENCY_FACTOR = 3;

/** Open points about statuses. For other points, the status is not part of the answer. */
const STATUS_POINTS = new Set(['service.success-status', 'service.error-status', 'service.credentials']);

/** The parts of a report that are compared. */
type ComparedParts = Pick<Report, 'verdict' | 'clauses' | 'findings' | 'observations' | 'operations'>;

/** Returns the judged known findings, and what changed since the baseline. Leaves out what was not given. */
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

/** Returns the different answers to one question, as sorted texts. Leaves out the status if the question is not about statuses. */
const listObservedValues = (answersToQuestion: readonly ReportedAnswer[]): readonly string[] => {
  const texts = answersToQuestion.map(({ point, value, answer }) => {
    const hasIrrelevantStatus = answer !== undefined && 'reply' in answer && !STATUS_POINTS.has(point);
    return hasIrrelevantStatus ? renderAnswer({ ...answer, status: null }) : value;
  });
  return [...new Set(texts)].sort();
};

/** True if each run has an answer that the other run does not have. An answer that only one run has may be chance. */
const haveDifferentAnswers = (before: readonly string[], now: readonly string[]): boolean =>
  before.some((value) => !now.includes(value)) && now.some((value) => !before.includes(value));

/** Returns the open points for which at least one question has other answers than in the earlier run. */
function findChangedPoints(before: ComparedParts, now: ComparedParts): ReadonlySet<string> {
  const earlierQuestions = groupQuestions(before.observations);
  const changedQuestions = [...groupQuestions(now.observations)].filter(([questionKey, answers]) => {
    const earlierValues = listObservedValues(earlierQuestions.get(questionKey) ?? []);
    return earlierValues.length > 0 && earlierValues.join('\n') !== listObservedValues(answers).join('\n');
  });
  return new Set(changedQuestions.map(([, answers]) => answers[0]!.point));
}

/** Lists what changed since an earlier run: verdicts, findings, places, answers to open points and latencies. */
export function findChanges(before: Report, now: ComparedParts, exceeds: ExceedsCondition = () => false): Changes {
  const changedPoints = findChangedPoints(before, now);
  const openPoints = new Set(now.clauses.flatMap(({ id, level }) => (level === 'open' ? id : [])));
  // An open point may differ because the suite asked something else. It counts only if the bank answers differently.
  const isChangeOfBank = (clause: string): boolean => changedPoints.has(clause) || !openPoints.has(clause);
  const earlierClauses = new Map(before.clauses.map(({ id, verdict }) => [id, verdict]));
  const earlierQuestions = groupQuestions(before.observations);
  const judgedClauses = new Set(now.clauses.flatMap(({ id, verdict }) => (verdict === 'not-applicable' ? [] : id)));
  const isComparable = ({ clause }: { readonly clause: string }): boolean =>
    judgedClauses.has(clause) && isChangeOfBank(clause);
  const earlierFindings = before.findings.filter(isComparable);
  const findings = now.findings.filter(isComparable);
  const earlierFindingIds = new Set(earlierFindings.map(({ id }) => id));
  const findingIds = new Set(findings.map(({ id }) => id));
  return {
    before: {
      startedAt: before.startedAt,
      name: formatTargetName(before.target),
      build: before.target.build,
      verdict: before.verdict,
    },
    verdict: before.verdict === now.verdict ? null : [before.verdict, now.verdict],
    clauses: now.clauses.flatMap(({ id, verdict, level }) => {
      const earlierVerdict = earlierClauses.get(id);
      if (level === 'open' || earlierVerdict === undefined || !isChangeOfBank(id)) return [];
      const hasSameVerdict = earlierVerdict === verdict || (earlierVerdict === 'observed' && verdict === 'pass');
      return hasSameVerdict || mayBeUntested(earlierVerdict, verdict)
        ? []
        : [{ clause: id, before: earlierVerdict, now: verdict }];
    }),
    findings: {
      fresh: [...findingIds].filter((id) => !earlierFindingIds.has(id)),
      gone: [...earlierFindingIds].filter((id) => !findingIds.has(id)),
    },
    places: findChangedPlaces(earlierFindings, findings, exceeds),
    answers: [...groupQuestions(now.observations)].flatMap(([key, answers]) => {
      const { point, operation, about } = answers[0]!;
      const earlierValues = listObservedValues(earlierQuestions.get(key) ?? []);
      const values = listObservedValues(answers);
      return VOLATILE_POINTS.has(point) || !haveDifferentAnswers(earlierValues, values)
        ? []
        : [{ point, operation, about, before: earlierValues, now: values }];
    }),
    latency: findSlowerOperations(before, now),
    factor: LATENCY_FACTOR,
  };
}

/** Lists the operations whose median latency grew by more than `LATENCY_FACTOR`. */
const findSlowerOperations = (before: ComparedParts, now: ComparedParts): Changes['latency'] =>
  now.operations.flatMap((operation) => {
    const earlierOperation = before.operations.find(({ id }) => id === operation.id);
    const earlierMs = earlierOperation?.latencyMs?.p50 ?? Infinity;
    const currentMs = operation.latencyMs?.p50 ?? 0;
    const isSlower = currentMs >= MIN_COMPARED_LATENCY_MS && currentMs > earlierMs * LATENCY_FACTOR;
    return isSlower ? [{ operation: formatOperationName(operation), before: earlierMs, now: currentMs }] : [];
  });

const groupPlaces = (findings: readonly Finding[]): ReadonlyMap<string, readonly Finding[]> =>
  groupBy(findings, ({ clause, operation, pointer }) => `${clause} ${operation} ${pointer}`);

const joinForms = (findings: readonly Finding[]): string =>
  [...new Set(findings.flatMap(listForms))].toSorted().join('\n');

/** Lists the places with new findings, without the earlier findings, with other forms of values, or with findings in more answers. */
function findChangedPlaces(
  before: readonly Finding[],
  now: readonly Finding[],
  exceeds: ExceedsCondition,
): NonNullable<Changes['places']> {
  const [earlierPlaces, currentPlaces] = [groupPlaces(before), groupPlaces(now)];
  const allPlaces = new Set([...currentPlaces.keys(), ...earlierPlaces.keys()]);
  return [...allPlaces].flatMap((place) => {
    const earlierFindings = earlierPlaces.get(place) ?? [];
    const findings = currentPlaces.get(place) ?? [];
    const isInMoreAnswers = findings.some((finding) =>
      earlierFindings.some(
        ({ id, ...earlierFinding }) => id === finding.id && isInMoreAnswersThan(earlierFinding, finding, exceeds),
      ),
    );
    if (joinForms(earlierFindings) === joinForms(findings) && !isInMoreAnswers) return [];
    const { clause, operation, pointer } = [...findings, ...earlierFindings][0]!;
    const [before, now] = [describePlace(earlierFindings), describePlace(findings)];
    return [{ clause, operation, pointer, before, now }];
  });
}

const isInAllAnswers = ({ answers, exercised }: Pick<Finding, 'answers' | 'exercised'>): boolean =>
  answers === exercised;

/**
 * True if a finding is in more answers than before: it occurs where its earlier condition is not true, or it is in all answers now and
 * this cannot be chance. A difference of counts proves nothing, because counts differ from run to run.
 */
function isInMoreAnswersThan(
  before: Pick<Finding, 'only' | 'answers' | 'exercised'>,
  now: Finding,
  exceeds: ExceedsCondition,
): boolean {
  if (before.only !== undefined && exceeds(now, before.only)) return true;
  return isInAllAnswers(now) && !isExplainedByChance(before.answers / before.exercised, now.exercised);
}

/** Describes the findings at a place: `null in all answers`, `a number only where amount has decimals`. Null if there are none. */
function describePlace(findings: readonly Finding[]): string | null {
  if (findings.length === 0) return null;
  const texts = findings.map((finding) => {
    const { only, unit = 'answers' } = finding;
    const extentText = `in ${isInAllAnswers(finding) ? 'all' : 'some'} ${unit}`;
    return `${joinWithAnd(listForms(finding).map(describeFormInSentence))} ${only === undefined ? extentText : `only where ${only}`}`;
  });
  return joinWithAnd(texts);
}

/** True if a clause was perhaps only not tested: not selected, or not exercised. A run need not test every clause. */
function mayBeUntested(before: string, now: string): boolean {
  const verdicts = [before, now];
  const isNotExercisedOnce = verdicts.includes('inconclusive') && verdicts.includes('pass');
  return isNotExercisedOnce || verdicts.includes('not-applicable');
}
