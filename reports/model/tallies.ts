/** Defines the counts that the report needs, and the functions that count. The exchange log is read once. */
import type { Clause } from '../../openapi/clauses/clause.ts';
import type { evaluateRun } from '../../openapi/evaluate-run.ts';
import type { readEntry } from '../../openapi/history/reading.ts';
import type { ClauseId } from '../../openapi/clauses/index.ts';
import type { Area, RequestInputs, OperationId } from '../../openapi/model/exchange.ts';
import { getFindingKey, type Violation } from '../../openapi/model/finding.ts';
import type { Classification, ExchangeRecord } from '../../openapi/model/journal.ts';
import { renderAnswer, renderQuestion, type ObservedAnswer, type Question } from '../../openapi/model/observation.ts';
import type { Outcome } from '../../openapi/model/outcome.ts';
import { getOrSet } from '../../openapi/util/group-by.ts';
import { describeValueForm } from '../../openapi/util/truncate.ts';
import { FURTHER_FORMS_TEXT, MAX_FORMS_PER_PLACE } from '../../openapi/util/value-form.ts';
import type { RunFacts } from './description.ts';
import type {
  ClauseReport,
  CreatedItem,
  RequestedItem,
  Finding,
  Line,
  OperationReport,
  RequestOrigin,
  ScenarioReport,
  SuiteError,
} from './report.ts';

/** All data about the contract that the report needs. A test can use a small catalogue of its own. */
export interface Catalogue {
  readonly clauses: Readonly<Record<string, Clause>>;
  readonly operations: Readonly<Record<OperationId, { area: Area; method: string; path: string }>>;
  /** Open points that an overlay decided: they are requirements in this run. */
  readonly promoted?: ReadonlySet<string>;
  placesOf(clause: string): readonly { operation: OperationId | null; pointer: string }[];
  /** The operations on which the behaviours of a clause depend, as lists of alternatives. */
  dependenciesOf(clause: string): readonly (readonly OperationId[])[];
  readonly read: typeof readEntry;
  readonly evaluateRun: typeof evaluateRun;
}

/** How often something was tested, and the first exchange that tested it. */
export interface Exercise {
  count: number;
  readonly exchange: string;
  /** For a clause: the number of array entries in these answers, by the pointer to the entries. */
  readonly entries: Map<string, number>;
}

/** The counts of one operation. */
const makeOperationTally = () => ({
  positives: 0,
  probes: 0,
  unanswered: 0,
  /** Documented requests whose failure would be a failure of the bank. */
  attributable: 0,
  /** The requests of `countable` without an answer, or with status 502, 503 or 504. */
  unserved: 0,
  /** Why an answer could not be read, for the first one that was too large. */
  tooLargeReason: null as string | null,
  outcomes: new Map<Outcome, number>(),
  statuses: new Map<number, number>(),
  /** The answers to documented requests: a status, or `no answer`. */
  answers: new Map<string, number>(),
  latencies: [] as number[],
  requestsByOrigin: new Map<RequestOrigin, Exercise>(),
});
type OperationTally = ReturnType<typeof makeOperationTally>;

/** One form of the received values at one place. */
const makeFormTally = (first: Violation) => ({ first, count: 0, answers: new Set<string>() });
type FormTally = ReturnType<typeof makeFormTally>;

/** The violations of a run that are one finding, with their counts. `first` is the first violation. */
export interface FindingTally extends FormTally {
  /** What the comparisons expected, if it differs: each may have sent another wrong credential. */
  readonly expected: Set<string>;
  readonly forms: Map<string, FormTally>;
}

interface PositiveRequest {
  readonly operation: OperationId;
  readonly outcome: Outcome;
  readonly inputs: RequestInputs;
  /** The application that an accepted request opened or names. */
  readonly application: unknown;
}

interface ObservationTally {
  readonly point: string;
  readonly operation: OperationId;
  readonly question: Question | null;
  /** For each text of an answer: the answer as data, and the control of the first probe with this answer. */
  readonly answers: Map<string, Exercise & { readonly answer: ObservedAnswer; control: string | null }>;
}

