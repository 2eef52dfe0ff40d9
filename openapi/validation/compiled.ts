/**
 * Loads the validators of the contract from a cache of generated code: compiling is slow, and every worker needs the validators. Only
 * the first process after a change of the contract or the compiler compiles.
 */
import { readFileSync } from 'node:fs';
import { compileFunction } from 'node:vm';
import { join } from 'node:path';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { keep, kept, keyOf } from '../util/cache.ts';
import { document } from '../contract/schema.ts';
import type { Schema } from '../contract/references.ts';
import { canonical, digest } from '../util/hash.ts';
import { ownPatterns, patternOf } from '../contract/patterns.ts';
import { isReference, momentExists } from '../contract/formats.ts';

interface Compiled {
  readonly promises: ValidateFunction;
  readonly expectations: ValidateFunction;
}

const formats = { 'iri-reference': { validate: isReference }, 'calendar-moment': { validate: momentExists } };

function code(): string {
  const sources = [
    './compiler.ts',
    '../contract/ajv.ts',
    '../contract/locations.ts',
    '../contract/patterns.ts',
    '../contract/schema.ts',
    '../contract/references.ts',
  ].map((file) => readFileSync(join(__dirname, file), 'utf8'));
  const { version } = require('ajv/package.json') as { version: string };
  // With an overlay the code decides its patterns in another way, even if the overlay is refused later.
  const key = keyOf('validators', JSON.stringify(document), String(ownPatterns.size), version, ...sources);
  const known = kept(key);
  if (known !== null) return known;
  const { validatorsAsCode }: typeof import('./compiler.ts') = require('./compiler.ts');
  const made = validatorsAsCode();
  keep(key, made);
  return made;
}

const validators: Record<string, ValidateFunction | undefined> = {};
const given = { require, exports: validators, formats, patternOf, canonical };
compileFunction(code(), Object.keys(given))(...Object.values(given));

function validatorNamed(name: string): ValidateFunction {
  const found = validators[name];
  if (found === undefined) throw new Error(`The contract has no validator ${name}`);
  return found;
}

/** Returns the validators of the answer schema at `pointer` (with `#`) in the contract. */
export function validatorsOfAnswer(pointer: string): Compiled {
  return {
    promises: validatorNamed(`promises_${digest(pointer)}`),
    expectations: validatorNamed(`expectations_${digest(pointer)}`),
  };
}

/** Returns the validator of a schema for refusals. */
export function validatorOfRefusal(schema: Schema): ValidateFunction {
  return validatorNamed(`refusal_${digest(JSON.stringify(schema))}`);
}
