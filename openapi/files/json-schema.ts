/** Checks files of the suite, such as reports, by their published JSON Schemas. */
import { readFileSync } from 'node:fs';
import type { ValidateFunction } from 'ajv';

/** Returns the advice for a user who gave a HAR file in place of another file; null if the file is no HAR file. */
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
  const allowAdditionalMembers = (name: string, value: unknown): unknown =>
    name === 'additionalProperties' && value === false ? undefined : value;
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  addFormats(ajv, ['date', 'date-time']);
  return ajv.compile(JSON.parse(readFileSync(schemaFile, 'utf8'), allowAdditionalMembers) as object);
}

/** Returns the first fault of a value against a JSON Schema, as the end of a sentence about the file; null if there is none. */
export function findSchemaFault(value: unknown, schemaFile: string): string | null {
  const validate = validatorBySchemaFile.get(schemaFile) ?? loadValidator(schemaFile);
  validatorBySchemaFile.set(schemaFile, validate);
  if (validate(value)) return null;
  const { instancePath = '', message = 'is wrong' } = validate.errors?.[0] ?? {};
  return `${instancePath.slice(0, 200) || 'it'} ${message}`;
}
