/** The report as test cases, as JUnit and CTRF take them: one for each clause at each operation. */
import { groupBy } from '../../openapi/util/group-by.ts';
import type { ClauseReport, Finding, Report } from '../model/report.ts';
import { oftenInWords, sourceName, verdictName } from '../text/phrases.ts';
import { replayCommand } from '../text/replay.ts';
import { shortened, visible } from '../text/sanitize.ts';

/** Characters of a message: what CI systems show is short; the rest is in the report. */
const MAX_CHARACTERS = 400;

export interface Case {
  /** Null if the case is about the suite or the gate. */
  readonly clause: ClauseReport | null;
  readonly name: string;
  /** `METHOD path-template`, or the area of a clause over several. */
  readonly operation: string;
  readonly status: 'passed' | 'failed' | 'skipped' | 'warned' | 'error';
  /** Of a failed or skipped case, or an error: why, in one line. */
  readonly message: string;
  /** The findings in full. */
  readonly detail: string;
}

/** A case for each operation at which a clause is broken, else one for the clause; then the faults of the suite. */
export function casesOf(report: Report): Case[] {
  const byClause = groupBy(report.findings, ({ clause }) => clause);
  const ofClauses = report.clauses.flatMap((clause): Case[] => {
    const { id: name, verdict, why } = clause;
    const findings = byClause.get(name);
    if (findings === undefined) {
      const isSkipped = verdict === 'inconclusive' || verdict === 'not-applicable';
      const operation = clause.operation ?? clause.area;
      const message = isSkipped ? `${verdictName(verdict)}: ${why ?? ''}` : '';
      return [{ clause, name, operation, status: isSkipped ? 'skipped' : 'passed', message, detail: '' }];
    }
    const isOpen = findings.some(({ known }) => known === undefined);
    const status = isOpen && (verdict === 'fail' || report.suite.strict) ? 'failed' : 'warned';
    return [...groupBy(findings, (finding) => finding.operation)].map(([operation, here]) => {
      const { pointer, received } = here[0];
      const message = shortened(`${pointer === '' ? '' : `${pointer}: `}${received}`, MAX_CHARACTERS);
      const detail = here
        .map((finding) => `${status === 'warned' ? 'warning: ' : ''}${inWords(finding, report)}`)
        .join('\n\n');
      return { clause, name, operation, status, message, detail };
    });
  });
  const fault = (operation: string, name: string, message: string): Case => ({
    clause: null,
    name,
    operation,
    status: 'error',
    message: shortened(visible(message), MAX_CHARACTERS),
    detail: '',
  });
  const faults = report.errors.map(({ scenario, message }, at) =>
    fault('suite', scenario ?? `fault ${at + 1}`, message),
  );
  const isRed = faults.length > 0 || ofClauses.some(({ status }) => status === 'failed');
  // A run without a verdict, or one that fails for what no clause says, is not green where only cases are counted.
  if (!report.gate.pass && !isRed)
    faults.push(fault('gate', 'verdict', [...report.gate.reasons, ...report.reasons].join('; ')));
  return [...ofClauses, ...faults];
}

/** Clause, source, expected, received, how often, and what asks it again: a line each. */
function inWords(finding: Finding, report: Report): string {
  const { statement, source, expected, received, known, curl } = finding;
  const line = (text: string): string => shortened(text.replace(/\s+/g, ' '), MAX_CHARACTERS);
  const replay = replayCommand(report, finding);
  return [
    line(statement),
    ...(finding.class === undefined ? [] : [`class: ${finding.class}`]),
    `document: ${sourceName(source)}`,
    `expected ${line(expected)}`,
    `received ${line(received)}`,
    oftenInWords(finding),
    ...(known === undefined ? [] : [`tolerated until ${known.expires}: ${line(known.reason)}`]),
    ...(replay === null ? [] : [`replay: ${replay}`]),
    ...(curl === null ? [] : [`request: ${curl}`]),
  ].join('\n');
}
