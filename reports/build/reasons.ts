/** Writes the reasons for the verdict of a run, as sentences: what was broken, what was not tested, and what the user can do. */
import { THROTTLED_VALUE_KIND } from '../../openapi/evaluate-run.ts';
import { describeClockOffset } from '../../openapi/util/clock-offset.ts';
import { groupBy, partition } from '../../openapi/util/group-by.ts';
import { areaFacts, areas, listGivers, operationFacts, type Area } from '../../openapi/api.ts';
import type { ClauseReport, OperationReport } from '../model/report.ts';
import { areaTitles, counted, grouped, joinWithAnd, joinFirstItems, addCounts, listLeftOut } from '../text/phrases.ts';
import {
  findCause,
  findClauseCause,
  findSilentOperations,
  quoteExample,
  findBlockingSetting,
  describeOutcomes,
  explainNotRequested,
  describeUnreadable,
} from './untested.ts';
import type { JudgedRun } from '../model/tallies.ts';

/** Returns one sentence with the broken clauses of the document; nothing if none is broken. */
export function listFailureReasons({ clauses }: JudgedRun): string[] {
  const ids = clauses.filter((clause) => clause.verdict === 'fail').map(({ id }) => id);
  const verb = ids.length === 1 ? 'is' : 'are';
  return ids.length === 0
    ? []
    : [`${counted(ids.length, 'clause')} of the document ${verb} broken: ${joinFirstItems(ids, 6)}.`];
}

/** An operation that answered too few of its documented requests. */
interface UnservedOperation {
  readonly operation: OperationReport;
  /** `share`: the share of failed requests is certainly above 5 %. `half`: more than half of the requests failed. */
  readonly rule: 'share' | 'half';
  readonly failed: number;
  readonly of: number;
}

/** Returns an operation that succeeded and answered too few of its documented requests; null for any other operation. */
function findUnserved(operation: OperationReport, run: JudgedRun): UnservedOperation | null {
  const { id, successes, positives } = operation;
  const { attributable = 0, unserved = 0 } = run.tallies.operations.get(id) ?? {};
  const failed = countFailedRequests(operation);
  if (successes === 0) return null;
  if (isShareAbove(MAX_UNSERVED_SHARE, unserved, attributable))
    return { operation, rule: 'share', failed: unserved, of: attributable };
  return failed * 2 > positives ? { operation, rule: 'half', failed, of: positives } : null;
}

/** Writes one sentence for each rule: the requests of a single operation, or the range of the shares of several operations. */
function explainUnserved(run: JudgedRun): string[] {
  const unserved = run.operations.flatMap((operation) => findUnserved(operation, run) ?? []);
  return [...groupBy(unserved, ({ rule }) => rule)].map(([rule, group]) => {
    const failures = rule === 'share' ? '502, 503 or 504' : 'a status 5xx';
    const why =
      rule === 'share'
        ? 'a bank conforms only if nearly all of its answers come'
        : 'the other answers are too few for a verdict';
    return [`${describeUnserved(group, failures, run)}: ${why}.`, ...explainTooLarge(group, run)].join(' ');
  });
}

/** Says why answers of these operations were too large to read. */
function explainTooLarge(group: readonly UnservedOperation[], run: JudgedRun): string[] {
  const reasons = new Set(
    group.flatMap(({ operation: { id } }) => run.tallies.operations.get(id)?.tooLargeReason ?? []),
  );
  return [...reasons].map((reason) => `Some answers are too large to read: ${reason}`);
}

/** Describes the failed requests of one operation, or the range of the shares of several operations. */
function describeUnserved(
  group: readonly [UnservedOperation, ...UnservedOperation[]],
  failures: string,
  run: JudgedRun,
): string {
  const [{ operation, rule, failed, of }] = group;
  const shares = group.map((unserved) => (100 * unserved.failed) / unserved.of);
  const range = [...new Set([Math.min(...shares), Math.max(...shares)].map((share) => share.toFixed(0)))].join(' to ');
  const bound = `the lower ${100 * CONFIDENCE} % bound is above ${100 * MAX_UNSERVED_SHARE} %`;
  if (group.length === 1) {
    const detail = rule === 'share' ? ` (${shares[0]!.toFixed(1)} %; ${bound})` : quoteExample(operation, run);
    return `${operation.id} gave no answer, or ${failures}, to ${failed} of ${of} documented requests${detail}`;
  }
  const ids = group.map((unserved) => unserved.operation.id);
  const names = ids.length === run.operations.length ? `All ${ids.length} operations` : joinFirstItems(ids, 4);
  const detail = rule === 'share' ? ` (${bound} for each)` : '';
  return `${names} gave no answer, or ${failures}, to ${range} % of their documented requests${detail}`;
}

