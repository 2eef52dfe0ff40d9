/** Writes a recorded request as a curl command. */
import { FRESH_INPUT } from '../../openapi/api.ts';
import type { ExchangeRecord } from '../../openapi/model/journal.ts';
import type { Finding, Report } from '../model/report.ts';

/** In a recorded request, each secret is replaced by a shell variable, or by an expression that changes a variable. */
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
 * Writes the curl command of a finding from its exchange; null if the exchange is missing. Null also if its address does not begin
 * with http: curl would read an address such as `-K/file` as an option.
 */
export function writeFindingCurl(
  {
    kind,
    pointer,
    exchange,
    contrast,
    concurrent,
  }: Pick<Finding, 'kind' | 'pointer' | 'exchange' | 'contrast' | 'concurrent'>,
  findRecord: (id: string) => ExchangeRecord | undefined,
): string | null {
  const findSendable = (id: string | null | undefined): ExchangeRecord | undefined => {
    const record = id == null ? undefined : findRecord(id);
    return record !== undefined && hasWebAddress(record) ? record : undefined;
  };
  const record = findSendable(exchange);
  if (record === undefined) return null;
  const concurrentRecord = findSendable(concurrent);
  if (concurrentRecord !== undefined) return writeRace(concurrentRecord, record);
  // Some banks check credentials only in the first request on a connection: curl sends both requests on one connection.
  const isAboutHeader = kind === 'behaviour' && pointer.startsWith('request/header/');
  const earlierRecord = isAboutHeader ? findSendable(contrast) : undefined;
  if (earlierRecord === undefined) return writeCurl(record);
  return `${writeCurl(earlierRecord)} --next ${writeCurl(record).replace(/^curl /, '')}`;
}

/** Writes commands that the shell runs at the same time. All of them have the same new order_id. */
function writeRace(...records: readonly ExchangeRecord[]): string {
  const randomNumbers = new Set<string>();
  const replaceByVariable = (randomNumber: string): string => {
    randomNumbers.add(randomNumber);
    return '"$n"';
  };
  const commands = records.map((record) => writeCurl(record, replaceByVariable));
  const assignments = [...randomNumbers].map((randomNumber) => `n=${randomNumber}; `);
  return `${assignments.join('')}${commands.join(' & ')} & wait`;
}

const hasWebAddress = ({ request }: ExchangeRecord): boolean => /^https?:\/\//i.test(request.url);

/** True for an address of the judged bank. The command sends the credentials of the user, and no other host may get them. */
const isAddressOfBank = (url: string, { embedded, baseUrl }: Report['target']): boolean =>
  embedded ? URL.canParse(url) && new URL(url).hostname === '127.0.0.1' : url.startsWith(`${baseUrl}/`);

/** Writes the curl command of a finding from its exchange. Never uses the curl line in the report: anybody may have written the report. */
export const makeCurlLine = ({ exchanges, target }: Report, finding: Finding): string | null =>
  writeFindingCurl(finding, (id) => {
    const record = Object.hasOwn(exchanges, id) ? exchanges[id] : undefined;
    return record !== undefined && isAddressOfBank(record.request.url, target) ? record : undefined;
  });

type ReplaceNumber = (number: string) => string;

