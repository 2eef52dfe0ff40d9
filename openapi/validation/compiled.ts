/** Loads the validators of answers from a cache of generated code: to compile them is slow, and every worker needs them. */
import { readFileSync } from 'node:fs';
import { compileFunction } from 'node:vm';
import { join } from 'node:path';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { saveCached, loadCached, makeCacheKey } from '../util/cache.ts';
import { contractSchema } from '../contract/schema.ts';
import type { Schema } from '../contract/references.ts';
import { digestText } from '../util/hash.ts';
import { documentPatterns, createPattern } from '../contract/patterns.ts';
import { areEntriesUnique, isUriReference, isExistingDateTime } from '../contract/formats.ts';

const formatValidators = {
  'iri-reference': { validate: isUriReference },
  'calendar-moment': { validate: isExistingDateTime },
};

function loadValidatorCode(): string {
  const sources = [
    './compiler.ts',
    '../contract/ajv.ts',
    '../contract/locations.ts',
    '../contract/patterns.ts',
    '../contract/schema.ts',
    '../contract/references.ts',
  ].map((file) => readFileSync(join(__dirname, file), 'utf8'));
  const { version } = require('ajv/package.json') as { version: string };
  // With an overlay, the generated code matches patterns in another way, even if the overlay is rejected later.
  const key = makeCacheKey(
    'validators',
    JSON.stringify(contractSchema),
    String(documentPatterns.size),
    version,
    ...sources,
  );
  const cachedCode = loadCached(key);
  if (cachedCode !== null) return cachedCode;
  const { compileToCode }: typeof import('./compiler.ts') = require('./compiler.ts');
  const code = compileToCode();
  saveCached(key, code);
  return code;
}

const compiledValidators: Record<string, ValidateFunction | undefined> = {};
const generatedCodeScope = {
  require,
  exports: compiledValidators,
  formats: formatValidators,
  patternOf: createPattern,
  areEntriesUnique,
};
compileFunction(loadValidatorCode(), Object.keys(generatedCodeScope))(...Object.values(generatedCodeScope));

function findValidator(name: string): ValidateFunction {
  const validator = compiledValidators[name];
  if (validator === undefined) throw new Error(`The contract has no validator ${name}`);
  return validator;
}

export const loadAnswerValidators = (pointer: string) => ({
  promises: findValidator(`promises_${digestText(pointer)}`),
  expectations: findValidator(`expectations_${digestText(pointer)}`),
});

export const loadRefusalValidator = (schema: Schema): ValidateFunction =>
  findValidator(`refusal_${digestText(JSON.stringify(schema))}`);
