/**
 * Judges that no disbursement is stuck. Example: the text “processing” of three disbursements changed within 2 s. A disbursement
 * that is still at “processing” after 20 s is stuck if two disbursements that were sent later are complete.
 */
import { makePendingTest } from '../../history/outcome-texts.ts';
import { hasErrors } from '../../../history/answers.ts';
import { groupBy, partition } from '../../../util/group-by.ts';
import { toIdText } from '../../../util/ids.ts';
import { max } from '../../../util/min-max.ts';
import { maskNumbers } from '../../../util/truncate.ts';
import { broken, compared, notTested } from '../../../behaviours/behaviour.ts';
import type { Judged } from '../../../behaviours/evidence.ts';
import { limitEvidence, readAmount, readInput, readLimit, type LimitEvidence } from './account-limits.ts';
import { readApplicationId, sumCents } from './limit-rule.ts';
import { outcomeClause } from './reached.ts';
import { listOutcomeTexts, readOutcome } from './outcome-history.ts';

type Query = Judged<'queryDisbursement'>;
type Disbursed = Judged<'disburse'>;

/** A stuck disbursement takes this many times longer than the slowest other one. Normal processing times differ less. */
const MIN_SLOWDOWN = 10;
const MIN_STUCK_MS = 10_000;
/** At least this many disbursements must be stuck, because somebody may have stopped a single one by hand. */
const MIN_STUCK = 2;
/** At least this many texts must have changed between two queries that were close together. */
const MIN_OBSERVED_CHANGES = 3;
/** At least this many disbursements that were made later must be complete earlier. A single one may have priority. */
const MIN_LATER_COMPLETED = 2;
/**
 * Two queries are close together if the second came at most this many times as late as the first. Then the time of the second is at
 * most this many times too long. Other changes happened at an unknown time, and show only that the first query was too early.
 */
const MAX_GAP_FACTOR = 2;
/** Within this time, two queries are always close together: a stuck disbursement takes `MIN_STUCK_MS` anyway. */
const MAX_SHORT_MS = MIN_STUCK_MS / MIN_SLOWDOWN;
/** A limit must cover this many times the amounts, because the bank may charge a fee. */
const MIN_COVER = 2n;

const getStartMs = ({ exchange }: Pick<Query, 'exchange'>): number => exchange.startedAt;
const getEndMs = ({ exchange }: Pick<Query, 'exchange'>): number => exchange.startedAt + exchange.durationMs;
const readOutcomeText = (query: Query): string => maskNumbers(String(readOutcome(query)));

/** How long a disbursement had one outcome text. Times are in milliseconds since the epoch. */
interface TextPeriod {
  readonly sentMs: number;
  /** The answer to the disbursement request. Durations begin here. */
  readonly acceptedMs: number;
  /** The last query with this text. */
  readonly lastWithText: Query;
  /** The number of queries with this text. */
  readonly queryCount: number;
  /** The next query, which returned another text. */
  readonly firstWithOtherText: Query | undefined;
}

/** A text that another one followed. */
type Change = TextPeriod & { readonly firstWithOtherText: Query };

/** Finds out how long a disbursement had `text`; null if no query returned the text, or if the outcome returned to it. */
function findTextPeriod(text: string, disbursement: Disbursed, allQueries: readonly Query[]): TextPeriod | null {
  const acceptedMs = getEndMs(disbursement);
  const queries = allQueries
    .filter((query) => readApplicationId(query) === readApplicationId(disbursement) && getStartMs(query) >= acceptedMs)
    .toSorted((a, b) => getStartMs(a) - getStartMs(b));
  const firstIndex = queries.findIndex((query) => readOutcomeText(query) === text);
  const lastIndex = queries.findLastIndex((query) => readOutcomeText(query) === text);
  const lastWithText = queries[lastIndex];
  const hasReturned = queries.slice(firstIndex, lastIndex).some((query) => readOutcomeText(query) !== text);
  if (lastWithText === undefined || hasReturned) return null;
  const queryCount = lastIndex - firstIndex + 1;
  const sentMs = getStartMs(disbursement);
  return { sentMs, acceptedMs, lastWithText, queryCount, firstWithOtherText: queries[lastIndex + 1] };
}

/** Returns for how long a disbursement had its text at least. */
const getMinMs = ({ acceptedMs, lastWithText }: TextPeriod): number => getStartMs(lastWithText) - acceptedMs;
/** Returns for how long a disbursement had its text at most. */
const getMaxMs = ({ acceptedMs, firstWithOtherText }: Change): number => getEndMs(firstWithOtherText) - acceptedMs;