/** Says which operations got no more requests, because their answers did not come or could not be read. */
function explainGivenUp({ tallies: { givenUp } }: JudgedRun): string[] {
  const unreadOperations = [...givenUp].filter(([, { unread }]) => unread);
  return [...groupBy(unreadOperations, ([, { why }]) => why)].map(
    ([why, group]) =>
      `The run sent no more requests to ${joinWithAnd(group.map(([id]) => id))}: ${why}. What it left out is not judged.`,
  );
}

/** Names the values that an operation throttles each time: there is no answer to judge. */
const explainThrottledValues = ({ findings }: JudgedRun): string[] =>
  findings
    .filter(({ kind }) => kind === THROTTLED_VALUE_KIND)
    .map(
      ({ operation, received }) =>
        `${operation} does not serve all documented values: ${received}. What the bank never serves cannot be judged.`,
    );

/**
 * Lists what the run did not test, and why. No sentence is about a fault of the bank. With `withoutCauses`, leaves out what a finding
 * explains.
 */
export function listInconclusiveReasons(run: JudgedRun, withoutCauses = false): string[] {
  const { clauses, errors, interrupted, operations } = run;
  const { requests } = run.tallies;
  const { configuration = [], incomplete = [] } = run.facts;
  const judgedPart = requests === 0 ? 'Nothing' : 'Not all';
  const reasons = [
    ...configuration.map((fault, index) =>
      index === 0 ? `${judgedPart} was judged, because the configuration is wrong: ${fault}` : fault,
    ),
    ...incomplete,
    ...(interrupted === null ? [] : [`The run ended early: ${interrupted} ${describeSent(run)}`.trim()]),
    ...(errors.length === 0 ? [] : [describeSuiteError(run)]),
  ];
  if (requests === 0) {
    const isExplained = reasons.length > 0 && run.facts.recording === undefined;
    return [...reasons, ...(isExplained ? [] : [explainNoRequest(run)]), ...describeLeftOut(run)];
  }
  const endedEarly = interrupted !== null;
  // If the run ended early, operations without a request prove nothing about the bank.
  const operationsWithoutSuccess = operations.filter(
    (operation) => operation.successes === 0 && !(endedEarly && operation.requests === 0),
  );
  const isConsequence = ({ id }: OperationReport): boolean => withoutCauses && findCause(id, run) !== undefined;
  const unexplainedOperations = operationsWithoutSuccess.filter((operation) => !isConsequence(operation));
  const isExplainedByFinding = (clause: ClauseReport): boolean =>
    withoutCauses && findClauseCause(clause, run) !== undefined;
  const untestedClauses = clauses.filter((clause) => isUntestedAlwaysClause(clause) && !isExplainedByFinding(clause));
  const explainedClauses = new Set(
    untestedClauses.filter((clause) => endedEarly || findSilentOperations(clause, operations).length > 0),
  );
  for (const area of areas) reasons.push(...explainFailedOperations(area, run, unexplainedOperations));
  reasons.push(...explainUnserved(run), ...explainGivenUp(run), ...explainThrottledValues(run));
  if (explainedClauses.size > 0 && (endedEarly || unexplainedOperations.length > 0))
    reasons.push(`${counted(explainedClauses.size, 'clause')} could not be tested for that reason.`);
  return [
    ...reasons,
    ...describeUntestedClauses(untestedClauses.filter((clause) => !explainedClauses.has(clause))),
    ...listAdvice(unexplainedOperations, run),
    ...describeLeftOut(run),
  ];
}

/** Says which scenarios of the scope did not run, and what left them out, if nothing else ended the run early. */
function describeLeftOut({ facts, tallies, interrupted, errors }: JudgedRun): string[] {
  const { scope = [], selection = '', configuration = [], incomplete = [] } = facts;
  const ran = new Set(tallies.scenarios.map(({ title }) => title));
  const missing = scope.filter((title) => !ran.has(title)).map((title) => `“${title}”`);
  if (missing.length === 0 || configuration.length > 0) return [];
  const isCompleteRun = interrupted === null && errors.length === 0 && incomplete.length === 0;
  const predicate =
    isCompleteRun && selection !== ''
      ? `${missing.length === 1 ? 'was' : 'were'} left out by ${selection}`
      : 'did not run';
  return [`${missing.length} of ${counted(scope.length, 'scenario')} ${predicate}: ${joinFirstItems(missing, 3)}.`];
}

