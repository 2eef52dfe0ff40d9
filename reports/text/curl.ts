/** Writes a recorded request as a curl command. */
import { FRESH_INPUT } from '../../openapi/api.ts';
import type { ExchangeRecord } from '../../openapi/model/journal.ts';
import type { Finding, Report } from '../model/report.ts';

/** Matches what replaces a secret: variables, and expressions that change them. */
const SECRET_VARIABLE_NAMES = 'CLIENT_ID|CLIENT_SECRET|ACCESS_TOKEN';
const VARIABLE_PATTERN = new RegExp(
  String.raw`\$((?:${SECRET_VARIABLE_NAMES})(?![A-Za-z0-9_])|\{(?:${SECRET_VARIABLE_NAMES})%\?\}|\{(?:${SECRET_VARIABLE_NAMES})\}x|\(tr A-Za-z a-zA-Z <<< "\$(?:${SECRET_VARIABLE_NAMES})"\))`,
);

const SKIPPED_HEADERS = new Set([
  'host',
  'content-length',
  'connection',
  'transfer-encoding',
  'accept-encoding',
  'user-agent',
]);

/**
 * Writes the curl command of a finding from its exchange; null without the exchange, or without an address of the web: curl would
 * read a word like -K/file as an option. Made wherever it is shown: the text in a report is a stranger's.
 */
export function writeFindingCurl(
  {
    kind,
    pointer,
    exchange,
    contrast,
    concurrent,
  }: Pick<Finding, 'kind' | 'pointer' | 'exchange' | 'contrast' | 'concurrent'>,
  find: (id: string) => ExchangeRecord | undefined,
): string | null {
  const record = find(exchange);
  if (record === undefined || !hasWebAddress(record)) return null;
  const other = concurrent === undefined ? undefined : find(concurrent);
  if (other !== undefined && hasWebAddress(other)) return writeRace(other, record);
  // Some banks check credentials only in the first request on a connection: curl sends both requests on one connection.
  const isAboutHeader = kind === 'behaviour' && pointer.startsWith('request/header/');
  const before = isAboutHeader && contrast !== null ? find(contrast) : undefined;
  return before === undefined || !hasWebAddress(before)
    ? writeCurl(record)
    : `${writeCurl(before)} --next ${writeCurl(record).replace(/^curl /, '')}`;
}

/** Writes two commands that the shell runs at the same time. Both have the same fresh order_id. */
function writeRace(...records: readonly ExchangeRecord[]): string {
  const drawn = new Set<string>();
  const lines = records.map((record) => writeCurl(record, (number) => (drawn.add(number), '"$n"')));
  return `${[...drawn].map((number) => `n=${number}; `).join('')}${lines.join(' & ')} & wait`;
}

const hasWebAddress = ({ request }: ExchangeRecord): boolean => /^https?:\/\//i.test(request.url);

/** True for an address of the judged bank: the line expands the credentials of its reader, which no other host may get. */
const isOfBank = (url: string, { embedded, baseUrl }: Report['target']): boolean =>
  embedded ? URL.canParse(url) && new URL(url).hostname === '127.0.0.1' : url.startsWith(`${baseUrl}/`);

/** Writes the curl command of a finding, never the text that a report has in its place. */
export const makeCurlLine = ({ exchanges, target }: Report, finding: Finding): string | null =>
  writeFindingCurl(finding, (id) => {
    const record = Object.hasOwn(exchanges, id) ? exchanges[id] : undefined;
    return record !== undefined && isOfBank(record.request.url, target) ? record : undefined;
  });

type UseNumber = (number: string) => string;

