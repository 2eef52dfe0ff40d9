import { citeSection, defineLevels } from '../../../../openapi/clauses/clause.ts';

const { must } = defineLevels('books');
const source = citeSection('Endpoints');

export const areaClauses = {
  'books.address': must(source, 'Each operation has its path and its method.'),
  'books.json': must(source, 'Each answer is JSON with its content in the object "data".'),
  'books.input': must(source, 'The library accepts requests with the documented inputs.'),
  'books.fields': must(source, 'Each answer has its fields, with their types.'),
};
