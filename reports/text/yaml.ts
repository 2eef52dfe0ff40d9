/** Writes YAML with harmful characters as escapes. The YAML reads back the same. */
import { Document, visit } from 'yaml';
import { acts, escapedWith } from './sanitize.ts';

/** Writes a value as YAML. */
export function asYaml(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_, node) {
      // YAML has escapes only in double quotes.
      if (typeof node.value === 'string' && acts(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  return escapedWith(document.toString({ lineWidth: 120 }), (code) => `\\U${code.toString(16).padStart(8, '0')}`);
}
