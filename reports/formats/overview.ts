/** Makes the texts and numbers that all formats share: the verdict, the gate, the counts of each area, causes and findings. */
import { areas, type Area } from '../../openapi/model/exchange.ts';
import { replaceCommands } from '../../openapi/util/installation.ts';
import { groupBy, partition } from '../../openapi/util/group-by.ts';
import { findCauseOf, type Cause } from '../build/causes.ts';
import { groupUntested } from '../build/untested.ts';
import { listFailingClasses, type ClauseReport, type Finding, type Report } from '../model/report.ts';
import { makeCurlLine, quoteForShell } from '../text/curl.ts';
import {
  addCounts,
  counted,
  describeFrequency,
  describeRace,
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
import { shortenText } from '../text/sanitize.ts';

const MAX_HEADLINE_CAUSE_LENGTH = 100;

/** Returns the headline of a report. If a conformant bank has exactly one warning about security or money, `cause` names its clause. */
export function describeHeadline({ headline, verdict, clauses }: Report): {
  readonly headline: string;
  readonly cause: string;
} {
  const [severeWarning, ...otherWarnings] = clauses.filter(
    (clause) => clause.verdict === 'warning' && (clause.class === 'security' || clause.class === 'money'),
  );
  if (verdict !== 'conformant' || severeWarning === undefined || otherWarnings.length > 0)
    return { headline, cause: '' };
  const statement = severeWarning.statement.replace(/^If [^,]*, /, '').replace(/\.$/, '');
  const shortStatement = shortenText(statement, MAX_HEADLINE_CAUSE_LENGTH);
  return { headline, cause: `: the bank breaks the clause “${shortStatement}”` };
}

/** The colour of a run: green (pass), amber (warning), red (fail), or the colour for a run without a verdict (inconclusive). */
export type Signal = 'pass' | 'warning' | 'fail' | 'inconclusive';

/** Only a conformant bank without warnings is green. */
export function chooseSignal({ verdict, gate, counts }: Pick<Report, 'verdict' | 'gate' | 'counts'>): Signal {
  if (verdict === 'inconclusive') return 'inconclusive';
  if (verdict === 'non-conformant' || !gate.pass) return 'fail';
  return counts.should.warning > 0 ? 'warning' : 'pass';
}

/** Describes the gate. `untested` says how many clauses that can fail the gate were not tested; empty if all were tested. */
export const describeGate = (report: Report) => ({
  outcome: report.gate.pass ? 'Gate passed' : 'Gate failed',
  reasonText: report.gate.reasons.join('; '),
  untestedNote: describeUntestedOfGate(report),
});

const isUntested = ({ verdict }: ClauseReport): boolean => verdict === 'inconclusive';

/** True for a `should` clause that fails the gate if it is broken. */
export const isWatchedByGate = (
  { level, class: clauseClass }: ClauseReport,
  { suite }: Pick<Report, 'suite'>,
): boolean => level === 'should' && listFailingClasses(suite).includes(clauseClass);

function describeUntestedOfGate(report: Report): string {
  if (report.requests === 0) return '';
  const watchedClauses = report.clauses.filter(
    (clause) => clause.verdict !== 'not-applicable' && isWatchedByGate(clause, report),
  );
  const shares = listFailingClasses(report.suite).flatMap((name) => {
    const clausesOfClass = watchedClauses.filter((clause) => clause.class === name);
    const untestedCount = clausesOfClass.filter(isUntested).length;
    return untestedCount === 0 ? [] : `${untestedCount} of ${counted(clausesOfClass.length, `${name} clause`)}`;
  });
  if (shares.length === 0) return '';
  const isOneClause = watchedClauses.filter(isUntested).length === 1;
  return `${joinWithAnd(shares)} ${isOneClause ? 'was' : 'were'} not tested`;
}

/**
 * Returns the clauses that were not tested, in groups with the same reason. First come the `should` clauses that can fail the gate, then
 * the `must` clauses. If `all` is true, also returns the other `should` clauses.
 */
export function listUntested(report: Report, { all: withAllShouldClauses = false } = {}) {
  const untestedClauses = report.clauses.filter((clause) => clause.level !== 'open' && isUntested(clause));
  const [clausesOfGate, otherClauses] = partition(untestedClauses, (clause) => isWatchedByGate(clause, report));
  const listedClauses = otherClauses.filter(({ level }) => withAllShouldClauses || level === 'must');
  return [...groupBy([...clausesOfGate, ...listedClauses], ({ why }) => why ?? '')];
}

export const describeBank = ({ target }: Pick<Report, 'target'>): string =>
  `${formatTargetName(target)}${target.build === null ? '' : `, build ${target.build}`}`;

/** The columns of tables that count clauses: the name of the column, and the verdict that it counts. */
export const countColumns = [
  { name: 'broken', verdict: 'fail' },
  { name: 'warned', verdict: 'warning' },
  { name: 'not tested', verdict: 'inconclusive' },
  { name: 'kept', verdict: 'pass' },
] as const;

/** The numbers of `must` and `should` clauses of each area, in the order of `countColumns`. */
export function countByArea({ clauses, target }: Report) {
  const countIn = (area: Area | 'service') => {
    const clausesOfArea = clauses.filter((clause) => clause.area === area && clause.level !== 'open');
    return {
      area,
      counts: countColumns.map(({ verdict }) => clausesOfArea.filter((clause) => clause.verdict === verdict).length),
    };
  };
  return [...areas.filter((area) => target.areas.includes(area)), 'service' as const].map(countIn);
}

/** Returns the reasons of the verdict. Leaves out the first reason if it only counts broken clauses: the findings say more. */
export const listOtherReasons = ({ reasons, clauses }: Report): readonly string[] =>
  reasons.slice(clauses.some(({ verdict }) => verdict === 'fail') ? 1 : 0);

/** Makes all texts about a finding. Each format shows some of them. */
export function describeFinding(report: Report, finding: Finding) {
  return {
    number: getFindingNumber(report, finding),
    title: titleFinding(finding),
    label: labelFinding(finding),
    source: formatSource(finding.source),
    place: `${finding.operation} at ${formatPlace(finding.pointer)}`,
    receivedValues: describeReceivedValues(finding),
    frequency: describeFrequency(finding),
    repetitionNotes: describeRepetitions(finding),
    raceNotes: describeRace(report, finding),
    consequenceNotes: describeConsequence(report, finding),
    replayCommand: makeReplayCommand(report, finding),
    curlCommand: makeCurlLine(report, finding),
  };
}

/** Describes a finding in one paragraph: the clause, the expected and the received value, the place and the frequency. */
export function summarizeFinding(report: Report, finding: Finding): string {
  const { title, label, receivedValues, place, frequency } = describeFinding(report, finding);
  const receivedText = `${receivedValues.join('; ')} (${label}; ${place}, ${frequency})`;
  return `${title} ${toSentence(writeVersus(finding.expected, receivedText))}`;
}

/** Makes the texts about a cause: its operations with their counts, the received value, and what it prevented from being tested. */
export function describeCause(report: Report, cause: Cause) {
  const findingsByOperation = groupBy(cause, (finding) => getOperationName(report, finding));
  const places = [...findingsByOperation].map(
    ([operation, [firstFinding]]) => `${operation} ${describeFrequency(firstFinding)}`,
  );
  const [firstValue = '', ...otherValues] = describeReceivedValues(cause[0]);
  return {
    places: joinFirstItems(places, 3),
    received: otherValues.length > 0 ? `${firstValue} and ${counted(otherValues.length, 'other form')}` : firstValue,
    untested: describeUntestedParts(report, cause),
  };
}

const getOperationName = ({ operations }: Report, { operation }: Finding): string =>
  operations.find((reported) => formatOperationName(reported) === operation)?.id ?? operation;

/** Names the operations and counts the clauses that these findings prevented from being tested; null if there are none. */
function describeUntestedParts(report: Report, findings: readonly Finding[]): string | null {
  const untestedParts = findings.flatMap(({ id }) => groupUntested(report).get(id) ?? []);
  const untestedOperations = untestedParts.flatMap(({ operations }) => operations);
  const notRequested = untestedOperations.filter(({ requests }) => requests === 0).map(({ id }) => id);
  const clauseCount = addCounts(untestedParts, (group) => group.clauses.length);
  const names = [...notRequested, ...(clauseCount === 0 ? [] : [counted(clauseCount, 'clause')])];
  return names.length === 0 ? null : joinFirstItems(names, 6);
}

/** Returns the number of a finding in the report. The first finding has the number 1. */
export const getFindingNumber = ({ findings }: Pick<Report, 'findings'>, { id }: Pick<Finding, 'id'>): number =>
  findings.findIndex((finding) => finding.id === id) + 1;

/** Names the finding that probably causes this finding; an empty list if there is none. */
function describeConsequence(report: Pick<Report, 'findings'>, finding: Finding): string[] {
  const cause = findCauseOf(finding, report.findings);
  return cause === undefined
    ? []
    : [`Probably a consequence of no. ${getFindingNumber(report, cause)}, ${cause.clause}.`];
}

/** Chooses the finding to look at first: a new finding, if it is as severe as the first finding of the report; else the first finding. */
export function chooseFinding({ findings, against }: Report): Finding | undefined {
  const newFindingIds = new Set(against?.changes?.findings.fresh);
  const [firstFinding] = findings;
  const isTolerated = (finding: Finding | undefined): boolean => finding?.known !== undefined;
  const isAsSevere = (finding: Finding): boolean =>
    finding.verdict === firstFinding?.verdict && isTolerated(finding) === isTolerated(firstFinding);
  const newFinding = findings.find((finding) => isAsSevere(finding) && newFindingIds.has(finding.id));
  return newFinding ?? firstFinding;
}

/** Returns the path of conformance.json, quoted for the shell. */
export function locateReport({ suite }: Report): string {
  const folder = (suite.settings?.['REPORT_DIR'] ?? 'reports/out').replace(/[\\/]+$/, '');
  // A path that begins with a dash would be read as an option.
  const safeFolder = folder.startsWith('-') ? `./${folder}` : folder;
  return quoteForShell(`${safeFolder}/conformance.json`);
}

/** Returns the command that replays a finding: `npm run replay -- reports/out/conformance.json 3`; null for recorded traffic. */
const makeReplayCommand = (report: Report, finding: Finding): string | null =>
  report.recording === undefined
    ? replaceCommands(`npm run replay -- ${locateReport(report)} ${getFindingNumber(report, finding)}`)
    : null;
