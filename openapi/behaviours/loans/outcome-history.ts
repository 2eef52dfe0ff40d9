/** The outcomes of one application over time: errors stay, a final text stays, and an outcome does not disappear. */
import { defineLevels } from '../../clauses/clause.ts';
import { errorsSource, loanAnswerField, statesSource } from '../../clauses/loans.ts';
import { hasErrors } from '../../history/answers.ts';
import { isConclusive, isPending, makeFollowedTest, type OutcomeQuery } from '../../history/outcome-texts.ts';
import { groupBy } from '../../util/group-by.ts';
import { maskNumbers } from '../../util/truncate.ts';
import { judgeDuplicates, mergeBroken } from '../agreement.ts';
import { broken, compared, kept, notTested, ofRun, type Verdict } from '../behaviour.ts';
import { list, reply, type Judged } from '../evidence.ts';
import type { Run, RunRecord } from '../../model/record.ts';

type Query = Judged<'queryDisbursement'>;

export const readOutcome = ({ data }: Pick<Query, 'data'>): unknown => data.result;
export const readApplicationId = ({ exchange }: Pick<Query, 'exchange'>): string =>
  String(exchange.request.asked['application_id']);

const listTexts = (queries: readonly Query[]): readonly OutcomeQuery[] =>
  queries.map((query) => ({
    values: query.exchange.request.asked,
    result: String(readOutcome(query)),
    at: query.exchange.startedAt,
  }));

/** Returns tests for outcomes. `isSettled`: not pending, and no other text followed. `isMade`: settled without errors. */
export function makeOutcomeTests(told: readonly Query[]) {
  const wasFollowed = makeFollowedTest(listTexts(told));
  const isSettled = (reply: Query): boolean =>
    reply.accepted && !isPending(readOutcome(reply)) && !wasFollowed(readOutcome(reply));
  return {
    wasFollowed,
    isSettled,
    isMade: (reply: Query): boolean => isSettled(reply) && !hasErrors(reply.body),
  };
}

const { expected } = defineLevels('loans');
const operation = 'queryDisbursement';
const RESULT_POINTER = '/data/result';

export const applicationIdDistinct = ofRun({
  id: 'loans.application.id.distinct',
  clause: expected(loanAnswerField('application_id'), 'Each loan request gets a new application id.'),
  operation: 'requestLoan',
  control: 'The run opens at least two applications.',
  judge: ({ applications }) =>
    judgeDuplicates(
      applications,
      ({ id }) => id,
      {
        pointer: '/data/application_id',
        expected: 'a new id for a new application',
        received: 'the id of another application',
      },
      'the run opened fewer than two applications',
    ),
});

type Outcome = RunRecord<'outcomes'>;
type Outcomes = readonly Outcome[];

const orNotTested = (verdicts: readonly Verdict[], why: string): readonly Verdict[] =>
  verdicts.length > 0 ? verdicts : [notTested(why)];

export const textAndErrors = ofRun({
  id: 'loans.outcome.text-and-errors',
  clause: expected(
    errorsSource,
    'If one answer with an outcome text has errors, all answers with the same outcome text have errors.',
  ),
  operation,
  control: 'The same outcome text comes at least twice, and an outcome has errors.',
  judge({ outcomes }) {
    if (!outcomes.some(({ errors }) => errors)) return [notTested('no outcome had errors')];
    const verdicts = [...groupBy(outcomes, ({ text }) => text)].flatMap(([text, same]): readonly Verdict[] => {
      const [withErrors, without] = [same.filter(({ errors }) => errors), same.filter(({ errors }) => !errors)];
      const [by, contrast] = [withErrors[0], without[0]];
      if (same.length < 2) return [];
      if (by === undefined || contrast === undefined) return [kept(same[0], { count: same.length })];
      return [
        broken(by, {
          contrast,
          pointer: RESULT_POINTER,
          expected: 'one text either with errors or without',
          received: `"${text}" both with errors and without`,
          count: Math.min(withErrors.length, without.length),
        }),
      ];
    });
    return orNotTested(verdicts, 'no outcome text came twice');
  },
});

export const errorsStay = ofRun({
  id: 'loans.outcome.errors-stay',
  clause: expected(
    errorsSource,
    'If an answer about a disbursement has errors, all later answers about this disbursement have errors.',
  ),
  operation,
  control: 'An outcome with errors is queried again.',
  judge(run) {
    const verdicts = [...collectHistories(run).values()].flatMap((outcomes): readonly Verdict[] => {
      const from = outcomes.findIndex(({ errors }) => errors);
      const [first, later] = [outcomes[from], outcomes.slice(from + 1)];
      if (first === undefined || later.length === 0) return [];
      const lost = later.filter(({ errors }) => !errors).map((by) => ({ by, contrast: first }));
      if (lost.length === 0) return [kept(first, { count: later.length })];
      return mergeBroken(lost, () => ({
        pointer: '/errors',
        expected: 'the errors that were given before',
        received: 'no errors',
      }));
    });
    return orNotTested(verdicts, 'no outcome with errors was queried again');
  },
});