/** `use` may put another text in place of the random number of a fresh order_id. */
export function writeCurl({ request }: ExchangeRecord, use: UseNumber = (number) => number): string {
  const words = ['curl', '-sS', '-i'];
  if (/[[\]{}]/.test(request.url)) words.push('-g');
  if (/\/\.{1,2}(?:[/?#]|$)/.test(request.url)) words.push('--path-as-is');
  if (request.method !== (request.body === null ? 'GET' : 'POST')) words.push('-X', quoteForShell(request.method));
  words.push(quoteForShell(request.url));
  for (const field of writeFields(request.headers, request.body !== null)) words.push('-H', quoteExpandable(field));
  if (request.body !== null) words.push('--data-raw', withFreshOrderId(request.body, use));
  return words.join(' ');
}

/** With fewer random characters, two runs of the command would often send the same order_id. */
const MIN_RANDOM_CHARACTERS = 4;
const MAX_RANDOM_CHARACTERS = 8;
const FRESH_MEMBER = new RegExp(`"${FRESH_INPUT}"\\s*:\\s*"?[^",}\\s\\\\]*`);

/**
 * Writes a body as one word of the shell. The shell replaces the last digits of the order_id by random digits, because banks may
 * refuse a used order_id. If the order_id ends in few digits, the shell replaces its longest run of letters and digits. The first
 * character stays, so that a number keeps its length.
 */
function withFreshOrderId(body: string, use: UseNumber): string {
  const member = FRESH_MEMBER.exec(body)?.[0] ?? '';
  const id = member.replace(/^"\w+"\s*:\s*/, '');
  const [longest = ''] = (id.match(/[A-Za-z\d]+/g) ?? []).toSorted((a, b) => b.length - a.length);
  const run = /\d{5,}(?=\D*$)/.exec(id)?.[0] ?? (id.startsWith('"') ? longest : '');
  const drawn = Math.min(MAX_RANDOM_CHARACTERS, run.length - 1);
  if (drawn < MIN_RANDOM_CHARACTERS) return quoteForShell(body);
  const end = body.indexOf(member) + member.length - id.length + id.lastIndexOf(run) + run.length;
  const number = `"$(printf %0${drawn}d $((RANDOM * RANDOM % 1${'0'.repeat(drawn)})))"`;
  return `${quoteForShell(body.slice(0, end - drawn))}${use(number)}${quoteForShell(body.slice(end))}`;
}

/** Writes the sent header fields as curl options, and options that remove header fields of curl. */
function writeFields(sent: Readonly<Record<string, string>>, hasBody: boolean): string[] {
  const kept = Object.entries(sent).filter(([name]) => !SKIPPED_HEADERS.has(name.toLowerCase()));
  const names = new Set(kept.map(([name]) => name.toLowerCase()));
  const lines = kept.map(([name, value]) => (value === '' ? `${name};` : `${name}: ${value}`));
  if (!names.has('accept')) lines.push('Accept:');
  if (hasBody && !names.has('content-type')) lines.push('Content-Type:');
  return lines;
}

/** Matches characters that a terminal or an editor does not show. */
const INVISIBLE_CHARACTER = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

const ESCAPE_BY_CHARACTER = new Map(Object.entries({ '\\': '\\\\', '\n': '\\n', '\t': '\\t' }));

export function quoteForShell(text: string): string {
  if (/^[A-Za-z0-9_./:=@%+,-]+$/.test(text)) return text;
  const quote = (part: string): string => `'${part.replaceAll("'", `'\\''`)}'`;
  if (!INVISIBLE_CHARACTER.test(text)) return quote(text);
  // The shell drops the line breaks at the end of what a command writes.
  let end = text.length;
  while (text[end - 1] === '\n') end -= 1;
  const escaped = Array.from(text.slice(0, end), (character) => {
    if (!INVISIBLE_CHARACTER.test(character)) return ESCAPE_BY_CHARACTER.get(character) ?? character;
    const octal = Array.from(Buffer.from(character), (byte) => `\\0${byte.toString(8).padStart(3, '0')}`);
    return ESCAPE_BY_CHARACTER.get(character) ?? octal.join('');
  });
  return `"$(printf %b ${quote(escaped.join(''))})"${end < text.length ? quote(text.slice(end)) : ''}`;
}

/** Quotes a text for the shell. The shell still expands the variables of secrets. */
function quoteExpandable(text: string): string {
  const parts = text.split(new RegExp(VARIABLE_PATTERN.source, 'g'));
  return parts.map((part, index) => (index % 2 === 1 ? `"$${part}"` : part === '' ? '' : quoteForShell(part))).join('');
}
