/** Compiles the contract to code with Ajv. This file is loaded only if the cache is empty. */
import { _ } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import { operations } from '../contract/operations.ts';
import { readAllOf, getMemberSchemas, type Json, type Schema } from '../contract/references.ts';
import { followRef, contractSchema, readExpectations, resolvePointer } from '../contract/schema.ts';
import { digestText } from '../util/hash.ts';
import { createAjv } from '../contract/ajv.ts';

/** Makes a schema of the expectations (`x-should`) in a schema. Leaves out the keywords that the document states. */
function buildExpectationSchema(schemaOrRef: Schema): Schema {
  const schema = followRef(schemaOrRef);
  const expectations: Schema[] = readExpectations(schema).map(({ clause, schema: expected }) => ({
    ...expected,
    'x-clause': { [String(Object.keys(expected)[0])]: clause },
  }));
  for (const part of readAllOf(schema)) expectations.push(buildExpectationSchema(part));
  const result: Record<string, Json> = {};
  if (expectations.length > 0) result['allOf'] = expectations;
  if (schema['items'] !== undefined) result['items'] = buildExpectationSchema(schema['items'] as Schema);
  const properties = Object.entries(getMemberSchemas(schema))
    .map(([name, child]) => [name, buildExpectationSchema(child)] as const)
    .filter(([, child]) => Object.keys(child).length > 0);
  if (properties.length > 0) result['properties'] = Object.fromEntries(properties);
  return result;
}

function collectAnswerSchemas(): { readonly pointers: readonly string[]; readonly refusals: readonly Schema[] } {
  const allOperations = Object.values(operations);
  return {
    pointers: [...new Set(allOperations.flatMap(({ forms }) => forms.map(({ answer }) => answer)))],
    refusals: allOperations.flatMap(({ refusal }) => Object.values(refusal ?? {})),
  };
}

/** For each array entry with a `$ref`, the code of Ajv copies all earlier errors. This takes quadratic time: appends the errors instead. */
function makeErrorsLinear(code: string): string {
  const append = 'function append(errors, added) { for (const error of added) errors.push(error); return errors; }';
  return `${append}${code.replaceAll(/vErrors\.concat\((validate\d+\.errors)\)/g, 'append(vErrors, $1)')}`;
}

/** Generates the validators of all answers as a function body that fills `exports`. */
export function compileToCode(): string {
  const ajv = createAjv(contractSchema, { code: { source: true, formats: _`formats` } });
  const { pointers, refusals } = collectAnswerSchemas();
  const names: Record<string, string> = {};
  for (const pointer of pointers) {
    const expectationName = `expected ${pointer}`;
    ajv.addSchema({ ...buildExpectationSchema(resolvePointer(pointer)) }, expectationName);
    names[`promises_${digestText(pointer)}`] = `bank${pointer}`;
    names[`expectations_${digestText(pointer)}`] = expectationName;
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
