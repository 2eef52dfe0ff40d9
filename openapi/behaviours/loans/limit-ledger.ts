/**
 * How disbursements lower the available limit of their account. The bank may choose whether, when and with which fee. Single
 * disbursements show this rule, and all disbursements must follow the rule. All amounts are in cents.
 */
import { defineLevels } from '../../clauses/clause.ts';
import { offerField } from '../../clauses/loans.ts';
import { getOperationName } from '../../contract/operations.ts';
import { hasErrors } from '../../history/answers.ts';
import type { OperationId } from '../../model/exchange.ts';
import { isDefinitiveRefusal } from '../../model/outcome.ts';
import { groupBy } from '../../util/group-by.ts';
import { toIdText } from '../../util/ids.ts';
import { maskNumbers } from '../../util/truncate.ts';
import { broken, compared, kept, notTested } from '../behaviour.ts';
import { list, reply, type Judged } from '../evidence.ts';
import {
  formatCents,
  readAmount,
  readInput,
  readKind,
  readLimit,
  readSpans,
  readTimes,
  selectWithin,
  series,
  type Look,
  type Series,
  type Span,
} from './account-limits.ts';

/** At least this many different amounts must fit a rule exactly, because a rule with a fee fits any two amounts. */
const MIN_FITTING_AMOUNTS = 3;
/** A single unexpected change of a limit may be another transaction on the account. */
const MIN_CHANGES = 2;
/** A single change counts only if this many readings of the limit before it, and as many after it, are equal. */
const MIN_EQUAL_LIMIT_READINGS = 2;

/** Milliseconds until the limit after a failure is read again. */
const MIN_HOLD_MS = 3000;

/** Disbursements of one account, between two readings of its limit. */
interface Step extends Span {
  readonly kind: string;
  /** The last reading of the limit after the disbursements. */
  readonly by: Look;
  readonly disbursed: Judged<'disburse'>;
  readonly amounts: readonly bigint[];
  readonly hasFailed: boolean;
  /** The outcome texts. */
  readonly texts: readonly string[];
}

const sumCents = (amounts: readonly bigint[]): bigint => amounts.reduce((all, one) => all + one, 0n);
const isDisbursement = (one: Span['changes'][number]): one is Judged<'disburse'> => one.operation === 'disburse';
const readId = (one: Pick<Look, 'exchange'>): string => readInput(one, 'application_id');

/** What contracts alone do to the limit. */
type ContractEffect = 'none' | 'unknown' | 'lower';

function findContractEffect(spans: readonly Span[]): ContractEffect {
  const alone = spans.filter(({ changes }) => changes.length > 0 && !changes.some(isDisbursement));
  if (alone.length === 0) return 'unknown';
  return alone.every(({ fall }) => fall === 0n) ? 'none' : 'lower';
}

/** True if a contract may explain a change of the limit: of another application, before the first reading, or for another amount. */
function mayContractMatter({ before, changes }: Span, ids: ReadonlySet<string>, { looks, contracts }: Series): boolean {
  const inside = changes.filter((one) => !isDisbursement(one));
  const areApplied = changes.filter(isDisbursement).every((one) => {
    const { amount } = one.exchange.request.asked;
    const opening = looks.find((look) => toIdText(look.data.application_id) === readId(one));
    return readAmount(opening?.exchange.request.asked['amount'] ?? amount) === readAmount(amount);
  });
  const isEarlier = (one: Series['contracts'][number]): boolean =>
    one.accepted && ids.has(readId(one)) && readTimes(one).from < readTimes(before).until;
  return !areApplied || inside.some((one) => !ids.has(readId(one))) || contracts.some(isEarlier);
}

