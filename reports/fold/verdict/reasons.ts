/** Why a run has the verdict that it has, in sentences. */
import { groupBy } from '../../../openapi/util/group-by.ts';
import { areas, type Area } from '../../../openapi/model/exchange.ts';
import type { ClauseReport, OperationReport } from '../../model/report.ts';
import { areaTitle, counted, grouped, listed, listedUpTo, operationName } from '../../text/phrases.ts';
import { cureOf, hints, isMostlyUnanswered, LEAVE_OUT, lostPositives } from './remedies.ts';
import type { RunTally } from './run-tally.ts';
import { inItsWords, limitOn, whatCame, whyNotAsked } from './what-came.ts';

/** What makes the target non-conformant. */
export function reasonsAgainst(run: RunTally): string[] {
  const broken = run.clauses.filter((clause) => clause.verdict === 'fail');
  const changed = broken.filter(({ id }) => run.pinned?.has(id));
  const ofDocument = broken.filter((clause) => !changed.includes(clause));
  const said = (clauses: readonly ClauseReport[], words: string): string[] => {
    const ids = clauses.map(({ id }) => id);
    return ids.length === 0 ? [] : [`${words}: ${listedUpTo(ids, 6)}.`];
  };
  const [one, are] = [counted(ofDocument.length, 'clause'), ofDocument.length === 1 ? 'is' : 'are'];
  return [
    ...said(ofDocument, `${one} of the document ${are} broken`),
    ...said(changed, `The pinned answers to ${counted(changed.length, 'open point')} have changed`),
  ];
}

/** What keeps the run from a conclusion. Each sentence names a gap; none of them is the target's failure. */
export function reasonsOpen(run: RunTally): string[] {
  const judged = run.requests === 0 ? 'Nothing' : 'Not all';
  const reasons = run.configuration.map((fault, at) =>
    at === 0 ? `${judged} was judged, because the configuration is wrong: ${fault}` : fault,
  );
  reasons.push(...(run.incomplete ?? []));
  if (run.interrupted !== null) reasons.push(`The run ended early: ${run.interrupted}`);
  if (run.errors.length > 0) reasons.push(suiteBroke(run));
  if (run.requests === 0) return reasons.length > 0 ? reasons : [noRequest(run)];
  const ended = run.interrupted !== null;
  // What a run that ended early did not come to says nothing of the target.
  const silent = run.operations.filter(({ successes, requests }) => successes === 0 && !(ended && requests === 0));
  const missed = run.clauses.filter(isGap);
  const explained = new Set(missed.filter((clause) => ended || hangsOn(clause, silent, run.operations)));
  for (const area of areas) reasons.push(...silence(area, run, silent));
  reasons.push(...run.operations.filter(isMostlyUnanswered).map((one) => unansweredShare(one, run)));
  if (explained.size > 0 && (ended || silent.length > 0))
    reasons.push(`${counted(explained.size, 'clause')} could not be tested for that reason.`);
  reasons.push(...gaps(missed.filter((clause) => !explained.has(clause))), ...hints(silent, run));
  return reasons;
}

/** That nothing was asked, and why where one setting is the cause. */
function noRequest(run: RunTally): string {
  const [limit, ...others] = new Set(run.operations.map((operation) => limitOn(operation, run)));
  const replayed = run.settings?.['REPLAY']?.split('#')[0];
  const unknown = replayed === undefined ? '' : `: REPLAY names ${replayed}, and no scenario with that id could run`;
  const why = others.length > 0 || limit == null ? unknown : `: ${limit}`;
  return `No request was made in this run${why}.`;
}

/** What a conformant verdict rests on. */
export function reasonsFor(run: RunTally): string[] {
  const musts = run.clauses.filter((clause) => clause.level === 'must');
  const passed = musts.filter((clause) => clause.verdict === 'pass').length;
  const unseen = musts.filter((clause) => clause.verdict === 'inconclusive').length;
  const operations = run.operations.length === 1 ? 'The operation' : `All ${run.operations.length} operations`;
  const reasons = [
    `${operations} succeeded, and ${counted(passed, 'clause')} of the document ${passed === 1 ? 'was' : 'were'} kept in ${counted(run.requests, 'request')}.`,
  ];
  if (unseen > 0)
    reasons.push(
      `${counted(unseen, 'clause')} could not be tested, because no answer of the bank contained what ${unseen === 1 ? 'it is' : 'they are'} about; this is allowed.`,
    );
  return reasons;
}

