/**
 * The judge as a script for the page: the very modules that judged the run, with the contract put in and its validators
 * compiled beforehand, because the page may not compile anything.
 */
import { fileURLToPath } from 'node:url';
import standalone from 'ajv/dist/standalone/index.js';
import { _ } from 'ajv/dist/2020.js';
import { build } from 'esbuild';
import { ajvOfContract, expectationSchema } from '../../../../openapi/validation/compiler.ts';
import { operations } from '../../../../openapi/contract/operations.ts';
import { document, resolve } from '../../../../openapi/contract/schema.ts';

const at = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const standaloneCode = standalone as unknown as (ajv: unknown, refs: Readonly<Record<string, string>>) => string;

/** What stands in for `compiled.ts`: the validators of every answer as code. */
function validatorsAsCode(): string {
  const ajv = ajvOfContract({ code: { source: true, esm: true, formats: _`formats` } });
  const names: Record<string, string> = {};
  const rows: string[] = [];
  const pointers = new Set(Object.values(operations).flatMap(({ forms }) => forms.map(({ answer }) => answer)));
  [...pointers].forEach((pointer, index) => {
    ajv.addSchema({ $id: `expected${index}`, ...expectationSchema(resolve(pointer)) });
    names[`promises${index}`] = `bank${pointer}`;
    names[`expected${index}`] = `expected${index}`;
    rows.push(`${JSON.stringify(pointer)}: { promises: promises${index}, expectations: expected${index} }`);
  });
  const refusals = new Set(
    Object.values(operations).flatMap(({ refusal }) =>
      Object.values(refusal ?? {}).map((schema) => JSON.stringify(schema, withoutWords)),
    ),
  );
  const refusalRows = [...refusals].map((text, index) => {
    ajv.addSchema({ ...(JSON.parse(text) as object), $id: `refusal${index}` });
    names[`refusal${index}`] = `refusal${index}`;
    return `${JSON.stringify(text)}: refusal${index}`;
  });
  return `import { isReference, momentExists } from ${JSON.stringify(at('../../../../openapi/contract/formats.ts'))};
const formats = { 'iri-reference': { validate: isReference }, 'calendar-moment': { validate: momentExists } };
${standaloneCode(ajv, names)}
const all = { ${rows.join(', ')} };
const refusals = { ${refusalRows.join(', ')} };
export const compiled = (pointer) => all[pointer];
export const compiledSchema = (schema) => refusals[JSON.stringify(schema)];`;
}

/** The contract without what only people read. */
function withoutWords(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { example: _example, examples: _examples, ...rest } = value as Record<string, unknown>;
  for (const name of ['summary', 'description']) if (typeof rest[name] === 'string') delete rest[name];
  return rest;
}

const contract = `export const contractFile = ''; export const contractText = ''; export const overlayRefused = null; export const contractDocument = ${JSON.stringify(document, withoutWords)};`;
/** The judge names clauses; what they say stands on the page, and is not compared. */
const clauses = `export const clauses = new Proxy({}, { get: () => ({ statement: '' }) });
export const clauseIds = []; export const isClauseId = () => true;`;

/** The script. It defines `selfJudging.rejudge`. */
export async function bundled(): Promise<string> {
  const given: Readonly<Record<string, () => string>> = {
    'contract-file': () => contract,
    clauses: () => clauses,
    compiled: validatorsAsCode,
  };
  const { outputFiles } = await build({
    entryPoints: [at('./rejudge.ts')],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    globalName: 'selfJudging',
    target: 'es2022',
    charset: 'ascii',
    legalComments: 'none',
    logLevel: 'silent',
    plugins: [
      {
        name: 'without-a-disk',
        setup({ onResolve, onLoad }) {
          onResolve(
            { filter: /^\.\.?\/(?:\.\.\/)*(?:openapi\/)?(?:contract-file|clauses|compiled)\.ts$/ },
            ({ path }) => ({
              path: path.replace(/^.*\/|\.ts$/g, ''),
              namespace: 'given',
            }),
          );
          onLoad({ filter: /.*/, namespace: 'given' }, ({ path }) => ({
            contents: given[path]?.() ?? '',
            loader: 'js',
            resolveDir: at('.'),
          }));
        },
      },
    ],
  });
  // Within a script element nothing may look like its end.
  return (outputFiles[0]?.text ?? '').replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
}
