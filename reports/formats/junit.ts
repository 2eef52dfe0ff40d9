/** Writes JUnit XML: one test case for each clause at each operation. */
import { makeCases, type Case } from './cases.ts';
import type { Report } from '../model/report.ts';
import { formatTargetName } from '../text/phrases.ts';
import { escapeHarmful } from '../text/sanitize.ts';

/** Writes the report as JUnit XML. Characters that XML does not allow become escapes. */
export function toJunit(report: Report): string {
  const cases = makeCases(report);
  const count = (wanted: Case['status']): string => String(cases.filter(({ status }) => status === wanted).length);
  const totals = { tests: String(cases.length), failures: count('failed'), errors: count('error') };
  const time = (report.durationMs / 1000).toFixed(3);
  const timestamp = report.startedAt.replace(/\.\d+Z$|Z$/, '');
  const suite = { name: formatTargetName(report.target), ...totals, skipped: count('skipped'), time, timestamp };
  const all = { name: `Bank Open API: ${report.headline}`, ...totals, time };
  const body = writeElement('testsuites', all, [writeElement('testsuite', suite, cases.map(writeTestcase))]);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${body}\n`;
}

function writeTestcase({ clause, name, operation, status, message, durationMs, detail }: Case): string {
  const children = {
    passed: [],
    skipped: [writeElement('skipped', { message })],
    failed: [writeElement('failure', { message, type: clause?.verdict ?? 'fail' }, detail)],
    warned: [writeElement('system-out', {}, detail)],
    error: [writeElement('error', { message })],
  }[status];
  return writeElement('testcase', { classname: operation, name, time: (durationMs / 1000).toFixed(3) }, children);
}

/** Writes an XML element with attributes, and a text or child elements. */
function writeElement(
  name: string,
  attributes: Readonly<Record<string, string>>,
  content: string | readonly string[] = [],
): string {
  const fields = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  const open = `<${name}${fields.join('')}`;
  if (content.length === 0) return `${open}/>`;
  return `${open}>${typeof content === 'string' ? escapeXml(content) : `\n${content.join('\n')}\n`}</${name}>`;
}

const xmlEntities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Escapes a text for XML 1.0, in attributes and between tags. */
const escapeXml = (text: string): string => escapeHarmful(text).replace(/[&<>"']/g, (sign) => xmlEntities[sign]!);
