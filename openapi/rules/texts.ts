/** Finds damaged texts: escaped, encoded twice, with placeholders or lost characters. */
import type { ClauseId } from '../clauses/index.ts';
import type { Operation } from '../contract/operations.ts';
import { locationsIn } from '../contract/schema.ts';
import type { OperationId } from '../model/exchange.ts';
import { memoizeByObject, memoizeByText, VALUES } from '../util/memoize.ts';
import { truncate } from '../util/truncate.ts';
import type { RuleContext } from './context.ts';

const HTML_ESCAPE = /&(?:amp|lt|gt|quot|apos|nbsp|#\d{1,7}|#x[\da-f]{1,6});/i;
const BEYOND_ASCII = /[^\0-\x7F]/;

/** The characters of Windows-1252 from byte 0x80 on. Some TextDecoders read them as Latin-1. */
const FROM_0X80 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8DŽ\x8F\x90‘’“”•–—˜™š›œ\x9DžŸ';
/** Maps a character to its byte in Windows-1252, or else in Latin-1. */
const bytes = new Map([
  ...Array.from({ length: 256 }, (_, byte) => [String.fromCharCode(byte), byte] as const),
  ...Array.from(FROM_0X80, (character, index) => [character, 0x80 + index] as const),
]);
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Converts the characters of `text` to bytes and decodes these as UTF-8; null if they are no UTF-8. */
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
 * Matches a letter with the sign after a word: a no-break space, a quotation mark, an ellipsis, a dash. Together their bytes can be
 * one UTF-8 character: É and … have the bytes of Ʌ.
 */
const END_OF_WORD = /(?<=\p{Lu})\p{Lu}[\u00A0»’”…–—]|(?<=\p{Ll})\p{Ll}[\u00A0»’”…–—]{2}/gu;
/** Capitals such as Ö and Ô, which have the bytes of `Ã–` and `Ã”`. The capital is more likely here. */
const CAPITAL = /^[À-ÖØ-Þ]$/;

/** Removes ends of words that only look like one UTF-8 character. */
const withoutEndsOfWords = (text: string): string =>
  text.replaceAll(END_OF_WORD, (end) => (CAPITAL.test(utf8Of(end) ?? '') ? end : ''));

/** Returns the text before it was encoded in UTF-8 twice; null if it was not encoded twice. */
function decodeAgain(text: string): string | null {
  if (!BEYOND_ASCII.test(text) || !BEYOND_ASCII.test(withoutEndsOfWords(text))) return null;
  const decoded = utf8Of(text);
  return decoded !== null && /^[\p{L}\p{M}\p{P}\p{S}\p{Zs}]+$/u.test(decoded.replace(/[\0-\x7F]/g, ''))
    ? decoded
    : null;
}

/** Returns the fault of a text, as a phrase to put after the text; null if there is no fault. */
type FaultOf = (text: string) => string | null;

const codingFault: FaultOf = (text) => {
  if (text.startsWith('\uFEFF')) return 'with the byte order mark of a file';
  if (HTML_ESCAPE.test(text)) return 'escaped as in HTML';
  const decoded = decodeAgain(text);
  return decoded === null ? null : `which is "${truncate(decoded)}" encoded twice`;
};

/** Matches a placeholder, or the name of a missing value: `{0}`, `${name}`, `undefined`, `NaN`. */
const NOT_FILLED = /^null$|\bundefined\b|\bNaN\b|\[object \w+\]|\{\d\}|\$\{[\w.]+\}|\{\{ ?[\w.]+ ?\}\}/;
/** Matches a value that a program did not convert to text, as Python, Django, Java, .NET and Ruby write it. */
const OF_PROGRAM =
  /\bobject at 0x[\da-f]{6}|^[A-Z]\w* object \((?:\d+|None|[\da-f-]{36})\)$|^b(['"]).*\1$|(?:^|\s)\[?(?:[a-zA-Z]\w*\.)+[A-Z][\w$]*;?@[\da-f]{5,8}\b|^System\.[\w.`]+(?:\[.*\])?$|#<[A-Z][\w:]*[ >]/;
/** Matches `null` as a part of an address. */
const NOT_FILLED_IN_ADDRESS = /(?:^|[\s,;/-])null(?=[\s,;/-]|$)/;
/** Matches placeholders in texts for people: `%d`, `%1$s`, `%(count)d`, `%{count}`, `{count}`. */
const FORMAT = /(?<!\S)%(?:\d\$|\(\w+\))?[sd](?![^\s.,;:!)])|\{[a-z]\w*\}/i;
/** Matches the key of a text instead of the text: with three or more parts, as frameworks mark a missing text, or a constant. */
const MESSAGE_KEY =
  /^[A-Z]+[a-z]\w*\.[A-Z][A-Z\d_]+$|^[a-z][\w-]*(?:\.[\w-]+){2,}$|^\?{3}.+\?{3}$|^!(?! )[\w.-]+!$|\b[Tt]ranslation missing: [a-z]+\.\S|^\[missing "?[\w-]+\..*translation\]$/;
/** Fields with texts for people. Name fields are left out: a host name looks like a key. */
const WORDS = /(?:_message|\/result|\/installments\/\*\/text)$/;
/**
 * Matches lost characters: U+FFFD, control characters except white space, and one or two question marks at the beginning of a word or
 * inside a word. Encoders write `?` for letters that their character set lacks. A URL may contain question marks.
 */
const LOST =
  /[^\P{Cc}\s]|\uFFFD|^(?!.*(?:\/\/|www\.)).*(?:(?<!\S)\?{1,2}(?!\w*=)\p{L}{2}|\p{L}\?{1,2}(?!\w*=)\p{Ll}|\p{Lu}{2}\?{1,2}(?!\w*=)\p{Lu}|\p{Lu}\?{1,2}(?!\w*=)\p{Lu}{2})/su;

/** Fields with free text. All other fields have a documented form. */
const FREE_TEXT = /(?:name|text|message|account|address|city|district)$/;

const MISSING_VALUE = 'in which a value is missing';

const fillingFault: FaultOf = (text) => {
  if (NOT_FILLED.test(text)) return MISSING_VALUE;
  if (OF_PROGRAM.test(text)) return "which is a program's name of a value";
  // In a text that was encoded twice, control characters are bytes of letters.
  return LOST.test(text) && decodeAgain(text) === null ? 'with a character lost' : null;
};

const wordsFault: FaultOf = (text) => {
  if (FORMAT.test(text)) return MISSING_VALUE;
  return MESSAGE_KEY.test(text) ? 'which is the name of a text' : null;
};

/** Matches a placeholder in a URL: as a host, a path segment or the value of a parameter. */
const NOT_FILLED_IN_URL =
  /[/=](?:null|undefined|NaN)(?=[/?&#:]|$)|\[object \w+\]|\{\d\}|\$\{[\w.]+\}|\{\{ ?[\w.]+ ?\}\}/;

/**
 * Matches an escaped letter or quotation mark, as in JSON, Python or SQL, or two bytes of a percent-encoded letter outside ASCII.
 */
const ENCODED = /\\u[\da-f]{4}|\\x[\da-f]{2}|\\['"]|^(?!.*(?:\/\/|www\.)).*%[C-E][\dA-F]%[89AB][\dA-F]/is;

interface Look {
  readonly clause: ClauseId;
  readonly faultOf: FaultOf;
  readonly isAbout: (pointer: string, operation: OperationId) => boolean;
}

const looks: readonly Look[] = [
  { clause: 'service.plain-texts', faultOf: codingFault, isAbout: () => true },
  {
    clause: 'service.decoded-texts',
    faultOf: (text) => (ENCODED.test(text) ? 'which was not decoded' : null),
    isAbout: (pointer) => FREE_TEXT.test(pointer),
  },
  {
    clause: 'service.filled-texts',
    faultOf: fillingFault,
    isAbout: (pointer, operation) => FREE_TEXT.test(pointer) || operation === 'queryDisbursement',
  },
  { clause: 'service.filled-texts', faultOf: wordsFault, isAbout: (pointer) => WORDS.test(pointer) },
  {
    clause: 'service.filled-texts',
    faultOf: (text) => (NOT_FILLED_IN_ADDRESS.test(text) && text !== 'null' ? MISSING_VALUE : null),
    isAbout: (pointer) => pointer.endsWith('/atm_address'),
  },
  {
    clause: 'service.filled-texts',
    faultOf: (text) => (NOT_FILLED_IN_URL.test(text) ? MISSING_VALUE : null),
    isAbout: (pointer) => pointer.endsWith('/payment_link'),
  },
];

/** Returns the faults of a text. Memoized, as many answers have the same texts. */
const faultsOf = memoizeByText(
  (text) =>
    looks.flatMap(({ clause, faultOf, isAbout }) => {
      const fault = faultOf(text);
      return fault === null ? [] : [{ clause, fault: `${truncate(JSON.stringify(text))}, ${fault}`, isAbout }];
    }),
  VALUES,
);

interface FoundFault {
  readonly pointer: string;
  readonly fault: string;
}

/** Makes a reader for each query form of an operation. It finds the first fault of each clause in the documented texts. */
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

/** Checks every documented text in `data`; other texts may be HTML. Reports the first fault of each clause. */
export function plainTexts({ operation, form, data, check }: RuleContext): void {
  const firstFaults = firstFaultsOf(operation)[form];
  const found = typeof data === 'object' && data !== null ? firstFaults?.(data) : undefined;
  for (const clause of clausesOfTexts) {
    const { pointer, fault } = found?.get(clause) ?? { pointer: '/data', fault: '' };
    check(clause, pointer, found?.has(clause) !== true, 'a text as it is read', () => fault);
  }
}
