/** Counts the lines of a journal: one function for each kind of count. */
import { renderAnswer, renderQuestion } from '../../openapi/model/observation.ts';
import { FURTHER_FORMS_TEXT, MAX_FORMS_PER_PLACE } from '../../openapi/judgement.ts';
import { describeValueForm } from '../../openapi/util/truncate.ts';
import { getFindingKey, type Violation } from '../../openapi/model/finding.ts';
import type { OperationId } from '../../openapi/model/exchange.ts';
import { getOrSet } from '../../openapi/util/group-by.ts';
import type { Line } from '../model/contents.ts';
import type { Exercise, OperationTally, RunTallies } from '../model/tally.ts';

export const increaseCount = <Key>(counts: Map<Key, number>, key: Key, count = 1): unknown =>
  counts.set(key, (counts.get(key) ?? 0) + count);

/** Returns the key for the place of a finding. A counterexample belongs to all kinds of findings at its place. */
export const makePlaceKey = ({
  clause,
  operation,
  pointer,
}: Pick<Violation, 'clause' | 'operation' | 'pointer'>): string => `${clause} ${operation} ${pointer}`;

export const getOperationTally = (to: RunTallies, operation: OperationId): OperationTally =>
  getOrSet(to.operations, operation, () => ({
    positives: 0,
    probes: 0,
    unanswered: 0,
    countable: 0,
    unserved: 0,
    outcomes: new Map(),
    statuses: new Map(),
    answers: new Map(),
    latencies: [],
    ways: new Map(),
  }));

export function countTest<Key>(counts: Map<Key, Exercise>, key: Key, count: number, exchange: string): Exercise {
  const known = getOrSet(counts, key, () => ({ count: 0, exchange, entries: new Map() }));
  known.count += count;
  return known;
}

export function countExercised(
  to: RunTallies,
  { clause, operation, count, exchange }: Pick<Violation, 'operation' | 'exchange'> & { clause: string; count: number },
): Exercise {
  return countTest(
    getOrSet(to.exercised, clause, () => new Map()),
    operation,
    count,
    exchange,
  );
}

export function countViolation(to: RunTallies, one: Violation): void {
  const started = () => ({ first: one, count: 0, answers: new Set<string>() });
  const known = getOrSet(to.breaks, getFindingKey(one), () => ({
    ...started(),
    expected: new Set<string>(),
    forms: new Map(),
  }));
  known.expected.add(one.expected);
  // For a place in the request, the sentence quotes only one of many requests.
  const own = one.pointer.startsWith('request/') ? '' : describeValueForm(one.received);
  const form = known.forms.size >= MAX_FORMS_PER_PLACE && !known.forms.has(own) ? FURTHER_FORMS_TEXT : own;
  for (const counted of [known, getOrSet(known.forms, form, started)]) {
    counted.count += one.count ?? 1;
    counted.answers.add(one.exchange);
  }
}

/** At most this many different answers to one question are counted: a bank may answer differently each time. */
const MAX_COUNTED_ANSWERS = 600;

export function countObservation(
  to: RunTallies,
  seen: Omit<Line<'observation'>, 'line'> & { readonly count?: number },
): void {
  const { point, operation, question = null, answer, count = 1, exchange, control = null } = seen;
  const key = `${point} ${operation} ${question === null ? '' : renderQuestion(question)}`;
  const { answers } = getOrSet(to.observations, key, () => ({ point, operation, question, answers: new Map() }));
  const words = renderAnswer(answer);
  if (answers.size >= MAX_COUNTED_ANSWERS && !answers.has(words)) return;
  const known = getOrSet(answers, words, () => ({ count: 0, exchange, entries: new Map(), answer, control }));
  known.count += count;
  known.control ??= control;
}
