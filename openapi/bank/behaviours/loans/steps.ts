/** Judges that a step that comes too early and a step that is repeated change nothing if the bank refuses them. */
import { defineLevels } from '../../../clauses/clause.ts';
import { statesSource } from '../../clauses/loans.ts';
import { hasErrors, isCrash } from '../../../history/answers.ts';
import { getOperationName } from '../../../contract/operations.ts';
import { isPending } from '../../history/outcome-texts.ts';
import { isDefinitiveRefusal, isRefusal } from '../../../model/outcome.ts';
import { maskNumbers } from '../../../util/truncate.ts';
import { broken, compared, kept, notTested } from '../../../behaviours/behaviour.ts';
import { list, reply, word, type Judged } from '../../../behaviours/evidence.ts';
import type { OperationId } from '../../../model/exchange.ts';
import { makeOutcomeTests, readOutcome } from './outcome-history.ts';

/** At least this many failures count. Fewer may be accidents, for example if every third disbursement fails at this bank. */
const MIN_FAILURES = 3;
const MIN_SUCCESSES = 2;
/** At least this many outcomes must change, because somebody may have changed a single outcome by hand. */
const MIN_CHANGED_OUTCOMES = 2;

type AnyReply = Judged<OperationId>;
type Query = Judged<'queryDisbursement'>;

const hasSucceeded = ({ accepted, body, data }: AnyReply): boolean =>
  accepted && !hasErrors(body) && !isPending((data as { readonly result?: unknown }).result);

const { robust, money } = defineLevels('loans');

/**
 * After the early step, the steps are sent in the right order. `end`: the outcome of their disbursement, or the first answer that
 * refuses one of them. `what`: the early step, in words.
 */
export const earlyStepHarmless = compared({
  id: 'loans.early-step.harmless',
  clause: robust(
    statesSource,
    'After the bank refused a step that came too early, the steps still work in the right order.',
  ),
  control: 'The same steps work without the early step.',
  evidence: { withEarly: list({ early: reply(), end: reply() }), without: list(reply()), what: word },
  judge({ withEarly: sequencesWithEarlyStep, without: lastAnswersWithout, what: earlyStepText }) {
    const [firstSequence] = sequencesWithEarlyStep;
    const failedSequences = sequencesWithEarlyStep.filter(({ end: lastAnswer }) => !hasSucceeded(lastAnswer));
    const lastFailure = failedSequences.at(-1)?.end;
    if (firstSequence === undefined || !sequencesWithEarlyStep.every(({ early }) => isDefinitiveRefusal(early)))
      return notTested(`the bank did not refuse ${earlyStepText}`);
    if (lastFailure === undefined) return kept(firstSequence.end);
    if (failedSequences.length < MIN_FAILURES || failedSequences.length < sequencesWithEarlyStep.length)
      return notTested(`the steps after ${earlyStepText} did not fail each time`);
    if (lastAnswersWithout.length < MIN_SUCCESSES || !lastAnswersWithout.every(hasSucceeded))
      return notTested('the same steps without the early step did not work each time');
    return broken(lastFailure, {
      expected: `a disbursement that works after ${earlyStepText}, as without it`,
      contrast: lastAnswersWithout.at(-1),
    });
  },
});

/** True if a repetition must change nothing. The second disbursement that a bank accepts is a new step. */
const mustChangeNothing = (repeatedAnswer: AnyReply): boolean =>
  isDefinitiveRefusal(repeatedAnswer) || (repeatedAnswer.accepted && repeatedAnswer.operation !== 'disburse');

/** True if both queries returned an outcome, with the same text but for numbers. */
const haveSameText = (query: Query, otherQuery: Query): boolean =>
  query.accepted &&
  otherQuery.accepted &&
  maskNumbers(String(readOutcome(query))) === maskNumbers(String(readOutcome(otherQuery)));

/** Returns the tick of the session at which a query was answered. */
const getAnswerTick = ({ exchange: { ticks: [, answerTick] = [0, 0] } }: Query): number => answerTick;

/**
 * `before`, `after`: queries of one disbursement around the repeated step. `earlier`: a query of another, older disbursement. Its
 * text shows which text is final. `told`: all outcomes of the run.
 */
export const outcomeStaysAfterRepeat = compared({
  id: 'loans.repeated-step.outcome-stays',
  clause: money(statesSource, 'A repeated step of a loan does not change the final outcome of its disbursement.'),
  control: 'Another disbursement keeps the same final outcome text.',
  evidence: {
    repeats: list({
      before: reply('queryDisbursement'),
      repeat: reply(),
      after: reply('queryDisbursement'),
      earlier: reply('queryDisbursement'),
    }),
    told: list(reply('queryDisbursement')),
  },
  judge({ repeats: comparisons, told: allQueries }) {
    const testedComparisons = comparisons.filter(
      ({ before: queryBefore, repeat: repeatedAnswer, after: queryAfter, earlier: queryOfOther }) => {
        const earlierQueries = allQueries.filter((query) => getAnswerTick(query) < getAnswerTick(queryBefore));
        const { isSettled } = makeOutcomeTests(earlierQueries);
        const isAnswered = queryAfter.accepted || isRefusal(queryAfter) || isCrash(queryAfter);
        const isOutcomeFinal = isSettled(queryBefore) && haveSameText(queryOfOther, queryBefore);
        return mustChangeNothing(repeatedAnswer) && isAnswered && isOutcomeFinal;
      },
    );
    const changedComparisons = testedComparisons.filter(
      ({ before: queryBefore, after: queryAfter }) => !haveSameText(queryBefore, queryAfter),
    );
    const unchangedComparison = testedComparisons.find((comparison) => !changedComparisons.includes(comparison));
    const [firstChanged] = changedComparisons;
    const { length: changedCount } = changedComparisons.filter(
      ({ repeat: repeatedAnswer }) => repeatedAnswer.operation === firstChanged?.repeat.operation,
    );
    if (firstChanged !== undefined && changedCount >= MIN_CHANGED_OUTCOMES) {
      const { before: queryBefore, repeat: repeatedAnswer, after: queryAfter } = firstChanged;
      const outcomeAfter = queryAfter.accepted ? `"${String(readOutcome(queryAfter))}"` : `status ${queryAfter.status}`;
      return broken(queryAfter, {
        pointer: queryAfter.accepted ? '/data/result' : 'response/status',
        expected: `"${String(readOutcome(queryBefore))}", as before the step was repeated`,
        received: `${outcomeAfter} after ${getOperationName(repeatedAnswer.operation)} was sent again`,
        contrast: queryBefore,
        count: changedCount,
      });
    }
    return unchangedComparison === undefined
      ? notTested('no step was repeated after an outcome that is known to be final')
      : kept(unchangedComparison.after);
  },
});
