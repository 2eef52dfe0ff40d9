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
  type Outcome,
  type Outcomes,
  type Stage,
} from '../../history/outcome-stages.ts';
import { isPending, makeFollowedTest, type OutcomeQuery } from '../../history/outcome-texts.ts';
import { groupBy, partition } from '../../../util/group-by.ts';
import { maskNumbers } from '../../../util/truncate.ts';
import { judgeDuplicates, mergeBroken } from '../../../behaviours/agreement.ts';
import { broken, kept, notTested, ofRun, type Verdict } from '../../../behaviours/behaviour.ts';
import type { Judged } from '../../../behaviours/evidence.ts';
import { findTakenBack } from './taken-back.ts';

type Query = Judged<'queryDisbursement'>;

export const readOutcome = ({ data }: Pick<Query, 'data'>): unknown => data.result;
export const readApplicationId = ({ exchange }: Pick<Query, 'exchange'>): string =>
  String(exchange.request.asked['application_id']);

export const listOutcomeTexts = (queries: readonly Query[]): readonly OutcomeQuery[] =>
  queries.map((query) => ({
    values: query.exchange.request.asked,
    result: String(readOutcome(query)),
    sentAt: query.exchange.startedAt,
  }));

/**
 * Returns tests for outcomes. `queries`: answers that show which texts are final.
 * - `wasFollowed`: a different text came after the text, for at least two applications.
 * - `isSettled`: the text does not say that the bank still works, and `wasFollowed` is false for the text.
 * - `isMade`: the outcome is settled and has no errors.
 */