/** True if two queries that were close together show when the text changed. */
const isObserved = (change: Change): boolean =>
  getMaxMs(change) <= Math.max(MAX_SHORT_MS, MAX_GAP_FACTOR * getMinMs(change));

/** True if the bank has made the disbursement after it had the text. */
const hasSucceeded = (period: TextPeriod): period is Change =>
  period.firstWithOtherText !== undefined && !hasErrors(period.firstWithOtherText.body);

/** The loan answers of the run, and its disbursements without those that failed. */
type Claims = Pick<LimitEvidence, 'looks' | 'disbursed'>;

/** Returns the sum of all disbursements that the bank may make before this one, from the same account, and of this one. In cents. */
function sumClaims(disbursement: Disbursed, { disbursed }: Claims): bigint {
  const claims = disbursed.filter(
    (claim) =>
      readInput(claim, 'account_id') === readInput(disbursement, 'account_id') &&
      getStartMs(claim) < getStartMs(disbursement) + MIN_STUCK_MS,
  );
  return sumCents(claims.flatMap(({ exchange }) => readAmount(exchange.request.asked['amount']) ?? []));
}

/**
 * True if the limit of the account surely covers the disbursement: else a bank may hold it back until the limit is higher. Each limit
 * that the bank returned must cover the amount, and the first limit must cover all that the bank may disburse before.
 */
function isCovered(disbursement: Disbursed, claims: Claims): boolean {
  const openingAnswer = claims.looks.find(
    ({ data }) => toIdText(data.application_id) === readApplicationId(disbursement),
  );
  const [amount, requestedAmount] = [disbursement, openingAnswer].map((answer) =>
    readAmount(answer?.exchange.request.asked['amount']),
  );
  const limits = claims.looks.flatMap((answer) => readLimit(answer, readInput(disbursement, 'account_id')) ?? []);
  const [firstLimit] = limits;
  if (amount == null || requestedAmount == null || firstLimit === undefined || amount > requestedAmount) return false;
  return (
    firstLimit >= MIN_COVER * sumClaims(disbursement, claims) && limits.every((limit) => limit >= MIN_COVER * amount)
  );
}

/** True for a documented disbursement that no business rule needs to hold back. */
const mustBeMade = (disbursement: Disbursed, claims: Claims): boolean =>
  disbursement.exchange.kind === 'positive' &&
  disbursement.exchange.request.asked['contract_approved'] === true &&
  isCovered(disbursement, claims);

/** Disbursements that still have one outcome text, although later disbursements that had this text are complete. */
interface Overtaken {
  readonly text: string;
  readonly periods: readonly TextPeriod[];
  /** The changes of other disbursements that were observed. */
  readonly observedChanges: readonly [Change, ...Change[]];
  /** The longest time that another disbursement had the text, as far as queries show. */
  readonly slowestMs: number;
  /** A disbursement is stuck if it has the text for longer, and in more queries. */
  readonly maxNormalMs: number;
  /** How often another disbursement was queried before its text changed: a bank may finish a disbursement only after some queries. */
  readonly maxNormalQueries: number;
}

