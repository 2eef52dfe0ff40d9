/** The page for every reader: accessible in both colour schemes, and harmless for any text from a target. */
import { renderHtml } from '../../../reports/formats/html/index.ts';
import { findSeriousBarriers } from '../support/browser.ts';
import { expect, test } from '../support/reports/samples.ts';
import { makeFaultyJournal, foldJournal, HOSTILE_TEXTS, RUN_FACTS } from '../support/reports/sample-report.ts';
import { thoroughUnless } from '../support/thorough.ts';

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
