/** Writes the reasons for the verdict of a run, as sentences. */
import { describeClockOffset } from '../../../openapi/util/clock-offset.ts';
import { groupBy, partition } from '../../../openapi/util/group-by.ts';
import { areas, type Area } from '../../../openapi/model/exchange.ts';
import type { ClauseReport, OperationReport } from '../../model/report.ts';
import { areaTitles, counted, grouped, joinWithAnd, joinFirstItems } from '../../text/phrases.ts';
import { findCause, findClauseCause, findSilentOperations } from '../untested.ts';
import {
  countFailedRequests,
  describeUnserved,
  findAdvice,
  isMostlyUnanswered,
  LEAVE_OUT_ADVICE,
  listAdvice,
} from './remedies.ts';
import type { JudgedRun } from './run-context.ts';
import { quoteExample, findBlockingSetting, describeOutcomes, explainNotAsked } from './what-came.ts';

export function listFailureReasons({ clauses, pinned }: JudgedRun): string[] {
  const broken = clauses.filter((clause) => clause.verdict === 'fail').map(({ id }) => id);
  const changed = broken.filter((id) => pinned.has(id));
  const ofDocument = broken.filter((id) => !pinned.has(id));
  const are = ofDocument.length === 1 ? 'is' : 'are';
  return [
    [ofDocument, `${counted(ofDocument.length, 'clause')} of the document ${are} broken`] as const,
    [changed, `The answers to ${counted(changed.length, 'open point')} are not those that PINS names`] as const,
  ].flatMap(([ids, words]) => (ids.length === 0 ? [] : `${words}: ${joinFirstItems(ids, 6)}.`));
}

/** Explains that too few documented requests of an operation were served; null if enough were. */
function explainUnserved(operation: OperationReport, run: JudgedRun): string | null {
  const unserved = describeUnserved(operation, run);
  if (unserved !== null) return `${unserved}: half a service does not conform.`;
  if (!isMostlyUnanswered(operation)) return null;
  return `${operation.id} gave no answer, or a 5xx, to ${countFailedRequests(operation)} of ${operation.positives} documented requests${quoteExample(operation, run)}: too few answers are left to judge it.`;
}

/**
 * Lists what the run did not test, and why. Each sentence names what is missing, and is not about a failure of the bank. With
 * `withoutCauses`, leaves out what a finding explains.
 */
export function listInconclusiveReasons(run: JudgedRun, withoutCauses = false): string[] {
  const { clauses, errors, interrupted, operations } = run;
  const { requests } = run.tallies;
  const { configuration = [], incomplete = [] } = run.facts;
  const judged = requests === 0 ? 'Nothing' : 'Not all';
  const reasons = [
    ...configuration.map((fault, at) =>
      at === 0 ? `${judged} was judged, because the configuration is wrong: ${fault}` : fault,
    ),
    ...incomplete,
    ...(interrupted === null ? [] : [`The run ended early: ${interrupted} ${describeSent(run)}`.trim()]),
    ...(errors.length === 0 ? [] : [describeSuiteError(run)]),
  ];
  if (requests === 0) return reasons.length > 0 ? reasons : [explainNoRequest(run)];
  const ended = interrupted !== null;
  // If the run ended early, operations without a request prove nothing about the bank.
  const allSilent = operations.filter((one) => one.successes === 0 && !(ended && one.requests === 0));
  const isFollowing = ({ id }: OperationReport): boolean => withoutCauses && findCause(id, run) !== undefined;
  const silent = allSilent.filter((one) => !isFollowing(one));
  const silentAt = (clause: ClauseReport) => findSilentOperations(clause, operations);
  const missed = clauses.filter(
    (clause) => isUntestedAlwaysClause(clause) && !(withoutCauses && findClauseCause(clause, run)),
  );
  const explained = new Set(missed.filter((clause) => ended || silentAt(clause).length > 0));
  for (const area of areas) reasons.push(...explainFailedOperations(area, run, silent));
  reasons.push(...operations.flatMap((operation) => explainUnserved(operation, run) ?? []));
  if (explained.size > 0 && (ended || silent.length > 0))
    reasons.push(`${counted(explained.size, 'clause')} could not be tested for that reason.`);
  return [
    ...reasons,
    ...describeUntestedClauses(missed.filter((clause) => !explained.has(clause))),
    ...listAdvice(silent, run),
  ];
}

/** Says what a run that ended early had sent, and what it may have created. */
function describeSent({ facts, tallies: { requests, created } }: JudgedRun): string {
  if (facts.recording !== undefined) return '';
  if (requests === 0) return 'No request was sent, and nothing was created.';
  const made =
    created.length === 0
      ? 'nothing was created'
      : `created.csv lists ${counted(created.length, 'thing')} that it created`;
  return `${counted(requests, 'request')} ${requests === 1 ? 'was' : 'were'} sent, and ${made}.`;
}

