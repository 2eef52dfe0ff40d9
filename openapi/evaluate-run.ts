/** Judges all exchanges of a run together: finds broken clauses and answers to open points that no single exchange shows. */
import { inferences, leaveOutReplaced } from '#bank/inference';
import { openUniquenessTest, operationFacts } from './api.ts';
import {
  broken,
  kept,
  notTested,
  type ComparedBehaviour,
  type RunBehaviour,
  type Verdict,
} from './behaviours/behaviour.ts';
import { Misfit, readEvidence } from './behaviours/evidence.ts';
import { comparedBehaviours, runBehaviours } from './behaviours/index.ts';
import type { ClauseId } from './clauses/index.ts';
import { isClosedOnText, quoteAnswer, readAnswer, toObservedAnswer } from './history/answers.ts';
import { toExchange } from './history/reading.ts';
import { getScenario, type OperationId } from './model/exchange.ts';
import type { Inference, Violation } from './model/finding.ts';
import type { Answered, Compared, Comparison, Contrast, Evidence, History } from './model/history.ts';
import type { RunLines } from './model/journal.ts';
import { isPostponed, isThrottled, type Outcome } from './model/outcome.ts';
import { EMPTY_RUN, type Run, type RunRecord } from './model/record.ts';
import { groupBy } from './util/group-by.ts';

/** What the log has for the judgement of the whole run. `outcomes`: the outcome of each exchange by its id. */
export interface RunEvidence {
  readonly records: RunRecord[];
  readonly comparisons: Comparison[];
  readonly contrasts: Contrast<string>[];
  readonly outcomes: Map<string, Outcome>;
}

/** What all behaviours found in a run: tested clauses, violations, answers to open points, and clauses without a result. */
interface RunResult {
  readonly exercised: {
    readonly clause: ClauseId;
    readonly operation: OperationId;
    readonly count: number;
    readonly exchange: string;
  }[];
  readonly broken: Violation[];
  readonly observed: Inference[];
  readonly untested: { readonly clause: ClauseId; readonly why: string }[];
  /** Comparisons whose evidence does not have the shape of their behaviour: the exchange log has an error. */
  readonly errors: string[];
}

const listExchangeIds = ({ exchanges }: Comparison): readonly string[] => Object.values(exchanges).flat();
const listContrastExchanges = ({ refused, accepted, nonsense }: Contrast<string>): readonly string[] => [
  ...refused,
  ...accepted,
  ...nonsense,
];

/** Sorts exchanges by scenario, so that the order of the logs of workers makes no difference. */
const compareByScenario = (firstId = '', secondId = ''): number => {
  const [scenarioA, scenarioB] = [getScenario(firstId), getScenario(secondId)];
  if (scenarioA === scenarioB) return 0;
  return scenarioA < scenarioB ? -1 : 1;
};

/** Groups the records of a run by kind. Leaves out records about an id that several applications have. */
export function openRun(unorderedRecords: readonly RunRecord[]): Run {
  const records = unorderedRecords.toSorted((a, b) => compareByScenario(a.exchange, b.exchange));
  const recordsByKind = groupBy(records, ({ kind }) => kind);
  const isAboutOneApplication = openUniquenessTest(records);
  return {
    ...EMPTY_RUN,
    ...Object.fromEntries(
      [...recordsByKind].map(([kind, recordsOfKind]) => [kind, recordsOfKind.filter(isAboutOneApplication)]),
    ),
  };
}

/** Returns the answers that scenarios compare, by the id of the exchange. */
function findComparedAnswers(
  lines: RunLines,
  { comparisons, contrasts, outcomes }: RunEvidence,
): ReadonlyMap<string, Answered> {
  const ids = new Set([...comparisons.flatMap(listExchangeIds), ...contrasts.flatMap(listContrastExchanges)]);
  const answers = new Map<string, Answered>();
  for (const id of ids) {
    const entry = lines.findEntry(id);
    if (entry !== undefined) answers.set(id, readAnswer(toExchange(entry), outcomes.get(id) ?? 'lost'));
  }
  return answers;
}

