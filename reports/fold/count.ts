/** Adds up what the lines of a journal say, one kind of count at a time. */
import { renderAnswer, renderQuestion } from '../../openapi/model/observation.ts';
import { findingKey, type Violation } from '../../openapi/model/finding.ts';
import type { OperationId } from '../../openapi/model/exchange.ts';
import type { ExchangeRecord, JournalLine } from '../../openapi/model/journal.ts';
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

/** Counts exercises by a key; where one is kept as evidence, it is the one that is named. */
export function addExercise<Key>(
  counts: Map<Key, Exercise> | undefined,
  key: Key,
  count: number,
  exchange: string,
  records: ReadonlyMap<string, ExchangeRecord>,
): void {
  if (counts === undefined) return;
  const known = getOrSet(counts, key, () => ({ count: 0, exchange }));
  known.count += count;
  if (!records.has(known.exchange) && records.has(exchange)) known.exchange = exchange;
}

/** Notes that a clause was put to the test, so many times by answers of one operation. */
export function exercise(
  to: RunTallies,
  clause: string,
  operation: OperationId,
  count: number,
  exchange: string,
): void {
  const places = getOrSet(to.exercised, clause, () => new Map());
  addExercise(places, operation, count, exchange, to.records);
}

/** Counts a violation among those of its kind at its place. */
export function addViolation(to: RunTallies, one: Violation): void {
  const known = getOrSet(to.breaks, findingKey(one), () => ({ first: one, count: 0, answers: new Set<string>() }));
  known.count += one.count ?? 1;
  known.answers.add(one.exchange);
  if (!to.records.has(known.first.exchange) && to.records.has(one.exchange)) known.first = one;
}

/** Counts an observation among those of its point, operation and question. */
export function observe(to: RunTallies, line: Extract<JournalLine, { line: 'observation' }>): void {
  const { point, operation, question = null, answer } = line;
  const key = `${point} ${operation} ${question === null ? '' : renderQuestion(question)}`;
  const tally = getOrSet(to.observations, key, () => ({
    point,
    operation,
    question,
    answers: new Map(),
    details: new Map(),
  }));
  const words = renderAnswer(answer);
  addExercise(tally.answers, words, line.count ?? 1, line.exchange, to.records);
  const known = tally.details.get(words);
  if (known === undefined) tally.details.set(words, { answer, control: line.control ?? null });
  else if (known.control === null || !to.records.has(known.control)) known.control = line.control ?? known.control;
}
