/**
 * Writes one finding as Markdown that needs no other text, for a ticket to the vendor. Sentences are escaped, and data of the bank
 * is in code blocks that the data cannot close.
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

/** Returns more backticks in a row than the text contains, and at least `least`. */
const makeFence = (text: string, least: number): string =>
  '`'.repeat(Math.max(least, ...(text.match(/`+/g) ?? []).map(({ length }) => length + 1)));

function writeCode(text: string): string {
  const shown = shortenText(toOneLine(text), MAX_TEXT_LENGTH);
  const fence = makeFence(shown, 1);
  const blank = shown.startsWith('`') || shown.endsWith('`') ? ' ' : '';
  return `${fence}${blank}${shown}${blank}${fence}`;
}

function writeBlock(text: string, language = ''): string {
  const shown = escapeHarmful(text);
  const fence = makeFence(shown, 3);
  return `${fence}${language}\n${shown}\n${fence}`;
}

const writeFields = (headers: readonly (readonly [string, string])[]): string =>
  headers.map(([name, value]) => `${name}: ${value}`).join('\n');

function renderRequest({ request: { method, url, headers, body } }: ExchangeRecord): string {
  const start = `${method} ${url}\n${writeFields(Object.entries(headers))}`;
  return body === null ? start : `${start}\n\n${shortenText(body, MAX_BODY_LENGTH)}`;
}

function renderAnswer({ response, failure }: ExchangeRecord): string {
  if (response === null) return failure?.message ?? 'no answer';
  const { status, headers, body, encoding } = response;
  return `HTTP status ${status}\n${writeFields(headers)}\n\n${encoding === 'base64' ? '(base64) ' : ''}${shortenText(body, MAX_BODY_LENGTH)}`;
}

function writeExchange(title: string, record: ExchangeRecord | undefined): readonly string[] {
  if (record === undefined) return [];
  const { startedAt, durationMs } = record.timing;
  const when = `sent ${writeCode(startedAt)}, answered after ${Math.round(durationMs)} ms`;
  return [
    `**${title}**`,
    `${when} (${writeCode(record.id)})`,
    writeBlock(renderRequest(record), 'http'),
    writeBlock(renderAnswer(record), 'http'),
  ];
}

/** Says since which run the finding occurs; an empty list if there is no earlier run. */
function describeFirstRun({ against }: Report, { id }: Finding): string[] {
  const changes = against?.changes;
  if (changes === undefined) return [];
  const { startedAt, build } = changes.before;
  const before = `the run of ${startedAt.slice(0, 10)}${build === null ? '' : ` (build ${build})`}`;
  return [
    changes.findings.fresh.includes(id) ? `new: ${before} did not have this finding` : `${before} had this finding too`,
  ];
}

/** Says which values of the exchanges are pseudonyms: the logs of the bank do not contain them. */
function describePseudonyms({ recording }: Report, records: readonly (ExchangeRecord | undefined)[]): string {
  if (recording !== undefined)
    return ' Payment tokens, accounts and addresses are replaced by stand-ins of the same form.';
  const hasToken = records.some((record) => record?.response?.body.includes(TOKEN_MEMBER));
  return hasToken ? ' Payment tokens are replaced by stand-ins of the same form.' : '';
}

export function writeFinding(report: Report, finding: Finding): string {
  const { target, suite, startedAt, exchanges } = report;
  const { clause, level, operation, pointer, instance, expected } = finding;
  const { label, title, source, received, frequency, repetitions, consequence, curl } = describeFinding(
    report,
    finding,
  );
  const build = target.build === null ? '' : ` ${escapeText(target.build)}`;
  const facts = [
    ['Clause', `${writeCode(clause)}, ${escapeText(`${level}, ${label}`)}`],
    ['Document', escapeText(source)],
    ['Operation', `${writeCode(operation)} at ${writeCode(formatPlace(instance ?? pointer))}`],
    [
      'Bank',
      `${target.name === null ? '' : `${escapeText(target.name)}${build}, `}${writeCode(target.baseUrl)}, judged ${writeCode(startedAt)}`,
    ],
    ['Seen', escapeText([frequency, ...repetitions].join('; '))],
    ...describeFirstRun(report, finding).map((text) => ['Since', escapeText(text)]),
    ...consequence.map((text) => ['Cause', escapeText(text)]),
  ];
  const contrast = finding.contrast === null ? undefined : exchanges[finding.contrast];
  const concurrent = exchanges[finding.concurrent ?? ''];
  const parts = [
    `# ${escapeText(title)}`,
    facts.map(([name, fact]) => `- **${name}:** ${fact}`).join('\n'),
    '**Expected**',
    writeBlock(expected),
    '**Received**',
    writeBlock(received.join('\n')),
    ...writeExchange('The exchange with this finding', exchanges[finding.exchange]),
    ...writeExchange('The request that was in flight at the same time', concurrent),
    ...writeExchange('An exchange that keeps the clause', contrast),
    ...(curl === null
      ? []
      : [
          concurrent === undefined ? '**Send the request again**' : '**Send both requests again at once**',
          writeBlock(curl, 'sh'),
        ]),
    `Credentials are replaced by names of variables.${describePseudonyms(report, [exchanges[finding.exchange], concurrent, contrast])} ${escapeText(`Suite ${suite.version}, contract ${suite.contractDigest.slice(0, 12)}.`)}`,
  ];
  return `${parts.join('\n\n')}\n`;
}