/** An outcome does not disappear. An application is ignored if other requests may have changed it between the queries. */
export const foundAgain = ofRun({
  id: 'loans.outcome.found-again',
  clause: expected(
    statesSource,
    'If the bank returned the outcome of a disbursement, it also returns an outcome in later queries.',
  ),
  operation,
  control: 'The outcome is queried again, and no other request changes it.',
  judge({ outcomes, missingOutcomes, changes }) {
    const verdicts = [...groupBy(outcomes, ({ application }) => application)].flatMap(([application, own]) => {
      const first = own.reduce((a, b) => (b.at < a.at ? b : a));
      const isOfIt = (one: { readonly application: string }): boolean => one.application === application;
      if (changes.some((one) => isOfIt(one) && one.at > first.from)) return [];
      const missing = missingOutcomes.filter((one) => isOfIt(one) && one.from > first.at);
      if (missing.length === 0) return own.length > 1 ? [kept(first, { count: own.length - 1 })] : [];
      return mergeBroken(
        missing.map((by) => ({ by, contrast: first })),
        () => ({ expected: 'the outcome that was given before', received: 'a refusal' }),
      );
    });
    return orNotTested(verdicts, 'no outcome was queried twice without another request in between');
  },
});

/** Consecutive queries of one application with the same outcome text. */
interface Stage {
  readonly text: string;
  readonly outcomes: readonly [Outcome, ...Outcome[]];
  /** Milliseconds from the first query with this text to the first answer with another text, or to the last answer. */
  readonly lasted: number;
}

function listStages(outcomes: Outcomes): readonly Stage[] {
  const stages: { text: string; outcomes: [Outcome, ...Outcome[]]; lasted: number }[] = [];
  for (const outcome of outcomes) {
    const text = maskNumbers(outcome.text);
    const current = stages.at(-1);
    if (current !== undefined) current.lasted = outcome.at - current.outcomes[0].from;
    if (current?.text === text) current.outcomes.push(outcome);
    else stages.push({ text, outcomes: [outcome], lasted: outcome.at - outcome.from });
  }
  return stages;
}

/** A text is final only if other applications kept it this many times longer than the judged application. */
const MIN_DURATION_RATIO = 6;
/** If two answers are more than this many milliseconds apart, another text may have existed between them. */
const MAX_UNSEEN_MS = 250;
/** The same limit for an outcome that returns to an earlier text. It is longer, because unseen texts do not matter there. */
const MAX_UNSEEN_BEFORE_RETURN_MS = 10_000;

const findRepeatedStage = (stages: readonly Stage[]): number =>
  stages.findIndex(({ text }, at) => stages.slice(0, at).some((earlier) => earlier.text === text));

function listTextsSinceRepeat(stages: readonly Stage[], at: number): string {
  const first = stages.findIndex(({ text }) => text === stages[at]?.text);
  return [...new Set(stages.slice(first, at).map(({ text }) => text))].sort().join('\n');
}

function showsFinalText(history: Outcomes): boolean {
  const [before, last] = history.slice(-2);
  return before !== undefined && last !== undefined && before.text === last.text && !isPending(last.text);
}

const FINAL_CLAUSE = expected(
  statesSource,
  'After a disbursement has a final outcome text, this text does not change.',
);

/**
 * Final outcomes do not change. The outcome may change several times while the bank processes a disbursement. A text is final if
 * most applications with this text kept it to the end, over more queries and for a much longer time than this application. An
 * outcome must not return to an earlier text, unless the bank tries the disbursement again and a different text then stays.
 */
export const finalOutcome = ofRun({
  id: 'loans.outcome.final',
  clause: FINAL_CLAUSE,
  operation,
  control: 'The text is queried again, and it does not say that the bank still works.',
  judge(run) {
    const histories = [...collectHistories(run).values()];
    const all = histories.map(listStages);
    const byText = (stages: readonly Stage[]) => groupBy(stages, ({ text }) => text);
    const stayed = byText(all.flatMap((stages) => stages.slice(1).slice(-1)));
    const left = byText(all.flatMap((stages) => stages.slice(0, -1)));
    const isFinal = ({ text, outcomes, lasted }: Stage): boolean => {
      const keptLonger = (stayed.get(text) ?? []).filter(
        (other) => other.outcomes.length > outcomes.length && other.lasted > MIN_DURATION_RATIO * lasted,
      );
      return keptLonger.length > (left.get(text)?.length ?? 0);
    };
    const retries = new Set(
      all.flatMap((stages) => {
        const at = findRepeatedStage(stages);
        return at < 0 || left.has(stages.at(-1)?.text ?? '') ? [] : [listTextsSinceRepeat(stages, at)];
      }),
    );
    const observed = cutHistoryAtLongPause(histories, MAX_UNSEEN_MS);
    const cut = cutHistoryAtLongPause(histories, MAX_UNSEEN_BEFORE_RETURN_MS);
    const verdicts = cut.flatMap((history, index): readonly Verdict[] => {
      const [first] = history;
      if (first === undefined || history.length < 2) return [];
      const stages = listStages(history);
      const returned = findRepeatedStage(stages);
      const seen = listStages(observed[index] ?? []);
      const final = seen.findIndex((stage, at) => at < seen.length - 1 && isFinal(stage));
      const isBack = returned > 0 && !retries.has(listTextsSinceRepeat(stages, returned));
      const at = isBack ? returned : final >= 0 ? final + 1 : -1;
      const [contrast, by] = [stages[at - 1]?.outcomes[0], stages[at]?.outcomes[0]];
      if (contrast === undefined || by === undefined)
        return showsFinalText(history) ? [kept(first, { count: history.length - 1 })] : [];
      const words = { expected: `"${contrast.text}" to stay`, received: `"${by.text}"` };
      return [broken(by, { contrast, pointer: RESULT_POINTER, ...words })];
    });
    return orNotTested(verdicts, 'no outcome that may be final was queried again');
  },
});

