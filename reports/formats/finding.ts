/**
 * Writes one finding as Markdown, for a ticket to the vendor. Everything about the finding is in the text. Sentences are escaped. Data
 * of the bank is in code blocks, and the data cannot end a code block.
 */
import { TOKEN_MEMBER } from '../../openapi/api.ts';
import type { ExchangeRecord } from '../../openapi/model/journal.ts';
import type { Finding, Report } from '../model/report.ts';
import { formatPlace } from '../text/phrases.ts';
import { toOneLine, shortenText, escapeHarmful } from '../text/sanitize.ts';
import { describeFinding } from './overview.ts';

const MAX_TEXT_LENGTH = 1_000;
const MAX_BODY_LENGTH = 6_000;

const escapeText = (text: string): string =>
  shortenText(toOneLine(text), MAX_TEXT_LENGTH).replace(
    /[\\`*_{}[\]<>&|~#!@$^]|:(?=\/\/)|(?<=www)\./gi,
    (sign) => `&#${sign.codePointAt(0)};`,
  );

/** Returns the backticks around a code: at least `minLength`, and more in a row than the code contains. */
const makeFence = (text: string, minLength: number): string =>
  '`'.repeat(Math.max(minLength, ...(text.match(/`+/g) ?? []).map(({ length }) => length + 1)));

function writeCode(text: string): string {
  const code = shortenText(toOneLine(text), MAX_TEXT_LENGTH);
  const fence = makeFence(code, 1);
  const hasOuterBacktick = code.startsWith('`') || code.endsWith('`');
  const padding = hasOuterBacktick ? ' ' : '';
  return `${fence}${padding}${code}${padding}${fence}`;
}

function writeBlock(text: string, language = ''): string {
  const code = escapeHarmful(text);
  const fence = makeFence(code, 3);
  return `${fence}${language}\n${code}\n${fence}`;
}

const writeFields = (headers: readonly (readonly [string, string])[]): string =>
  headers.map(([name, value]) => `${name}: ${value}`).join('\n');

function renderRequest({ request: { method, url, headers, body } }: ExchangeRecord): string {
  const requestHead = `${method} ${url}\n${writeFields(Object.entries(headers))}`;
  return body === null ? requestHead : `${requestHead}\n\n${shortenText(body, MAX_BODY_LENGTH)}`;
}

function renderAnswer({ response, failure }: ExchangeRecord): string {
  if (response === null) return failure?.message ?? 'no answer';
  const { status, headers, body, encoding } = response;
  const encodingNote = encoding === 'base64' ? '(base64) ' : '';
  return `HTTP status ${status}\n${writeFields(headers)}\n\n${encodingNote}${shortenText(body, MAX_BODY_LENGTH)}`;
}

function writeExchange(title: string, record: ExchangeRecord | undefined): readonly string[] {
  if (record === undefined) return [];
  const { startedAt, durationMs } = record.timing;
  const times = `sent ${writeCode(startedAt)}, answered after ${Math.round(durationMs)} ms`;
  return [
    `**${title}**`,
    `${times} (${writeCode(record.id)})`,
    writeBlock(renderRequest(record), 'http'),
    writeBlock(renderAnswer(record), 'http'),
  ];
}

/** Says whether an earlier run had the finding; an empty list if the report has no earlier run. */
function describeFirstRun({ against }: Report, { id }: Finding): string[] {
  const changes = against?.changes;
  if (changes === undefined) return [];
  const { startedAt, build } = changes.before;
  const earlierRun = `the run of ${startedAt.slice(0, 10)}${build === null ? '' : ` (build ${build})`}`;
  return [
    changes.findings.fresh.includes(id)
      ? `new: ${earlierRun} did not have this finding`
      : `${earlierRun} had this finding too`,
  ];
}

/** Says which values of the exchanges are pseudonyms. The vendor will not find them in the logs of the bank. */
function describePseudonyms({ recording }: Report, records: readonly (ExchangeRecord | undefined)[]): string {
  if (recording !== undefined)
    return ' Payment tokens, accounts and addresses are replaced by pseudonyms of the same form.';
  const hasToken = records.some((record) => record?.response?.body.includes(TOKEN_MEMBER));
  return hasToken ? ' Payment tokens are replaced by pseudonyms of the same form.' : '';
}

export function writeFinding(report: Report, finding: Finding): string {
  const { target, suite, startedAt, exchanges } = report;
  const { clause, level, operation, pointer, instance, expected } = finding;
  const { label, title, source, receivedValues, frequency, repetitionNotes, consequenceNotes, curlCommand } =
    describeFinding(report, finding);
  const build = target.build === null ? '' : ` ${escapeText(target.build)}`;
  const bankName = target.name === null ? '' : `${escapeText(target.name)}${build}, `;
  const factRows = [
    ['Clause', `${writeCode(clause)}, ${escapeText(`${level}, ${label}`)}`],
    ['Document', escapeText(source)],
    ['Operation', `${writeCode(operation)} at ${writeCode(formatPlace(instance ?? pointer))}`],
    ['Bank', `${bankName}${writeCode(target.baseUrl)}, judged ${writeCode(startedAt)}`],
    ['Seen', escapeText([frequency, ...repetitionNotes].join('; '))],
    ...describeFirstRun(report, finding).map((text) => ['Since', escapeText(text)]),
    ...consequenceNotes.map((text) => ['Cause', escapeText(text)]),
  ];
  const referenceExchange = finding.contrast === null ? undefined : exchanges[finding.contrast];
  const concurrentExchange = exchanges[finding.concurrent ?? ''];
  const pseudonymNote = describePseudonyms(report, [
    exchanges[finding.exchange],
    concurrentExchange,
    referenceExchange,
  ]);
  const suiteNote = escapeText(`Suite ${suite.version}, contract ${suite.contractDigest.slice(0, 12)}.`);
  const parts = [
    `# ${escapeText(title)}`,
    factRows.map(([name, fact]) => `- **${name}:** ${fact}`).join('\n'),
    '**Expected**',
    writeBlock(expected),
    '**Received**',
    writeBlock(receivedValues.join('\n')),
    ...writeExchange('The exchange with this finding', exchanges[finding.exchange]),
    ...writeExchange('The request that was in flight at the same time', concurrentExchange),
    ...writeExchange('An exchange that keeps the clause', referenceExchange),
    ...(curlCommand === null
      ? []
      : [
          concurrentExchange === undefined ? '**Send the request again**' : '**Send both requests again at once**',
          writeBlock(curlCommand, 'sh'),
        ]),
    `Credentials are replaced by names of variables.${pseudonymNote} ${suiteNote}`,
  ];
  return `${parts.join('\n\n')}\n`;
}
