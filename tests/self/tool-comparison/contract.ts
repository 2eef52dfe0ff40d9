/**
 * The contract as other tools read it: OpenAPI 3.1 without extensions, with patterns in ASCII where theirs cannot read
 * `\p{…}`. It promises the same. Its examples are what the bank has, as somebody who tries a tool on a bank fills them in.
 */
import { createBank } from '../../../fixtures/reference-bank/bank.ts';
import { document } from '../../../openapi/contract/schema.ts';

type Node = { [key: string]: unknown };

function asciiPattern(pattern: string): string {
  const decimal = /\\p\{Nd\}\{(\d)\}\$$/.exec(pattern)?.[1];
  if (decimal !== undefined) return `^-?[0-9]+\\.[0-9]{${decimal}}$`;
  return pattern.replaceAll('\\p{Nd}', '[0-9]').replaceAll('\\p{L}', '[A-Za-z]').replaceAll('\\s*', '');
}

function withoutExtensions(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutExtensions);
  if (typeof node !== 'object' || node === null) return node;
  const kept = Object.entries(node).filter(([key]) => !key.startsWith('x-'));
  return Object.fromEntries(
    kept.map(([key, child]) => [key, key === 'pattern' ? asciiPattern(String(child)) : withoutExtensions(child)]),
  );
}

/** Values that the bank knows, by the name of a field or parameter. */
function knownValues(): Readonly<Record<string, unknown>> {
  const [merchant] = createBank().seedData.merchants;
  const [branch] = merchant?.branches ?? [];
  const [[currency, installments] = []] = [...(branch?.domestic ?? [])];
  return {
    merchant_no: Number(merchant?.no),
    branch_no: branch?.no,
    currency_code: currency,
    language_code: 'en',
    personal_description: 'Invoice 118',
    installment: installments?.[0],
    is_domestic: true,
  };
}

function fillExamples(node: unknown, known: Readonly<Record<string, unknown>>): void {
  if (Array.isArray(node)) return node.forEach((child) => fillExamples(child, known));
  if (typeof node !== 'object' || node === null) return;
  const object = node as Node;
  const name = object['name'];
  if (typeof name === 'string' && 'in' in object && name in known) {
    const examples = object['examples'] as Record<string, Node> | undefined;
    if (examples === undefined) object['example'] = known[name];
    else for (const example of Object.values(examples)) example['value'] = known[name];
  }
  for (const [key, child] of Object.entries(object)) {
    if (key in known && (typeof child !== 'object' || child === null)) object[key] = known[key];
    else fillExamples(child, known);
  }
}

export function contractForOthers(): unknown {
  const copy = withoutExtensions(document);
  fillExamples(copy, knownValues());
  return copy;
}
