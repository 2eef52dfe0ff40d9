/** Foreign text in the renderings: as it may be shown, and as JSON that reads back the same. */
import { acting } from '../../openapi/foreign/text.ts';

export { noCommands, oneLine, shortened, visible } from '../../openapi/foreign/text.ts';

/** True for a text in which something could act. */
export const acts = (text: string): boolean => text.search(acting) >= 0;

/** `text` with what could act in it as `escape` writes its code point. */
export const escapedWith = (text: string, escape: (code: number) => string): string =>
  text.replace(acting, (character) => escape(character.codePointAt(0)!));

/** A value as JSON in which whatever could act on an eye or a terminal is written as an escape: it reads back the same. */
export function asJson(value: unknown): string {
  const units = (character: string): string =>
    character.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `${JSON.stringify(value, null, 2).replace(acting, units)}\n`;
}
