/** The words that all formats share: the verdict, the counts of each area, and what a cause or a finding is. */
import { areas, type Area } from '../../openapi/model/exchange.ts';
import { replaceCommands } from '../../openapi/util/installation.ts';
import { groupBy, partition } from '../../openapi/util/group-by.ts';
import { findCauseOf, type RootCause } from '../fold/causes.ts';
import { groupUntested } from '../fold/untested.ts';
import { listFailingClasses, type ClauseReport, type Finding, type Report } from '../model/report.ts';
import { makeCurlLine, quoteForShell } from '../text/curl.ts';
import {
  addCounts,
  counted,
  describeFrequency,
  describeReceivedValues,
  describeRepetitions,
  formatOperationName,
  formatPlace,
  formatSource,
  formatTargetName,
  joinFirstItems,
  joinWithAnd,
  labelFinding,
  titleFinding,
  toSentence,
  writeVersus,
} from '../text/phrases.ts';
import { describeRace } from '../text/race.ts';
import { shortenText } from '../text/sanitize.ts';

const MAX_HEADLINE_CAUSE_LENGTH = 100;

/** The headline, and its cause: at a conformant bank, a single warning about security or money, by the main clause of its statement. */
export function describeHeadline({ headline, verdict, clauses }: Report): {
  readonly headline: string;
  readonly cause: string;
} {
  const [costly, ...more] = clauses.filter(
    (clause) => clause.verdict === 'warning' && (clause.class === 'security' || clause.class === 'money'),
  );
  if (verdict !== 'conformant' || costly === undefined || more.length > 0) return { headline, cause: '' };
  const promise = costly.statement.replace(/^If [^,]*, /, '').replace(/\.$/, '');
  return { headline, cause: `: the bank breaks the clause “${shortenText(promise, MAX_HEADLINE_CAUSE_LENGTH)}”` };
}

/** What the colour of a run says: green, amber, red, or that there is no verdict. */
export type Signal = 'pass' | 'warning' | 'fail' | 'inconclusive';

/** Green is only a conformant bank without a warning. */
export function chooseSignal({ verdict, gate, counts }: Pick<Report, 'verdict' | 'gate' | 'counts'>): Signal {
  if (verdict === 'inconclusive') return 'inconclusive';
  if (verdict === 'non-conformant' || !gate.pass) return 'fail';
  return counts.should.warning > 0 ? 'warning' : 'pass';
}

/** `untested` says which part of what the gate watches was not tested; an empty text if all was. */
export const describeGate = (report: Report) => ({
  outcome: report.gate.pass ? 'Gate passed' : 'Gate failed',
  because: report.gate.reasons.join('; '),
  untested: describeUntestedOfGate(report),
});

const isUntested = ({ verdict }: ClauseReport): boolean => verdict === 'inconclusive';

/** True for a clause whose warning would fail the gate. */
export const isWatched = ({ level, class: endangered }: ClauseReport, { suite }: Pick<Report, 'suite'>): boolean =>
  level === 'should' && listFailingClasses(suite).includes(endangered);

function describeUntestedOfGate(report: Report): string {
  if (report.requests === 0) return '';
  const watched = report.clauses.filter((clause) => clause.verdict !== 'not-applicable' && isWatched(clause, report));
  const parts = listFailingClasses(report.suite).flatMap((name) => {
    const ofClass = watched.filter((clause) => clause.class === name);
    const untested = ofClass.filter(isUntested).length;
    return untested === 0 ? [] : `${untested} of ${counted(ofClass.length, `${name} clause`)}`;
  });
  if (parts.length === 0) return '';
  return `${joinWithAnd(parts)} ${watched.filter(isUntested).length === 1 ? 'was' : 'were'} not tested`;
}

/**
 * Returns the clauses that were not tested, by their reason: `must` clauses, and those that the gate watches; with `all`, also the
 * other `should` clauses. Those that the gate watches come first.
 */
export function listUntested(report: Report, { all = false } = {}) {
  const untested = report.clauses.filter((clause) => clause.level !== 'open' && isUntested(clause));
  const [watched, unwatched] = partition(untested, (clause) => isWatched(clause, report));
  const listed = unwatched.filter(({ level }) => all || level === 'must');
  return [...groupBy([...watched, ...listed], ({ why }) => why ?? '')];
}

export const describeBank = ({ target }: Pick<Report, 'target'>): string =>
  `${formatTargetName(target)}${target.build === null ? '' : `, build ${target.build}`}`;

/** The columns of each table that counts clauses: the name, and the verdict that is counted. */
export const countColumns = [
  { name: 'broken', verdict: 'fail' },
  { name: 'warned', verdict: 'warning' },
  { name: 'not tested', verdict: 'inconclusive' },
  { name: 'kept', verdict: 'pass' },
] as const;

