/** Tests that an area or operation that the bank has at other paths gets few requests, but that its paths are still diagnosed. */
import { expect, test } from '@playwright/test';
import type { JournalLine } from '../../../../openapi/model/journal.ts';
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import { examineBank } from '../../support/examine.ts';

/** The first requests, and as many more. */
const MOST_REQUESTS = 40;

const answers = {
  '404': () => Response.json({ error: 'not found' }, { status: 404 }),
  '405': () => new Response('Method not allowed', { status: 405 }),
  'a page': () => new Response('<h1>Welcome</h1>', { headers: { 'Content-Type': 'text/html' } }),
} as const;

/** Examines a bank with these answers for paths with `word`; the `nth` such request may be served. */
async function examineWithout(
  word: string,
  answer: () => Response,
  isServed: (path: string, nth: number) => boolean = () => false,
) {
  const bank = createBank();
  let nth = 0;
  let lines: readonly JournalLine[] = [];
  const report = await examineBank(
    {
      fetch: async (request) => {
        const { pathname } = new URL(request.url);
        const isElsewhere = pathname.includes(word) && !isServed(pathname, (nth += 1));
        return isElsewhere ? answer() : bank.fetch(request);
      },
    },
    { onLines: (written) => (lines = written) },
  );
  const asked = lines.flatMap((line) =>
    line.line === 'entry' && line.entry.request.path.includes(word) ? [line.entry.id] : [],
  );
  const diagnosed = asked.filter((id) => id.startsWith('documented-'));
  return { report, diagnosed: diagnosed.length, others: asked.length - diagnosed.length };
}

for (const [word, title, answer] of [
  ['/revolving-loans/', 'Revolving Loans at other paths', '404'],
  ['/paybylink/', 'Pay-by-Link at other paths', '405'],
  ['/atms', 'The ATM locator at another path', '404'],
] as const)
  test(`${title} (${answer}) gets few requests, except for the diagnosis, and the report says what to set`, async () => {
    const { report, diagnosed, others } = await examineWithout(word, answers[answer]);
    expect(others).toBeLessThanOrEqual(MOST_REQUESTS);
    expect(diagnosed).toBeGreaterThan(30);
    expect(report.verdict).toBe('inconclusive');
    expect(report.reasons[0]).toMatch(/BASE_URL.*OVERLAY.*AREAS/);
  });

test('An ATM locator with a page in its place gets few requests', async () => {
  expect((await examineWithout('/atms', answers['a page'])).others).toBeLessThanOrEqual(MOST_REQUESTS);
});

test('An operation at another path gets few requests, and the rest of its area as many as before', async () => {
  const { report, others } = await examineWithout('/payment-links', answers['404']);
  expect(others).toBeLessThanOrEqual(MOST_REQUESTS);
  expect(report.findings.map(({ clause }) => clause)).toContain('links.link.path');
  expect(report.operations.find(({ id }) => id === 'listInstallments')?.successes).toBeGreaterThan(50);
});

test('An area is asked as before if any documented request is answered in another way, or no longer as an invented path', async () => {
  const isOtherAnswer = (_: string, nth: number): boolean => nth === 15;
  expect((await examineWithout('/atms', answers['404'], isOtherAnswer)).others).toBeGreaterThan(10 * MOST_REQUESTS);
  // A bank without ATMs answers documented requests with 404, and other paths and requests without inputs in its own way.
  const isNoData = (path: string): boolean => !path.endsWith('/atms');
  expect((await examineWithout('/atms', answers['404'], isNoData)).others).toBeGreaterThan(5 * MOST_REQUESTS);
});

test('An area whose paths appear after a while is judged', async () => {
  const { report } = await examineWithout('/atms', answers['404'], (_, nth) => nth > 22);
  expect(report.operations.find(({ id }) => id === 'findAtms')?.successes).toBeGreaterThan(100);
});
