/** The page for every reader: accessible in both colour schemes, harmless for any text from a target, and small. */
import { clauses } from '../../../openapi/clauses/index.ts';
import { operationIds } from '../../../openapi/model/exchange.ts';
import { foldReport } from '../../../reports/fold/index.ts';
import { renderHtml } from '../../../reports/formats/html/index.ts';
import type { Report } from '../../../reports/model/report.ts';
import { findSeriousBarriers } from '../support/browser.ts';
import { expect, test } from '../support/reports/samples.ts';
import {
  makeEntryLine,
  makeFaultyJournal,
  makeFindingLine,
  foldJournal,
  HOSTILE_TEXTS,
  makeLines,
  RUN_FACTS,
} from '../support/reports/sample-report.ts';
import { thoroughUnless, THOROUGH_ONLY } from '../support/thorough.ts';

const nastyTexts = foldJournal(makeFaultyJournal(), { target: { ...RUN_FACTS.target, name: HOSTILE_TEXTS } });

for (const colorScheme of ['light', 'dark'] as const)
  for (const name of ['a faulty bank', 'a hostile bank'] as const)
    test(
      `The page of ${name} has no serious barrier (${colorScheme})`,
      thoroughUnless((name === 'a faulty bank') === (colorScheme === 'light')),
      async ({ pages, faulty }) => {
        const report = name === 'a faulty bank' ? faulty : nastyTexts;
        const { page } = await pages.open(renderHtml(report), { colorScheme, viewport: { width: 1280, height: 900 } });
        await page.evaluate("document.querySelectorAll('details').forEach((one, at) => { one.open = at < 30; })");
        expect(await findSeriousBarriers(page)).toEqual([]);
      },
    );

test('No text from a target acts on the page', async ({ pages }) => {
  const { page, asked, complaints } = await pages.open(renderHtml(nastyTexts));
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => void dialogs.push(dialog.message()));
  expect(await page.locator('img, iframe, object, embed, base, link').count()).toBe(0);
  expect(await page.locator('script').count()).toBe(1);
  expect(await page.locator('a:not([href^="#"])').count()).toBe(0);
  await expect(page.locator('.who')).toContainText('<script>alert(1)</script>');
  expect([asked, complaints, dialogs]).toEqual([[], [], []]);
});

/** Makes the report on a bank with every possible fault in ten thousand answers. */
function reportOnTenThousand(): Report {
  const ids = Object.keys(clauses);
  const long = JSON.stringify({
    data: Array.from({ length: 60 }, (_, n) => ({ atm_no: `${n}`, atm_name: 'x'.repeat(400) })),
  });
  const scenario: Record<string, unknown>[] = [{ line: 'scenario', scenario: 's', title: 's' }];
  for (let n = 0; n < 10_000; n += 1) {
    const operation = operationIds[n % operationIds.length]!;
    const id = `s-${n}`;
    const answer = n % 7 === 0 ? long : `{"data":{"n":${n}}}`;
    scenario.push(makeEntryLine(id, operation, { outcome: 'malformed', ms: n % 97, exercised: ids, body: answer }));
    const at = { clause: ids[n % ids.length], operation, pointer: `/data/${n % 3}`, kind: `kind-${n % 5}` };
    scenario.push(makeFindingLine({ ...at, received: `"${n} ${'y'.repeat(200)}"`, exchange: id }));
  }
  scenario.push({ line: 'end', scenario: 's', durationMs: 1 });
  return foldReport({ lines: makeLines(...scenario), run: RUN_FACTS });
}

/** A browser lays out this many elements in well under a second. */
const MAX_ELEMENTS = 40_000;

test('Ten thousand broken answers make a page of at most 3 MB with few elements', THOROUGH_ONLY, async ({ pages }) => {
  const report = reportOnTenThousand();
  expect(report.findings.length).toBeGreaterThan(1_000);
  const html = renderHtml(report);
  expect(Buffer.byteLength(html)).toBeLessThan(3_000_000);
  const { page } = await pages.open(html);
  await expect(page.locator('article.finding').first()).toBeAttached();
  expect(await page.evaluate('document.querySelectorAll("*").length')).toBeLessThan(MAX_ELEMENTS);
});
