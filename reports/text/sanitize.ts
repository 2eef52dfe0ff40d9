/** Makes foreign text safe for renderings, also as JSON that reads back the same. */
import { acting } from '../../openapi/foreign/text.ts';

export { noCommands, oneLine, shortened, visible } from '../../openapi/foreign/text.ts';

/** True if a text has harmful characters. */
export const acts = (text: string): boolean => text.search(acting) >= 0;

/** Replaces harmful characters by `escape(code point)`. */
export const escapedWith = (text: string, escape: (code: number) => string): string =>
  text.replace(acting, (character) => escape(character.codePointAt(0)!));

/** Writes a value as JSON with harmful characters as escapes. The JSON reads back the same. */
export function asJson(value: unknown): string {
  const units = (character: string): string =>
    character.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `${JSON.stringify(value, null, 2).replace(acting, units)}\n`;
}