/** Returns the disbursements between two readings of the limit; null if their effect alone is not known. */
function readStep(span: Span, evidence: Series, contractEffect: ContractEffect): Step | null {
  const accepted = span.changes.filter(isDisbursement);
  const [disbursed] = accepted;
  const ids = new Set(accepted.map(readId));
  const amounts = accepted.flatMap((one) => readAmount(one.exchange.request.asked['amount']) ?? []);
  // If one application has two disbursements, the effect of the second is unknown.
  if (disbursed === undefined || ids.size < accepted.length || amounts.length < accepted.length) return null;
  const last = [...ids].map((id) => evidence.outcomes.findLast((one) => readId(one) === id));
  const hasFailed = last.some((one) => hasErrors(one?.body));
  const own = evidence.looks.find((look) => ids.has(toIdText(look.data.application_id))) ?? span.after;
  const mayMatter = contractEffect !== 'none' && mayContractMatter(span, ids, evidence);
  const hasContract = span.changes.some((one) => !isDisbursement(one));
  // A failure may give back what its contract held.
  const isUnclear = hasFailed
    ? contractEffect === 'lower' || (contractEffect === 'unknown' && (hasContract || span.fall < 0n))
    : mayMatter;
  if (isUnclear) return null;
  const texts = last.flatMap((one) => (one === undefined ? [] : maskNumbers(String(one.data.result))));
  return { ...span, kind: readKind(own), by: span.after, disbursed, amounts, hasFailed, texts };
}

/** Reads the disbursements whose effect on the limit is known; null if no account has a steady limit. */
function readSteps(evidence: Series, spans = readSpans(evidence)): readonly Step[] | null {
  if (spans === null) return null;
  const contractEffect = findContractEffect(spans);
  return spans.flatMap((span) => readStep(span, evidence, contractEffect) ?? []);
}

/**
 * Leaves out steps after a failure that may have lowered the limit: the bank may give this amount back at any time. Leaves out
 * nothing if all known failures left the limit as it was.
 */
function leaveOutAfterFailures(steps: readonly Step[], { disbursed, outcomes }: Series): readonly Step[] {
  const known = steps.filter(({ amounts, hasFailed, limit }) => hasFailed && amounts.length === 1 && limit > 0n);
  if (known.length > 0 && known.every(({ fall }) => fall === 0n)) return steps;
  const failed = new Set(outcomes.filter(({ body }) => hasErrors(body)).map(readId));
  return steps.filter(
    ({ account, by, changes }) =>
      !disbursed.some(
        (one) =>
          failed.has(readId(one)) &&
          readInput(one, 'account_id') === account &&
          !changes.includes(one) &&
          readTimes(one).from < readTimes(by).from,
      ),
  );
}

const getReadAt = ({ by }: Step): number => readTimes(by).from;

interface Rule {
  readonly fee: bigint;
  readonly fitting: readonly [Step, ...Step[]];
}

const readCurrency = ({ kind }: Step): string => kind.split(' ').at(-1) ?? '';
const readBeyond = ({ fall, amounts }: Step): bigint => fall - sumCents(amounts);

/** Finds the fee that single disbursements of enough different amounts have in common. */
function findRule(steps: readonly Step[]): Rule | undefined {
  const single = steps.filter(
    (one) => one.amounts.length === 1 && !one.hasFailed && !one.isDisturbed && readBeyond(one) >= 0n,
  );
  const alike = [...groupBy(single, (one) => `${readCurrency(one)} ${readBeyond(one)}`).values()];
  const fitting = alike.find((same) => new Set(same.map(({ amounts }) => amounts[0])).size >= MIN_FITTING_AMOUNTS);
  return fitting && { fee: readBeyond(fitting[0]), fitting };
}

const computeDueAmount = ({ amounts }: Step, { fee }: Rule): bigint => sumCents(amounts) + fee * BigInt(amounts.length);

