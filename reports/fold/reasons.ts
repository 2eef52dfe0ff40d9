/** Why a run has the verdict that it has, in sentences. */
import { groupBy } from '../../openapi/util/group-by.ts';
import { areas } from '../../openapi/model/exchange.ts';
import type { Area, OperationId } from '../../openapi/model/exchange.ts';
import type { ExchangeRecord } from '../../openapi/model/journal.ts';
import type { Caps, ClauseReport, OperationReport, SuiteError } from '../model/report.ts';
import { answersInWords, areaTitle, counted, grouped, listed, listedUpTo, operationName } from '../text/phrases.ts';
import { shortened } from '../text/sanitize.ts';

/** What to do about an area of which recorded traffic has nothing. */
const LEAVE_OUT = 'If it should not be judged, leave it out with AREAS.';
/** Characters of an answer that a reason quotes. */
const MAX_BODY = 120;

/** What the verdict of the run rests on. */
export interface RunTally {
  readonly areas: readonly Area[];
  /** Null where all operations of these areas are judged. */
  readonly selected?: readonly OperationId[] | null;
  readonly requests: number;
  readonly clauses: readonly ClauseReport[];
  /** Open points with pinned answers: what is broken there is no sentence of the document. */
  readonly pinned?: ReadonlySet<string>;
  /** Those of the selected areas. */
  readonly operations: readonly OperationReport[];
  readonly errors: readonly SuiteError[];
  /** The exchanges that are kept, without secrets. */
  readonly records?: ReadonlyMap<string, Pick<ExchangeRecord, 'response' | 'failure'>>;
  readonly interrupted: string | null;
  /** What is missing of the run itself, one sentence each. */
  readonly incomplete?: readonly string[];
  readonly configuration: readonly string[];
  /** The settings of the run, by variable, and what it could create at most. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly caps?: Caps;
  /** True of recorded traffic, which the suite did not send. */
  readonly isRecorded?: boolean;
}

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
  const why = others.length > 0 || limit == null ? '' : `: ${limit}`;
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

const isFaulty = (area: Area, { clauses }: RunTally): boolean =>
  clauses.some((clause) => clause.area === area && clause.verdict === 'fail');

/** What to do about the cause that most answers of a silent area tell; null where a broken clause or the answers say enough. */
function cureOf(area: Area, asked: readonly OperationReport[], run: RunTally): string | null {
  if (isFaulty(area, run)) return null;
  const requests = asked.reduce((sum, operation) => sum + operation.requests, 0);
  const share = (counts: (operation: OperationReport) => number): number =>
    asked.reduce((sum, operation) => sum + counts(operation), 0) / requests;
  const answered = (holds: (status: number) => boolean): number =>
    share(({ statuses }) =>
      Object.entries(statuses).reduce((sum, [status, count]) => sum + (holds(Number(status)) ? count : 0), 0),
    );
  if (answered((status) => status === 401 || status === 403) > 0.5)
    return run.operations.some((one) => one.area !== area && one.area !== 'atms' && one.successes > 0)
      ? 'The same credentials are accepted elsewhere: check what they may be used for.'
      : `Check ${area === 'atms' ? 'CLIENT_ID and CLIENT_SECRET' : 'CLIENT_ID, CLIENT_SECRET and ACCESS_TOKEN'}.`;
  if (answered((status) => status >= 300 && status < 400) > 0.5)
    return 'Redirects are never followed: set BASE_URL to the address they lead to.';
  if (share(({ unanswered }) => unanswered) > 0.5) {
    const unread = asked.map((operation) => unreadable(operation, run)).find((why) => why !== null);
    return unread === undefined ? 'Nothing answers at this address.' : `Its answers cannot be read: ${unread}`;
  }
  if (answered((status) => status >= 500 && status !== 501) > 0.5) return 'The bank answers with server errors.';
  if (answered((status) => [404, 405, 501].includes(status)) <= 0.5) return null;
  const elsewhere = run.areas.length === 1 ? '' : ' If the bank does not offer this area, leave it out with AREAS.';
  return `Check the path in BASE_URL.${elsewhere}`;
}

/** An operation that succeeded, although most of its positive requests brought no answer or a 5xx. */
export function isMostlyUnanswered(operation: OperationReport): boolean {
  return operation.successes > 0 && lostPositives(operation) * 2 > operation.positives;
}

const lostPositives = ({ outcomes }: OperationReport): number => (outcomes['no-answer'] ?? 0) + (outcomes.failed ?? 0);

function unansweredShare(operation: OperationReport, run: RunTally): string {
  return `${operation.id} gave no answer, or a 5xx, to ${lostPositives(operation)} of ${operation.positives} documented requests${inItsWords(operation, run)}: too few answers are left to judge it.`;
}

const TOO_SOON = /\btoo (?:soon|often|fast|frequent|many)\b|\brate limit|\bthrottl|\bslow down\b/i;

