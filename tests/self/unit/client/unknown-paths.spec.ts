/** Tests banks that lack the paths of an area or operation: few requests go there, and the report says what to set. */
import { expect, test } from '@playwright/test';
import type { JournalLine } from '../../../../openapi/model/journal.ts';
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import { examineBank } from '../../support/examine.ts';

/** A missing path gets at most this many requests. */
const MAX_REQUESTS = 40;

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
  const ids = lines.flatMap((line) =>
    line.line === 'entry' && line.entry.request.path.includes(word) ? [line.entry.id] : [],
  );
  const diagnosed = ids.filter((id) => id.startsWith('documented-')).length;
  return { report, diagnosed, otherRequests: ids.length - diagnosed };
}

for (const [word, advice, answer] of [
  ['/revolving-loans/', /BASE_URL.*OVERLAY/, answerNotFound],
  ['/paybylink/', /BASE_URL.*OVERLAY.*AREAS/, () => new Response('Method not allowed', { status: 405 })],
  ['/atms', /BASE_URL.*OVERLAY/, answerNotFound],
] as const)
  test(`If all paths with ${word} are missing, they get few requests besides the diagnosis, and the report says what to set`, async () => {
    const { report, diagnosed, otherRequests } = await examineWithout(word, answer);
    expect(otherRequests).toBeLessThanOrEqual(MAX_REQUESTS);
    expect(diagnosed).toBeGreaterThan(30);
    expect(report.reasons[0]).toMatch(advice);
  });

test('If a web page answers in place of the ATM locator, the locator gets few requests', async () => {
  const answer = () => new Response('<h1>Welcome</h1>', { headers: { 'Content-Type': 'text/html' } });
  expect((await examineWithout('/atms', answer)).otherRequests).toBeLessThanOrEqual(MAX_REQUESTS);
});

test('If only the path of payment links is missing, it gets few requests, and the lists get as many as before', async () => {
  const { report, otherRequests } = await examineWithout('/payment-links');
  expect(otherRequests).toBeLessThanOrEqual(MAX_REQUESTS);
  expect(report.findings.map(({ clause }) => clause)).toContain('links.link.path');
  expect(report.operations.find(({ id }) => id === 'listInstallments')?.successes).toBeGreaterThan(50);
});

for (const [title, isServed] of [
  ['it once answers a documented request otherwise', (_, nth) => nth === 15],
  // A bank without ATMs may answer 404 too.
  ['the bank answers other paths otherwise', (path) => !path.endsWith('/atms')],
] as readonly (readonly [string, (path: string, nth: number) => boolean])[])
  test(`A locator that answers 404 gets as many requests as before if ${title}`, async () => {
    expect((await examineWithout('/atms', answerNotFound, isServed)).otherRequests).toBeGreaterThan(5 * MAX_REQUESTS);
  });
