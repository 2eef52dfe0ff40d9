/** Finds faulty texts: escaped, encoded twice, with placeholders or with lost characters. */
import { isAddress, isFilledText, isFreeText, isHumanText, isWebAddress, type OperationId } from '../api.ts';
import type { ClauseId } from '../clauses/index.ts';
import type { Operation } from '../contract/operations.ts';
import { findClauseLocations } from '../contract/schema.ts';
import { memoizeByObject, memoizeByText, VALUE_MEMORY_LIMITS } from '../util/memoize.ts';
import { truncate } from '../util/truncate.ts';
import type { Violation } from '../model/finding.ts';
import type { RuleContext } from '../model/rule.ts';

const HTML_ESCAPE = /&(?:amp|lt|gt|quot|apos|nbsp|#\d{1,7}|#x[\da-f]{1,6});/i;
const NON_ASCII_CHARACTER = /[^\0-\x7F]/;

/** The characters of Windows-1252 from byte 0x80 on. Some TextDecoders read them as Latin-1. */
const WINDOWS_1252_FROM_0X80 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8DŽ\x8F\x90‘’“”•–—˜™š›œ\x9DžŸ';
const byteByCharacter = new Map([
  ...Array.from({ length: 256 }, (_, byte) => [String.fromCharCode(byte), byte] as const),
  ...Array.from(WINDOWS_1252_FROM_0X80, (character, index) => [character, 0x80 + index] as const),
]);
const utf8Decoder = new TextDecoder('utf-8', { fatal: true });

/** Converts the characters of `text` to bytes and decodes the bytes as UTF-8; null if they are not UTF-8. */
function decodeAsUtf8(text: string): string | null {
  const bytes = [...text].map((character) => byteByCharacter.get(character));
  if (bytes.includes(undefined)) return null;
  try {
    return utf8Decoder.decode(Uint8Array.from(bytes as number[]));
  } catch {
    return null;
  }
}

/** Matches a word end in Windows-1252 whose bytes are also one UTF-8 character: `É…` has the same bytes as Ʌ. */
const WORD_END_THAT_LOOKS_LIKE_UTF8 = /(?<=\p{Lu})\p{Lu}[\u00A0»’”…–—]|(?<=\p{Ll})\p{Ll}[\u00A0»’”…–—]{2}/gu;
/** Matches capital letters such as Ö, which has the same bytes as `Ã–`. Here, the capital letter is more likely. */
const CAPITAL_LETTER = /^[À-ÖØ-Þ]$/;

/** Removes the ends of words that only look like one UTF-8 character. */
const removeWordEnds = (text: string): string =>
  text.replaceAll(WORD_END_THAT_LOOKS_LIKE_UTF8, (end) => (CAPITAL_LETTER.test(decodeAsUtf8(end) ?? '') ? end : ''));

/** Decodes a text that was encoded in UTF-8 twice: `MÃ¼ller` becomes `Müller`. Null if the text was not encoded twice. */
function undoDoubleEncoding(text: string): string | null {
  if (!NON_ASCII_CHARACTER.test(text) || !NON_ASCII_CHARACTER.test(removeWordEnds(text))) return null;
  const decodedText = decodeAsUtf8(text);
  if (decodedText === null) return null;
  const charactersBeyondAscii = decodedText.replace(/[\0-\x7F]/g, '');
  return /^[\p{L}\p{M}\p{P}\p{S}\p{Zs}]+$/u.test(charactersBeyondAscii) ? decodedText : null;
}

/** Returns the fault of a text, as words to put after the text; null if there is no fault. */
type FindFault = (text: string) => string | null;

const findEncodingFault: FindFault = (text) => {
  if (text.startsWith('\uFEFF')) return 'with the byte order mark of a file';
  if (HTML_ESCAPE.test(text)) return 'escaped as in HTML';
  const decodedText = undoDoubleEncoding(text);
  return decodedText === null ? null : `which is "${truncate(decodedText)}" encoded twice`;
};

/** Matches a placeholder, or the name of a missing value: `{0}`, `${name}`, `undefined`, `NaN`. */
const UNFILLED_PLACEHOLDER = /^null$|\bundefined\b|\bNaN\b|\[object \w+\]|\{\d\}|\$\{[\w.]+\}|\{\{ ?[\w.]+ ?\}\}/;
/** Matches an object that a program did not convert to text, as Python, Django, Java, .NET and Ruby print it. */
const PROGRAM_OBJECT_TEXT =
  /\bobject at 0x[\da-f]{6}|^[A-Z]\w* object \((?:\d+|None|[\da-f-]{36})\)$|^b(['"]).*\1$|(?:^|\s)\[?(?:[a-zA-Z]\w*\.)+[A-Z][\w$]*;?@[\da-f]{5,8}\b|^System\.[\w.`]+(?:\[.*\])?$|#<[A-Z][\w:]*[ >]/;
const UNFILLED_ADDRESS = /(?:^|[\s,;/-])null(?=[\s,;/-]|$)/;
/** Matches placeholders in texts for people: `%d`, `%1$s`, `%(count)d`, `%{count}`, `{count}`. */
const FORMAT_PLACEHOLDER = /(?<!\S)%(?:\d\$|\(\w+\))?[sd](?![^\s.,;:!)])|\{[a-z]\w*\}/i;
/** Matches the key of a text in place of the text, for example `Link.NAME`, or three or more parts with dots. */
const MESSAGE_KEY =
  /^[A-Z]+[a-z]\w*\.[A-Z][A-Z\d_]+$|^[a-z][\w-]*(?:\.[\w-]+){2,}$|^\?{3}.+\?{3}$|^!(?! )[\w.-]+!$|\b[Tt]ranslation missing: [a-z]+\.\S|^\[missing "?[\w-]+\..*translation\]$/;
/**
 * Matches lost characters: U+FFFD, control characters except white space, and one or two question marks at the beginning of a word
 * or inside a word. Encoders write `?` for letters that their character set does not have. A URL may contain question marks.
 */
const LOST_CHARACTER =
  /[^\P{Cc}\s]|\uFFFD|^(?!.*(?:\/\/|www\.)).*(?:(?<!\S)\?{1,2}(?!\w*=)\p{L}{2}|\p{L}\?{1,2}(?!\w*=)\p{Ll}|\p{Lu}{2}\?{1,2}(?!\w*=)\p{Lu}|\p{Lu}\?{1,2}(?!\w*=)\p{Lu}{2})/su;

const MISSING_VALUE = 'in which a value is missing';

const findFillingFault: FindFault = (text) => {
  if (UNFILLED_PLACEHOLDER.test(text)) return MISSING_VALUE;
  if (PROGRAM_OBJECT_TEXT.test(text)) return 'which is how a program prints an object';
  // In a text that was encoded twice, control characters are bytes of letters: this is another fault.
  return LOST_CHARACTER.test(text) && undoDoubleEncoding(text) === null ? 'in which a character was lost' : null;
};

const findHumanTextFault: FindFault = (text) => {
  if (FORMAT_PLACEHOLDER.test(text)) return MISSING_VALUE;
  return MESSAGE_KEY.test(text) ? 'which is the key of a text' : null;
};

/** Matches a placeholder in a URL: as a host, a path segment or the value of a parameter. */
const UNFILLED_URL = /[/=](?:null|undefined|NaN)(?=[/?&#:]|$)|\[object \w+\]|\{\d\}|\$\{[\w.]+\}|\{\{ ?[\w.]+ ?\}\}/;

/** Matches an escaped letter or quotation mark, or two bytes of a percent-encoded letter outside ASCII. */
const DOUBLE_ENCODING = /\\u[\da-f]{4}|\\x[\da-f]{2}|\\['"]|^(?!.*(?:\/\/|www\.)).*%[C-E][\dA-F]%[89AB][\dA-F]/is;

interface TextCheck {
  readonly clause: ClauseId;
  readonly findFault: FindFault;
  /** True if the check applies to the texts at this pointer. */
  readonly isInScope: (pointer: string, operation: OperationId) => boolean;
}

const textChecks: readonly TextCheck[] = [
  { clause: 'service.plain-texts', findFault: findEncodingFault, isInScope: () => true },
  {
    clause: 'service.decoded-texts',
    findFault: (text) => (DOUBLE_ENCODING.test(text) ? 'which was not decoded' : null),
    isInScope: isFreeText,
  },
  {
    clause: 'service.filled-texts',
    findFault: findFillingFault,
    isInScope: isFilledText,
  },
  {
    clause: 'service.filled-texts',
    findFault: findHumanTextFault,
    isInScope: isHumanText,
  },
  {
    clause: 'service.filled-texts',
    findFault: (text) => (UNFILLED_ADDRESS.test(text) && text !== 'null' ? MISSING_VALUE : null),
    isInScope: isAddress,
  },
  {
    clause: 'service.filled-texts',
    findFault: (text) => (UNFILLED_URL.test(text) ? MISSING_VALUE : null),
    isInScope: isWebAddress,
  },
];

/** Returns the faults of a text, each with its clause. The caller must check the scope. */
const findTextFaults = memoizeByText(
  (text) =>
    textChecks.flatMap(({ clause, findFault, isInScope }) => {
      const fault = findFault(text);
      return fault === null ? [] : [{ clause, received: `${truncate(JSON.stringify(text))}, ${fault}`, isInScope }];
    }),
  VALUE_MEMORY_LIMITS,
);

/** For each query form, makes a reader that finds the first fault of each clause in the documented texts. */
const makeFirstFaultReaders = memoizeByObject(({ id, forms }: Operation) =>
  forms.map(({ answer }) =>
    memoizeByObject((data: object): ReadonlyMap<ClauseId, Pick<Violation, 'pointer' | 'received'>> => {
      const documentedPlaces = findClauseLocations(answer);
      const firstFaults = new Map<ClauseId, Pick<Violation, 'pointer' | 'received'>>();
      const walk = (value: unknown, pointer: string): void => {
        if (typeof value === 'string') {
          for (const { clause, received, isInScope } of findTextFaults(value))
            if (!firstFaults.has(clause) && isInScope(pointer, id) && documentedPlaces.has(pointer))
              firstFaults.set(clause, { pointer, received });
        } else if (typeof value === 'object' && value !== null)
          for (const [name, child] of Object.entries(value))
            walk(child, `${pointer}/${Array.isArray(value) ? '*' : name}`);
      };
      walk(data, '/data');
      return firstFaults;
    }),
  ),
);

const textClauses: ReadonlySet<ClauseId> = new Set(textChecks.map(({ clause }) => clause));

/** Checks every documented text in `data`; other texts may be HTML. Reports the first fault of each clause. */
export function checkTexts(operation: Operation, { form, data, check }: RuleContext): void {
  const readFirstFaults = makeFirstFaultReaders(operation)[form];
  const firstFaults = typeof data === 'object' && data !== null ? readFirstFaults?.(data) : undefined;
  for (const clause of textClauses) {
    const { pointer, received } = firstFaults?.get(clause) ?? { pointer: '/data', received: '' };
    check(clause, pointer, firstFaults?.has(clause) !== true, 'a text in plain characters', () => received);
  }
}