function openHistory(lines: RunLines, evidence: RunEvidence): History {
  const answers = findComparedAnswers(lines, evidence);
  const findAnswers = (ids: readonly string[]): readonly Answered[] => ids.flatMap((id) => answers.get(id) ?? []);
  const sortedComparisons = evidence.comparisons.toSorted((a, b) =>
    compareByScenario(listExchangeIds(a)[0], listExchangeIds(b)[0]),
  );
  const comparisonsByClause = groupBy(sortedComparisons, ({ clause }): string => clause);
  return {
    run: openRun(evidence.records),
    compared: (clause) =>
      (comparisonsByClause.get(clause) ?? []).map(({ exchanges, about }) => ({
        about,
        answers: Object.fromEntries(Object.entries(exchanges).map(([role, ids]) => [role, findAnswers(ids)])),
      })),
    contrasts: evidence.contrasts
      .toSorted((a, b) => compareByScenario(listContrastExchanges(a)[0], listContrastExchanges(b)[0]))
      .map((contrast) => ({
        ...contrast,
        refused: findAnswers(contrast.refused),
        accepted: findAnswers(contrast.accepted),
        nonsense: findAnswers(contrast.nonsense),
      })),
  };
}

/** True for a record of an exchange, which has only the id of the exchange. */
const isRecord = (evidence: Evidence): evidence is Extract<Evidence, { exchange: string }> =>
  typeof evidence.exchange === 'string';
const getExchangeId = (evidence: Evidence): string => (isRecord(evidence) ? evidence.exchange : evidence.exchange.id);

/** The clause of a verdict, and what is the same for all verdicts about the clause. */
interface Subject extends Pick<ComparedBehaviour, 'asks'>, Pick<Violation, 'unit'> {
  readonly clause: ClauseId;
  readonly operation?: OperationId | undefined;
}

function findOperation({ clause, operation: fixedOperation }: Subject, evidence: Evidence): OperationId {
  const operation = fixedOperation ?? evidence.operation;
  if (operation === undefined) throw new Error(`The behaviour of ${clause} names no operation.`);
  return operation;
}

function makeViolation(subject: Subject, verdict: Extract<Verdict, { is: 'broken' }>): Violation {
  const { clause, unit } = subject;
  const { answer, contrast, concurrent, pointer = 'response/status', count } = verdict;
  const { kind = unit === undefined ? 'behaviour' : 'run' } = verdict;
  return {
    clause,
    operation: findOperation(subject, answer),
    pointer,
    kind,
    expected: verdict.expected,
    received: verdict.received ?? (isRecord(answer) ? '' : quoteAnswer(answer, pointer)),
    exchange: getExchangeId(answer),
    ...(contrast === undefined ? {} : { contrast: getExchangeId(contrast) }),
    ...(concurrent === undefined ? {} : { concurrent: getExchangeId(concurrent) }),
    ...(count === undefined ? {} : { count }),
    ...(unit === undefined ? {} : { unit }),
  };
}

function addVerdict(result: RunResult, subject: Subject, verdict: Verdict): void {
  const { clause, asks } = subject;
  if (verdict.is === 'not tested') return void result.untested.push({ clause, why: verdict.why });
  const { answer, contrast, count = 1 } = verdict;
  const operation = findOperation(subject, answer);
  const exchange = getExchangeId(answer);
  const isNeverAccepted = verdict.is === 'broken' && verdict.kind === NEVER_ACCEPTED_KIND;
  const isThrottledValue = verdict.is === 'broken' && verdict.kind === THROTTLED_VALUE_KIND;
  // A throttled request proves nothing without an accepted request.
  if (!isThrottledValue && !isRecord(answer) && isThrottled(answer.exchange.answer))
    result.untested.push({ clause, why: 'the bank asked to wait' });
  else if (!isNeverAccepted) {
    result.exercised.push({ clause, operation, count, exchange });
    if (asks !== undefined && !isRecord(answer)) {
      const control = contrast === undefined ? {} : { control: getExchangeId(contrast) };
      const observedAnswer = toObservedAnswer(answer);
      result.observed.push({ ...asks, operation, answer: observedAnswer, count: 1, exchanges: [exchange], ...control });
    }
  }
  if (verdict.is === 'broken') result.broken.push(makeViolation(subject, verdict));
}