/** Says how many requests an interrupted run sent, and what these created. */
function describeSent({ facts, tallies: { requests, created } }: JudgedRun): string {
  if (facts.recording !== undefined) return '';
  if (requests === 0) return 'No request was sent, and nothing was created.';
  const creations =
    created.length === 0
      ? 'nothing was created'
      : `created.csv lists ${counted(created.length, 'entry', 'entries')} that the run created, or perhaps created`;
  return `${counted(requests, 'request')} ${requests === 1 ? 'was' : 'were'} sent, and ${creations}.`;
}

/** Says why no exchange was judged. */
function explainNoRequest(run: JudgedRun): string {
  const { recording, target } = run.facts;
  if (recording !== undefined)
    return `No exchange with ${target.baseUrl} was judged: ${listLeftOut(recording).join('; ') || 'the recording has none'}.`;
  const [blockingSetting, ...otherSettings] = new Set(
    run.operations.map((operation) => findBlockingSetting(operation, run)),
  );
  const replayedScenarios = run.facts.suite.settings?.['REPLAY']?.split('#')[0];
  const replayText =
    replayedScenarios === undefined
      ? ''
      : `: REPLAY names ${replayedScenarios}, and no scenario with that id could run`;
  return `The run sent no request${otherSettings.length > 0 || blockingSetting == null ? replayText : `: ${blockingSetting}`}.`;
}

/** Says how much a conforming bank kept, and how many clauses of the document were not tested. */
export function listPassReasons({ clauses, operations, tallies: { requests } }: JudgedRun): string[] {
  const mustClauses = clauses.filter((clause) => clause.level === 'must');
  const keptCount = mustClauses.filter((clause) => clause.verdict === 'pass').length;
  const untestedCount = mustClauses.filter((clause) => clause.verdict === 'inconclusive').length;
  const subject = operations.length === 1 ? 'The operation' : `All ${operations.length} operations`;
  const summary = `${subject} succeeded, and ${counted(keptCount, 'clause')} of the document ${keptCount === 1 ? 'was' : 'were'} kept in ${counted(requests, 'request')}.`;
  if (untestedCount === 0) return [summary];
  const [verb, subjectAndVerb] = untestedCount === 1 ? ['was', 'it is about'] : ['were', 'they are about'];
  return [
    summary,
    `${counted(untestedCount, 'clause')} ${verb} not tested, because no answer had what ${subjectAndVerb}. The document allows such answers.`,
  ];
}

/** Says that only a part of very long lists was judged. The verdict stays the same: the bank could not know which part. */
export const describeJudgedShares = ({ tallies: { shares } }: JudgedRun): string[] =>
  [
    { share: shares.judged, verb: 'judged' },
    { share: shares.compared, verb: 'compared with other answers' },
  ].flatMap(({ share: { answers, seen, of }, verb }) =>
    answers === 0
      ? []
      : `${counted(seen, 'entry', 'entries')} of ${grouped(of)} in the long lists of ${counted(answers, 'answer')} were ${verb}: a share of ${((100 * seen) / of).toFixed(1)} %, drawn by the seed.`,
  );

/** Says that the clock of the bank is wrong. Says nothing about recorded answers: they may come from a cache, with an old time. */
export const listClockNotes = ({ facts, tallies }: JudgedRun): string[] =>
  facts.recording !== undefined ? [] : [describeClockOffset(tallies.clockOffsetMs)].filter((text) => text !== null);

/** True for an untested clause of the document that each run tests if its operations succeed (`always`). */
export const isUntestedAlwaysClause = ({ level, exercise, verdict }: ClauseReport): boolean =>
  level === 'must' && exercise === 'always' && verdict === 'inconclusive';

function describeSuiteError({ errors }: JudgedRun): string {
  const { scenario, message } = errors[0]!;
  const place = scenario === null ? '' : ` in “${scenario}”`;
  const otherPlaces = errors.length === 1 ? '' : `, and in ${counted(errors.length - 1, 'more place')}`;
  return `The suite itself broke${place}${otherPlaces}: ${message.split(/\r?\n/, 1)[0]}`;
}

/**
 * Names the operations of one area that never succeeded. If these are all operations of the area, writes one sentence and an advice.
 * `silentOperations`: the operations of all areas that never succeeded.
 */
