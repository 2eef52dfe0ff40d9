/** JSON that somebody else made: of a bounded size and depth, and of the form that is published for it. */
import { readFileSync } from 'node:fs';
import { readText } from '../files/text-file.ts';

/** What the suite writes is less deep by far; what walks through a value calls itself once for each level. */
const MAX_DEPTH = 100;

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

/** What `read` makes of the text in a file that is `what`. Throws an error of one sentence. */
function readAs<T>(file: string, what: string, read: (text: string) => T): T {
  try {
    return read(readText(file));
  } catch (error) {
    const { message, cause } = error as Error;
    if ((cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') throw cause;
    throw new Error(`${file} is not ${what}: it ${message}.`, { cause: error });
  }
}

/** The value in a file of JSON that is `what`. */
export const readForeign = (file: string, what: string): unknown => readAs(file, what, parsedJson);

/** The text of a file that is `what`. */
export const readForeignText = (file: string, what: string): string => readAs(file, what, (text) => text);

/** The value of a JSON text. Throws an error whose message ends a sentence about it. */
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
