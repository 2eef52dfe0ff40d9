/** Tests that an area or operation that the bank has at other paths gets few requests, but that its paths are still diagnosed. */
import { expect, test } from '@playwright/test';
import type { JournalLine } from '../../../../openapi/model/journal.ts';
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import { examineBank } from '../../support/examine.ts';

/** The first requests, and as many more. */
const MOST_REQUESTS = 40;

const answerNotFound = () => Response.json({ error: 'not found' }, { status: 404 });

/** The area of the paths that hold a word; once with another area, which works. */
const areasByWord = {
  '/revolving-loans/': 'loans',
  '/paybylink/': 'payment-links,atms',
  '/payment-links': 'payment-links',
  '/atms': 'atms',
} as const;

/** Examines the areas of a word at a bank with these answers for paths with `word`; the `nth` such request may be served. */
async function examineWithout(
  word: keyof typeof areasByWord,
  answer = answerNotFound,
  isServed: (path: string, nth: number) => boolean = () => false,
) {
  const bank = createBank();
  let nth = 0;
  let lines: readonly JournalLine[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    return pathname.includes(word) && !isServed(pathname, (nth += 1)) ? answer() : bank.fetch(request);
  };
  const report = await examineBank(
    { fetch },
    { env: { AREAS: areasByWord[word] }, onLines: (written) => (lines = written) },
  );
  const asked = lines.flatMap((line) =>
    line.line === 'entry' && line.entry.request.path.includes(word) ? [line.entry.id] : [],
  );
  const diagnosed = asked.filter((id) => id.startsWith('documented-')).length;
  return { report, diagnosed, others: asked.length - diagnosed };
}

for (const [word, advice, answer] of [
  ['/revolving-loans/', /BASE_URL.*OVERLAY/, answerNotFound],
  ['/paybylink/', /BASE_URL.*OVERLAY.*AREAS/, () => new Response('Method not allowed', { status: 405 })],
  ['/atms', /BASE_URL.*OVERLAY/, answerNotFound],
] as const)
  test(`An area at other paths than ${word} gets few requests, except for the diagnosis, and the report says what to set`, async () => {
    const { report, diagnosed, others } = await examineWithout(word, answer);
    expect(others).toBeLessThanOrEqual(MOST_REQUESTS);
    expect(diagnosed).toBeGreaterThan(30);
    expect(report.reasons[0]).toMatch(advice);
  });

test('An ATM locator with a page in its place gets few requests', async () => {
  const answer = () => new Response('<h1>Welcome</h1>', { headers: { 'Content-Type': 'text/html' } });
  expect((await examineWithout('/atms', answer)).others).toBeLessThanOrEqual(MOST_REQUESTS);
});

test('An operation at another path gets few requests, and the rest of its area as many as before', async () => {
  const { report, others } = await examineWithout('/payment-links');
  expect(others).toBeLessThanOrEqual(MOST_REQUESTS);
  expect(report.findings.map(({ clause }) => clause)).toContain('links.link.path');
  expect(report.operations.find(({ id }) => id === 'listInstallments')?.successes).toBeGreaterThan(50);
});

for (const [title, isServed] of [
  ['one documented request is answered in another way', (_, nth) => nth === 15],
  // A bank without ATMs may answer 404 too.
  ['another path is answered in another way', (path) => !path.endsWith('/atms')],
] as readonly (readonly [string, (path: string, nth: number) => boolean])[])
  test(`An area is asked as before if ${title}`, async () => {
    expect((await examineWithout('/atms', answerNotFound, isServed)).others).toBeGreaterThan(5 * MOST_REQUESTS);
  });
