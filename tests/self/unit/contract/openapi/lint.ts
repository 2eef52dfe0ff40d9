/** Lints an OpenAPI 3.1 document: by the schema that the OpenAPI Initiative publishes, and by what no schema can say. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { createAjv } from '../../../../../openapi/contract/ajv.ts';
import {
  findNode,
  followSchemaReference,
  listOperationNodes,
  type Schema,
} from '../../../../../openapi/contract/references.ts';

/** What OpenAPI leaves free and this suite does not: its pages show it. */
const operation = {
  required: ['operationId', 'summary', 'tags', 'security', 'responses'],
  properties: { operationId: { pattern: '^[\\w-]+$' } },
};
const openApi = new Ajv2020({ strict: false, formats: { 'media-range': true } });
(addFormats as unknown as (ajv: Ajv2020) => void)(openApi);
const isOpenApi = openApi.compile({
  allOf: [require('@seriousme/openapi-schema-validator/schemas/v3.1/schema.json')],
  properties: {
    info: { required: ['license'] },
    tags: { items: { required: ['description'] } },
    paths: { additionalProperties: { additionalProperties: operation } },
  },
});

/** Yields every object in a document with its JSON pointer. */
function* walk(node: unknown, at = '#'): Generator<readonly [at: string, node: Schema]> {
  if (typeof node !== 'object' || node === null) return;
  yield [at, node as Schema];
  for (const [name, member] of Object.entries(node))
    yield* walk(member, `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
}

const listEntries = (node: unknown): [name: string, member: Schema][] => Object.entries(node ?? {});
const findRepeated = (names: readonly string[]): readonly string[] =>
  names.filter((name, index) => names.indexOf(name) < index).map((name) => `${name} stands there twice`);

/** Says what is wrong with the references of a document. */
function* lintReferences(document: Schema): Generator<string> {
  const used = new Set<string>();
  for (const [at, { $ref, security }] of walk(document)) {
    if (typeof $ref === 'string') used.add($ref);
    if (typeof $ref === 'string' && findNode(document, $ref) === undefined) yield `${at} refers to nothing: ${$ref}`;
    for (const [name] of ((security ?? []) as readonly Schema[]).flatMap(listEntries)) {
      used.add(`#/components/securitySchemes/${name}`);
      if (findNode(document, `#/components/securitySchemes/${name}`) === undefined) yield `${at} has no scheme ${name}`;
    }
  }
  for (const [kind, members] of listEntries(document['components']))
    for (const [name] of listEntries(members))
      if (!used.has(`#/components/${kind}/${name}`)) yield `${kind}/${name} is not used`;
}

/** Says what is wrong with the schemas of a document, and with the examples beside them. */
function* lintSchemas(document: Schema): Generator<string> {
  const ajv = createAjv(document, { strictRequired: true, logger: false });
  // OpenAPI 3.1 has it no longer.
  ajv.removeKeyword('nullable');
  // Named schemas are reached from where they are used.
  const components = { ...(document['components'] as Schema), schemas: {} };
  for (const [at, node] of walk({ paths: document['paths'], components }))
    if (Object.hasOwn(node, 'schema'))
      try {
        const isValid = ajv.compile({ $ref: `bank${encodeURI(at)}/schema` });
        const named = listEntries(node['examples']).map(
          ([, example]) => followSchemaReference(document, example)['value'],
        );
        for (const example of 'example' in node ? [node['example']] : named)
          if (!isValid.call(new Set(), example))
            yield `${at} has an invalid example: ${ajv.errorsText(isValid.errors)}`;
      } catch (error) {
        yield `${at}: ${(error as Error).message}`;
      }
}

/** Says what is wrong with the names in a document. */
function* lintNames(document: Schema): Generator<string> {
  const operations = listOperationNodes(document);
  yield* findRepeated(operations.map(({ node }) => String(node['operationId'])));
  for (const { path, node } of operations) {
    const id = String(node['operationId']);
    const given = listEntries(node['parameters'])
      .map(([, parameter]) => followSchemaReference(document, parameter))
      .map(({ in: place, name }) => `${id}: ${String(place)} ${String(name)}`);
    const inPath = given.filter((name) => name.startsWith(`${id}: path `)).toSorted();
    const needed = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => `${id}: path ${name}`);
    if (String(inPath) !== String(needed.toSorted())) yield `${id} needs ${String(needed)} and has ${String(inPath)}`;
    yield* findRepeated(given);
  }
}

/** Returns the faults of a document, each with its place. */
export function lint(document: Schema): readonly string[] {
  if (!isOpenApi(document)) return [openApi.errorsText(isOpenApi.errors)];
  const references = [...lintReferences(document)];
  return references.length > 0 ? references : [...lintSchemas(document), ...lintNames(document)];
}
