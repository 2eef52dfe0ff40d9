/** Checks an OpenAPI 3.1 document by the schema that the OpenAPI Initiative publishes, and its references. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { findNode, type Schema } from '../../../../openapi/contract/references.ts';

const openApi = new Ajv2020({ strict: false, formats: { 'media-range': true } });
(addFormats as unknown as (ajv: Ajv2020) => void)(openApi);
const isOpenApi = openApi.compile(require('@seriousme/openapi-schema-validator/schemas/v3.1/schema.json'));

const listReferences = (node: unknown): readonly string[] =>
  typeof node !== 'object' || node === null
    ? []
    : Object.entries(node).flatMap(([name, member]) =>
        name === '$ref' && typeof member === 'string' ? member : listReferences(member),
      );

/** Returns the faults of a document. */
export function lint(document: Schema): readonly string[] {
  if (!isOpenApi(document)) return [openApi.errorsText(isOpenApi.errors)];
  return listReferences(document).filter((reference) => findNode(document, reference) === undefined);
}