/** What may help where operations never succeeded; of test data only where no broken clause of their area says enough. */
function hints(silent: readonly OperationReport[], run: RunTally): string[] {
  const brought = ({ statuses, requests }: OperationReport, ...which: readonly string[]): boolean =>
    which.some((status) => (statuses[status] ?? 0) > requests / 4);
  const isLent = run.operations.some(({ id, successes }) => id === 'requestLoan' && successes > 0);
  const isWithoutOffers = (one: OperationReport) =>
    isLent && one.area === 'loans' && one.requests === 0 && limitOn(one, run) === null;
  const refuses = (operation: OperationReport): boolean =>
    brought(operation, '400', '409', '422') || (operation.outcomes.unsuccessful ?? 0) > operation.requests / 4;
  const isPressed = (one: OperationReport) => brought(one, '429', '503') || TOO_SOON.test(inItsWords(one, run));
  // A 500 alone is no sign of it.
  const isLost = (one: OperationReport) => brought(one, '502', '504') || 4 * one.unanswered > one.requests;
  const lost = run.operations.filter(isMostlyUnanswered);
  return [
    ...([...silent, ...lost].some(isPressed) || lost.some(isLost)
      ? ['If the bank gets too many requests at once, set RATE_LIMIT or a smaller IN_FLIGHT.']
      : []),
    ...(silent.some((one) => !isFaulty(one.area, run) && (refuses(one) || isWithoutOffers(one)))
      ? ['If the bank needs other test data, set AMOUNTS, CURRENCIES, CUSTOMER_IPS or LANGUAGES.']
      : []),
  ];
}

type Limits = Pick<RunTally, 'settings' | 'caps' | 'isRecorded' | 'interrupted' | 'records' | 'operations'>;

/** The setting of the user that kept every request of an operation from being sent, or null. */
function limitOn({ id, method }: OperationReport, { settings, caps }: Limits): string | null {
  if (
    ['1', 'true'].includes(settings?.['READ_ONLY']?.toLowerCase() ?? '') &&
    (method !== 'GET' || id === 'queryDisbursement')
  )
    return 'READ_ONLY allows GET requests only';
  if (caps === undefined) return null;
  if (['requestLoan', 'approveContract', 'disburse', 'queryDisbursement'].includes(id) && caps.applications === 0)
    return 'MAX_APPLICATIONS is 0';
  if (['disburse', 'queryDisbursement'].includes(id) && caps.disbursements === 0) return 'MAX_DISBURSEMENTS is 0';
  return id === 'createPaymentLink' && caps.links === 0 ? 'MAX_LINKS is 0' : null;
}

/** The operation whose answers give the ids that others of its area need. */
const giverOfIds: Readonly<Partial<Record<Area, OperationId>>> = {
  loans: 'requestLoan',
  'payment-links': 'listMerchants',
};

function whyNotAsked(operation: OperationReport, run: Limits): string {
  if (run.isRecorded === true) return 'the recording has no request for it';
  const limit = limitOn(operation, run);
  if (limit !== null) return `no request was sent, because ${limit}`;
  if (run.interrupted !== null) return 'no request was sent before the run ended';
  const asked = run.operations.filter(({ requests }) => requests > 0);
  if (asked.length > 0 && asked.every(({ requests, unanswered }) => unanswered === requests))
    return 'no request was sent, because no other was answered';
  const source = operation.id === 'validateLoan' ? undefined : giverOfIds[operation.area];
  const giver = run.operations.find(({ id }) => id === source);
  return source === undefined || giver?.requests === 0
    ? 'no scenario that ran calls it'
    : 'no request was sent, because the ids for it were not found';
}

/** What an operation that never succeeded answered instead. */
export function whatCame(operation: OperationReport, run: Limits): string {
  if (operation.requests === 0) return whyNotAsked(operation, run);
  const { requests, statuses, unanswered } = operation;
  const kinds = [...Object.keys(statuses), ...(unanswered > 0 ? ['no answer'] : [])];
  const came =
    kinds.length === 1
      ? `${requests === 1 ? 'the only request' : requests === 2 ? 'both requests' : `all ${grouped(requests)} requests`} got ${kinds[0]}`
      : `${counted(requests, 'request')} got ${answersInWords(statuses, unanswered)}`;
  const { unsuccessful = 0, broken = 0 } = operation.outcomes;
  const share = (n: number, what: string): string[] =>
    n === 0
      ? []
      : [`${n === requests ? (n === 1 ? 'the answer' : 'each answer') : `${grouped(n)} of the answers`} ${what}`];
  const but = [
    ...share(unsuccessful, 'said that the outcome was false'),
    ...share(broken, 'had no data in the documented form'),
  ];
  return `${came}${but.length > 0 ? `; ${listed(but)}` : ''}${inItsWords(operation, run)}`;
}

/** Why an answer that came counts as none; null where none came, or it is not known. */
function unreadable({ ways }: OperationReport, { records }: Limits): string | null {
  const record = records?.get(ways.flow.exchange ?? ways.property.exchange ?? '');
  return record?.response == null ? null : (record.failure?.message ?? null);
}

/** The beginning of an answer with the most frequent status: the bank's own reason. */
function inItsWords({ ways, statuses, requests }: OperationReport, { records }: Limits): string {
  const response = [ways.flow, ways.property]
    .map(({ exchange }) => records?.get(exchange ?? '')?.response)
    .find((one) => one != null && (statuses[one.status] ?? 0) * 2 > requests);
  const body = response?.encoding === 'utf-8' ? response.body.replace(/\s+/g, ' ').trim() : '';
  return body === '' ? '' : `, for example ${shortened(body, MAX_BODY)}`;
}

/** The unexplained gaps, one sentence per area and cause. */
function gaps(missed: readonly ClauseReport[]): string[] {
  const groups = groupBy(missed, ({ area, why }) => `${area}\n${why ?? ''}`);
  return [...groups.values()].map((group) => {
    const { area, why } = group[0]!;
    const ids = group.map((clause) => clause.id);
    const where = area === 'service' ? '' : ` of ${areaTitle[area]}`;
    return `${counted(group.length, 'clause')}${where} ${ids.length === 1 ? 'was' : 'were'} not tested (${listedUpTo(ids, 4)})${why ? `: ${why}` : '.'}`;
  });
}
