/** Writes JUnit XML: one test case for each clause at each operation. */
import { groupBy } from '../../openapi/util/group-by.ts';
import { failsGate } from '../model/report.ts';
import type { ClauseVerdict, Finding, Report } from '../model/report.ts';
import { formatTargetName, formatVerdict } from '../text/phrases.ts';
import { shortenText, escapeHarmful } from '../text/sanitize.ts';
import { describeFinding, describeGate, summarizeFinding } from './overview.ts';

/** A message has at most this many characters, because CI systems show short messages. */
const MAX_MESSAGE_CHARACTERS = 400;

interface JunitCase {
  readonly name: string;
  /** `METHOD path-template`, or the area if the clause is about several operations. */
  readonly operation: string;
  readonly status: 'passed' | 'failed' | 'skipped' | 'warned' | 'error';
  readonly verdict: ClauseVerdict | null;
  readonly message: string;
  /** Milliseconds of the exchange in the report that shows the result; 0 if there is none. */
  readonly durationMs: number;
  readonly detail: string;
}

/** Makes one case for each clause. A broken clause has one case for each operation with findings. Adds cases for faults of the suite. */
function makeCases(report: Report): JunitCase[] {
  const getDurationMs = (exchangeId: string | null): number =>
    Math.round(report.exchanges[exchangeId ?? '']?.timing.durationMs ?? 0);
  const findingsByClause = groupBy(report.findings, ({ clause }) => clause);
  const clauseCases = report.clauses.flatMap((clause): JunitCase[] => {
    const { id: name, verdict, why, exchange } = clause;
    const findings = findingsByClause.get(name);
    if (findings === undefined) {
      const isSkipped = verdict === 'inconclusive' || verdict === 'not-applicable';
      const operation = clause.operation ?? clause.area;
      const message = isSkipped ? `${formatVerdict(verdict)}: ${why ?? ''}` : '';
      const status = isSkipped ? 'skipped' : 'passed';
      return [{ name, operation, status, verdict, message, durationMs: getDurationMs(exchange), detail: '' }];
    }
    const findingsByOperation = groupBy(findings, (finding) => finding.operation);
    return [...findingsByOperation].map(([operation, findingsOfOperation]) => ({
      name,
      operation,
      status: findingsOfOperation.some((finding) => failsGate(finding, report.suite)) ? 'failed' : 'warned',
      verdict,
      message: shortenText(summarizeFinding(report, findingsOfOperation[0]), MAX_MESSAGE_CHARACTERS),
      durationMs: getDurationMs(findingsOfOperation[0].exchange),
      detail: findingsOfOperation.map((finding) => writeDetail(finding, report)).join('\n\n'),
    }));
  });
  const makeFaultCase = (operation: string, name: string, message: string): JunitCase => ({
    name,
    operation,
    status: 'error',
    verdict: null,
    message: shortenText(escapeHarmful(message), MAX_MESSAGE_CHARACTERS),
    durationMs: 0,
    detail: '',
  });
  const faultCases = report.errors.map(({ scenario, message }, index) =>
    makeFaultCase('suite', scenario ?? `fault ${index + 1}`, message),
  );
  const hasFailedCase = faultCases.length > 0 || clauseCases.some(({ status }) => status === 'failed');
  // If the gate fails but no case fails, adds a failed case: some tools only count cases.
  if (!report.gate.pass && !hasFailedCase)
    faultCases.push(makeFaultCase('gate', 'verdict', [...report.gate.reasons, ...report.reasons].join('; ')));
  return [...clauseCases, ...faultCases];
}