/** Writes a request as a curl command. `replaceNumber` may put another text in place of the random number in a new order_id. */
export function writeCurl({ request }: ExchangeRecord, replaceNumber: ReplaceNumber = (number) => number): string {
  const commandWords = ['curl', '-sS', '-i'];
  if (/[[\]{}]/.test(request.url)) commandWords.push('-g');
  if (/\/\.{1,2}(?:[/?#]|$)/.test(request.url)) commandWords.push('--path-as-is');
  const methodWithoutOption = request.body === null ? 'GET' : 'POST';
  if (request.method !== methodWithoutOption) commandWords.push('-X', quoteForShell(request.method));
  commandWords.push(quoteForShell(request.url));
  for (const headerLine of listHeaderLines(request.headers, request.body !== null))
    commandWords.push('-H', quoteExpandable(headerLine));
  if (request.body !== null) commandWords.push('--data-raw', quoteWithNewOrderId(request.body, replaceNumber));
  return commandWords.join(' ');
}

/** With fewer random characters, two runs of the command would often send the same order_id. */
const MIN_RANDOM_CHARACTERS = 4;
const MAX_RANDOM_CHARACTERS = 8;
const FRESH_MEMBER = new RegExp(`"${FRESH_INPUT}"\\s*:\\s*"?[^",}\\s\\\\]*`);

/**
 * Writes a body as one word of the shell. The shell puts random digits in place of the last digits of the order_id, because banks may
 * refuse a used order_id: `"A-12345678"` becomes `"A-1`, seven random digits and `"`. If the order_id ends in few digits, its longest
 * sequence of letters and digits is replaced. The first character stays, so that a number keeps its length.
 */
function quoteWithNewOrderId(body: string, replaceNumber: ReplaceNumber): string {
  const orderIdMember = FRESH_MEMBER.exec(body)?.[0] ?? '';
  const orderId = orderIdMember.replace(/^"\w+"\s*:\s*/, '');
  const [longestWord = ''] = (orderId.match(/[A-Za-z\d]+/g) ?? []).toSorted((a, b) => b.length - a.length);
  const replacedDigits = /\d{5,}(?=\D*$)/.exec(orderId)?.[0] ?? (orderId.startsWith('"') ? longestWord : '');
  const digitCount = Math.min(MAX_RANDOM_CHARACTERS, replacedDigits.length - 1);
  if (digitCount < MIN_RANDOM_CHARACTERS) return quoteForShell(body);
  const endOfDigits =
    body.indexOf(orderIdMember) +
    orderIdMember.length -
    orderId.length +
    orderId.lastIndexOf(replacedDigits) +
    replacedDigits.length;
  const randomNumber = `"$(printf %0${digitCount}d $((RANDOM * RANDOM % 1${'0'.repeat(digitCount)})))"`;
  return `${quoteForShell(body.slice(0, endOfDigits - digitCount))}${replaceNumber(randomNumber)}${quoteForShell(body.slice(endOfDigits))}`;
}

/** Writes the values of curl -H: the header fields of the request, and `Accept:` to remove a field that curl would add. */
function listHeaderLines(headers: Readonly<Record<string, string>>, hasBody: boolean): string[] {
  const sentFields = Object.entries(headers).filter(([name]) => !SKIPPED_HEADERS.has(name.toLowerCase()));
  const sentNames = new Set(sentFields.map(([name]) => name.toLowerCase()));
  const headerLines = sentFields.map(([name, value]) => (value === '' ? `${name};` : `${name}: ${value}`));
  if (!sentNames.has('accept')) headerLines.push('Accept:');
  if (hasBody && !sentNames.has('content-type')) headerLines.push('Content-Type:');
  return headerLines;
}

/** Matches characters that a terminal or an editor does not show. */
const INVISIBLE_CHARACTER = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

const ESCAPE_BY_CHARACTER = new Map(Object.entries({ '\\': '\\\\', '\n': '\\n', '\t': '\\t' }));

/** Writes a text as one word of the shell. Writes invisible characters as escapes for printf. */
export function quoteForShell(text: string): string {
  if (/^[A-Za-z0-9_./:=@%+,-]+$/.test(text)) return text;
  const quote = (part: string): string => `'${part.replaceAll("'", `'\\''`)}'`;
  if (!INVISIBLE_CHARACTER.test(text)) return quote(text);
  // The shell removes line breaks at the end of the output of a command.
  let endOfText = text.length;
  while (text[endOfText - 1] === '\n') endOfText -= 1;
  const escapedCharacters = Array.from(text.slice(0, endOfText), (character) => {
    if (!INVISIBLE_CHARACTER.test(character)) return ESCAPE_BY_CHARACTER.get(character) ?? character;
    const octal = Array.from(Buffer.from(character), (byte) => `\\0${byte.toString(8).padStart(3, '0')}`);
    return ESCAPE_BY_CHARACTER.get(character) ?? octal.join('');
  });
  return `"$(printf %b ${quote(escapedCharacters.join(''))})"${endOfText < text.length ? quote(text.slice(endOfText)) : ''}`;
}

/** Quotes a text for the shell. The shell still expands the variables of secrets. */
function quoteExpandable(text: string): string {
  // `split` with a group returns texts and variables in turn: text, variable, text.
  const parts = text.split(new RegExp(VARIABLE_PATTERN.source, 'g'));
  const quotedParts = parts.map((part, index) => {
    const isVariable = index % 2 === 1;
    if (isVariable) return `"$${part}"`;
    return part === '' ? '' : quoteForShell(part);
  });
  return quotedParts.join('');
}
