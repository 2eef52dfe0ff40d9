/** Reads files that somebody else made: of a bounded size and depth, and of the form that is published for them. */
import { readFileSync, statSync } from 'node:fs';

/** A report of 10,000 random cases for each property has less. */
const MAX_MEBIBYTES = 64;
/** What the suite writes is less deep by far; what walks through a value calls itself once for each level. */
const MAX_DEPTH = 100;

/** The text of a file. Throws an error of one sentence. */
export function readText(file: string): string {
  const found = statSync(file);
  if (found.isDirectory()) throw new Error(`${file} is a folder: give a file.`);
  if (!found.isFile()) throw new Error(`${file} is no ordinary file.`);
  if (found.size > MAX_MEBIBYTES * 2 ** 20)
    throw new Error(`${file} is too large: a file of at most ${MAX_MEBIBYTES} MiB is read.`);
  return readFileSync(file, 'utf8').replace(/^\ufeff/, '');
}

/** What makes a value one that nobody means well with, as the end of a sentence, or null. */
export function faultOfShape(value: unknown, depth = 0): string | null {
  if (typeof value !== 'object' || value === null) return null;
  if (depth >= MAX_DEPTH) return `is nested more than ${MAX_DEPTH} deep`;
  if (Object.hasOwn(value, '__proto__')) return 'has a member named __proto__';
  for (const child of Object.values(value)) {
    const fault = faultOfShape(child, depth + 1);
    if (fault !== null) return fault;
  }
  return null;
}

/** The value of a JSON text. Throws an error whose message ends a sentence. */
export function parsedJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error('is not JSON', { cause: error });
  }
  const fault = faultOfShape(value);
  if (fault !== null) throw new Error(fault);
  return value;
}

interface Validate {
  (value: unknown): boolean;
  errors?: readonly { instancePath: string; message?: string }[] | null;
}

const validators = new Map<string, Validate>();

/** The validator of a published JSON Schema. A newer version of the suite may have added members: these are let be. */
function validatorOf(schemaFile: string): Validate {
  // Compiling takes a fifth of a second: only where a file of others is read.
  const { Ajv2020 }: typeof import('ajv/dist/2020.js') = require('ajv/dist/2020.js');
  const addFormats = require('ajv-formats') as (ajv: object, names: readonly string[]) => void;
  const open = (name: string, value: unknown): unknown =>
    name === 'additionalProperties' && value === false ? undefined : value;
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  addFormats(ajv, ['date', 'date-time']);
  return ajv.compile(JSON.parse(readFileSync(schemaFile, 'utf8'), open) as object) as Validate;
}

/** Where a value is not of a published form, as the end of a sentence, or null. */
export function faultOfForm(value: unknown, schemaFile: string): string | null {
  const validate = validators.get(schemaFile) ?? validatorOf(schemaFile);
  validators.set(schemaFile, validate);
  if (validate(value)) return null;
  const { instancePath = '', message = 'is wrong' } = validate.errors?.[0] ?? {};
  return `${instancePath.slice(0, 200) || 'it'} ${message}`;
}
