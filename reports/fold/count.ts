/** Adds up what the lines of a journal say, one kind of count at a time. */
import { renderAnswer, renderQuestion } from '../../openapi/model/observation.ts';
import { findingKey, type Violation } from '../../openapi/model/finding.ts';
import type { OperationId } from '../../openapi/model/exchange.ts';
import type { JournalLine } from '../../openapi/model/journal.ts';
import { getOrSet } from '../../openapi/util/group-by.ts';
import type { Exercise, OperationTally, RunTallies } from '../model/tally.ts';

/** Adds to the count of a key. */
export const add = (counts: Map<string, number>, key: string, count: number): unknown =>
  counts.set(key, (counts.get(key) ?? 0) + count);

/** Distinguishes the places of a finding; a counterexample is joined to all kinds at its place. */
export function placeKey(clause: string, operation: string, pointer: string): string {
  return `${clause} ${operation} ${pointer}`;
}

/** The tally of one operation, made when first asked for. */
export function operationOf(to: RunTallies, operation: OperationId): OperationTally {
  return getOrSet(to.operations, operation, () => ({
    positives: 0,
    probes: 0,
    unanswered: 0,
    outcomes: new Map(),
    statuses: new Map(),
    latencies: [],
    ways: new Map(),
  }));
}

/** Counts exercises by a key. */
export function addExercise<Key>(counts: Map<Key, Exercise>, key: Key, count: number, exchange: string): Exercise {
  const known = getOrSet(counts, key, () => ({ count: 0, exchange, entries: new Map() }));
  known.count += count;
  return known;
}

/** Notes that a clause was put to the test, so many times by answers of one operation. */
export function exercise(
  to: RunTallies,
  clause: string,
  operation: OperationId,
  count: number,
  exchange: string,
): Exercise {
  const places = getOrSet(to.exercised, clause, () => new Map());
  return addExercise(places, operation, count, exchange);
}

/** Counts a violation among those of its kind at its place. */
export function addViolation(to: RunTallies, one: Violation): void {
  const known = getOrSet(to.breaks, findingKey(one), () => ({ first: one, count: 0, answers: new Set<string>() }));
  known.count += one.count ?? 1;
  known.answers.add(one.exchange);
}

/** Answers to one question that are told apart: a target may answer another one each time. */
const MAX_ANSWERS = 600;

/** Counts an observation among those of its point, operation and question. */
export function observe(
  to: RunTallies,
  seen: Omit<Extract<JournalLine, { line: 'observation' }>, 'line'> & { readonly count?: number },
): void {
  const { point, operation, question = null, answer, count = 1, exchange, control } = seen;
  const key = `${point} ${operation} ${question === null ? '' : renderQuestion(question)}`;
  const tally = getOrSet(to.observations, key, () => ({
    point,
    operation,
    question,
    answers: new Map(),
    details: new Map(),
  }));
  const words = renderAnswer(answer);
  if (tally.answers.size >= MAX_ANSWERS && !tally.answers.has(words)) return;
  addExercise(tally.answers, words, count, exchange);
  getOrSet(tally.details, words, () => ({ answer, control: null })).control ??= control ?? null;
}
