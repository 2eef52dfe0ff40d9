/** The outcomes of one application over time: errors stay, a final text stays, and an outcome does not disappear. */
import { defineLevels } from '../../clauses/clause.ts';
import { errorsSource, loanAnswerField, statesSource } from '../../clauses/loans.ts';
import { hasErrors } from '../../history/answers.ts';
import {
  collectHistories,
  cutHistoryAtLongPause,
  doPaymentsStay,
  listStages,
  makeFinalTest,
  MAX_UNSEEN,
  NO_PAYMENT_STAYS,
  readText,
  showsFinalText,
  type Outcomes,
  type Stage,
} from '../../history/outcome-stages.ts';
import { isPending, makeFollowedTest, type OutcomeQuery } from '../../history/outcome-texts.ts';
import { groupBy } from '../../util/group-by.ts';
import { maskNumbers } from '../../util/truncate.ts';
import { judgeDuplicates, mergeBroken } from '../agreement.ts';
import { broken, kept, notTested, ofRun, type Verdict } from '../behaviour.ts';
import type { Judged } from '../evidence.ts';
import { findTakenBack } from './taken-back.ts';

type Query = Judged<'queryDisbursement'>;

export const readOutcome = ({ data }: Pick<Query, 'data'>): unknown => data.result;
export const readApplicationId = ({ exchange }: Pick<Query, 'exchange'>): string =>
  String(exchange.request.asked['application_id']);

export const listTexts = (queries: readonly Query[]): readonly OutcomeQuery[] =>
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

const orNotTested = (verdicts: readonly Verdict[], why: string): readonly Verdict[] =>
  verdicts.length > 0 ? verdicts : [notTested(why)];

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
    const verdicts = collectHistories(run).flatMap(({ outcomes }): readonly Verdict[] => {
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

/** The longest unseen time for an outcome that returns to an earlier text: unseen texts between them do not matter. */
const MAX_UNSEEN_BEFORE_RETURN = 10_000;

const findRepeatedStage = (stages: readonly Stage[]): number =>
  stages.findIndex(({ name }, at) => stages.slice(0, at).some((earlier) => earlier.name === name));

function listTextsSinceRepeat(stages: readonly Stage[], at: number): string {
  const first = stages.findIndex(({ name }) => name === stages[at]?.name);
  return [...new Set(stages.slice(first, at).map(({ name }) => name))].sort().join('\n');
}

/** Texts in the last third of the outcomes. A bank that changes its words while the run lasts no longer uses the old ones there. */
function listLateTexts(outcomes: Outcomes): ReadonlySet<string> {
  const inOrder = outcomes.toSorted((a, b) => a.from - b.from);
  return new Set(inOrder.slice(Math.floor((2 * inOrder.length) / 3)).map(({ text }) => maskNumbers(text)));
}

/**
 * Final outcomes do not change. The outcome may change several times while the bank processes a disbursement. A text is final if
 * most applications with this text kept it to the end, over more queries and for a much longer time than this application. An
 * outcome must not return to an earlier text, unless the bank tries the disbursement again and a different text then stays.
 */
export const finalOutcome = ofRun({
  id: 'loans.outcome.final',
  clause: expected(
    statesSource,
    'After a disbursement has a final outcome text, this text does not change, apart from errors that come or go.',
  ),
  operation,
  control: 'The text is queried again, it does not say that the bank still works, and an outcome without errors stays.',
  judge(run) {
    const takenBack = new Set(findTakenBack(run).map(({ by }) => by.application));
    const histories = collectHistories(run).map(({ outcomes }) => outcomes);
    const all = histories.map((outcomes) => listStages(outcomes, readText));
    const { isFinal, isLeft } = makeFinalTest(all);
    const retries = new Set(
      all.flatMap((stages) => {
        const at = findRepeatedStage(stages);
        return at < 0 || isLeft(stages.at(-1)?.name ?? '') ? [] : [listTextsSinceRepeat(stages, at)];
      }),
    );
    const lateTexts = listLateTexts(run.outcomes);
    const canBeKept = doPaymentsStay(histories);
    const observed = cutHistoryAtLongPause(histories, MAX_UNSEEN);
    const verdicts = cutHistoryAtLongPause(histories, MAX_UNSEEN_BEFORE_RETURN).flatMap(
      (history, index): readonly Verdict[] => {
        const [first] = history;
        if (first === undefined || history.length < 2 || takenBack.has(first.application)) return [];
        const stages = listStages(history, readText);
        const returned = findRepeatedStage(stages);
        const seen = listStages(observed[index] ?? [], readText);
        const final = seen.findIndex((stage, at) => at < seen.length - 1 && isFinal(stage));
        const isBack = returned > 0 && !retries.has(listTextsSinceRepeat(stages, returned));
        const at = isBack ? returned : final >= 0 ? final + 1 : -1;
        const [before, after] = [stages[at - 1], stages[at]];
        if (before === undefined || after === undefined)
          return canBeKept && showsFinalText(history) ? [kept(first, { count: history.length - 1 })] : [];
        const [contrast, by] = [before.outcomes[0], after.outcomes[0]];
        const areBothUsed = lateTexts.has(before.name) && lateTexts.has(after.name);
        if (by.errors === contrast.errors && !areBothUsed) return [];
        const words = { expected: `"${contrast.text}" to stay`, received: `"${by.text}"` };
        return [broken(by, { contrast, pointer: RESULT_POINTER, ...words })];
      },
    );
    return orNotTested(verdicts, canBeKept ? 'no outcome that may be final was queried again' : NO_PAYMENT_STAYS);
  },
});