/** Judges one comparison. Evidence that does not fit its behaviour is an error of the exchange log. */
function judgeComparison(result: RunResult, behaviour: ComparedBehaviour, comparison: Compared): void {
  try {
    const { id, asks, evidence, judge } = behaviour;
    addVerdict(result, { clause: id as ClauseId, ...(asks && { asks }) }, judge(readEvidence(evidence, comparison)));
  } catch (error) {
    if (!(error instanceof Misfit)) throw error;
    if (comparison.leftOut !== undefined)
      return void result.untested.push({ clause: behaviour.id as ClauseId, why: comparison.leftOut });
    result.errors.push(`The history has no usable evidence for ${behaviour.id}: ${error.message}.`);
  }
}

/** At least this many refused and this many accepted requests are needed, because a single answer may be an accident. */
export const MIN_ANSWERS_PER_GROUP = 2;
/** The kind of a finding if the bank never accepts a documented form. Another answer that tested the clause then refutes it. */
export const NEVER_ACCEPTED_KIND = 'refused';
/** The kind of a finding if the bank throttles a value each time, and serves other values before and after it. */
export const THROTTLED_VALUE_KIND = 'throttled';

/** True if an answer shows the fault that the paired comparison looks for. A throttled request counts only if throttling is the fault. */
const isRefused = ({ outcome, status, exchange }: Answered, { kind, pointer }: Contrast['words']): boolean => {
  const isAboutText = pointer === `request/body/${operationFacts[exchange.operation].freeText}`;
  if (kind === 'server-error' && isAboutText && isClosedOnText(exchange)) return true;
  if (kind === THROTTLED_VALUE_KIND) return isPostponed(exchange.answer);
  if (status === null || isThrottled(exchange.answer)) return false;
  return kind === 'server-error' ? outcome === 'crashed' : outcome !== 'accepted' && outcome !== 'malformed';
};

/**
 * Judges a paired comparison: requests that the bank refused, and requests that differ in one thing, which the bank accepted. The
 * clause is kept if nothing was refused, and not tested if the bank also accepts a meaningless value in the same place.
 */
export function judgeContrast({ refused, accepted, nonsense, words }: Contrast): Verdict {
  const [lastRefused, contrast, firstAccepted] = [refused.at(-1), accepted.at(-1), accepted[0]];
  if (lastRefused === undefined)
    return firstAccepted === undefined ? notTested('no such request was accepted') : kept(firstAccepted);
  if (Math.min(refused.length, accepted.length) < MIN_ANSWERS_PER_GROUP)
    return notTested('too few requests were refused and accepted in turn');
  if (nonsense.some((answer) => answer.accepted)) return notTested('the bank also accepts a meaningless value');
  const wereAllRefused = refused.every((answer) => isRefused(answer, words));
  const wereAllAccepted = accepted.every((answer) => answer.accepted);
  if (!wereAllRefused || !wereAllAccepted)
    return notTested('the difference between the requests did not decide each answer');
  return broken(lastRefused, { contrast, expected: 'the documented request to be accepted', ...words });
}

/** Judges each comparison, each behaviour of the run, and each paired comparison. */
export function evaluateBehaviours(history: History): RunResult {
  const result: RunResult = { exercised: [], broken: [], observed: [], untested: [], errors: [] };
  for (const [id, variants] of groupBy(comparedBehaviours as readonly ComparedBehaviour[], (behaviour) => behaviour.id))
    for (const comparison of history.compared(id)) {
      const behaviour = variants.find(({ way }) => way === comparison.about['way']);
      if (behaviour !== undefined) judgeComparison(result, behaviour, comparison);
      else result.errors.push(`The history has evidence of an unknown kind for ${id}.`);
    }
  for (const { id, operation, unit = 'comparisons', judge } of runBehaviours as readonly RunBehaviour[])
    for (const verdict of judge(history.run))
      addVerdict(result, { clause: id as ClauseId, operation, ...(unit === 'answers' ? {} : { unit }) }, verdict);
  for (const contrast of history.contrasts) addVerdict(result, contrast, judgeContrast(contrast));
  return result;
}

/** Judges the evidence of a run, with the entries that it names. The order of the scenarios does not matter. */
export function evaluateRun(evidence: RunEvidence, lines: RunLines): RunResult {
  const history = openHistory(lines, evidence);
  const behaviourResult = evaluateBehaviours(leaveOutReplaced(history));
  const inferredObservations = inferences.flatMap((infer) => infer(history.run));
  return { ...behaviourResult, observed: [...inferredObservations, ...behaviourResult.observed] };
}