/** Finds disbursements that later ones overtook. If there are none, returns the reason. */
function findOvertaken(evidence: LimitEvidence): Overtaken | string {
  const acceptedQueries = evidence.outcomes.filter(({ accepted }) => accepted);
  const isPending = makePendingTest(listOutcomeTexts(acceptedQueries));
  const lastQueries = new Map(acceptedQueries.map((query) => [readApplicationId(query), query]));
  const findLastQuery = (disbursement: Disbursed): Query | undefined =>
    lastQueries.get(readApplicationId(disbursement));
  const hasFailed = (disbursement: Disbursed): boolean => hasErrors(findLastQuery(disbursement)?.body);
  const hasPendingText = (disbursement: Disbursed): boolean => {
    const lastQuery = findLastQuery(disbursement);
    return lastQuery !== undefined && isPending(readOutcome(lastQuery)) && !hasErrors(lastQuery.body);
  };
  // If an application has several disbursements, it is unclear which one a query is about.
  const disbursements = [...groupBy(evidence.disbursed, readApplicationId).values()].flatMap(
    ([disbursement, ...repetitions]) => (disbursement.accepted && repetitions.length === 0 ? [disbursement] : []),
  );
  const [pendingDisbursements, otherDisbursements] = partition(disbursements, hasPendingText);
  const claims = { ...evidence, disbursed: evidence.disbursed.filter((disbursement) => !hasFailed(disbursement)) };
  const suspectedDisbursements = pendingDisbursements.filter((disbursement) => mustBeMade(disbursement, claims));
  const [lastQuery] = suspectedDisbursements.flatMap((disbursement) => findLastQuery(disbursement) ?? []);
  if (lastQuery === undefined) return 'no disbursement that the limit of its account covers is pending';
  const text = readOutcomeText(lastQuery);
  const listPeriods = (disbursementsToFollow: readonly Disbursed[]): readonly TextPeriod[] =>
    disbursementsToFollow.flatMap((disbursement) => findTextPeriod(text, disbursement, acceptedQueries) ?? []);
  const changes = listPeriods(otherDisbursements).filter(hasSucceeded);
  const [firstObserved, ...furtherObserved] = changes.filter(isObserved);
  if (firstObserved === undefined || furtherObserved.length + 1 < MIN_OBSERVED_CHANGES)
    return 'the outcome text of too few other disbursements changed between two queries that were close together';
  const periods = listPeriods(suspectedDisbursements).filter(({ sentMs, lastWithText, firstWithOtherText }) => {
    const overtaking = changes.filter(
      (change) => change.sentMs > sentMs && getEndMs(change.firstWithOtherText) < getStartMs(lastWithText),
    );
    return firstWithOtherText === undefined && overtaking.length >= MIN_LATER_COMPLETED;
  });
  if (periods.length < MIN_STUCK) return 'too few pending disbursements were overtaken by later ones';
  const slowestMs = max(changes.map((change) => (isObserved(change) ? getMaxMs(change) : getMinMs(change))));
  const maxNormalMs = Math.max(MIN_STUCK_MS, MIN_SLOWDOWN * slowestMs);
  const maxNormalQueries = max(changes.map(({ queryCount }) => queryCount));
  const observedChanges = [firstObserved, ...furtherObserved] as const;
  return { text, periods, observedChanges, slowestMs, maxNormalMs, maxNormalQueries };
}

/** Disbursements that are stuck if they are still pending at a later moment. */
interface Suspects {
  readonly applications: readonly {
    readonly id: string;
    /** The number of further queries after which the disbursement was queried more often than all others. */
    readonly missingQueries: number;
  }[];
  /** From this moment on, enough of them are stuck. In milliseconds since the epoch. */
  readonly stuckFromMs: number;
}

/** Finds disbursements that may be stuck, but that may also need more time; null if there are none. */
export function findSuspects(evidence: LimitEvidence): Suspects | null {
  const overtaken = findOvertaken(evidence);
  if (typeof overtaken === 'string') return null;
  const { periods, maxNormalMs, maxNormalQueries } = overtaken;
  const acceptedTimesMs = periods.map(({ acceptedMs }) => acceptedMs).toSorted((a, b) => a - b);
  return {
    applications: periods.map(({ lastWithText, queryCount }) => ({
      // The id as the bank wrote it, with its leading zeros.
      id: String(lastWithText.exchange.request.asked['application_id']),
      missingQueries: Math.max(1, maxNormalQueries + 1 - queryCount),
    })),
    stuckFromMs: (acceptedTimesMs[MIN_STUCK - 1] ?? Infinity) + maxNormalMs,
  };
}

const formatSeconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

export const outcomeNotStuck = compared({
  ...outcomeClause,
  way: 'stuck',
  control: 'The same outcome text of other disbursements changes much sooner.',
  evidence: limitEvidence,
  judge(evidence) {
    const overtaken = findOvertaken(evidence);
    if (typeof overtaken === 'string') return notTested(overtaken);
    const { text, periods, observedChanges, slowestMs, maxNormalMs, maxNormalQueries } = overtaken;
    const stuckPeriods = periods.filter(
      (period) => getMinMs(period) > maxNormalMs && period.queryCount > maxNormalQueries,
    );
    const lastStuckQuery = stuckPeriods.at(-1)?.lastWithText;
    if (lastStuckQuery === undefined || stuckPeriods.length < MIN_STUCK)
      return notTested(
        'the disbursements do not keep their outcome text much longer, and in more queries, than other disbursements',
      );
    const shortestMs = Math.min(...stuckPeriods.map(getMinMs));
    return broken(lastStuckQuery, {
      pointer: '/data/result',
      expected: `another text, as ${observedChanges.length} others had within ${formatSeconds(slowestMs)}`,
      received: `"${text}" of ${stuckPeriods.length} disbursements, still after ${formatSeconds(shortestMs)}`,
      contrast: observedChanges[0].firstWithOtherText,
    });
  },
});
