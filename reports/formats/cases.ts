/** The report as test cases, the way tools for test results want it: one for each clause at each operation. */
import { groupBy } from '../../openapi/util/group-by.ts';
import type { ClauseReport, Finding, Report } from '../model/report.ts';
import { oftenInWords, sourceName, verdictName } from '../text/phrases.ts';
import { replayCommand } from '../text/replay.ts';
import { shortened } from '../text/sanitize.ts';

export interface Case {
  readonly clause: ClauseReport;
  /** `METHOD path-template`, or the area of a clause over several. */
  readonly operation: string;
  readonly status: 'passed' | 'failed' | 'skipped' | 'warned';
  readonly findings: readonly Finding[];
  /** Of a skipped case: why. */
  readonly why: string | null;
}

/** One case for each operation at which a clause is broken, else one for the clause. */
export function casesOf(report: Report): Case[] {
  const byClause = groupBy(report.findings, ({ clause }) => clause);
  return report.clauses.flatMap((clause): Case[] => {
    const findings = byClause.get(clause.id) ?? [];
    if (findings.length === 0) {
      const skipped = clause.verdict === 'inconclusive' || clause.verdict === 'not-applicable';
      const why = skipped ? `${verdictName(clause.verdict)}: ${clause.why ?? ''}` : null;
      return [
        { clause, operation: clause.operation ?? clause.area, status: skipped ? 'skipped' : 'passed', findings, why },
      ];
    }
    const open = findings.some(({ known }) => known === undefined);
    const status = open && (clause.verdict === 'fail' || report.suite.strict) ? 'failed' : 'warned';
    return [...new Set(findings.map(({ operation }) => operation))].map((operation) => ({
      clause,
      operation,
      status,
      findings: findings.filter((one) => one.operation === operation),
      why: null,
    }));
  });
}

const MAX_CHARACTERS = 400;

/** A finding on one line. */
export function inShort({ pointer, received }: Finding): string {
  return shortened(`${pointer === '' ? '' : `${pointer}: `}${received}`, MAX_CHARACTERS);
}

const lines = (commands: Readonly<Record<string, string | null>>): string =>
  Object.entries(commands)
    .flatMap(([label, command]) => (command === null ? [] : [`\n${label}: ${command}`]))
    .join('');

/** Clause, source, expected, received, how often, and what asks it again: a line each. */
export const inWords =
  (report: Report) =>
  (finding: Finding): string => {
    const { statement, source, expected, received, known, curl } = finding;
    const line = (text: string): string => shortened(text.replace(/\s+/g, ' '), MAX_CHARACTERS);
    return `${line(statement)}\ndocument: ${sourceName(source)}\nexpected ${line(expected)}\nreceived ${line(received)}\n${oftenInWords(finding)}${known === undefined ? '' : `\ntolerated until ${known.expires}: ${line(known.reason)}`}${lines({ replay: replayCommand(report, finding), request: curl })}`;
  };
