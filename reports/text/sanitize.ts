/** Makes text of banks safe for all outputs. Also writes JSON and YAML with escapes in place of harmful characters. */
import { ACTIVE_CHARACTER } from '../../openapi/foreign/print.ts';
import { Document, visit } from 'yaml';

export { escapeCommands, toOneLine, shortenText, escapeHarmful } from '../../openapi/foreign/print.ts';

/** Writes a value as JSON with escapes in place of harmful characters. A reader of the JSON gets the same value. */
export function toJson(value: unknown): string {
  const escape = (character: string): string =>
    character.replace(/[^]/g, (codeUnit) => `\\u${codeUnit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `${JSON.stringify(value, null, 2).replace(ACTIVE_CHARACTER, escape)}\n`;
}

/** Writes a value as YAML with escapes in place of harmful characters. */
export function toYaml(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_, node) {
      // YAML has escapes only in double quotes.
      if (typeof node.value === 'string' && node.value.search(ACTIVE_CHARACTER) >= 0) node.type = 'QUOTE_DOUBLE';
    },
  });
  const escape = (character: string): string => `\\U${character.codePointAt(0)!.toString(16).padStart(8, '0')}`;
  return document.toString({ lineWidth: 120 }).replace(ACTIVE_CHARACTER, escape);
}