/** True if no fee explains the step: neither a fee that grows with the amount, nor a fee that starts at a higher amount. */
function isUnexplainedByFee(step: Step, { fee, fitting: all }: Rule): boolean {
  const { amounts, account } = step;
  const beyond = readBeyond(step);
  // A limit does not fall below zero.
  if (step.fall === step.limit && computeDueAmount(step, { fee, fitting: all }) > step.fall) return false;
  const fitting = all.filter((one) => one.account === account);
  // The bank may show at most a maximum: the shown limit changes only below the maximum.
  if (!fitting.some((one) => getReadAt(one) < getReadAt(step))) return false;
  // Another currency may be converted, but a disbursement always lowers the limit.
  if (readCurrency(step) !== readCurrency(all[0])) return step.fall === 0n;
  const more = beyond - fee * BigInt(amounts.length);
  if (more === 0n) return false;
  // The limit fell by less than the amount, or the bank subtracted one amount twice.
  if (beyond < 0n || amounts.some((one) => more === one || more === one + fee)) return true;
  // Each kind of applications may have a fee of its own.
  if (!fitting.some(({ kind }) => kind === step.kind) || amounts.length > 1 || more < 0n) return false;
  const amount = sumCents(amounts);
  return (
    fitting.some((one) => getReadAt(one) > getReadAt(step)) &&
    fitting.some((one) => sumCents(one.amounts) <= amount) &&
    fitting.some((one) => sumCents(one.amounts) >= amount)
  );
}

/** True if the next disbursements of the account corrected the limit, because the bank books late. */
const isMadeUpFor = (steps: readonly Step[], rule: Rule): boolean =>
  sumCents(steps.map((one) => one.fall - computeDueAmount(one, rule))) === 0n;

const isBetweenEqualReadings = ({ equalBefore, equalAfter }: Span): boolean =>
  Math.min(equalBefore, equalAfter) >= MIN_EQUAL_LIMIT_READINGS;

/** Returns the first change of the limit; undefined if there is only one. */
function findRepeatedChange<S extends Span>(spans: readonly S[]): S | undefined {
  const changed = spans.filter(({ fall }) => fall !== 0n);
  return changed.length >= MIN_CHANGES ? changed[0] : undefined;
}

const { money } = defineLevels('loans');
const NO_RULE_TEXT = 'fewer than three disbursements lowered the limit by one rule';
const UNSTEADY_LIMIT_TEXT = 'the limit changed without a disbursement, or a disbursement had no final outcome';

export const limitLedger = compared({
  id: 'loans.limit.ledger',
  clause: money(
    offerField('avaliable_limit'),
    'All disbursements lower the available limit of their account by the same rule, to the cent.',
  ),
  control: 'At least three single disbursements lower the limit by the same rule.',
  evidence: series,
  judge(evidence) {
    const all = readSteps(evidence);
    if (all === null) return notTested(UNSTEADY_LIMIT_TEXT);
    const steps = leaveOutAfterFailures(all, evidence).filter(({ hasFailed }) => !hasFailed);
    const rule = findRule(steps);
    if (rule === undefined) return notTested(NO_RULE_TEXT);
    const { fitting } = rule;
    // A disbursement in other words may wait for something, such as the approval of its contract.
    const usual = steps.filter(({ texts }) => texts.every((text) => fitting.some((one) => one.texts.includes(text))));
    const unexplained = [...groupBy(usual, ({ account }) => account).values()]
      .filter((own) => !isMadeUpFor(own, rule))
      .flatMap((own) => own.filter((one) => !one.isDisturbed && isUnexplainedByFee(one, rule)));
    const [one] = unexplained;
    if (one === undefined || unexplained.length < MIN_CHANGES) return kept(fitting[0].by, { count: fitting.length });
    return broken(one.by, {
      contrast: one.disbursed,
      pointer: '/data/infos/*/avaliable_limit',
      expected: `${formatCents(one.limit - computeDueAmount(one, rule))} left of ${formatCents(one.limit)} after a disbursement of ${one.amounts.map(formatCents).join(' and at once ')}, as ${fitting.length} others show`,
      received: formatCents(one.limit - one.fall),
      count: unexplained.length,
    });
  },
});

/**
 * True if the bank may hold the amount of a failed disbursement for a while: the failure did not stand in the first answer, and
 * no other failure left the limit as it was, or the limit was not read again some seconds later.
 */
function mayBeGivenBack({ account, disbursed }: Step, failures: readonly Step[], { looks, outcomes }: Series): boolean {
  const readings = looks.filter((look) => readLimit(look, account) !== null);
  const lastReadAt = Math.max(...readings.map(({ exchange }) => exchange.startedAt));
  if (lastReadAt - disbursed.exchange.startedAt < MIN_HOLD_MS) return true;
  const first = outcomes.find((one) => readId(one) === readId(disbursed));
  return !hasErrors(first?.body) && !failures.some(({ fall, limit }) => fall === 0n && limit > 0n);
}

