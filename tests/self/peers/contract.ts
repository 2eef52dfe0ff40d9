/**
 * The contract as its peers read it: without extensions, with patterns in ASCII where theirs cannot read `\p{…}`, and for
 * those that know no OpenAPI 3.1 and no `2XX` in the words of 3.0. It promises the same.
 */
import { document } from '../../../openapi/contract.ts';

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
  return Object.fromEntries(kept.map(([key, child]) => [key, key === 'pattern' ? asciiPattern(String(child)) : plain(child)]));
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
  for (const [exclusive, bound] of [['exclusiveMinimum', 'minimum'], ['exclusiveMaximum', 'maximum']] as const)
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

/** Puts what the bank knows where the examples are. Of the two query forms of ATMs only one has examples: together they make no request. */
function filledIn(node: unknown, known: Readonly<Record<string, unknown>>): void {
  if (Array.isArray(node)) return node.forEach((child) => filledIn(child, known));
  if (typeof node !== 'object' || node === null) return;
  const object = node as Node;
  const name = object['name'];
  if (typeof name === 'string' && 'in' in object) {
    if (name === 'province_code' || name === 'district_code') {
      delete object['example'];
      delete object['examples'];
    } else if (name in known) {
      delete object['examples'];
      object['example'] = known[name];
    }
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

/** OpenAPI 3.0.3, the same promises. */
export function contract30(known: Readonly<Record<string, unknown>>): Node {
  const copy = contract31(known);
  const { summary: _summary, license: _license, ...info } = copy['info'] as Node;
  const lower = { ...copy, openapi: '3.0.3', info };
  lowered(lower);
  return lower;
}
