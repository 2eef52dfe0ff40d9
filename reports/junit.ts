/** JUnit XML: a test case for each clause at each operation. What CI systems show must be short; the rest is in the report. */
import type { ClauseReport, Finding, Report } from './report.ts';
import { shortened, visible } from './text.ts';
import { targetName } from './words.ts';

const most = 400;

/** The report as JUnit XML. Characters that XML does not allow are shown as escapes. */
export function junit(report: Report): string {
  const byClause = new Map<string, Finding[]>();
  for (const finding of report.findings) {
    const known = byClause.get(finding.clause);
    if (known) known.push(finding);
    else byClause.set(finding.clause, [finding]);
  }
  const cases = report.clauses.flatMap((clause) => casesOf(clause, byClause.get(clause.id) ?? [], report));
  const broke = report.errors.map((error, at) =>
    element('testcase', { classname: 'suite', name: error.story ?? `fault ${at + 1}` }, [
      element('error', { message: shortened(visible(error.message), most) }),
    ]),
  );
  const all = [...cases, ...broke.map((xml) => ({ xml, failed: false, skipped: false }))];
  const totals = {
    tests: String(all.length),
    failures: String(cases.filter(({ failed }) => failed).length),
    errors: String(broke.length),
    skipped: String(cases.filter(({ skipped }) => skipped).length),
    time: (report.durationMs / 1000).toFixed(3),
  };
  const suite = element(
    'testsuite',
    { name: targetName(report.target), ...totals, timestamp: report.startedAt.replace(/\.\d+Z$|Z$/, '') },
    all.map(({ xml }) => xml),
  );
  const name = `Bank Open API: ${report.headline}`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', { name, ...totals }, [suite])}\n`;
}

interface Case {
  readonly xml: string;
  readonly failed: boolean;
  readonly skipped: boolean;
}

/** One case for each operation at which the clause is broken, else one for the clause. */
function casesOf(clause: ClauseReport, findings: readonly Finding[], report: Report): Case[] {
  const strict = report.suite.strict;
  if (findings.length === 0) {
    const skipped = clause.verdict === 'inconclusive' || clause.verdict === 'not-applicable';
    const children = skipped
      ? [element('skipped', { message: `${clause.verdict}: ${clause.why ?? ''}` })]
      : [];
    return [{ xml: testcase(clause.operation ?? clause.area, clause, children), failed: false, skipped }];
  }
  const operations = [...new Set(findings.map((finding) => finding.operation))];
  return operations.map((operation) => {
    const mine = findings.filter((finding) => finding.operation === operation);
    const failed = clause.verdict === 'fail' || strict;
    const children = failed
      ? [
          element(
            'failure',
            { message: inShort(mine[0]!), type: mine[0]!.verdict },
            mine.map(inWords).join('\n\n'),
          ),
        ]
      : [element('system-out', {}, mine.map((finding) => `warning: ${inWords(finding)}`).join('\n\n'))];
    return { xml: testcase(operation, clause, children), failed, skipped: false };
  });
}

function testcase(classname: string, clause: ClauseReport, children: readonly string[]): string {
  return element('testcase', { classname, name: clause.id }, children);
}

function inShort(finding: Finding): string {
  return shortened(`${finding.pointer === '' ? '' : `${finding.pointer}: `}${finding.received}`, most);
}

/** Promise, expected, received: three lines. */
function inWords(finding: Finding): string {
  const line = (text: string): string => shortened(text.replace(/\s+/g, ' '), most);
  return `${line(finding.statement)}\nexpected ${line(finding.expected)}\nreceived ${line(finding.received)}`;
}

/** An element with its attributes and either a text or further elements. */
function element(
  name: string,
  attributes: Readonly<Record<string, string>>,
  content: string | readonly string[] = [],
): string {
  const fields = Object.entries(attributes).map(([key, value]) => ` ${key}="${xml(value)}"`);
  const open = `<${name}${fields.join('')}`;
  if (content.length === 0) return `${open}/>`;
  return `${open}>${typeof content === 'string' ? xml(content) : `\n${content.join('\n')}\n`}</${name}>`;
}

/** Text that XML 1.0 allows, in attributes and between tags. */
export function xml(text: string): string {
  return visible(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&apos;');
}