export const failureCostsNothing = compared({
  id: 'loans.limit.failure-costs-nothing',
  clause: money(
    offerField('avaliable_limit'),
    'A disbursement that fails leaves the available limit of its account as it was.',
  ),
  control: 'Successful disbursements lower the limit of the account.',
  evidence: series,
  judge(evidence) {
    const steps = readSteps(evidence);
    if (steps === null) return notTested(UNSTEADY_LIMIT_TEXT);
    if (findRule(steps) === undefined) return notTested(NO_RULE_TEXT);
    const failures = steps.filter(({ hasFailed, amounts }) => hasFailed && amounts.length === 1);
    const steady = failures.find((one) => one.fall === 0n && isBetweenEqualReadings(one));
    const changes = failures.filter(({ fall, isDisturbed }) => fall !== 0n && !isDisturbed);
    const lasting = changes.filter((one) => !mayBeGivenBack(one, failures, evidence));
    const changed = lasting.find(isBetweenEqualReadings) ?? (lasting.length >= MIN_CHANGES ? lasting[0] : undefined);
    if (changed === undefined && changes.length > 0)
      return notTested(
        lasting.length === 0
          ? 'the bank may give back the limit of a failed disbursement later'
          : 'the limit was not read twice before the failure and twice after it',
      );
    if (changed === undefined)
      return steady === undefined
        ? notTested('no disbursement failed between equal readings of the limit')
        : kept(steady.by, { count: failures.length });
    return broken(changed.by, {
      contrast: changed.disbursed,
      pointer: '/data/infos/*/avaliable_limit',
      expected: `${formatCents(changed.limit)}, as before the disbursement that failed`,
      received: formatCents(changed.limit - changed.fall),
    });
  },
});

/** A check asks only whether a disbursement is possible. An accepted repetition of another step may be a new step. */
const mustCostNothing = (repeat: Judged<OperationId>): boolean =>
  isDefinitiveRefusal(repeat) || (repeat.accepted && repeat.operation === 'validateLoan');

/** `repeats`: steps of applications whose disbursement has a final outcome, sent again. */
export const repeatCostsNothing = compared({
  id: 'loans.repeated-step.costs-nothing',
  clause: money(
    offerField('avaliable_limit'),
    'A repeated check, and each repeated step that the bank refuses, leave the available limit as it was.',
  ),
  control: 'A disbursement lowers the limit of its account.',
  evidence: { ...series, repeats: list(reply()) },
  judge({ repeats: all, ...evidence }) {
    const repeats = all.filter(mustCostNothing);
    const accounts = new Set(all.map((one) => readInput(one, 'account_id')));
    const spans = readSpans(evidence, repeats);
    if (spans === null) return notTested(UNSTEADY_LIMIT_TEXT);
    if (!(readSteps(evidence, spans) ?? []).some(({ fall }) => fall > 0n))
      return notTested('no disbursement lowered the limit');
    const tested = spans.filter(
      (span) => accounts.has(span.account) && span.changes.length === 0 && selectWithin(span, repeats).length > 0,
    );
    const undisturbed = tested.filter(({ isDisturbed }) => !isDisturbed);
    const lower =
      findRepeatedChange(undisturbed) ?? undisturbed.find((span) => span.fall !== 0n && isBetweenEqualReadings(span));
    const steady = tested.find(({ fall }) => fall === 0n);
    if (lower === undefined)
      return steady === undefined
        ? notTested('no step was repeated between equal readings of the limit')
        : kept(steady.after, { count: tested.length });
    const sent = new Set(selectWithin(lower, repeats).map(({ operation }) => getOperationName(operation)));
    return broken(lower.after, {
      contrast: lower.before,
      pointer: '/data/infos/*/avaliable_limit',
      expected: `${formatCents(lower.limit)}, as before the step was repeated`,
      received: `${formatCents(lower.limit - lower.fall)} after ${[...sent].join(', ')} was sent again`,
    });
  },
});
