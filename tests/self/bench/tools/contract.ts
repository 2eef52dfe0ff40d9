/**
 * Converts the contract for other tools: OpenAPI 3.1 without extensions, and with ASCII patterns if a tool cannot read `\p{…}`. It
 * requires the same. The examples are values that the bank knows, as a user of the tool would enter.
 */
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import { contractSchema } from '../../../../openapi/contract/schema.ts';

function toAsciiPattern(pattern: string): string {
  const decimals = /\\p\{Nd\}\{(\d)\}\$$/.exec(pattern)?.[1];
  if (decimals !== undefined) return `^-?[0-9]+\\.[0-9]{${decimals}}$`;
  return pattern.replaceAll('\\p{Nd}', '[0-9]').replaceAll('\\p{L}', '[A-Za-z]').replaceAll('\\s*', '');
}

/** Returns values that the bank knows, by the name of a field or parameter. */
function collectKnownValues(): Readonly<Record<string, unknown>> {
  const [merchant] = createBank().seedData.merchants;
  const [branch] = merchant?.branches ?? [];
  const [[currency_code, installments] = []] = [...(branch?.domestic ?? [])];
  const place = { merchant_no: Number(merchant?.no), branch_no: branch?.no, currency_code, is_domestic: true };
  return { ...place, language_code: 'en', personal_description: 'Invoice 118', installment: installments?.[0] };
}

/** Converts a node of the contract. `parameter` is the name of its parameter, if it is one. */
function convertNode(node: unknown, known: Readonly<Record<string, unknown>>, parameter = ''): unknown {
  if (Array.isArray(node)) return node.map((child) => convertNode(child, known));
  if (typeof node !== 'object' || node === null) return node;
  const own = 'in' in node && 'name' in node ? String(node.name) : parameter;
  const entries = Object.entries(node).flatMap(([key, child]): [string, unknown][] => {
    if (key.startsWith('x-')) return [];
    if (key === 'pattern') return [[key, toAsciiPattern(String(child))]];
    if (own in known && (key === 'example' || key === 'value')) return [[key, known[own]]];
    const isValue = typeof child !== 'object' || child === null;
    return [[key, key in known && isValue ? known[key] : convertNode(child, known, own)]];
  });
  return Object.fromEntries(entries);
}

/** Returns the whole contract for other tools. */
export const makeContractForOthers = (): unknown => convertNode(contractSchema, collectKnownValues());