function explainFailedOperations(area: Area, run: JudgedRun, silentOperations: readonly OperationReport[]): string[] {
  const silentOfArea = silentOperations.filter((operation) => operation.area === area);
  const [firstSilent] = silentOfArea;
  if (firstSilent === undefined) return [];
  const [requested, notRequested] = partition(silentOfArea, ({ requests }) => requests > 0);
  const namesByOutcomes = (group: readonly OperationReport[]) =>
    [...groupBy(group, (operation) => describeOutcomes(operation, run))].map(
      ([outcomes, sameOutcomes]) => [joinWithAnd(sameOutcomes.map(({ id }) => id)), outcomes] as const,
    );
  const sentences = [
    ...namesByOutcomes(requested).map(
      ([names, outcomes]) => `No documented request of ${names} succeeded: ${outcomes}.`,
    ),
    ...namesByOutcomes(notRequested).map(([names, why]) => `${names} could not be tested: ${why}.`),
  ];
  const operationsOfArea = run.operations.filter((operation) => operation.area === area);
  if (silentOfArea.length < operationsOfArea.length) return sentences;
  const details = requested.map((operation) => `${operation.id}: ${describeOutcomes(operation, run)}`).join('; ');
  const sentenceAboutArea =
    details === ''
      ? `${areaTitles[area]} could not be tested: ${explainNotRequested(firstSilent, run)}.`
      : `No documented request of ${areaTitles[area]} succeeded (${details}).`;
  const adviceWithoutRequests = run.facts.recording !== undefined ? LEAVE_OUT_ADVICE : null;
  const advice = requested.length > 0 ? findAdvice(area, requested, run) : adviceWithoutRequests;
  const sentence = silentOfArea.length === 1 ? sentences[0]! : sentenceAboutArea;
  return [advice === null ? sentence : `${sentence} ${advice}`];
}

/** Writes one sentence for the untested clauses of one area with the same reason. */
const describeUntestedClauses = (untested: readonly ClauseReport[]): string[] =>
  [...groupBy(untested, ({ area, why }) => `${area}\n${why ?? ''}`).values()].map((group) => {
    const { area, why } = group[0];
    const ofArea = area === 'service' ? '' : ` of ${areaTitles[area]}`;
    const ids = joinFirstItems(
      group.map(({ id }) => id),
      4,
    );
    return `${counted(group.length, 'clause')}${ofArea} ${group.length === 1 ? 'was' : 'were'} not tested (${ids})${why ? `: ${why}` : '.'}`;
  });

const LEAVE_OUT_ADVICE = 'To judge the other areas only, set AREAS.';

export const countFailedRequests = ({ outcomes }: OperationReport): number =>
  (outcomes.lost ?? 0) + (outcomes.crashed ?? 0);

/** A bank may leave this share of documented requests unserved. */
const MAX_UNSERVED_SHARE = 0.05;
/** The confidence of the statement that the share is higher. */
const CONFIDENCE = 0.99;

/**
 * True if `failed` of `total` requests fail, and this proves that the true share of failures is above `share` (exact binomial bound of
 * Clopper and Pearson): with the true share `share`, `failed` failures or more would have a probability below 1 %. Example: with a true
 * share of 5 %, at least 3 of 10 requests fail with a probability of 1.2 % (false), and at least 4 of 10 with 0.1 % (true).
 */
function isShareAbove(share: number, failed: number, total: number, confidence = CONFIDENCE): boolean {
  let [probabilityOfFewer, probabilityOfCount] = [0, (1 - share) ** total];
  for (let count = 0; count < failed; count += 1) {
    probabilityOfFewer += probabilityOfCount;
    probabilityOfCount *= ((total - count) / (count + 1)) * (share / (1 - share));
  }
  return 1 - probabilityOfFewer < 1 - confidence;
}

/** True if a clause of the area is broken. */
const hasBrokenClause = (area: Area, { clauses }: JudgedRun): boolean =>
  clauses.some((clause) => clause.area === area && clause.verdict === 'fail');

/**
 * Returns an advice for the most frequent error of the operations of an area, which never succeeded. Null if a broken clause explains
 * the error, or if there is no advice.
 */
