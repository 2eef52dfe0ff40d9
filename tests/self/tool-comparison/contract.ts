/**
 * The contract as other tools read it: without extensions, with patterns in ASCII where theirs cannot read `\p{…}`, and for
 * those that know no OpenAPI 3.1 and no `2XX` in the words of 3.0. It promises the same.
 */
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

/** Rewrites the keywords of OpenAPI 3.1 as those of 3.0, in place. */
function toOpenApi30(node: unknown): void {
  if (Array.isArray(node)) return node.forEach(toOpenApi30);
  if (typeof node !== 'object' || node === null) return;
  const object = node as Node;
  const types = object['type'];
  if (Array.isArray(types)) {
    const [first, ...others] = types.filter((type) => type !== 'null');
    if (types.includes('null')) object['nullable'] = true;
    if (others.length === 0) object['type'] = first;
    else {
      delete object['type'];
      object['oneOf'] = [first, ...others].map((type) => ({ type }));
    }
  }
  for (const [exclusive, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const)
    if (typeof object[exclusive] === 'number') Object.assign(object, { [bound]: object[exclusive], [exclusive]: true });
  if ('const' in object) {
    object['enum'] = [object['const']];
    delete object['const'];
  }
  if ('2XX' in object) {
    object['200'] = object['2XX'];
    delete object['2XX'];
  }
  Object.values(object).forEach(toOpenApi30);
}

/** Puts what the bank knows where the examples are. */
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

/** OpenAPI 3.1, without extensions, with examples that the bank knows. */
export function contract31(known: Readonly<Record<string, unknown>>): Node {
  const copy = withoutExtensions(document) as Node;
  fillExamples(copy, known);
  return copy;
}

/**
 * Tools that make one request of all examples would ask for ATMs by position and by code at once, which is no documented
 * request: they are left the position.
 */
function keepPositionForm(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  const object = node as Node;
  const parameters = object['parameters'];
  if (Array.isArray(parameters)) {
    const kept = (parameters as Node[]).filter(({ name }) => name !== 'province_code' && name !== 'district_code');
    object['parameters'] = kept.map((one) =>
      one['name'] === 'latitude' || one['name'] === 'longitude' ? { ...one, required: true } : one,
    );
  }
  Object.values(object).forEach(keepPositionForm);
}

/** OpenAPI 3.0.3, the same promises. */
export function contract30(known: Readonly<Record<string, unknown>>): Node {
  const copy = contract31(known);
  const { summary: _summary, license: _license, ...info } = copy['info'] as Node;
  const lower = { ...copy, openapi: '3.0.3', info };
  toOpenApi30(lower);
  keepPositionForm(lower);
  return lower;
}
