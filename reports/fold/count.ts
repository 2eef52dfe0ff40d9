/** Adds up what the lines of a journal tell, one kind of count at a time. */
import { renderAnswer, renderQuestion } from '../../openapi/model/observation.ts';
import { findingKey, type Violation } from '../../openapi/model/finding.ts';
import type { OperationId } from '../../openapi/model/exchange.ts';
import type { ExchangeRecord, JournalLine } from '../../openapi/model/journal.ts';
import type { Exercise, OperationTally, RunTallies } from '../model/tally.ts';

/** Adds to the count of a key. */
export const add = (counts: Map<string, number>, key: string, count: number): unknown =>
  counts.set(key, (counts.get(key) ?? 0) + count);

/** Tells the places of a finding apart; a counterexample is joined to all kinds at its place. */
export function placeKey(clause: string, operation: string, pointer: string): string {
  return `${clause} ${operation} ${pointer}`;
}

/** The tally of one operation, made when first asked for. */
export function operationOf(to: RunTallies, operation: OperationId): OperationTally {
  let tally = to.operations.get(operation);
  if (!tally) {
    tally = {
      positives: 0,
      probes: 0,
      unanswered: 0,
      outcomes: new Map(),
      statuses: new Map(),
      latencies: [],
      ways: new Map(),
    };
    to.operations.set(operation, tally);
  }
  return tally;
}

/** Counts exercises by a key; where one is kept as evidence, it is the one that is named. */
export function tell<Key>(
  counts: Map<Key, Exercise> | undefined,
  key: Key,
  count: number,
  exchange: string,
  records: ReadonlyMap<string, ExchangeRecord>,
): void {
  if (counts === undefined) return;
  const known = counts.get(key);
  if (!known) counts.set(key, { count, exchange });
  else {
    known.count += count;
    if (!records.has(known.exchange) && records.has(exchange)) known.exchange = exchange;
  }
}

/** Notes that a clause was put to the test, so many times by answers of one operation. */
export function exercise(
  to: RunTallies,
  clause: string,
  operation: OperationId,
  count: number,
  exchange: string,
): void {
  let places = to.exercised.get(clause);
  if (!places) to.exercised.set(clause, (places = new Map()));
  tell(places, operation, count, exchange, to.records);
}

/** Counts a break among those of its kind at its place. */
export function broke(to: RunTallies, one: Violation): void {
  const key = findingKey(one);
  const known = to.breaks.get(key);
  if (!known) to.breaks.set(key, { first: one, count: one.count ?? 1, answers: new Set([one.exchange]) });
  else {
    known.count += one.count ?? 1;
    known.answers.add(one.exchange);
    if (!to.records.has(known.first.exchange) && to.records.has(one.exchange)) known.first = one;
  }
}

/** Counts an observation among those of its point, operation and question. */
export function observe(to: RunTallies, line: Extract<JournalLine, { line: 'observation' }>): void {
  const { point, operation, question = null, answer } = line;
  const key = `${point} ${operation} ${question === null ? '' : renderQuestion(question)}`;
  let tally = to.observations.get(key);
  if (!tally) {
    tally = { point, operation, question, answers: new Map(), details: new Map() };
    to.observations.set(key, tally);
  }
  const words = renderAnswer(answer);
  tell(tally.answers, words, line.count ?? 1, line.exchange, to.records);
  const known = tally.details.get(words);
  if (known === undefined) tally.details.set(words, { answer, control: line.control ?? null });
  else if (known.control === null || !to.records.has(known.control)) known.control = line.control ?? known.control;
}
