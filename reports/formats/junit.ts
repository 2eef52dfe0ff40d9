/** Writes JUnit XML: a test case for each clause at each operation. */
import { casesOf, type Case } from './cases.ts';
import type { Report } from '../model/report.ts';
import { targetName } from '../text/phrases.ts';
import { visible } from '../text/sanitize.ts';

/** Writes the report as JUnit XML. Shows characters that XML does not allow as escapes. */
export function junit(report: Report): string {
  const cases = casesOf(report);
  const count = (wanted: Case['status']): string => String(cases.filter(({ status }) => status === wanted).length);
  const totals = { tests: String(cases.length), failures: count('failed'), errors: count('error') };
  const time = (report.durationMs / 1000).toFixed(3);
  const timestamp = report.startedAt.replace(/\.\d+Z$|Z$/, '');
  const suite = { name: targetName(report.target), ...totals, skipped: count('skipped'), time, timestamp };
  const all = { name: `Bank Open API: ${report.headline}`, ...totals, time };
  const body = element('testsuites', all, [element('testsuite', suite, cases.map(testcase))]);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${body}\n`;
}

function testcase({ clause, name, operation, status, message, durationMs, detail }: Case): string {
  const children = {
    passed: [],
    skipped: [element('skipped', { message })],
    failed: [element('failure', { message, type: clause?.verdict ?? 'fail' }, detail)],
    warned: [element('system-out', {}, detail)],
    error: [element('error', { message })],
  }[status];
  return element('testcase', { classname: operation, name, time: (durationMs / 1000).toFixed(3) }, children);
}

/** Writes an element with attributes, and a text or child elements. */
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

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Escapes a text for XML 1.0, in attributes and between tags. */
const xml = (text: string): string => visible(text).replace(/[&<>"']/g, (sign) => entities[sign]!);
