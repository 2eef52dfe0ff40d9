/** Judges the outcomes of one application over time: errors stay, a final text stays, and an outcome does not disappear. */
import { defineLevels } from '../../../clauses/clause.ts';
import { errorsSource, loanAnswerField, statesSource } from '../../clauses/loans.ts';
import { hasErrors } from '../../../history/answers.ts';
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
import { groupBy } from '../../../util/group-by.ts';
import { maskNumbers } from '../../../util/truncate.ts';
import { judgeDuplicates, mergeBroken } from '../../../behaviours/agreement.ts';
import { broken, kept, notTested, ofRun, type Verdict } from '../../../behaviours/behaviour.ts';
import type { Judged } from '../../../behaviours/evidence.ts';
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

/**
 * Returns tests for outcomes. `queries`: answers that show which texts are final.
 * - `wasFollowed`: a different text came after the text, for at least two applications.
 * - `isSettled`: the text does not say that the bank still works, and `wasFollowed` is false for the text.
 * - `isMade`: the outcome is settled and has no errors.
 */
export function makeOutcomeTests(queries: readonly Query[]) {
  const wasFollowed = makeFollowedTest(listTexts(queries));
  const isSettled = (answer: Query): boolean =>
    answer.accepted && !isPending(readOutcome(answer)) && !wasFollowed(readOutcome(answer));
  return {
    wasFollowed,
    isSettled,
    isMade: (answer: Query): boolean => isSettled(answer) && !hasErrors(answer.body),
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
    const verdicts = [...groupBy(outcomes, ({ text }) => text)].flatMap(([text, sameText]): readonly Verdict[] => {
      const withErrors = sameText.filter(({ errors }) => errors);
      const withoutErrors = sameText.filter(({ errors }) => !errors);
      const [by, contrast] = [withErrors[0], withoutErrors[0]];
      if (sameText.length < 2) return [];
      if (by === undefined || contrast === undefined) return [kept(sameText[0], { count: sameText.length })];
      return [
        broken(by, {
          contrast,
          pointer: RESULT_POINTER,
          expected: 'one text either with errors or without',
          received: `"${text}" both with errors and without`,
          count: Math.min(withErrors.length, withoutErrors.length),
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
      const firstIndex = outcomes.findIndex(({ errors }) => errors);
      const [first, later] = [outcomes[firstIndex], outcomes.slice(firstIndex + 1)];
      if (first === undefined || later.length === 0) return [];
      const withoutErrors = later.filter(({ errors }) => !errors).map((by) => ({ by, contrast: first }));
      if (withoutErrors.length === 0) return [kept(first, { count: later.length })];
      return mergeBroken(withoutErrors, () => ({
        pointer: '/errors',
        expected: 'the errors that were given before',
        received: 'no errors',
      }));
    });
    return orNotTested(verdicts, 'no outcome with errors was queried again');
  },
});

/** Leaves out an application that another request may have changed between the queries. */
export const foundAgain = ofRun({
  id: 'loans.outcome.found-again',
  clause: expected(
    statesSource,
    'If the bank returned the outcome of a disbursement, it also returns an outcome in later queries.',
  ),
  operation,
  control: 'The outcome is queried again, and no other request changes it.',
  judge({ outcomes, missingOutcomes, changes }) {
    const verdicts = [...groupBy(outcomes, ({ application }) => application)].flatMap(
      ([application, ofApplication]) => {
        const first = ofApplication.reduce((a, b) => (b.at < a.at ? b : a));
        if (changes.some((change) => change.application === application && change.at > first.from)) return [];
        const missing = missingOutcomes.filter(
          (answer) => answer.application === application && answer.from > first.at,
        );
        if (missing.length === 0)
          return ofApplication.length > 1 ? [kept(first, { count: ofApplication.length - 1 })] : [];
        return mergeBroken(
          missing.map((by) => ({ by, contrast: first })),
          () => ({ expected: 'the outcome that was given before', received: 'a refusal' }),
        );
      },
    );
    return orNotTested(verdicts, 'no outcome was queried twice without another request in between');
  },
});

/** Milliseconds. The longest pause between two queries, if the outcome returns to an earlier text: unseen texts do not matter. */
const MAX_UNSEEN_BEFORE_RETURN = 10_000;

/** Returns the index of the first stage that an earlier stage has the name of: 2 for the stages A, B, A. -1 if there is none. */
const findRepeatedStage = (stages: readonly Stage[]): number =>
  stages.findIndex(({ name }, index) => stages.slice(0, index).some((earlier) => earlier.name === name));

/** Returns the texts from the first stage with the repeated name until the repetition, as one text: A and B for A, B, A. */
function joinTextsBeforeReturn(stages: readonly Stage[], repeated: number): string {
  const first = stages.findIndex(({ name }) => name === stages[repeated]?.name);
  return [...new Set(stages.slice(first, repeated).map(({ name }) => name))].sort().join('\n');
}

/** Returns the texts in the last third of the outcomes. If a bank changes its texts during the run, the old texts are not among them. */
function listLateTexts(outcomes: Outcomes): ReadonlySet<string> {
  const inOrder = outcomes.toSorted((a, b) => a.from - b.from);
  return new Set(inOrder.slice(Math.floor((2 * inOrder.length) / 3)).map(({ text }) => maskNumbers(text)));
}

/**
 * A text is final if most applications with this text kept it to the end, over more queries and for a much longer time than this
 * application. Example: the texts of three applications are
 * 1. “processing”, “paid”, “paid”: kept,
 * 2. “processing”, “paid”, “rejected”: broken if “paid” is final, because a final text changed,
 * 3. “processing”, “paid”, “processing”: broken, because the outcome returned to an earlier text.
 * A return is no fault if the bank tries disbursements again: the same texts repeat for an application, and its last text stays.
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
    const allStages = histories.map((outcomes) => listStages(outcomes, readText));
    const { isFinal, isLeft } = makeFinalTest(allStages);
    const textsOfRetries = new Set(
      allStages.flatMap((stages) => {
        const repeated = findRepeatedStage(stages);
        return repeated < 0 || isLeft(stages.at(-1)?.name ?? '') ? [] : [joinTextsBeforeReturn(stages, repeated)];
      }),
    );
    const lateTexts = listLateTexts(run.outcomes);
    const canBeKept = doPaymentsStay(histories);
    const closelyObserved = cutHistoryAtLongPause(histories, MAX_UNSEEN);
    const verdicts = cutHistoryAtLongPause(histories, MAX_UNSEEN_BEFORE_RETURN).flatMap(
      (history, index): readonly Verdict[] => {
        const [first] = history;
        if (first === undefined || history.length < 2 || takenBack.has(first.application)) return [];
        const stages = listStages(history, readText);
        const repeated = findRepeatedStage(stages);
        const isReturn = repeated > 0 && !textsOfRetries.has(joinTextsBeforeReturn(stages, repeated));
        const closeStages = listStages(closelyObserved[index] ?? [], readText);
        const leftFinal = closeStages.findIndex((stage, nth) => nth < closeStages.length - 1 && isFinal(stage));
        const afterFinal = leftFinal >= 0 ? leftFinal + 1 : -1;
        const changed = isReturn ? repeated : afterFinal;
        const [before, after] = [stages[changed - 1], stages[changed]];
        if (before === undefined || after === undefined)
          return canBeKept && showsFinalText(history) ? [kept(first, { count: history.length - 1 })] : [];
        const [contrast, by] = [before.outcomes[0], after.outcomes[0]];
        const areBothUsedLate = lateTexts.has(before.name) && lateTexts.has(after.name);
        if (by.errors === contrast.errors && !areBothUsedLate) return [];
        const texts = { expected: `"${contrast.text}" to stay`, received: `"${by.text}"` };
        return [broken(by, { contrast, pointer: RESULT_POINTER, ...texts })];
      },
    );
    return orNotTested(verdicts, canBeKept ? 'no outcome that may be final was queried again' : NO_PAYMENT_STAYS);
  },
});
