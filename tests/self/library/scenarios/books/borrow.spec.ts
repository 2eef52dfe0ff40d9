import { defineScenario, test } from '../../../../../fixtures/runner/playwright.ts';
import { lentOnce } from '../../openapi/behaviours.ts';

test(
  'A book that is borrowed twice',
  ...defineScenario('borrow-twice', { area: 'books', creates: { borrowings: 2 } }, async ({ bank, run }) => {
    const { data } = await bank.listBooks();
    const book = String(data.books?.[0]?.book);
    const first = await bank.borrowBook({ book });
    const second = await bank.borrowBook({ book });
    await bank.queryBorrowing({ borrowing: String(first.data.borrowing) });
    run.compare(lentOnce, { first, second });
  }),
);