export function makeOutcomeTests(queries: readonly Query[]) {
  const wasFollowed = makeFollowedTest(listOutcomeTexts(queries));
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

const orNotTested = (verdicts: readonly Verdict[], reason: string): readonly Verdict[] =>
  verdicts.length > 0 ? verdicts : [notTested(reason)];

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
    const verdicts = [...groupBy(outcomes, ({ text }) => text)].flatMap(
      ([text, outcomesWithText]): readonly Verdict[] => {
        const outcomesWithErrors = outcomesWithText.filter(({ errors }) => errors);
        const outcomesWithoutErrors = outcomesWithText.filter(({ errors }) => !errors);
        const [withErrors, withoutErrors] = [outcomesWithErrors[0], outcomesWithoutErrors[0]];
        if (outcomesWithText.length < 2) return [];
        if (withErrors === undefined || withoutErrors === undefined)
          return [kept(outcomesWithText[0], { count: outcomesWithText.length })];
        return [
          broken(withErrors, {
            contrast: withoutErrors,
            pointer: RESULT_POINTER,
            expected: 'one text either with errors or without',
            received: `"${text}" both with errors and without`,
            count: Math.min(outcomesWithErrors.length, outcomesWithoutErrors.length),
          }),
        ];
      },
    );
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
      const firstErrorIndex = outcomes.findIndex(({ errors }) => errors);
      const [firstWithErrors, laterOutcomes] = [outcomes[firstErrorIndex], outcomes.slice(firstErrorIndex + 1)];
      if (firstWithErrors === undefined || laterOutcomes.length === 0) return [];
      const laterWithoutErrors = laterOutcomes
        .filter(({ errors }) => !errors)
        .map((outcome) => ({ answer: outcome, contrast: firstWithErrors }));
      if (laterWithoutErrors.length === 0) return [kept(firstWithErrors, { count: laterOutcomes.length })];
      return mergeBroken(laterWithoutErrors, () => ({
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
      ([applicationId, outcomesOfApplication]) => {
        const firstOutcome = outcomesOfApplication.reduce((a, b) => (b.at < a.at ? b : a));
        if (changes.some((change) => change.application === applicationId && change.at > firstOutcome.from)) return [];
        const laterMissingOutcomes = missingOutcomes.filter(
          (query) => query.application === applicationId && query.from > firstOutcome.at,
        );
        if (laterMissingOutcomes.length === 0)
          return outcomesOfApplication.length > 1
            ? [kept(firstOutcome, { count: outcomesOfApplication.length - 1 })]
            : [];
        return mergeBroken(
          laterMissingOutcomes.map((query) => ({ answer: query, contrast: firstOutcome })),
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
const findRepeatedStageIndex = (stages: readonly Stage[]): number =>
  stages.findIndex(({ name }, index) => stages.slice(0, index).some((earlierStage) => earlierStage.name === name));

/** Returns the texts from the first stage with the repeated name until the repetition, in order: A and B for A, B, A. Empty if none repeats. */
function listTextsBeforeReturn(stages: readonly Stage[], repeatedIndex: number): readonly string[] {
  if (repeatedIndex < 0) return [];
  const firstIndex = stages.findIndex(({ name }) => name === stages[repeatedIndex]?.name);
  return [...new Set(stages.slice(firstIndex, repeatedIndex).map(({ name }) => name))].sort();
}

/**
 * Returns a test whether applications end with a text: at least half as many as had the text and ended with another one. Two texts that
 * alternate before the end both mean “in progress”. The run ends before some applications have left such a text.
 */
function makeLastTextTest(outcomes: Outcomes): (text: string) => boolean {
  const texts = [...groupBy(outcomes, ({ application }) => application).values()].flatMap((ofApplication) => {
    const outcomesInOrder = ofApplication.toSorted((a, b) => a.from - b.from);
    const lastText = readText(outcomesInOrder.at(-1) as Outcome);
    return [...new Set(outcomesInOrder.map(readText))].map((text) => ({ text, isLast: text === lastText }));
  });
  const textsByName = groupBy(texts, ({ text }) => text);
  return (text) => {
    const [lastTexts, leftTexts] = partition(textsByName.get(text) ?? [], ({ isLast }) => isLast);
    return 2 * lastTexts.length >= leftTexts.length;
  };
}

/** Returns the texts in the last third of the outcomes. If a bank changes its texts during the run, the old texts are not among them. */
function listLateTexts(outcomes: Outcomes): ReadonlySet<string> {
  const outcomesInOrder = outcomes.toSorted((a, b) => a.from - b.from);
  return new Set(
    outcomesInOrder.slice(Math.floor((2 * outcomesInOrder.length) / 3)).map(({ text }) => maskNumbers(text)),
  );
}

/**
 * A text is final if most applications with this text kept it to the end, over more queries and for a much longer time than this
 * application. Example: the texts of three applications are
 * 1. “processing”, “paid”, “paid”: kept,
 * 2. “processing”, “paid”, “rejected”: broken if “paid” is final, because a final text changed,
 * 3. “processing”, “paid”, “processing”: broken, because the outcome returned to an earlier text.
 * A return is no fault if the bank tries disbursements again: the same texts repeat for an application, and its last text stays. Nor if
 * no application ends with one of the texts: two machines may have different words for “in progress”.
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
    const takenBackApplicationIds = new Set(findTakenBack(run).map(({ answer }) => answer.application));
    const outcomesByApplication = collectHistories(run).map(({ outcomes }) => outcomes);
    const stagesByApplication = outcomesByApplication.map((outcomes) => listStages(outcomes, readText));
    const { isFinal, isLeft: isFollowed } = makeFinalTest(stagesByApplication);
    const textsOfRetries = new Set(
      stagesByApplication.flatMap((stages) => {
        const repeatedIndex = findRepeatedStageIndex(stages);
        const isLastTextFollowed = isFollowed(stages.at(-1)?.name ?? '');
        return repeatedIndex < 0 || isLastTextFollowed ? [] : [listTextsBeforeReturn(stages, repeatedIndex).join('\n')];
      }),
    );
    const lateTexts = listLateTexts(run.outcomes);
    const isLastText = makeLastTextTest(run.outcomes);
    const canBeKept = doPaymentsStay(outcomesByApplication);
    const closelyObservedHistories = cutHistoryAtLongPause(outcomesByApplication, MAX_UNSEEN);
    const verdicts = cutHistoryAtLongPause(outcomesByApplication, MAX_UNSEEN_BEFORE_RETURN).flatMap(
      (history, index): readonly Verdict[] => {
        const [firstOutcome] = history;
        if (firstOutcome === undefined || history.length < 2) return [];
        if (takenBackApplicationIds.has(firstOutcome.application)) return [];
        const stages = listStages(history, readText);
        const repeatedIndex = findRepeatedStageIndex(stages);
        const textsBeforeReturn = listTextsBeforeReturn(stages, repeatedIndex);
        const hasReturnedToText =
          textsBeforeReturn.some(isLastText) && !textsOfRetries.has(textsBeforeReturn.join('\n'));
        const closeStages = listStages(closelyObservedHistories[index] ?? [], readText);
        const leftFinalIndex = closeStages.findIndex((stage, nth) => nth < closeStages.length - 1 && isFinal(stage));
        const afterFinalIndex = leftFinalIndex >= 0 ? leftFinalIndex + 1 : -1;
        const changedIndex = hasReturnedToText ? repeatedIndex : afterFinalIndex;
        const [stageBefore, stageAfter] = [stages[changedIndex - 1], stages[changedIndex]];
        if (stageBefore === undefined || stageAfter === undefined)
          return canBeKept && showsFinalText(history) ? [kept(firstOutcome, { count: history.length - 1 })] : [];
        const [outcomeBefore, outcomeAfter] = [stageBefore.outcomes[0], stageAfter.outcomes[0]];
        const areBothUsedLate = lateTexts.has(stageBefore.name) && lateTexts.has(stageAfter.name);
        if (outcomeAfter.errors === outcomeBefore.errors && !areBothUsedLate) return [];
        const words = { expected: `"${outcomeBefore.text}" to stay`, received: `"${outcomeAfter.text}"` };
        return [broken(outcomeAfter, { contrast: outcomeBefore, pointer: RESULT_POINTER, ...words })];
      },
    );
    return orNotTested(verdicts, canBeKept ? 'no outcome that may be final was queried again' : NO_PAYMENT_STAYS);
  },
});
