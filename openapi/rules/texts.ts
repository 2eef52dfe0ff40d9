/** Texts of answers that show the handwriting of another layer: escaped for a web page, or encoded as UTF-8 twice. */
import { truncate } from '../util/truncate.ts';
import type { RuleContext } from './context.ts';

const HTML_ESCAPE = /&(?:amp|lt|gt|quot|apos|nbsp|#\d{1,7}|#x[\da-f]{1,6});/i;
const BEYOND_ASCII = /[^\0-\x7F]/;

/** The byte that Windows-1252, or Latin-1 where that has none, writes for a character. */
const bytes = new Map<string, number>();
for (let byte = 0; byte < 256; byte += 1) {
  bytes.set(String.fromCharCode(byte), byte);
  bytes.set(new TextDecoder('windows-1252').decode(Uint8Array.of(byte)), byte);
}
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** What `text` was before its UTF-8 bytes were taken for characters; null where it is no such text. */
function decodedOnceMore(text: string): string | null {
  if (!BEYOND_ASCII.test(text)) return null;
  const read = [...text].map((character) => bytes.get(character));
  if (read.includes(undefined)) return null;
  try {
    const decoded = utf8.decode(Uint8Array.from(read as number[]));
    return /^[\p{L}\p{M}\p{P}\p{S}\p{Zs}]+$/u.test(decoded.replace(/[\0-\x7F]/g, '')) ? decoded : null;
  } catch {
    return null;
  }
}

function faultOf(text: string): string | null {
  if (HTML_ESCAPE.test(text)) return `${truncate(JSON.stringify(text))}, escaped as in HTML`;
  const decoded = decodedOnceMore(text);
  return decoded === null ? null : `${truncate(JSON.stringify(text))}, which is "${truncate(decoded)}" encoded twice`;
}

/** Checks every text in `data`; reports the first one. */
export function plainTexts({ data, check }: RuleContext): void {
  let found: { pointer: string; fault: string } | null = null;
  const walk = (value: unknown, pointer: string): void => {
    if (found !== null) return;
    if (typeof value === 'string') {
      const fault = faultOf(value);
      if (fault !== null) found = { pointer, fault };
    } else if (typeof value === 'object' && value !== null)
      for (const [name, child] of Object.entries(value)) walk(child, `${pointer}/${Array.isArray(value) ? '*' : name}`);
  };
  walk(data, '/data');
  const { pointer, fault } = found ?? { pointer: '/data', fault: '' };
  check('service.plain-texts', pointer, found === null, 'a text as it is read', () => fault);
}
