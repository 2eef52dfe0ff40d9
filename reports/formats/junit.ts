/** JUnit XML: a test case for each clause at each operation. What CI systems show must be short; the rest is in the report. */
import { casesOf, inShort, inWords, type Case } from './cases.ts';
import type { Finding, Report } from '../model/report.ts';
import { shortened, visible } from '../text/sanitize.ts';
import { targetName } from '../text/phrases.ts';

const MAX_CHARACTERS = 400;

/** The report as JUnit XML. Characters that XML does not allow are shown as escapes. */
export function junit(report: Report): string {
  const cases = casesOf(report);
  const broke = report.errors.map((error, at) =>
    element('testcase', { classname: 'suite', name: error.scenario ?? `fault ${at + 1}` }, [
      element('error', { message: shortened(visible(error.message), MAX_CHARACTERS) }),
    ]),
  );
  // A run that drew no verdict, or does not pass for what no clause says, is not green where only cases are counted.
  const stated = cases.some(({ status }) => status === 'failed') || broke.length > 0;
  if (!report.gate.pass && !stated)
    broke.push(
      element('testcase', { classname: 'gate', name: 'verdict' }, [
        element('error', {
          message: shortened(visible([...report.gate.reasons, ...report.reasons].join('; ')), MAX_CHARACTERS),
        }),
      ]),
    );
  const totals = {
    tests: String(cases.length + broke.length),
    failures: String(cases.filter(({ status }) => status === 'failed').length),
    errors: String(broke.length),
    skipped: String(cases.filter(({ status }) => status === 'skipped').length),
    time: (report.durationMs / 1000).toFixed(3),
  };
  const suite = element(
    'testsuite',
    { name: targetName(report.target), ...totals, timestamp: report.startedAt.replace(/\.\d+Z$|Z$/, '') },
    [...cases.map(testcase(inWords(report))), ...broke],
  );
  const name = `Bank Open API: ${report.headline}`;
  const { skipped: _, ...ofAll } = totals;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', { name, ...ofAll }, [suite])}\n`;
}

const testcase =
  (words: (finding: Finding) => string) =>
  ({ clause, operation, status, findings, why }: Case): string => {
    const children = {
      passed: () => [],
      skipped: () => [element('skipped', { message: why ?? '' })],
      failed: () => [
        element(
          'failure',
          { message: inShort(findings[0]!), type: findings[0]!.verdict },
          findings.map(words).join('\n\n'),
        ),
      ],
      warned: () => [element('system-out', {}, findings.map((finding) => `warning: ${words(finding)}`).join('\n\n'))],
    }[status]();
    return element('testcase', { classname: operation, name: clause.id }, children);
  };

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
function xml(text: string): string {
  return visible(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&apos;');
}
