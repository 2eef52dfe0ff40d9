/**
 * The contract as its peers read it: without extensions, with patterns in ASCII where theirs cannot read `\p{…}`, and for
 * those that know no OpenAPI 3.1 and no `2XX` in the words of 3.0. It promises the same.
 */
import { document } from '../../../openapi/contract/schema.ts';

type Node = { [key: string]: unknown };

const decimals = (digits: string): string => `^-?[0-9]+\\.[0-9]{${digits}}$`;

function asciiPattern(pattern: string): string {
  const decimal = /\\p\{Nd\}\{(\d)\}\$$/.exec(pattern)?.[1];
  if (decimal !== undefined) return decimals(decimal);
  return pattern.replaceAll('\\p{Nd}', '[0-9]').replaceAll('\\p{L}', '[A-Za-z]').replaceAll('\\s*', '');
}

function plain(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(plain);
  if (typeof node !== 'object' || node === null) return node;
  const kept = Object.entries(node).filter(([key]) => !key.startsWith('x-'));
  return Object.fromEntries(
    kept.map(([key, child]) => [key, key === 'pattern' ? asciiPattern(String(child)) : plain(child)]),
  );
}

/** The words of 3.1 in those of 3.0, in place. */
function lowered(node: unknown): void {
  if (Array.isArray(node)) return node.forEach(lowered);
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
  Object.values(object).forEach(lowered);
}

/** Puts what the bank knows where the examples are. */
function filledIn(node: unknown, known: Readonly<Record<string, unknown>>): void {
  if (Array.isArray(node)) return node.forEach((child) => filledIn(child, known));
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
    else filledIn(child, known);
  }
}

/** OpenAPI 3.1, without extensions, with examples that the bank knows. */
export function contract31(known: Readonly<Record<string, unknown>>): Node {
  const copy = plain(document) as Node;
  filledIn(copy, known);
  return copy;
}

/**
 * Tools that make one request of all examples would ask for ATMs by position and by code at once, which is no documented
 * request: they are left the position.
 */
function byPosition(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  const object = node as Node;
  const parameters = object['parameters'];
  if (Array.isArray(parameters)) {
    const kept = (parameters as Node[]).filter(({ name }) => name !== 'province_code' && name !== 'district_code');
    object['parameters'] = kept.map((one) =>
      one['name'] === 'latitude' || one['name'] === 'longitude' ? { ...one, required: true } : one,
    );
  }
  Object.values(object).forEach(byPosition);
}

/** OpenAPI 3.0.3, the same promises. */
export function contract30(known: Readonly<Record<string, unknown>>): Node {
  const copy = contract31(known);
  const { summary: _summary, license: _license, ...info } = copy['info'] as Node;
  const lower = { ...copy, openapi: '3.0.3', info };
  lowered(lower);
  byPosition(lower);
  return lower;
}

type Content = Record<string, { examples?: Node; schema?: Node }>;
type Operation = {
  parameters?: Node[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, { content?: Content }>;
};

/**
 * The same for a tool that joins the examples of a request to those of an answer by their names, and that leaves out what is
 * not required, which the document does not tell of requests: a user who wants no more than documented requests requires all.
 */
export function contract30Named(known: Readonly<Record<string, unknown>>): Node {
  const copy = contract30(known);
  const shared = (copy['components'] as { parameters?: Record<string, Node> }).parameters ?? {};
  for (const item of Object.values(copy['paths'] as Record<string, Node & { parameters?: Node[] }>)) {
    const common = item.parameters ?? [];
    for (const operation of Object.values(item).filter(
      (one): one is Operation => typeof one === 'object' && one !== null && 'responses' in one,
    )) {
      const content = Object.values(operation.responses['200']?.content ?? {});
      const { requestBody } = operation;
      if (requestBody !== undefined) {
        requestBody.required = true;
        const [asked] = Object.values(requestBody.content);
        const [name = 'one'] = Object.keys(asked?.examples ?? {});
        const schemas = (copy['components'] as { schemas: Record<string, Node> }).schemas;
        const schema = schemas[String(asked?.schema?.['$ref']).split('/').at(-1) ?? ''];
        if (schema !== undefined) schema['required'] = Object.keys(schema['properties'] as Node);
        for (const one of content) one.examples = { [name]: Object.values(one.examples ?? {})[0] };
      }
      const names = content.flatMap(({ examples }) => Object.keys(examples ?? {}));
      operation.parameters = [...common, ...(operation.parameters ?? [])].map((parameter) => {
        const { example, ...own } =
          typeof parameter['$ref'] === 'string' ? (shared[parameter['$ref'].split('/').at(-1) ?? ''] ?? {}) : parameter;
        const value = example ?? known[String(own['name'])];
        return value === undefined
          ? own
          : { ...own, examples: Object.fromEntries(names.map((name) => [name, { value }])) };
      });
    }
    delete item.parameters;
  }
  return copy;
}
