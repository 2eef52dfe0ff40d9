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
  /** The kinds of all its applications. */
  readonly kinds: readonly string[];
  /** The last reading of the limit after the disbursements. */
  readonly by: Look;
  readonly disbursed: Judged<'disburse'>;
  readonly amounts: readonly bigint[];
  /** The sum of the disbursements without errors. */
  readonly made: bigint;
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
  const findOpening = (id: string) => evidence.looks.find((look) => toIdText(look.data.application_id) === id);
  const last = [...ids].map((id) => evidence.outcomes.findLast((one) => readId(one) === id));
  const failed = last.map((one) => hasErrors(one?.body));
  const hasFailed = failed.includes(true);
  const made = sumCents(amounts.filter((_, nth) => failed[nth] === false));
  const kinds = [...ids].map((id) => readKind(findOpening(id) ?? span.after));
  const [kind = ''] = kinds;
  const mayMatter = contractEffect !== 'none' && mayContractMatter(span, ids, evidence);
  const hasContract = span.changes.some((one) => !isDisbursement(one));
  // A failure may give back what its contract held.
  const isUnclear = hasFailed
    ? contractEffect === 'lower' || (contractEffect === 'unknown' && (hasContract || span.fall < 0n))
    : mayMatter;
  if (isUnclear) return null;
  const texts = last.flatMap((one) => (one === undefined ? [] : maskNumbers(String(one.data.result))));
  return { ...span, kind, kinds, by: span.after, disbursed, amounts, made, hasFailed, texts };
}

/** Reads the disbursements whose effect on the limit is known; null if no account has a steady limit. */
function readSteps(evidence: Series, spans = readSpans(evidence)): readonly Step[] | null {
  if (spans === null) return null;
  const contractEffect = findContractEffect(spans);
  return spans.flatMap((span) => readStep(span, evidence, contractEffect) ?? []);
}

/**
 * Leaves out steps after a failure that may have lowered the limit: the bank may give this amount back at any time. Leaves out
 * nothing if all known failures left the limit as it was, nor after a failure whose amount the limit no longer lacks.
 */
function leaveOutAfterFailures(steps: readonly Step[], { disbursed, outcomes }: Series): readonly Step[] {
  const known = steps.filter(({ amounts, hasFailed, limit }) => hasFailed && amounts.length === 1 && limit > 0n);
  if (known.length > 0 && known.every(({ fall }) => fall === 0n)) return steps;
  const isSettled = ({ hasFailed, limit, fall, made }: Step): boolean => hasFailed && limit > 0n && fall === made;
  const settled = new Set(steps.filter(isSettled).flatMap(({ changes }) => changes.filter(isDisbursement).map(readId)));
  const failed = new Set(outcomes.filter((one) => hasErrors(one.body) && !settled.has(readId(one))).map(readId));
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

const getCurrency = (kind: string): string => kind.split(' ').at(-1) ?? '';
const readCurrency = ({ kind }: Step): string => getCurrency(kind);
const readBeyond = ({ fall, amounts }: Step): bigint => fall - sumCents(amounts);

/** Finds the fee that single disbursements of enough different amounts have in common. */
function findRule(steps: readonly Step[]): Rule | undefined {
  const single = steps.filter((one) => one.amounts.length === 1 && !one.hasFailed && readBeyond(one) >= 0n);
  const alike = [...groupBy(single, (one) => `${readCurrency(one)} ${readBeyond(one)}`).values()];
  const countAmounts = (same: readonly Step[]): number => new Set(same.map(({ amounts }) => amounts[0])).size;
  const [fitting] = alike.toSorted((a, b) => countAmounts(b) - countAmounts(a));
  if (fitting === undefined || countAmounts(fitting) < MIN_FITTING_AMOUNTS) return undefined;
  return { fee: readBeyond(fitting[0]), fitting };
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
  if (step.kinds.some((kind) => getCurrency(kind) !== readCurrency(all[0]))) return step.fall === 0n;
  const more = beyond - fee * BigInt(amounts.length);
  if (more === 0n) return false;
  // The limit fell by less than the amount.
  if (beyond < 0n) return true;
  // Each kind of applications may have a fee of its own.
  const hasKnownFees = step.kinds.every((kind) => fitting.some((one) => one.kind === kind));
  if (amounts.length > 1 && !hasKnownFees) return false;
  // The bank subtracted one amount twice.
  if (amounts.some((one) => more === one || more === one + fee)) return true;
  if (!hasKnownFees || amounts.length > 1 || more < 0n) return false;
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

/** The values of a disbursement that may explain its effect. */
const readRow = (step: Step): string =>
  [
    step.kind,
    ...step.changes
      .filter(isDisbursement)
      .map((one) => ['amount', 'customer_ip', 'contract_approved'].map((name) => readInput(one, name)).join(' '))
      .toSorted(),
  ].join(', ');

interface Contradictions {
  readonly fitting: Rule['fitting'];
  /** How many steps follow the rule exactly. */
  readonly following: number;
  readonly rule: Rule;
  readonly unexplained: readonly Step[];
  /** A single contradiction whose row was not disbursed again since. */
  readonly open: Step | undefined;
}

/** Compares all disbursements with the rule that single ones show. Returns the reason if there is no rule. */
function findContradictions(evidence: Series): Contradictions | string {
  const all = readSteps(evidence);
  if (all === null) return UNSTEADY_LIMIT_TEXT;
  const steps = leaveOutAfterFailures(all, evidence).filter(({ hasFailed }) => !hasFailed);
  const rule = findRule(steps);
  if (rule === undefined) return NO_RULE_TEXT;
  const { fitting } = rule;
  // A disbursement in other words may wait for something, such as the approval of its contract.
  const usual = steps.filter(({ texts }) => texts.every((text) => fitting.some((one) => one.texts.includes(text))));
  const unexplained = [...groupBy(usual, ({ account }) => account).values()]
    .filter((own) => !isMadeUpFor(own, rule))
    .flatMap((own) => own.filter((one) => isUnexplainedByFee(one, rule)));
  const [single] = unexplained.length === 1 ? unexplained : [];
  const isAskedAgain =
    single !== undefined &&
    steps.some((step) => getReadAt(step) > getReadAt(single) && readRow(step) === readRow(single));
  const following = usual.filter((step) => step.fall === computeDueAmount(step, rule)).length;
  return { fitting, following, rule, unexplained, open: isAskedAgain ? undefined : single };
}

/** Returns the disbursements of a single contradiction that must be asked again; null if there is none. */
export function findOpenContradiction(evidence: Series): readonly Judged<'disburse'>[] | null {
  const found = findContradictions(evidence);
  return (typeof found === 'string' ? undefined : found.open)?.changes.filter(isDisbursement) ?? null;
}

const { money } = defineLevels('loans');
const NOT_REPEATED_TEXT =
  'a disbursement changed the limit in a way that no other shows, and nobody could make such a disbursement again';
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
    const found = findContradictions(evidence);
    if (typeof found === 'string') return notTested(found);
    const { fitting, following, rule, unexplained, open } = found;
    if (open !== undefined) return notTested(NOT_REPEATED_TEXT);
    const [one] = unexplained;
    if (one === undefined || unexplained.length < MIN_CHANGES) return kept(fitting[0].by, { count: following });
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
    const changes = failures.filter(({ fall }) => fall !== 0n);
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
    const lower = findRepeatedChange(tested) ?? tested.find((span) => span.fall !== 0n && isBetweenEqualReadings(span));
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