/** Explains that no request was sent, and which setting is the cause. */
function explainNoRequest(run: JudgedRun): string {
  const [limit, ...others] = new Set(run.operations.map((operation) => findBlockingSetting(operation, run)));
  const replayed = run.facts.suite.settings?.['REPLAY']?.split('#')[0];
  const unknown = replayed === undefined ? '' : `: REPLAY names ${replayed}, and no scenario with that id could run`;
  return `No request was made in this run${others.length > 0 || limit == null ? unknown : `: ${limit}`}.`;
}

export function listPassReasons({ clauses, operations, tallies: { requests } }: JudgedRun): string[] {
  const musts = clauses.filter((clause) => clause.level === 'must');
  const passed = musts.filter((clause) => clause.verdict === 'pass').length;
  const unseen = musts.filter((clause) => clause.verdict === 'inconclusive').length;
  const all = operations.length === 1 ? 'The operation' : `All ${operations.length} operations`;
  const kept = `${all} succeeded, and ${counted(passed, 'clause')} of the document ${passed === 1 ? 'was' : 'were'} kept in ${counted(requests, 'request')}.`;
  if (unseen === 0) return [kept];
  const about = unseen === 1 ? 'it is' : 'they are';
  return [
    kept,
    `${counted(unseen, 'clause')} could not be tested, because no answer of the bank contained what ${about} about; this is allowed.`,
  ];
}

/** Explains that only a part of very long lists was judged. The verdict stays the same: the bank could not know which part. */
export const describeJudgedShares = ({ tallies: { shares } }: JudgedRun): string[] =>
  (
    [
      [shares.judged, 'judged'],
      [shares.compared, 'compared with other answers'],
    ] as const
  ).flatMap(([{ answers, seen, of }, verb]) => {
    const share = `a share of ${((100 * seen) / of).toFixed(1)} %, drawn by the seed`;
    return answers === 0
      ? []
      : `${counted(seen, 'entry', 'entries')} of ${grouped(of)} in the long lists of ${counted(answers, 'answer')} were ${verb}: ${share}.`;
  });

/** Says that a clock is off. Recorded answers may come from a cache, with the time when they were made. */
export const listClockNotes = ({ facts, tallies }: JudgedRun): string[] =>
  facts.recording !== undefined ? [] : [describeClockOffset(tallies.clockOffsetMs)].filter((text) => text !== null);

/** True for an `always` clause of a selected area that was not tested. */
export const isUntestedAlwaysClause = ({ level, exercise, verdict }: ClauseReport): boolean =>
  level === 'must' && exercise === 'always' && verdict === 'inconclusive';

function describeSuiteError({ errors }: JudgedRun): string {
  const { scenario, message } = errors[0]!;
  const where = scenario === null ? '' : ` in “${scenario}”`;
  const more = errors.length === 1 ? '' : `, and in ${counted(errors.length - 1, 'more place')}`;
  return `The suite itself broke${where}${more}: ${message.split(/\r?\n/, 1)[0]}`;
}

/** Lists the operations of one area that never succeeded; one sentence if these are all operations. */
function explainFailedOperations(area: Area, run: JudgedRun, allSilent: readonly OperationReport[]): string[] {
  const silent = allSilent.filter((operation) => operation.area === area);
  const [first] = silent;
  if (first === undefined) return [];
  const [asked, notAsked] = partition(silent, ({ requests }) => requests > 0);
  const namesByCause = (some: readonly OperationReport[]) =>
    [...groupBy(some, (operation) => describeOutcomes(operation, run))].map(
      ([came, same]) => [joinWithAnd(same.map(({ id }) => id)), came] as const,
    );
  const sentences = [
    ...namesByCause(asked).map(([names, came]) => `No documented request of ${names} succeeded: ${came}.`),
    ...namesByCause(notAsked).map(([names, why]) => `${names} could not be tested: ${why}.`),
  ];
  if (silent.length < run.operations.filter((operation) => operation.area === area).length) return sentences;
  const detail = asked.map((operation) => `${operation.id}: ${describeOutcomes(operation, run)}`).join('; ');
  const cure =
    asked.length > 0 ? findAdvice(area, asked, run) : run.facts.recording !== undefined ? LEAVE_OUT_ADVICE : null;
  const said =
    silent.length === 1
      ? sentences[0]!
      : `No documented request of ${areaTitles[area]} succeeded (${detail || explainNotAsked(first, run)}).`;
  return [cure === null ? said : `${said} ${cure}`];
}

/** Lists the other clauses that were not tested, one sentence per area and cause. */
const describeUntestedClauses = (missed: readonly ClauseReport[]): string[] =>
  [...groupBy(missed, ({ area, why }) => `${area}\n${why ?? ''}`).values()].map((group) => {
    const { area, why } = group[0];
    const where = area === 'service' ? '' : ` of ${areaTitles[area]}`;
    const ids = joinFirstItems(
      group.map(({ id }) => id),
      4,
    );
    return `${counted(group.length, 'clause')}${where} ${group.length === 1 ? 'was' : 'were'} not tested (${ids})${why ? `: ${why}` : '.'}`;
  });