/** The numbers of `must` and `should` clauses of each area, in the order of `countColumns`. */
export function countByArea({ clauses, target }: Report) {
  const countIn = (area: Area | 'service') => {
    const judged = clauses.filter((clause) => clause.area === area && clause.level !== 'open');
    return {
      area,
      counts: countColumns.map(({ verdict }) => judged.filter((clause) => clause.verdict === verdict).length),
    };
  };
  return [...areas.filter((area) => target.areas.includes(area)), 'service' as const].map(countIn);
}

/** Returns the reasons of the verdict without those that only count broken clauses: the findings say more. */
export const listOtherReasons = ({ reasons, clauses }: Report): readonly string[] =>
  reasons.slice(clauses.some(({ verdict }) => verdict === 'fail') ? 1 : 0);

/** All texts about one finding: each format shows some of them. */
export function describeFinding(report: Report, finding: Finding) {
  return {
    number: getFindingNumber(report, finding),
    title: titleFinding(finding),
    label: labelFinding(finding),
    source: formatSource(finding.source),
    where: `${finding.operation} at ${formatPlace(finding.pointer)}`,
    received: describeReceivedValues(finding),
    frequency: describeFrequency(finding),
    repetitions: describeRepetitions(finding),
    race: describeRace(report, finding),
    consequence: describeConsequence(report, finding),
    replay: makeReplayCommand(report, finding),
    curl: makeCurlLine(report, finding),
  };
}

/** The finding in one paragraph: what must hold, what was expected, what came, where and how often. */
export function summarizeFinding(report: Report, finding: Finding): string {
  const { title, label, received, where, frequency } = describeFinding(report, finding);
  return `${title} ${toSentence(writeVersus(finding.expected, `${received.join('; ')} (${label}; ${where}, ${frequency})`))}`;
}

/** The texts about a cause: its operations with their counts, what came, and what could not be tested because of it. */
export function describeCause(report: Report, { worst, findings }: RootCause) {
  const first = new Map(findings.toReversed().map((finding) => [getOperationName(report, finding), finding]));
  const places = [...first].reverse().map(([operation, finding]) => `${operation} ${describeFrequency(finding)}`);
  const [came = '', ...more] = describeReceivedValues(worst);
  return {
    places: joinFirstItems(places, 3),
    came: `${came}${more.length > 0 ? ` and ${counted(more.length, 'other form')}` : ''}`,
    untested: describeFollowers(report, findings),
  };
}

const getOperationName = ({ operations }: Report, { operation }: Finding): string =>
  operations.find((one) => formatOperationName(one) === operation)?.id ?? operation;

/** Names the operations and counts the clauses that could not be tested; null if there are none. */
function describeFollowers(report: Report, findings: readonly Finding[]): string | null {
  const groups = findings.flatMap(({ id }) => groupUntested(report).get(id) ?? []);
  const silent = groups.flatMap(({ operations }) => operations);
  const notAsked = silent.filter(({ requests }) => requests === 0).map(({ id }) => id);
  const clauses = addCounts(groups, (group) => group.clauses.length);
  const parts = [...notAsked, ...(clauses === 0 ? [] : [counted(clauses, 'clause')])];
  return parts.length === 0 ? null : joinFirstItems(parts, 6);
}

export const getFindingNumber = ({ findings }: Pick<Report, 'findings'>, { id }: Pick<Finding, 'id'>): number =>
  findings.findIndex((one) => one.id === id) + 1;

/** Names the finding of which this finding is probably a consequence; an empty list if there is none. */
function describeConsequence(report: Pick<Report, 'findings'>, finding: Finding): string[] {
  const cause = findCauseOf(finding, report.findings);
  return cause === undefined
    ? []
    : [`Probably a consequence of no. ${getFindingNumber(report, cause)}, ${cause.clause}.`];
}

/** The finding to look at first: one that an earlier run did not have, if the first one is not worse. */
export function chooseFinding({ findings, against }: Report): Finding | undefined {
  const fresh = new Set(against?.changes?.findings.fresh);
  const [first] = findings;
  const isEqual = ({ verdict, known }: Finding): boolean =>
    verdict === first?.verdict && (known === undefined) === (first.known === undefined);
  return findings.find((finding) => isEqual(finding) && fresh.has(finding.id)) ?? first;
}

export function locateReport({ suite }: Report): string {
  const folder = (suite.settings?.['REPORT_DIR'] ?? 'reports/out').replace(/[\\/]+$/, '');
  // A path that begins with a dash would be read as an option.
  return quoteForShell(`${folder.startsWith('-') ? '.' : ''}${folder}/conformance.json`);
}

/** Returns the command that replays a finding: `npm run replay -- reports/out/conformance.json 3`; null for recorded traffic. */
const makeReplayCommand = (report: Report, finding: Finding): string | null =>
  report.recording === undefined
    ? replaceCommands(`npm run replay -- ${locateReport(report)} ${getFindingNumber(report, finding)}`)
    : null;
