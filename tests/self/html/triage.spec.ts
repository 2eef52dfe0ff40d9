/** Working with the page: next steps, known findings and pins as files, and the pages of several runs. */
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { parse } from 'yaml';
import { compareReports, type Comparison } from '../../../reports/compare/comparison.ts';
import { renderHistoryPage } from '../../../reports/compare/history-page.ts';
import { makeHistory } from '../../../reports/compare/history.ts';
import { renderComparisonPage } from '../../../reports/compare/page.ts';
import { groupCauses } from '../../../reports/fold/root-causes.ts';
import type { BehaviourProfile } from '../../../reports/model/behaviour-profile.ts';
import type { Report } from '../../../reports/model/report.ts';
import { toHtml } from '../../../reports/write-report.ts';
import { findSeriousBarriers } from '../support/browser.ts';
import { expect, test } from '../support/reports/samples.ts';

/** Expects that the page never scrolls sideways, and that axe reports no serious barrier. */
async function expectUsable(page: Page): Promise<void> {
  for (const width of [320, 768, 1280, 1600]) {
    await page.setViewportSize({ width, height: 900 });
    const over = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    expect(over, `${width} px`).toBeLessThanOrEqual(0);
  }
  expect(await findSeriousBarriers(page)).toEqual([]);
}

test('The first screen says what to do next', async ({ pages, faulty, good }) => {
  const { page } = await pages.open(toHtml(faulty));
  await expect(page.locator('.next')).toContainText(/npm run replay -- \S*conformance\.json 1$/m);
  const { page: ofGood } = await pages.open(toHtml(good));
  await expect(ofGood.locator('.next')).toContainText('BASELINE');
});

test('Findings marked as known are downloaded as known-findings.yaml', async ({ pages, faulty }) => {
  const reason = 'Fixed in 12/13, j and k: "rounding"';
  const { page, complaints } = await pages.open(toHtml(faulty), { acceptDownloads: true });
  const status = page.locator('#triage-status');
  await page.locator('#save-known').click();
  await expect(status).toHaveText('Mark a finding as known first.');
  await page.locator('input[data-known]').first().check();
  await page.locator('#save-known').click();
  await expect(status).toContainText('Give a reason');
  // The text is typed: letters that move about the page elsewhere are ordinary letters here.
  await page.locator('[data-reason]').first().pressSequentially(reason);
  await page.locator('#triage input[name=owner]').fill('Team Loans');
  await page.locator('#triage input[name=expires]').fill('2030-01-31');
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#save-known').click()]);
  expect(download.suggestedFilename()).toBe('known-findings.yaml');
  const { known } = parse(readFileSync(await download.path(), 'utf8')) as { known: readonly object[] };
  const places = new Map(
    groupCauses(faulty.findings)[0]?.findings.map(({ clause, operation, pointer }) => [
      `${clause} ${operation} ${pointer}`,
      { clause, operation, pointer },
    ]),
  );
  expect(known).toEqual(
    [...places.values()].map((place) => ({
      ...place,
      reason,
      owner: 'Team Loans',
      expires: '2030-01-31',
    })),
  );
  expect(complaints).toEqual([]);
});

test('Pinned answers are downloaded as dialect.json', async ({ pages, faulty }) => {
  const { page } = await pages.open(toHtml(faulty), { acceptDownloads: true });
  await page.locator('section[aria-labelledby=open-points] summary').first().click();
  const pin = page.locator('input[data-pin]').first();
  const point = await pin.getAttribute('data-pin');
  await pin.check();
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#save-pins').click()]);
  const profile = JSON.parse(readFileSync(await download.path(), 'utf8')) as BehaviourProfile;
  const pinned = profile.points.filter(({ questions }) => questions.some((question) => question.pinned));
  expect(pinned.map((entry) => entry.point)).toEqual([point]);
});

test('A row of evidence names its question', async ({ pages, faulty }) => {
  const { page } = await pages.open(toHtml(faulty));
  const rows = page.locator('section[aria-labelledby=evidence] [data-item] > summary');
  expect(await rows.count()).toBeGreaterThan(10);
  const without = await rows.evaluateAll(
    (all) => all.filter((row) => (row as unknown as { children: { length: number } }).children.length < 2).length,
  );
  expect(without).toBe(0);
});

/** Makes every answer and every verdict differ, in many words. */
const withDifferences = (comparison: Comparison): Comparison => ({
  ...comparison,
  clauses: comparison.clauses.map((row) => ({ ...row, verdicts: ['pass', 'fail', 'warning', 'inconclusive'] })),
  dialects: comparison.dialects.map((row) => ({
    ...row,
    different: 4,
    answers: [1, 2, 3, 4].map((nth) => [`refused with status 40${nth} and a body in JSON`, `answer ${nth}`]),
  })),
  questions: comparison.dialects.map(({ point }) => ({
    point,
    question: `The document leaves open: what of this? Implementations differ, at findAtms for instance. Which is meant?`,
    divergence: 1,
    answers: [1, 2, 3, 4].map((nth) => ({ answer: `answer ${nth}`, implementations: [`Bank ${nth}`] })),
  })),
});

test('The comparison shows differences, closes what is alike, fits the screen and four pages, and has no serious barrier', async ({
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
  const { page: paper } = await pages.open(renderComparisonPage(withDifferences(compareReports(four))));
  expect(
    (await paper.pdf({ format: 'A4' })).toString('latin1').match(/\/Type\s*\/Page\b/g)!.length,
  ).toBeLessThanOrEqual(4);
  await expectUsable(page);
  expect(complaints).toEqual([]);
});

test('The history of twelve runs fits, has no serious barrier, and its marks lead to the runs', async ({
  pages,
  faulty,
  good,
}) => {
  const runs = Array.from({ length: 12 }, (_, day) => ({
    ...(day === 7 ? faulty : good),
    target: good.target,
    startedAt: `2026-03-${String(day + 10)}T08:00:00.000Z`,
  }));
  const { page, asked, complaints } = await pages.open(renderHistoryPage(makeHistory(runs)));
  const rate = page.locator('#clauses ~ * tr', { hasText: 'loans.offer.interest-rate.decimals' });
  await expect(rate.locator('td').nth(7)).toHaveText('■ broken');
  await expect(rate.locator('td strong')).toHaveCount(2);
  await page.getByRole('link', { name: '8', exact: true }).first().click();
  await expect(page.locator('#run-8')).toBeInViewport();
  await expectUsable(page);
  expect([asked, complaints]).toEqual([[], []]);
});
