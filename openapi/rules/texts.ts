/** Texts of answers that show the handwriting of another layer: escaped, encoded twice, not filled in or with letters lost. */
import type { ClauseId } from '../clauses/index.ts';
import type { Operation } from '../contract/operations.ts';
import { locationsIn } from '../contract/schema.ts';
import type { OperationId } from '../model/exchange.ts';
import { memoizeByObject, memoizeByText, VALUES } from '../util/memoize.ts';
import { truncate } from '../util/truncate.ts';
import type { RuleContext } from './context.ts';

const HTML_ESCAPE = /&(?:amp|lt|gt|quot|apos|nbsp|#\d{1,7}|#x[\da-f]{1,6});/i;
const BEYOND_ASCII = /[^\0-\x7F]/;

/** The characters of Windows-1252 from byte 0x80 on. Not every TextDecoder distinguishes them from those of Latin-1. */
const FROM_0X80 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8DŽ\x8F\x90‘’“”•–—˜™š›œ\x9DžŸ';
/** The byte that Windows-1252, or Latin-1 where that has none, writes for a character. */
const bytes = new Map([
  ...Array.from({ length: 256 }, (_, byte) => [String.fromCharCode(byte), byte] as const),
  ...Array.from(FROM_0X80, (character, index) => [character, 0x80 + index] as const),
]);
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The text of which `text` shows the bytes of UTF-8 as characters; null where they are none. */
function utf8Of(text: string): string | null {
  const read = [...text].map((character) => bytes.get(character));
  if (read.includes(undefined)) return null;
  try {
    return utf8.decode(Uint8Array.from(read as number[]));
  } catch {
    return null;
  }
}

/**
 * A letter and what may stand behind a word: a space that does not break, a quotation mark, an ellipsis, a dash. Their bytes make one
 * character of UTF-8 too, as É and … those of Ʌ.
 */
const END_OF_WORD = /(?<=\p{Lu})\p{Lu}[\u00A0»’”…–—]|(?<=\p{Ll})\p{Ll}[\u00A0»’”…–—]{2}/gu;
/** The capitals of which `Ã–` and `Ã”` are the bytes too; they are the likelier reading. */
const CAPITAL = /^[À-ÖØ-Þ]$/;

/** `text` without the ends of words that only look like one character of UTF-8. */
const withoutEndsOfWords = (text: string): string =>
  text.replaceAll(END_OF_WORD, (end) => (CAPITAL.test(utf8Of(end) ?? '') ? end : ''));

/** What `text` was before its UTF-8 bytes were taken for characters; null where it is no such text. */
function decodedOnceMore(text: string): string | null {
  if (!BEYOND_ASCII.test(text) || !BEYOND_ASCII.test(withoutEndsOfWords(text))) return null;
  const decoded = utf8Of(text);
  return decoded !== null && /^[\p{L}\p{M}\p{P}\p{S}\p{Zs}]+$/u.test(decoded.replace(/[\0-\x7F]/g, ''))
    ? decoded
    : null;
}

function codingFault(text: string): string | null {
  if (text.startsWith('\uFEFF')) return `${truncate(JSON.stringify(text))}, with the byte order mark of a file`;
  if (HTML_ESCAPE.test(text)) return `${truncate(JSON.stringify(text))}, escaped as in HTML`;
  const decoded = decodedOnceMore(text);
  return decoded === null ? null : `${truncate(JSON.stringify(text))}, which is "${truncate(decoded)}" encoded twice`;
}

/** What stands in a text where a program had no value, or did not put it in: `{0}`, `${name}`, `undefined`, `NaN`. */
const NOT_FILLED = /^null$|\bundefined\b|\bNaN\b|\[object \w+\]|\{\d\}|\$\{[\w.]+\}|\{\{ ?[\w.]+ ?\}\}/;
/** A program's name of a value in the place of the value, as Python, Django, Java, .NET and Ruby write it. */
const OF_PROGRAM =
  /\bobject at 0x[\da-f]{6}|^[A-Z]\w* object \((?:\d+|None|[\da-f-]{36})\)$|^b(['"]).*\1$|(?:^|\s)\[?(?:[a-zA-Z]\w*\.)+[A-Z][\w$]*;?@[\da-f]{5,8}\b|^System\.[\w.`]+(?:\[.*\])?$|#<[A-Z][\w:]*[ >]/;
/** The same at the end of an address, or between its parts, where it was put together. */
const NOT_FILLED_IN_ADDRESS = /(?:^|[\s,;/-])null(?=[\s,;/-]|$)/;
/** In words for people, what no number or text was put into: `%d`, `%1$s`, `%(count)d`, `%{count}`, `{count}`. */
const FORMAT = /(?<!\S)%(?:\d\$|\(\w+\))?[sd](?![^\s.,;:!)])|\{[a-z]\w*\}/i;
/** The name of a text in its place, of three parts at least, or as frameworks mark one that they lack; a constant with its type. */
const MESSAGE_KEY =
  /^[A-Z]+[a-z]\w*\.[A-Z][A-Z\d_]+$|^[a-z][\w-]*(?:\.[\w-]+){2,}$|^\?{3}.+\?{3}$|^!(?! )[\w.-]+!$|\b[Tt]ranslation missing: [a-z]+\.\S|^\[missing "?[\w-]+\..*translation\]$/;
/** The fields that hold words for people and never a name, as that of a host may be. */
const WORDS = /(?:_message|\/result|\/installments\/\*\/text)$/;
/**
 * U+FFFD, written where bytes could not be read, control characters but for the white space among them, and a question mark
 * at the beginning of a word or within it, small or in capitals, which encoders write for letters that their character set
 * lacks, or two for the two bytes of one. A URL may have one.
 */
const LOST =
  /[^\P{Cc}\s]|\uFFFD|^(?!.*(?:\/\/|www\.)).*(?:(?<!\S)\?{1,2}(?!\w*=)\p{L}{2}|\p{L}\?{1,2}(?!\w*=)\p{Ll}|\p{Lu}{2}\?{1,2}(?!\w*=)\p{Lu}|\p{Lu}\?{1,2}(?!\w*=)\p{Lu}{2})/su;

/** The fields that hold free text; the forms of the others say what they may be. */
const FREE_TEXT = /(?:name|text|message|account|address|city|district)$/;

function fillingFault(text: string): string | null {
  if (NOT_FILLED.test(text)) return `${truncate(JSON.stringify(text))}, in which a value is missing`;
  if (OF_PROGRAM.test(text)) return `${truncate(JSON.stringify(text))}, which is a program's name of a value`;
  // The control characters of a text that was encoded twice are bytes of its letters.
  return LOST.test(text) && decodedOnceMore(text) === null
    ? `${truncate(JSON.stringify(text))}, with a character lost`
    : null;
}

function wordsFault(text: string): string | null {
  if (FORMAT.test(text)) return `${truncate(JSON.stringify(text))}, in which a value is missing`;
  return MESSAGE_KEY.test(text) ? `${truncate(JSON.stringify(text))}, which is the name of a text` : null;
}

/** The same in a URL, where words are parts of names: a host, a segment of the path or the value of a parameter. */
const NOT_FILLED_IN_URL =
  /[/=](?:null|undefined|NaN)(?=[/?&#:]|$)|\[object \w+\]|\{\d\}|\$\{[\w.]+\}|\{\{ ?[\w.]+ ?\}\}/;

const addressFault = (text: string): string | null =>
  NOT_FILLED_IN_ADDRESS.test(text) && text !== 'null'
    ? `${truncate(JSON.stringify(text))}, in which a value is missing`
    : null;

const linkFault = (text: string): string | null =>
  NOT_FILLED_IN_URL.test(text) ? `${truncate(JSON.stringify(text))}, in which a value is missing` : null;

/**
 * A letter beyond ASCII as JSON or Python escapes it, or as URLs and forms encode it: its first two bytes in UTF-8. A quotation mark as
 * JSON and SQL escape it.
 */
const ENCODED = /\\u[\da-f]{4}|\\x[\da-f]{2}|\\['"]|^(?!.*(?:\/\/|www\.)).*%[C-E][\dA-F]%[89AB][\dA-F]/is;

const decodingFault = (text: string): string | null =>
  ENCODED.test(text) ? `${truncate(JSON.stringify(text))}, which was not decoded` : null;

const looks = [
  { clause: 'service.plain-texts', faultOf: codingFault, isAbout: () => true },
  { clause: 'service.decoded-texts', faultOf: decodingFault, isAbout: (pointer) => FREE_TEXT.test(pointer) },
  {
    clause: 'service.filled-texts',
    faultOf: fillingFault,
    isAbout: (pointer, operation) => FREE_TEXT.test(pointer) || operation === 'queryDisbursement',
  },
  { clause: 'service.filled-texts', faultOf: wordsFault, isAbout: (pointer) => WORDS.test(pointer) },
  { clause: 'service.filled-texts', faultOf: addressFault, isAbout: (pointer) => pointer.endsWith('/atm_address') },
  { clause: 'service.filled-texts', faultOf: linkFault, isAbout: (pointer) => pointer.endsWith('/payment_link') },
] as const satisfies readonly {
  readonly clause: ClauseId;
  readonly faultOf: (text: string) => string | null;
  readonly isAbout: (pointer: string, operation: OperationId) => boolean;
}[];

/** The faults of a text, wherever it stands: the same texts come in many answers. */
const faultsOf = memoizeByText(
  (text) =>
    looks.flatMap(({ clause, faultOf, isAbout }) => {
      const fault = faultOf(text);
      return fault === null ? [] : [{ clause, fault, isAbout }];
    }),
  VALUES,
);

interface FoundFault {
  readonly pointer: string;
  readonly fault: string;
}

/** Of each form of an operation: the first fault of each clause in the texts of its data that the document names. */
const firstFaultsOf = memoizeByObject(({ id, forms }: Operation) =>
  forms.map(({ answer }) =>
    memoizeByObject((data: object): ReadonlyMap<ClauseId, FoundFault> => {
      const places = locationsIn(answer);
      const found = new Map<ClauseId, FoundFault>();
      const walk = (value: unknown, pointer: string): void => {
        if (typeof value === 'string') {
          for (const { clause, fault, isAbout } of faultsOf(value))
            if (!found.has(clause) && isAbout(pointer, id) && places.has(pointer))
              found.set(clause, { pointer, fault });
        } else if (typeof value === 'object' && value !== null)
          for (const [name, child] of Object.entries(value))
            walk(child, `${pointer}/${Array.isArray(value) ? '*' : name}`);
      };
      walk(data, '/data');
      return found;
    }),
  ),
);

const clausesOfTexts: ReadonlySet<ClauseId> = new Set(looks.map(({ clause }) => clause));

/** Checks every text in `data` that the document names, others may be HTML; reports the first one of each clause. */
export function plainTexts({ operation, form, data, check }: RuleContext): void {
  const firstFaults = firstFaultsOf(operation)[form];
  const found = typeof data === 'object' && data !== null ? firstFaults?.(data) : undefined;
  for (const clause of clausesOfTexts) {
    const { pointer, fault } = found?.get(clause) ?? { pointer: '/data', fault: '' };
    check(clause, pointer, found?.has(clause) !== true, 'a text as it is read', () => fault);
  }
}
