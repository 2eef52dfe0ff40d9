/** YAML in which whatever could act on an eye or a terminal is written as an escape: it reads back the same. */
import { Document, visit } from 'yaml';
import { acts, escapedWith } from './sanitize.ts';

/** A value as YAML. */
export function asYaml(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_, node) {
      // Only there an escape is one.
      if (typeof node.value === 'string' && acts(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  return escapedWith(document.toString({ lineWidth: 120 }), (code) => `\\U${code.toString(16).padStart(8, '0')}`);
}
