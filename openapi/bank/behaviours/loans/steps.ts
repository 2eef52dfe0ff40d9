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

const hasWorked = ({ accepted, body, data }: AnyReply): boolean =>
  accepted && !hasErrors(body) && !isPending((data as { readonly result?: unknown }).result);

const { robust, money } = defineLevels('loans');

/** `end`: the outcome of the disbursement, or the first refusal of a step in the right order. `what`: the early step, in words. */
export const earlyStepHarmless = compared({
  id: 'loans.early-step.harmless',
  clause: robust(
    statesSource,
    'After the bank refused a step that came too early, the steps still work in the right order.',
  ),
  control: 'The same steps work without the early step.',
  evidence: { withEarly: list({ early: reply(), end: reply() }), without: list(reply()), what: word },
  judge({ withEarly, without, what }) {
    const [first] = withEarly;
    const failed = withEarly.filter(({ end }) => !hasWorked(end));
    const last = failed.at(-1)?.end;
    if (first === undefined || !withEarly.every(({ early }) => isDefinitiveRefusal(early)))
      return notTested(`the bank did not refuse ${what}`);
    if (last === undefined) return kept(first.end);
    if (failed.length < MIN_FAILURES || failed.length < withEarly.length)
      return notTested(`the steps after ${what} did not fail each time`);
    if (without.length < MIN_SUCCESSES || !without.every(hasWorked))
      return notTested('the same steps alone did not work each time');
    return broken(last, {
      expected: `a disbursement that works after ${what}, as without it`,
      contrast: without.at(-1),
    });
  },
});

/** True if a repetition must change nothing. The second disbursement that a bank accepts is a new step. */
const mustChangeNothing = (repeat: AnyReply): boolean =>
  isDefinitiveRefusal(repeat) || (repeat.accepted && repeat.operation !== 'disburse');

/** True if both queries returned an outcome, with the same text but for numbers. */
const haveSameText = (a: Query, b: Query): boolean =>
  a.accepted && b.accepted && maskNumbers(String(readOutcome(a))) === maskNumbers(String(readOutcome(b)));

/** Returns a test whether a query was answered before the query `before` was answered. */
const wasAnsweredBefore =
  ({ exchange: { ticks: [, until] = [0, 0] } }: Query) =>
  ({ exchange: { ticks: [, answered] = [0, 0] } }: Query): boolean =>
    answered < until;

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
  judge({ repeats, told }) {
    const tested = repeats.filter(({ before, repeat, after, earlier }) => {
      const { isSettled } = makeOutcomeTests(told.filter(wasAnsweredBefore(before)));
      const isAnswered = after.accepted || isRefusal(after) || isCrash(after);
      return mustChangeNothing(repeat) && isAnswered && isSettled(before) && haveSameText(earlier, before);
    });
    const changed = tested.filter(({ before, after }) => !haveSameText(before, after));
    const unchanged = tested.find((comparison) => !changed.includes(comparison));
    const [first] = changed;
    const { length: count } = changed.filter(({ repeat }) => repeat.operation === first?.repeat.operation);
    if (first !== undefined && count >= MIN_CHANGED_OUTCOMES) {
      const { before, repeat, after } = first;
      const outcomeAfter = after.accepted ? `"${String(readOutcome(after))}"` : `status ${after.status}`;
      return broken(after, {
        pointer: after.accepted ? '/data/result' : 'response/status',
        expected: `"${String(readOutcome(before))}", as before the step was repeated`,
        received: `${outcomeAfter} after ${getOperationName(repeat.operation)} was sent again`,
        contrast: before,
        count,
      });
    }
    return unchanged === undefined
      ? notTested('no step was repeated after an outcome that is known to be final')
      : kept(unchanged.after);
  },
});
