/** Tests the page that compares banks. */
import type { Page } from '@playwright/test';
import { compareReports } from '../../../reports/compare/comparison.ts';
import { renderComparisonPage } from '../../../reports/compare/page.ts';
import type { Report } from '../../../reports/model/report.ts';
import { findSeriousBarriers } from '../support/browser.ts';
import { expect, test } from '../support/reports/samples.ts';

/** Expects that the page never scrolls sideways, and that axe reports no serious barrier. */
async function expectUsablePage(page: Page): Promise<void> {
  for (const width of [320, 768, 1280, 1600]) {
    await page.setViewportSize({ width, height: 900 });
    const over = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    expect(over, `${width} px`).toBeLessThanOrEqual(0);
  }
  expect(await findSeriousBarriers(page)).toEqual([]);
}

test('The comparison shows differences, closes what is alike, fits the screen, and has no serious barrier', async ({
  pages,
  faulty,
  good,
}) => {
  const named = (report: Report, name: string): Report => ({ ...report, target: { ...report.target, name } });
  const four = [named(good, 'Plain'), named(faulty, 'Faulty'), named(good, 'Third'), named(faulty, 'Fourth')];
  const { page, complaints } = await pages.open(renderComparisonPage(compareReports(four)), {
    viewport: { width: 1280, height: 900 },
  });
  const rows = page.locator('section[aria-labelledby=clauses] tbody tr:visible');
  const divided = compareReports(four).clauses.filter(({ verdicts }) => new Set(verdicts).size > 1).length;
  await expect(rows).toHaveCount(divided);
  await page.locator('section[aria-labelledby=clauses] summary').click();
  expect(await rows.count()).toBeGreaterThan(100);
  await expectUsablePage(page);
  expect(complaints).toEqual([]);
});
