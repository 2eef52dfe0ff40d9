/** Reads JSON files that other people wrote: checks their size, their depth and their schema. */
import { readFileSync } from 'node:fs';
import type { ValidateFunction } from 'ajv';
import { readTextFile } from '../files/text-file.ts';

/** JSON values may have at most this many levels, because recursive functions read them. The suite writes far fewer. */
const MAX_JSON_DEPTH = 100;

/** Returns why a JSON value is dangerous, as the end of a sentence; null if it is safe. */
function findDangerousShape(value: unknown, depth = 0): string | null {
  if (typeof value !== 'object' || value === null) return null;
  if (depth >= MAX_JSON_DEPTH) return `is nested more than ${MAX_JSON_DEPTH} deep`;
  if (Object.hasOwn(value, '__proto__')) return 'has a member named __proto__';
  for (const child of Object.values(value)) {
    const fault = findDangerousShape(child, depth + 1);
    if (fault !== null) return fault;
  }
  return null;
}

function readForeignFile<T>(file: string, what: string, read: (text: string) => T): T {
  try {
    return read(readTextFile(file));
  } catch (error) {
    const { message, cause } = error as Error;
    if ((cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') throw cause;
    throw new Error(`${file} is not ${what}: it ${message}.`, { cause: error });
  }
}

export const readForeignJson = (file: string, what: string): unknown => readForeignFile(file, what, parseJson);

export const readForeignText = (file: string, what: string): string => readForeignFile(file, what, String);

/** Parses a JSON text. Error messages are the end of a sentence about the text. */
export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const { message } = error as Error;
    const [, position = 0] = /position (\d+)/.exec(message) ?? [];
    const isCutOff = / end of /.test(message) || Number(position) >= text.trimEnd().length;
    const why = text.trim() === '' ? 'is empty' : isCutOff ? 'is JSON that ends too soon' : 'is not JSON';
    throw new Error(isCutOff ? `${why}: get the whole file again` : why, { cause: error });
  }
  const fault = findDangerousShape(value);
  if (fault !== null) throw new Error(fault);
  return value;
}

/** Explains how to use a HAR file that is given in place of another file; null if the file is not a HAR file. */
export function explainHarFile(value: unknown): string | null {
  const { log } = { ...(value as { log?: { entries?: unknown } | null } | null) };
  return Array.isArray(log?.entries) ? 'is a HAR recording: judge it with npm run judge' : null;
}

const validatorBySchemaFile = new Map<string, ValidateFunction>();

/** Returns the validator of a published JSON Schema. Allows additional members: a newer version of the suite may write them. */
function loadValidator(schemaFile: string): ValidateFunction {
  // Loads Ajv only now: compiling takes 0.2 s and is rarely necessary.
  const { Ajv2020 }: typeof import('ajv/dist/2020.js') = require('ajv/dist/2020.js');
  const addFormats = require('ajv-formats') as (ajv: object, names: readonly string[]) => void;
  const open = (name: string, value: unknown): unknown =>
    name === 'additionalProperties' && value === false ? undefined : value;
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  addFormats(ajv, ['date', 'date-time']);
  return ajv.compile(JSON.parse(readFileSync(schemaFile, 'utf8'), open) as object);
}

/** Returns where a value does not match a JSON Schema, as the end of a sentence, or null. */
export function findSchemaFault(value: unknown, schemaFile: string): string | null {
  const validate = validatorBySchemaFile.get(schemaFile) ?? loadValidator(schemaFile);
  validatorBySchemaFile.set(schemaFile, validate);
  if (validate(value)) return null;
  const { instancePath = '', message = 'is wrong' } = validate.errors?.[0] ?? {};
  return `${instancePath.slice(0, 200) || 'it'} ${message}`;
}
