/** Compiles the contract with Ajv. Loaded only if the cache is empty. */
import { _ } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import { operations } from '../contract/operations.ts';
import { readAllOf, getMemberSchemas, type Json, type Schema } from '../contract/references.ts';
import { followRef, contractSchema, readExpectations, resolvePointer } from '../contract/schema.ts';
import { digestText } from '../util/hash.ts';
import { createAjv } from '../contract/ajv.ts';

/** Makes a separate schema of the expectations in a schema: the same structure without the documented keywords. */
function buildExpectationSchema(raw: Schema): Schema {
  const schema = followRef(raw);
  const parts: Schema[] = readExpectations(schema).map(({ clause, schema: expected }) => ({
    ...expected,
    'x-clause': { [String(Object.keys(expected)[0])]: clause },
  }));
  for (const part of readAllOf(schema)) parts.push(buildExpectationSchema(part));
  const inner: Record<string, Json> = {};
  if (parts.length > 0) inner['allOf'] = parts;
  if (schema['items'] !== undefined) inner['items'] = buildExpectationSchema(schema['items'] as Schema);
  const properties = Object.entries(getMemberSchemas(schema))
    .map(([name, child]) => [name, buildExpectationSchema(child)] as const)
    .filter(([, child]) => Object.keys(child).length > 0);
  if (properties.length > 0) inner['properties'] = Object.fromEntries(properties);
  return inner;
}

function collectAnswerSchemas(): { readonly pointers: readonly string[]; readonly refusals: readonly Schema[] } {
  const all = Object.values(operations);
  return {
    pointers: [...new Set(all.flatMap(({ forms }) => forms.map(({ answer }) => answer)))],
    refusals: all.flatMap(({ refusal }) => Object.values(refusal ?? {})),
  };
}

/** Ajv copies all errors for each entry with a `$ref`, which takes quadratic time: appends them instead. */
function makeErrorsLinear(code: string): string {
  const append = 'function append(all, more) { for (const one of more) all.push(one); return all; }';
  return `${append}${code.replaceAll(/vErrors\.concat\((validate\d+\.errors)\)/g, 'append(vErrors, $1)')}`;
}

/** Generates the validators of all answers as a function body that fills `exports`. */
export function compileToCode(): string {
  const ajv = createAjv(contractSchema, { code: { source: true, formats: _`formats` } });
  const { pointers, refusals } = collectAnswerSchemas();
  const names: Record<string, string> = {};
  for (const pointer of pointers) {
    const expected = `expected ${pointer}`;
    ajv.addSchema({ ...buildExpectationSchema(resolvePointer(pointer)) }, expected);
    names[`promises_${digestText(pointer)}`] = `bank${pointer}`;
    names[`expectations_${digestText(pointer)}`] = expected;
  }
  for (const schema of refusals) {
    const name = `refusal_${digestText(JSON.stringify(schema))}`;
    if (names[name] === undefined) ajv.addSchema({ ...schema }, name);
    names[name] = name;
  }
  return makeErrorsLinear(
    (standalone as unknown as (ajv: unknown, refs: Readonly<Record<string, string>>) => string)(ajv, names),
  );
}
