/**
 * How disbursements lower the available limit of their account. The bank may choose whether, when and with which fee. Single
 * disbursements show this rule, and all disbursements must follow the rule. All amounts are in cents.
 */
import { defineLevels } from '../../clauses/clause.ts';
import { offerField } from '../../clauses/loans.ts';
import { hasErrors } from '../../history/answers.ts';
import { isPending } from '../../history/outcome-texts.ts';
import { isRefusal } from '../../model/outcome.ts';
import { getEntries } from '../../rules/entries.ts';
import { groupBy } from '../../util/group-by.ts';
import { isSameId, toIdText } from '../../util/ids.ts';
import { maskNumbers } from '../../util/truncate.ts';
import { broken, compared, kept, notTested } from '../behaviour.ts';
import { list, reply, type EvidenceOf, type Judged } from '../evidence.ts';

const parseCents = (text: string, pattern: RegExp): bigint | null => {
  const [, whole = '', cents = ''] = pattern.exec(text) ?? [];
  return whole === '' ? null : BigInt(whole.replaceAll(/\D/g, '') + cents.padEnd(2, '0'));
};

/** Returns the available limit of an account, in cents; null if the answer has no readable limit. */
export function readLimit(look: { readonly data: object }, account: unknown): bigint | null {
  const offer = getEntries((look.data as { infos?: unknown }).infos).find((one) =>
    isSameId(one['account_id'], account),
  );
  const text = String(offer?.['avaliable_limit']).trim();
  const limit = parseCents(text.replace(/^-/, ''), /^(\d[\d.,' ]*)[.,](\d\d)$/);
  return limit !== null && text.startsWith('-') ? -limit : limit;
}

const readAmount = (amount: unknown): bigint | null => parseCents(String(amount), /^(\d+)(?:\.(\d\d?))?$/);

export const formatCents = (cents: bigint): string => `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;

/** At least this many different amounts must fit a rule exactly, because a rule with a fee fits any two amounts. */
const MIN_FITTING_AMOUNTS = 3;
/** At least this many disbursements must contradict the rule. A single one may be another transaction on the account. */
const MIN_CONTRADICTING_DISBURSEMENTS = 2;
/** A failed disbursement counts only if this many readings of the limit before it, and as many after it, are equal. */
const MIN_EQUAL_LIMIT_READINGS = 2;

type Look = Judged<'requestLoan'>;
type Disbursed = Judged<'disburse'>;

/** The loan answers that show the limit, the disbursements, and their outcomes. */
const series = {
  looks: list(reply('requestLoan')),
  disbursed: list(reply('disburse')),
  outcomes: list(reply('queryDisbursement')),
};
type Series = EvidenceOf<typeof series>;

/** Disbursements of one account and one kind of application, between two readings of its limit. */
interface Step {
  readonly nth: number;
  readonly account: string;
  /** The two boolean fields and the currency of the application, as one text. */
  readonly kind: string;
  readonly looksBefore: readonly Look[];
  /** The last reading of the limit after the disbursements. */
  readonly by: Look;
  readonly looksAfter: readonly Look[];
  readonly disbursed: Disbursed;
  readonly amounts: readonly bigint[];
  readonly before: bigint;
  readonly fall: bigint;
  readonly hasFailed: boolean;
  /** The outcome texts. */
  readonly texts: readonly string[];
}

const readInput = ({ exchange }: Pick<Disbursed, 'exchange'>, name: string): string =>
  toIdText(exchange.request.asked[name]);
const getSentAt = ({ exchange }: Pick<Disbursed, 'exchange'>): number => exchange.ticks?.[0] ?? exchange.startedAt;
const readKind = (look: Look): string =>
  ['commercial_disbursement', 'disbursement_purpose', 'currency'].map((name) => readInput(look, name)).join(' ');
const sumCents = (amounts: readonly bigint[]): bigint => amounts.reduce((all, one) => all + one, 0n);

/** Readings of the limit by applications that show one limit, and the disbursements after them. */
interface Block {
  readonly kind: string;
  readonly looks: Look[];
  readonly sent: Disbursed[];
}

/** Lists the accounts, each with the readings of its limit and its disbursements in their order. */
const listAccounts = ({ looks, disbursed }: Series) =>
  [...groupBy(disbursed, (one) => readInput(one, 'account_id'))].map(([account, sent]) => {
    const shown = looks.filter((look) => readLimit(look, account) !== null);
    return { account, events: [...shown, ...sent].toSorted((a, b) => getSentAt(a) - getSentAt(b)) };
  });

type AccountSeries = ReturnType<typeof listAccounts>[number];

/** Returns a function that names the limit of a kind. Two kinds that showed equal limits in a row share one limit. */
function groupKinds(accounts: readonly AccountSeries[]): (kind: string) => string {
  const alike = new Set<string>();
  const different = new Set<string>();
  for (const { account, events } of accounts)
    for (const [nth, event] of events.entries()) {
      const before = events[nth - 1];
      if (before?.operation !== 'requestLoan' || event.operation !== 'requestLoan') continue;
      const kinds = [readKind(before), readKind(event)] as const;
      if (kinds[0] === kinds[1]) continue;
      if (readLimit(before, account) !== readLimit(event, account)) different.add(kinds[1]);
      else if (alike.size === 0 || kinds.some((kind) => alike.has(kind))) for (const kind of kinds) alike.add(kind);
    }
  return (kind) => (alike.has(kind) && !different.has(kind) ? 'one limit' : kind);
}

/** Groups the readings and the disbursements of one account. */
function listBlocks({ events }: AccountSeries, nameKind: (kind: string) => string): readonly Block[] {
  const blocks: Block[] = [];
  for (const event of events) {
    const last = blocks.at(-1);
    if (event.operation === 'disburse') last?.sent.push(event);
    else if (last?.sent.length === 0 && last.kind === nameKind(readKind(event))) last.looks.push(event);
    else blocks.push({ kind: nameKind(readKind(event)), looks: [event], sent: [] });
  }
  return blocks;
}

/** Returns the limit that all readings show; undefined if they differ. */
function readSteadyLimit(looks: readonly Look[], account: string): bigint | null | undefined {
  const [limit, ...others] = new Set(looks.map((one) => readLimit(one, account)));
  return others.length > 0 ? undefined : limit;
}

/** Returns the change of the limit; `unsteady` if it changed without a disbursement; null if the change is unknown. */
function readStep(block: Block, next: Block, { looks: all, outcomes }: Series, nth: number): Step | 'unsteady' | null {
  const accepted = block.sent.filter((one) => one.accepted);
  const [by, disbursed] = [next.looks.at(-1), accepted[0]];
  if (by === undefined || disbursed === undefined) return null;
  const account = readInput(disbursed, 'account_id');
  const [before, after] = [readSteadyLimit(block.looks, account), readSteadyLimit(next.looks, account)];
  const ids = new Set(accepted.map((one) => readInput(one, 'application_id')));
  const last = [...ids].map((id) => outcomes.findLast((one) => readInput(one, 'application_id') === id));
  const isKnown = block.sent.every((one) => one.accepted || isRefusal(one));
  const isOver = last.every((one) => one?.accepted === true && !isPending(one.data.result));
  if (before === undefined || after === undefined || !isKnown || !isOver) return 'unsteady';
  const amounts = accepted.flatMap((one) => readAmount(one.exchange.request.asked['amount']) ?? []);
  // If one application has two disbursements, the effect of the second is unknown.
  if (before === null || after === null || ids.size < accepted.length || amounts.length < accepted.length) return null;
  const readOpening = (one: Disbursed) =>
    all.find((look) => toIdText(look.data.application_id) === readInput(one, 'application_id'))?.exchange.request.asked;
  // A bank may hold the amount of the application from its contract on.
  const areApplied = accepted.every((one) => {
    const { amount } = one.exchange.request.asked;
    return readAmount(readOpening(one)?.['amount'] ?? amount) === readAmount(amount);
  });
  if (!areApplied) return null;
  const hasFailed = last.some((one) => hasErrors(one?.body));
  const looks = { looksBefore: block.looks, by, looksAfter: next.looks };
  const own = all.find((look) => ids.has(toIdText(look.data.application_id))) ?? by;
  const texts = last.flatMap((one) => (one === undefined ? [] : maskNumbers(String(one.data.result))));
  const sums = { amounts, before, fall: before - after };
  return { nth, account, kind: readKind(own), ...looks, disbursed, ...sums, hasFailed, texts };
}

/** Reads the steps of all accounts whose limit changes only through disbursements; null if there is no such account. */
function readSteps(series: Series): readonly Step[] | null {
  const accounts = listAccounts(series);
  const nameKind = groupKinds(accounts);
  const steady = accounts.flatMap((one) => {
    const blocks = listBlocks(one, nameKind);
    const steps = blocks.flatMap((block, nth) => {
      const next = blocks[nth + 1];
      return next?.kind === block.kind ? readStep(block, next, series, nth) : [];
    });
    return steps.includes('unsteady') ? [] : [steps.filter((step) => step !== null && step !== 'unsteady')];
  });
  return steady.length === 0 && accounts.length > 0 ? null : steady.flat();
}

interface Rule {
  readonly fee: bigint;
  readonly fitting: readonly [Step, ...Step[]];
}

const readCurrency = ({ kind }: Step): string => kind.split(' ').at(-1) ?? '';
const readBeyond = ({ fall, amounts }: Step): bigint => fall - sumCents(amounts);

/** Finds the fee that single disbursements of enough different amounts have in common. */
function findRule(steps: readonly Step[]): Rule | undefined {
  const single = steps.filter((one) => one.amounts.length === 1 && !one.hasFailed && readBeyond(one) >= 0n);
  const alike = [...groupBy(single, (one) => `${readCurrency(one)} ${readBeyond(one)}`).values()];
  const fitting = alike.find((same) => new Set(same.map(({ amounts }) => amounts[0])).size >= MIN_FITTING_AMOUNTS);
  return fitting && { fee: readBeyond(fitting[0]), fitting };
}

const computeDueAmount = ({ amounts }: Step, { fee }: Rule): bigint => sumCents(amounts) + fee * BigInt(amounts.length);

/** True if no fee explains the step: neither a fee that grows with the amount, nor a fee that starts at a higher amount. */
function isUnexplainedByFee(step: Step, { fee, fitting: all }: Rule): boolean {
  const { nth, amounts, account } = step;
  const beyond = readBeyond(step);
  // A limit does not fall below zero.
  if (step.fall === step.before && computeDueAmount(step, { fee, fitting: all }) > step.fall) return false;
  const fitting = all.filter((one) => one.account === account);
  // The bank may show at most a maximum: the shown limit changes only below the maximum.
  if (!fitting.some((one) => one.nth < nth)) return false;
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
    fitting.some((one) => one.nth > nth) &&
    fitting.some((one) => sumCents(one.amounts) <= amount) &&
    fitting.some((one) => sumCents(one.amounts) >= amount)
  );
}

/** True if the next disbursements of the account corrected the limit, because the bank books late. */
const isMadeUpFor = (steps: readonly Step[], rule: Rule): boolean =>
  sumCents(steps.map((one) => one.fall - computeDueAmount(one, rule))) === 0n;

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
    const steps = all.filter(({ hasFailed }) => !hasFailed);
    const rule = findRule(steps);
    if (rule === undefined) return notTested(NO_RULE_TEXT);
    const { fitting } = rule;
    // A disbursement in other words may wait for something, such as the approval of its contract.
    const usual = steps.filter(({ texts }) => texts.every((text) => fitting.some((one) => one.texts.includes(text))));
    const unexplained = [...groupBy(usual, ({ account }) => account).values()]
      .filter((own) => !isMadeUpFor(own, rule))
      .flatMap((own) => own.filter((one) => isUnexplainedByFee(one, rule)));
    const [one] = unexplained;
    if (one === undefined || unexplained.length < MIN_CONTRADICTING_DISBURSEMENTS)
      return kept(fitting[0].by, { count: fitting.length });
    return broken(one.by, {
      contrast: one.disbursed,
      pointer: '/data/infos/*/avaliable_limit',
      expected: `${formatCents(one.before - computeDueAmount(one, rule))} left of ${formatCents(one.before)} after a disbursement of ${one.amounts.map(formatCents).join(' and at once ')}, as ${fitting.length} others show`,
      received: formatCents(one.before - one.fall),
      count: unexplained.length,
    });
  },
});

/** `atEnd`: the limit at the end of the run, read again if the limit was lower after a failure. */
export const failureCostsNothing = compared({
  id: 'loans.limit.failure-costs-nothing',
  clause: money(
    offerField('avaliable_limit'),
    'A disbursement that fails leaves the available limit of its account as it was.',
  ),
  control: 'Successful disbursements lower the limit of the account.',
  evidence: { ...series, atEnd: list(reply('requestLoan')) },
  judge({ atEnd, ...evidence }) {
    const steps = readSteps(evidence);
    if (steps === null) return notTested(UNSTEADY_LIMIT_TEXT);
    const rule = findRule(steps);
    if (rule === undefined) return notTested(NO_RULE_TEXT);
    const failures = steps.filter(
      ({ hasFailed, amounts, looksBefore, looksAfter }) =>
        hasFailed &&
        amounts.length === 1 &&
        Math.min(looksBefore.length, looksAfter.length) >= MIN_EQUAL_LIMIT_READINGS,
    );
    const readLast = ({ account }: Step): bigint | null => {
      const last = atEnd.findLast((look) => readLimit(look, account) !== null);
      return last === undefined ? null : readLimit(last, account);
    };
    const isGivenBack = (one: Step): boolean => one.fall <= 0n || (readLast(one) ?? -1n) >= one.before;
    const [first] = failures;
    const lower = failures.find((one) => !isGivenBack(one));
    if (first === undefined) return notTested('no disbursement failed between equal readings of the limit');
    if (lower === undefined) return kept(first.by);
    const firstAnswer = evidence.outcomes.find(
      (one) => readInput(one, 'application_id') === readInput(lower.disbursed, 'application_id'),
    );
    if (!hasErrors(firstAnswer?.body) && !failures.some(isGivenBack))
      return notTested('the bank may give back the limit of a failed disbursement later');
    const expectedFalls = [computeDueAmount(lower, rule), sumCents(lower.amounts), lower.before];
    if (readLast(lower) !== lower.before - lower.fall || !expectedFalls.includes(lower.fall))
      return notTested('the limit after the failure does not show that the failure lowered it');
    return broken(lower.by, {
      contrast: lower.disbursed,
      pointer: '/data/infos/*/avaliable_limit',
      expected: `${formatCents(lower.before)}, as before the disbursement that failed`,
      received: formatCents(lower.before - lower.fall),
    });
  },
});