function findAdvice(area: Area, operations: readonly OperationReport[], run: JudgedRun): string | null {
  if (hasBrokenClause(area, run)) return null;
  const requests = addCounts(operations, (operation) => operation.requests);
  const exceedsHalf = (count: (operation: OperationReport) => number): boolean =>
    addCounts(operations, count) / requests > 0.5;
  const mostStatusesAre = (isWantedStatus: (status: number) => boolean): boolean =>
    exceedsHalf(({ statuses }) =>
      addCounts(Object.entries(statuses), ([status, count]) => (isWantedStatus(Number(status)) ? count : 0)),
    );
  if (mostStatusesAre((status) => status === 401 || status === 403)) {
    const isTokenAcceptedElsewhere = run.operations.some(
      (operation) => operation.area !== area && areaFacts[operation.area].usesToken && operation.successes > 0,
    );
    if (isTokenAcceptedElsewhere)
      return 'The bank accepts the same credentials in another area: check the rights of the client.';
    return `Check ${areaFacts[area].usesToken ? 'CLIENT_ID, CLIENT_SECRET and ACCESS_TOKEN' : 'CLIENT_ID and CLIENT_SECRET'}.`;
  }
  if (mostStatusesAre((status) => status >= 300 && status < 400))
    return 'The suite follows no redirect: set BASE_URL to the address in the Location header.';
  if (exceedsHalf(({ unanswered }) => unanswered)) {
    const [unreadableText] = operations.flatMap((operation) => describeUnreadable(operation, run) ?? []);
    return unreadableText === undefined
      ? 'No server answers at the address of BASE_URL.'
      : `The answers cannot be read: ${unreadableText}`;
  }
  if (mostStatusesAre((status) => status >= 500 && status !== 501)) return 'The bank answers with server errors.';
  if (!mostStatusesAre((status) => [404, 405, 501].includes(status))) return null;
  const adviceAboutArea =
    run.facts.target.areas.length === 1 ? '' : ' If the bank does not offer this area, leave it out with AREAS.';
  return `Check the path in BASE_URL, which ends before /api; other paths stand in an OVERLAY.${adviceAboutArea}`;
}

const REQUEST_TOO_EARLY_TEXT = /\btoo (?:soon|often|fast|frequent|many)\b|\brate limit|\bthrottl|\bslow down\b/i;

/** Gives advice if operations never succeeded. Gives advice about test data only if no clause of the area is broken. */
function listAdvice(silent: readonly OperationReport[], run: JudgedRun): string[] {
  // More than a quarter of the answers are no accident.
  const isFrequent = (count: number, { requests }: OperationReport): boolean => count > requests / 4;
  const hasFrequentStatus = (operation: OperationReport, ...statuses: readonly string[]): boolean =>
    statuses.some((status) => isFrequent(operation.statuses[status] ?? 0, operation));
  const succeededOperations = new Set(run.operations.flatMap(({ id, successes }) => (successes > 0 ? [id] : [])));
  const isNotReached = (operation: OperationReport) =>
    operation.requests === 0 &&
    listGivers(operation.id).some((giver) => operationFacts[giver].hasTestData && succeededOperations.has(giver)) &&
    findBlockingSetting(operation, run) === null;
  const refusesOften = (operation: OperationReport) =>
    hasFrequentStatus(operation, '400', '409', '422') || isFrequent(operation.outcomes.declined ?? 0, operation);
  const isThrottled = (operation: OperationReport) =>
    hasFrequentStatus(operation, '429', '503') || REQUEST_TOO_EARLY_TEXT.test(quoteExample(operation, run));
  // Status 500 is not a sign of overload.
  const isOverloaded = (operation: OperationReport) =>
    hasFrequentStatus(operation, '502', '504') || isFrequent(operation.unanswered, operation);
  const unservedOperations = run.operations.filter((operation) => findUnserved(operation, run) !== null);
  // An answer that cannot be read was not lost because of overload.
  const [unreadableText] = unservedOperations.flatMap((operation) => describeUnreadable(operation, run) ?? []);
  const isTooLarge = ({ id }: OperationReport) => run.tallies.operations.get(id)?.tooLargeReason != null;
  const operationsWithLostAnswers = unservedOperations.filter(
    (operation) => describeUnreadable(operation, run) === null && !isTooLarge(operation),
  );
  const isOverload =
    [...silent, ...operationsWithLostAnswers].some(isThrottled) || operationsWithLostAnswers.some(isOverloaded);
  const needsOtherTestData = (operation: OperationReport) => refusesOften(operation) || isNotReached(operation);
  const lacksTestData = silent.some(
    (operation) => !hasBrokenClause(operation.area, run) && needsOtherTestData(operation),
  );
  return [
    isOverload && 'If the bank gets too many requests at the same time, set RATE_LIMIT or a smaller IN_FLIGHT.',
    unreadableText !== undefined && `Some answers cannot be read: ${unreadableText}`,
    lacksTestData && 'If the bank needs other test data, set AMOUNTS, CURRENCIES, CUSTOMER_IPS or LANGUAGES.',
  ].filter((advice) => advice !== false);
}
