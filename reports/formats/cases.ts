/** Converts the report to test cases for JUnit and CTRF: one for each clause at each operation. */
import { groupBy } from '../../openapi/util/group-by.ts';
import type { ClauseReport, Finding, Report } from '../model/report.ts';
import {
  describeRepetitions,
  labelFinding,
  describeFrequency,
  describeReceivedValues,
  formatSource,
  formatVerdict,
} from '../text/phrases.ts';
import { describeConsequence, makeReplayCommand } from '../text/replay.ts';
import { shortenText, escapeHarmful } from '../text/sanitize.ts';

/** A message has at most this many characters, because CI systems show short messages. */
const MAX_MESSAGE_CHARACTERS = 400;

export interface Case {
  /** Null if the case is about the suite or the gate. */
  readonly clause: ClauseReport | null;
  readonly name: string;
  /** `METHOD path-template`, or the area if the clause is about several operations. */
  readonly operation: string;
  readonly status: 'passed' | 'failed' | 'skipped' | 'warned' | 'error';
  /** Why the case failed, was skipped or is an error, in one line. */
  readonly message: string;
  /** Milliseconds of the exchange in the report that shows the result; 0 if there is none. */
  readonly durationMs: number;
  readonly detail: string;
}

/** Makes one case for each operation that breaks a clause, or else one case for the clause. Adds the faults of the suite. */
export function makeCases(report: Report): Case[] {
  const durationOf = (exchange: string | null): number =>
    Math.round(report.exchanges[exchange ?? '']?.timing.durationMs ?? 0);
  const byClause = groupBy(report.findings, ({ clause }) => clause);
  const ofClauses = report.clauses.flatMap((clause): Case[] => {
    const { id: name, verdict, why, exchange } = clause;
    const findings = byClause.get(name);
    if (findings === undefined) {
      const isSkipped = verdict === 'inconclusive' || verdict === 'not-applicable';
      const operation = clause.operation ?? clause.area;
      const message = isSkipped ? `${formatVerdict(verdict)}: ${why ?? ''}` : '';
      const status = isSkipped ? 'skipped' : 'passed';
      return [{ clause, name, operation, status, message, durationMs: durationOf(exchange), detail: '' }];
    }
    const isOpen = findings.some(({ known }) => known === undefined);
    const status = isOpen && (verdict === 'fail' || report.suite.strict) ? 'failed' : 'warned';
    return [...groupBy(findings, (finding) => finding.operation)].map(([operation, here]) => {
      const { pointer, exchange: broken } = here[0];
      const received = describeReceivedValues(here[0]).join('; ');
      const message = shortenText(`${pointer === '' ? '' : `${pointer}: `}${received}`, MAX_MESSAGE_CHARACTERS);
      const detail = here
        .map(
          (finding) =>
            `${status === 'warned' ? `${finding.known ? labelFinding(finding) : 'warning'}: ` : ''}${describeFinding(finding, report)}`,
        )
        .join('\n\n');
      return { clause, name, operation, status, message, durationMs: durationOf(broken), detail };
    });
  });
  const fault = (operation: string, name: string, message: string): Case => ({
    clause: null,
    name,
    operation,
    status: 'error',
    message: shortenText(escapeHarmful(message), MAX_MESSAGE_CHARACTERS),
    durationMs: 0,
    detail: '',
  });
  const faults = report.errors.map(({ scenario, message }, at) =>
    fault('suite', scenario ?? `fault ${at + 1}`, message),
  );
  const isRed = faults.length > 0 || ofClauses.some(({ status }) => status === 'failed');
  // If the gate fails but no case fails, adds a failed case: some tools only count cases.
  if (!report.gate.pass && !isRed)
    faults.push(fault('gate', 'verdict', [...report.gate.reasons, ...report.reasons].join('; ')));
  return [...ofClauses, ...faults];
}

/** Describes a finding in lines: clause, source, expected, received, count, and the command to replay it. */
function describeFinding(finding: Finding, report: Report): string {
  const { statement, source, expected, known, curl } = finding;
  const line = (text: string): string => shortenText(text.replace(/\s+/g, ' '), MAX_MESSAGE_CHARACTERS);
  const replay = makeReplayCommand(report, finding);
  return [
    line(statement),
    ...(finding.class === undefined ? [] : [`class: ${finding.class}`]),
    `document: ${formatSource(source)}`,
    `expected ${line(expected)}`,
    ...describeReceivedValues(finding).map((received) => `received ${line(received)}`),
    describeFrequency(finding),
    ...describeRepetitions(finding).map(line),
    ...describeConsequence(report, finding),
    ...(known === undefined ? [] : [`tolerated until ${known.expires}: ${line(known.reason)}`]),
    ...(replay === null ? [] : [`replay: ${replay}`]),
    ...(curl === null ? [] : [`request: ${curl}`]),
  ].join('\n');
}