function writeDetail(finding: Finding, report: Report): string {
  const { expected, known } = finding;
  const {
    title,
    label,
    source,
    receivedValues,
    frequency,
    repetitionNotes,
    consequenceNotes,
    replayCommand,
    curlCommand,
  } = describeFinding(report, finding);
  const toShortLine = (text: string): string => shortenText(text.replace(/\s+/g, ' '), MAX_MESSAGE_CHARACTERS);
  return [
    toShortLine(title),
    label,
    `class: ${finding.class}`,
    `document: ${source}`,
    `expected: ${toShortLine(expected)}`,
    ...receivedValues.map((value) => `received: ${toShortLine(value)}`),
    frequency,
    ...repetitionNotes.map(toShortLine),
    ...consequenceNotes,
    ...(known === undefined ? [] : [`tolerated until ${known.expires}: ${toShortLine(known.reason)}`]),
    ...(replayCommand === null ? [] : [`replay: ${replayCommand}`]),
    ...(curlCommand === null ? [] : [`request: ${curlCommand}`]),
  ].join('\n');
}

export function toJunit(report: Report): string {
  const cases = makeCases(report);
  const countCases = (statusToCount: JunitCase['status']): string =>
    String(cases.filter(({ status }) => status === statusToCount).length);
  const totals = { tests: String(cases.length), failures: countCases('failed'), errors: countCases('error') };
  const time = (report.durationMs / 1000).toFixed(3);
  const timestamp = report.startedAt.replace(/\.\d+Z$|Z$/, '');
  const suiteAttributes = {
    name: formatTargetName(report.target),
    ...totals,
    skipped: countCases('skipped'),
    time,
    timestamp,
  };
  const rootAttributes = { name: `Bank Open API: ${report.headline}`, ...totals, time };
  const body = writeElement('testsuites', rootAttributes, [
    writeElement('testsuite', suiteAttributes, [
      ...writeProperties(report, cases),
      ...cases.map((testCase) => writeTestcase(testCase, suiteAttributes.name)),
    ]),
  ]);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${body}\n`;
}

/** Writes properties: the result of the gate, and one for each case with a warning. In the schema of Jenkins, only a suite has properties. */
function writeProperties(report: Report, cases: readonly JunitCase[]): string[] {
  const { outcome, reasonText, untestedNote } = describeGate(report);
  const casesWithWarnings = cases.filter(({ status }) => status === 'warned');
  const properties = [
    { name: 'gate', value: `${outcome}: ${reasonText}${untestedNote === '' ? '' : `. ${untestedNote}`}` },
    ...casesWithWarnings.map(({ name, operation, message }) => ({ name: `${name} at ${operation}`, value: message })),
  ];
  return [
    writeElement(
      'properties',
      {},
      properties.map((property) => writeElement('property', property)),
    ),
  ];
}

function writeTestcase(
  { verdict, name, operation, status, message, durationMs, detail }: JunitCase,
  bank: string,
): string {
  const children = {
    passed: [],
    skipped: [writeElement('skipped', { message })],
    failed: [writeElement('failure', { message, type: verdict ?? 'fail' }, detail)],
    warned: [writeElement('system-out', {}, detail)],
    error: [writeElement('error', { message })],
  }[status];
  // The name of the bank is a part of the class name: a pipeline may judge several banks.
  const classname = `${bank}: ${operation}`;
  return writeElement('testcase', { classname, name, time: (durationMs / 1000).toFixed(3) }, children);
}

function writeElement(
  name: string,
  attributes: Readonly<Record<string, string>>,
  content: string | readonly string[] = [],
): string {
  const attributeTexts = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  const startTag = `<${name}${attributeTexts.join('')}`;
  if (content.length === 0) return `${startTag}/>`;
  const innerXml = typeof content === 'string' ? escapeXml(content) : `\n${content.join('\n')}\n`;
  return `${startTag}>${innerXml}</${name}>`;
}

const xmlEntities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Matches the start of a command in a report: Jenkins publishes the file that `[[ATTACHMENT|path]]` names. */
const REPORT_COMMAND = /\[(?=\[\w+\|)/g;

const escapeXml = (text: string): string =>
  escapeHarmful(text)
    .replace(REPORT_COMMAND, '[ ')
    .replace(/[&<>"']/g, (sign) => xmlEntities[sign]!);