/** That of very long lists only a part was looked at; it keeps from no conclusion, as nobody knew which part. */
export function sharesOf({ shares }: RunTally): string[] {
  if (shares === undefined) return [];
  const said = ({ answers, seen, of }: (typeof shares)['judged'], verb: string): string[] =>
    answers === 0
      ? []
      : [
          `${counted(seen, 'entry', 'entries')} of ${grouped(of)} in the long lists of ${counted(answers, 'answer')} were ${verb}: a share of ${((100 * seen) / of).toFixed(1)} %, drawn by the seed.`,
        ];
  return [...said(shares.judged, 'judged'), ...said(shares.compared, 'compared with other answers')];
}

/** An `always` clause of a selected area that nothing put to the test. */
function isGap(clause: ClauseReport): boolean {
  return clause.level === 'must' && clause.exercise === 'always' && clause.verdict === 'inconclusive';
}

function suiteBroke(run: RunTally): string {
  const first = run.errors[0]!;
  const where = first.scenario === null ? '' : ` in “${first.scenario}”`;
  const more = run.errors.length === 1 ? '' : `, and in ${counted(run.errors.length - 1, 'more place')}`;
  return `The suite itself broke${where}${more}: ${first.message.split(/\r?\n/, 1)[0]}`;
}

/**
 * True where every place at which the clause could be judged belongs to one of the `silent` operations, which never
 * succeeded, or all operations of its area do.
 */
export function hangsOn(
  clause: ClauseReport,
  silent: readonly Pick<OperationReport, 'id'>[],
  operations: readonly OperationReport[],
): boolean {
  const mine = operations.filter(({ id }) => silent.some((one) => one.id === id));
  const names = new Set(mine.map(operationName));
  const isIn = (operation: OperationReport): boolean => operation.area === clause.area;
  return clause.places.length > 0
    ? clause.places.every(({ operation }) => operation !== null && names.has(operation))
    : mine.some(isIn) && operations.filter(isIn).every((operation) => mine.includes(operation));
}

/** The operations of one area that never succeeded; one sentence where it is all of them. */
function silence(area: Area, run: RunTally, silent: readonly OperationReport[]): string[] {
  const all = run.operations.filter((operation) => operation.area === area);
  const mine = silent.filter((operation) => operation.area === area);
  if (mine.length === 0) return [];
  if (mine.length < all.length)
    return [...groupBy(mine, (operation) => whatCame(operation, run))].map(([came, same]) =>
      neverSucceeded(same, came),
    );
  const asked = mine.filter((operation) => operation.requests > 0);
  const detail = asked.map((operation) => `${operation.id}: ${whatCame(operation, run)}`);
  const cure = asked.length > 0 ? cureOf(area, asked, run) : run.isRecorded === true ? LEAVE_OUT : null;
  const said =
    mine.length === 1
      ? neverSucceeded(mine, whatCame(mine[0]!, run))
      : `No operation of ${areaTitle[area]} ever succeeded (${detail.length === 0 ? whyNotAsked(mine[0]!, run) : detail.join('; ')}).`;
  return [cure === null ? said : `${said} ${cure}`];
}

const neverSucceeded = (operations: readonly OperationReport[], came: string): string =>
  `${listed(operations.map(({ id }) => id))} never succeeded: ${came}.`;

function unansweredShare(operation: OperationReport, run: RunTally): string {
  return `${operation.id} gave no answer, or a 5xx, to ${lostPositives(operation)} of ${operation.positives} documented requests${inItsWords(operation, run)}: too few answers are left to judge it.`;
}

/** The unexplained gaps, one sentence per area and cause. */
function gaps(missed: readonly ClauseReport[]): string[] {
  const groups = groupBy(missed, ({ area, why }) => `${area}\n${why ?? ''}`);
  return [...groups.values()].map((group) => {
    const { area, why } = group[0];
    const ids = group.map((clause) => clause.id);
    const where = area === 'service' ? '' : ` of ${areaTitle[area]}`;
    return `${counted(group.length, 'clause')}${where} ${ids.length === 1 ? 'was' : 'were'} not tested (${listedUpTo(ids, 4)})${why ? `: ${why}` : '.'}`;
  });
}
