import { broken, compared, kept, notTested } from '../../../../openapi/behaviours/behaviour.ts';
import { reply } from '../../../../openapi/behaviours/evidence.ts';
import { citeSection, defineLevels } from '../../../../openapi/clauses/clause.ts';

export * as availability from '../../../../openapi/behaviours/service/availability.ts';

export const lentOnce = compared({
  id: 'books.lent-once',
  clause: defineLevels('books').money(citeSection('Endpoints'), 'The library lends a book only once at a time.'),
  control: 'The first request for the book is accepted.',
  evidence: { first: reply('borrowBook'), second: reply('borrowBook') },
  judge({ first, second }) {
    if (!first.accepted) return notTested('the library did not lend the book');
    if (!second.accepted) return kept(second, { contrast: first });
    return broken(second, { contrast: first, expected: 'a refusal: the book is lent' });
  },
});