const listPausesMs = (history: Outcomes): readonly number[] =>
  history.slice(1).map(({ from }, nth) => from - (history[nth]?.at ?? 0));

/** Cuts each history at the first pause above max(`leastMs`, 5 × the median pause): no query saw what changed. */
function cutHistoryAtLongPause(histories: readonly Outcomes[], leastMs: number): readonly Outcomes[] {
  const gaps = histories.flatMap(listPausesMs).toSorted((a, b) => a - b);
  const most = Math.max(leastMs, 5 * (gaps[Math.floor(gaps.length / 2)] ?? 0));
  return histories.map((history) => {
    const end = listPausesMs(history).findIndex((gap) => gap > most);
    return end < 0 ? history : history.slice(0, end + 1);
  });
}

/**
 * Groups the outcomes of each application, without overlapping queries. A request that changes the application begins a new
 * group.
 */
function collectHistories({ changes, outcomes }: Run): ReadonlyMap<string, Outcomes> {
  const changed = groupBy(changes, ({ application }) => application);
  const inOrder = outcomes.toSorted((a, b) => a.from - b.from);
  const histories = groupBy(inOrder, ({ application, from }) => {
    const before = changed.get(application)?.filter((one) => one.at <= from).length ?? 0;
    return `${application} ${before}`;
  });
  return new Map(
    [...histories].map(([key, history]) => {
      const apart: Outcome[] = [];
      for (const one of history) if (one.from >= (apart.at(-1)?.at ?? 0)) apart.push(one);
      return [key, apart];
    }),
  );
}

/** Words of texts that are not final. A failure may follow such a text. */
const PROVISIONAL_TEXT = /approv|grant|accept|process|onay/i;
/** The usual requests that change an application: a contract and a disbursement. */
const USUAL_CHANGE_COUNT = 2;
/** At least this many disbursements for comparison must still have the text. */
const MIN_CONTROLS = 3;
/** At least this many outcomes must change, because somebody may have changed a single outcome by hand. */
const MIN_CHANGED_OUTCOMES = 2;

export const lateFailure = compared({
  id: 'loans.outcome.final',
  way: 'late failure',
  clause: FINAL_CLAUSE,
  control: 'Other disbursements keep the same outcome text.',
  evidence: {
    followed: list(reply(operation)),
    told: list(reply(operation)),
    steps: list(reply('approveContract', 'disburse')),
  },
  judge({ followed, told, steps }) {
    const made = followed.filter(({ accepted, body }) => accepted && !hasErrors(body));
    const changed = followed.flatMap((by) => {
      if (!by.accepted || !hasErrors(by.body)) return [];
      const isOfIt = (other: Pick<typeof by, 'exchange'>): boolean =>
        readApplicationId(other) === readApplicationId(by);
      const own = steps.filter(isOfIt);
      const disbursed = own.filter((one) => one.operation === 'disburse');
      // After more requests, for example probes, the outcome may be about the last request.
      if (disbursed.length !== 1 || own.length > USUAL_CHANGE_COUNT) return [];
      const sentAt = disbursed[0]?.exchange.startedAt ?? Infinity;
      const before = told.filter(isOfIt).find((query) => {
        const text = readOutcome(query);
        return query.exchange.startedAt > sentAt && isConclusive(text) && !PROVISIONAL_TEXT.test(String(text));
      });
      const alike = made.filter((one) => readOutcome(one) === (before && readOutcome(before)));
      return before === undefined || alike.length < MIN_CONTROLS ? [] : [{ by, before, contrast: alike[0] }];
    });
    const [one] = changed;
    if (one === undefined || changed.length < MIN_CHANGED_OUTCOMES)
      return notTested('no two final outcomes changed to a failure');
    return broken(one.by, {
      pointer: RESULT_POINTER,
      expected: `"${String(readOutcome(one.before))}" to stay`,
      received: `"${String(readOutcome(one.by))}"`,
      contrast: one.contrast,
    });
  },
});
