/**
 * The validators of the contract, compiled once and kept as code. A module of its own, so that a judge that may not compile
 * (a page, whose policy forbids it) can be given what was compiled before.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { keep, kept, keyOf } from '../util/cache.ts';
import { document } from '../contract/schema.ts';
import type { Schema } from '../contract/references.ts';
import { digest } from '../util/hash.ts';
import { isReference, momentExists } from '../contract/formats.ts';

export interface Compiled {
  readonly promises: ValidateFunction;
  readonly expectations: ValidateFunction;
}

const load = createRequire(import.meta.url);
const formats = { 'iri-reference': { validate: isReference }, 'calendar-moment': { validate: momentExists } };

async function code(): Promise<string> {
  const sources = [
    './compiler.ts',
    '../contract/ajv.ts',
    '../contract/locations.ts',
    '../contract/schema.ts',
    '../contract/references.ts',
  ].map((file) => readFileSync(fileURLToPath(new URL(file, import.meta.url)), 'utf8'));
  const { version } = load('ajv/package.json') as { version: string };
  const key = keyOf('validators', JSON.stringify(document), version, ...sources);
  const known = kept(key);
  if (known !== null) return known;
  const { validatorsAsCode } = await import('./compiler.ts');
  const made = validatorsAsCode();
  keep(key, made);
  return made;
}

const validators: Record<string, ValidateFunction | undefined> = {};
compileFunction(await code(), ['require', 'exports', 'formats'])(load, validators, formats);

function named(name: string): ValidateFunction {
  const found = validators[name];
  if (found === undefined) throw new Error(`The contract has no validator ${name}`);
  return found;
}

/** The validators of the answer schema at `pointer` (with `#`) of the contract. */
export function compiled(pointer: string): Compiled {
  return { promises: named(`promises_${digest(pointer)}`), expectations: named(`expectations_${digest(pointer)}`) };
}

/** The validator of what the contract says of a refusal. */
export function compiledSchema(schema: Schema): ValidateFunction {
  return named(`refusal_${digest(JSON.stringify(schema))}`);
}
