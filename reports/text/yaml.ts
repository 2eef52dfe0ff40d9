/** Writes YAML with harmful characters as escapes. The YAML is read back unchanged. */
import { Document, visit } from 'yaml';
import { hasHarmfulCharacters, escapeHarmfulWith } from './sanitize.ts';

export function toYaml(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_, node) {
      // YAML has escapes only in double quotes.
      if (typeof node.value === 'string' && hasHarmfulCharacters(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  return escapeHarmfulWith(document.toString({ lineWidth: 120 }), (code) => `\\U${code.toString(16).padStart(8, '0')}`);
}
