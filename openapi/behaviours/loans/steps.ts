/** Steps that come too early, and steps that are repeated, change nothing if the bank refuses them. */
import { defineLevels } from '../../clauses/clause.ts';
import { statesSource } from '../../clauses/loans.ts';
import { hasErrors, isCrash } from '../../history/answers.ts';
import { getOperationName } from '../../contract/operations.ts';
import { isPending } from '../../history/outcome-texts.ts';
import { isDefinitiveRefusal, isRefusal } from '../../model/outcome.ts';
import { maskNumbers } from '../../util/truncate.ts';
import { broken, compared, kept, notTested } from '../behaviour.ts';
import { list, reply, word, type Judged } from '../evidence.ts';
import type { OperationId } from '../../model/exchange.ts';
import { makeOutcomeTests, readOutcome } from './outcome-history.ts';

/** Fewer failures may be accidents, for example if every second or third disbursement fails at this bank. */
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

const areAlike = (one: Query, other: Query): boolean =>
  one.accepted && other.accepted && maskNumbers(String(readOutcome(one))) === maskNumbers(String(readOutcome(other)));

const wasAnsweredBefore =
  ({ exchange: { ticks: [, until] = [0, 0] } }: Query) =>
  ({ exchange: { ticks: [, answered] = [0, 0] } }: Query): boolean =>
    answered < until;

/** `earlier`: another disbursement, queried at the same time. The text of this outcome shows which text is final. */
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
      return mustChangeNothing(repeat) && isAnswered && isSettled(before) && areAlike(earlier, before);
    });
    const changed = tested.filter(({ before, after }) => !areAlike(before, after));
    const same = tested.find((one) => !changed.includes(one));
    const [one] = changed;
    const { length: count } = changed.filter(({ repeat }) => repeat.operation === one?.repeat.operation);
    if (one !== undefined && count >= MIN_CHANGED_OUTCOMES)
      return broken(one.after, {
        pointer: one.after.accepted ? '/data/result' : 'response/status',
        expected: `"${String(readOutcome(one.before))}", as before the step was repeated`,
        received: `${one.after.accepted ? `"${String(readOutcome(one.after))}"` : `status ${one.after.status}`} after ${getOperationName(one.repeat.operation)} was sent again`,
        contrast: one.before,
        count,
      });
    return same === undefined
      ? notTested('no step was repeated after an outcome that is known to be final')
      : kept(same.after);
  },
});