export const makeEmptyTallies = () => ({
  operations: new Map<OperationId, OperationTally>(),
  exercisesByClause: new Map<string, Map<OperationId, Exercise>>(),
  tallyByFinding: new Map<string, FindingTally>(),
  classifications: new Map<string, Classification>(),
  counterexamples: new Map<string, Line<'counterexample'>>(),
  observations: new Map<string, ObservationTally>(),
  /** Why a scenario did not test a clause. */
  reasonsOfScenarios: new Map<string, Set<string>>(),
  /** Why the evidence of a clause did not test it. */
  reasonsOfChecks: new Map<string, Set<string>>(),
  /** Clauses without a result because of one answer. No other answer can then show that the bank keeps them. */
  undecidedClauses: new Set<string>(),
  /** Answers that were judged or compared only in part: how many, how many entries were seen, and how many there were. */
  shares: { judged: { answers: 0, seen: 0, of: 0 }, compared: { answers: 0, seen: 0, of: 0 } },
  created: [] as CreatedItem[],
  refused: [] as RequestedItem[],
  scenarios: [] as ScenarioReport[],
  errors: [] as SuiteError[],
  records: new Map<string, ExchangeRecord>(),
  sizes: new Map<string, number>(),
  documentedRequests: new Map<string, PositiveRequest>(),
  /** For each exchange: the clauses that it tested, and its violations. */
  clausesByExchange: new Map<string, readonly ClauseId[]>(),
  violationsByExchange: new Map<string, Violation[]>(),
  firstOfEachKind: new Set<string>(),
  requests: 0,
  /** How far the clock of the bank is ahead, in milliseconds: the smallest difference of all answers. */
  clockOffsetMs: null as number | null,
  /** The last record of each run. Each shard is one run. */
  concurrency: new Map<string, Line<'concurrency'>>(),
  /** Operations that got no more requests, and why. `unread`: their answers did not come, or could not be read. */
  givenUp: new Map<OperationId, { readonly why: string; readonly unread: boolean }>(),
  interrupted: null as string | null,
});

export type RunTallies = ReturnType<typeof makeEmptyTallies>;

export const increaseCount = <Key>(counts: Map<Key, number>, key: Key, count = 1): unknown =>
  counts.set(key, (counts.get(key) ?? 0) + count);

export const addReason = (reasons: Map<string, Set<string>>, clause: string, why: string): unknown =>
  getOrSet(reasons, clause, () => new Set<string>()).add(why);

/** Returns the key for the place of a finding. A counterexample belongs to all kinds of findings at its place. */
export const makePlaceKey = ({
  clause,
  operation,
  pointer,
}: Pick<Violation, 'clause' | 'operation' | 'pointer'>): string => `${clause} ${operation} ${pointer}`;

export const getOperationTally = ({ operations }: RunTallies, operation: OperationId): OperationTally =>
  getOrSet(operations, operation, makeOperationTally);

export function countTest<Key>(counts: Map<Key, Exercise>, key: Key, count: number, exchange: string): Exercise {
  const exercise = getOrSet(counts, key, () => ({ count: 0, exchange, entries: new Map<string, number>() }));
  exercise.count += count;
  return exercise;
}

type ClauseTest = Pick<Violation, 'operation' | 'exchange'> & { readonly clause: string; readonly count: number };

export const countExercised = (
  { exercisesByClause }: RunTallies,
  { clause, operation, count, exchange }: ClauseTest,
): Exercise =>
  countTest(
    getOrSet(exercisesByClause, clause, () => new Map()),
    operation,
    count,
    exchange,
  );

export function countViolation({ tallyByFinding }: RunTallies, violation: Violation): void {
  const tally = getOrSet(tallyByFinding, getFindingKey(violation), () => ({
    ...makeFormTally(violation),
    expected: new Set<string>(),
    forms: new Map<string, FormTally>(),
  }));
  tally.expected.add(violation.expected);
  // For a place in the request, the sentence quotes only one of many requests.
  const valueForm = violation.pointer.startsWith('request/') ? '' : describeValueForm(violation.received);
  const exceedsMaxForms = tally.forms.size >= MAX_FORMS_PER_PLACE && !tally.forms.has(valueForm);
  const form = exceedsMaxForms ? FURTHER_FORMS_TEXT : valueForm;
  for (const countedTally of [tally, getOrSet(tally.forms, form, () => makeFormTally(violation))]) {
    countedTally.count += violation.count ?? 1;
    countedTally.answers.add(violation.exchange);
  }
}

/** Returns the ids of the exchanges with a finding. */
export const getAnswersWith = ({ id }: Pick<Finding, 'id'>, { tallyByFinding }: RunTallies): ReadonlySet<string> =>
  tallyByFinding.get(id)?.answers ?? new Set();

/** At most this many different answers to one question are counted: a bank may answer differently each time. */
const MAX_COUNTED_ANSWERS = 600;

export function countObservation(
  { observations }: RunTallies,
  observation: Omit<Line<'observation'>, 'line'> & { readonly count?: number },
): void {
  const { point, operation, question = null, answer, count = 1, exchange, control = null } = observation;
  const key = `${point} ${operation} ${question === null ? '' : renderQuestion(question)}`;
  const { answers } = getOrSet(observations, key, () => ({ point, operation, question, answers: new Map() }));
  const answerText = renderAnswer(answer);
  if (answers.size >= MAX_COUNTED_ANSWERS && !answers.has(answerText)) return;
  const tally = getOrSet(answers, answerText, () => ({ count: 0, exchange, entries: new Map(), answer, control }));
  tally.count += count;
  tally.control ??= control;
}

/** The data from which the clauses, the verdict and the reasons of a run are made. */
export interface RunContext {
  readonly facts: RunFacts;
  readonly tallies: RunTallies;
  readonly operations: readonly OperationReport[];
  readonly errors: readonly SuiteError[];
  readonly interrupted: string | null;
}

export interface JudgedRun extends RunContext {
  readonly clauses: readonly ClauseReport[];
  readonly findings: readonly Finding[];
}
