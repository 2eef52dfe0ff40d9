/** Tests the pages in a real browser: what they show to every reader, and that no text of a bank is executed. */
import type { Page } from '@playwright/test';
import { findChanges } from '../../../reports/baseline/changes.ts';
import { compareReports } from '../../../reports/compare/comparison.ts';
import { renderComparisonPage } from '../../../reports/compare/page.ts';
import { groupCauses } from '../../../reports/build/causes.ts';
import { renderHtml } from '../../../reports/formats/html/index.ts';
import type { Report } from '../../../reports/model/report.ts';
import { findSeriousBarriers } from '../support/browser.ts';
import { reportOfLines, HOSTILE_TEXTS, makeFaultyJournal, RUN_FACTS } from '../support/reports/sample-report.ts';
import { expect, test } from '../support/reports/samples.ts';
import { thoroughUnless } from '../support/thorough.ts';

const viewport = { width: 1280, height: 800 };

async function expectNoSidewaysScroll(page: Page): Promise<void> {
  for (const width of [320, 375, 768, 1024, 1280, 1600]) {
    await page.setViewportSize({ width, height: 800 });
    const over = await page.evaluate(
      'Math.max(document.documentElement.scrollWidth, document.body.scrollWidth) - document.documentElement.clientWidth',
    );
    expect(over, `at ${width} px`).toBeLessThanOrEqual(0);
  }
}

test('The first screen shows verdict, reason and seed; operations link to their findings; the page loads nothing else', async ({
  pages,
  faulty,
}) => {
  const { page, asked, complaints } = await pages.open(renderHtml(faulty));
  await expect(page.locator('h1')).toHaveText('Non-conformant');
  await expect(page.locator('.first')).toContainText(faulty.gate.reasons[0]!);
  await expect(page.locator('.first')).toContainText(`seed ${faulty.suite.seed}`);
  const link = page.locator('[id=operation-requestLoan] td a').first();
  await link.click();
  await expect(page.locator(`article.finding${await link.getAttribute('href')} h3`)).toBeInViewport();
  expect([asked, complaints]).toEqual([[], []]);
  await expectNoSidewaysScroll(page);
});

test('One click on the worst finding shows its curl command, which a button copies', async ({ pages, faulty }) => {
  const { page } = await pages.open(renderHtml(faulty), { viewport });
  const finding = page.locator('article.finding').first();
  await finding.locator('summary').first().click();
  await expect(finding.locator('pre').first()).toBeInViewport();
  const copy = finding.getByRole('button', { name: 'Copy: Send the request again' });
  await copy.click();
  await expect(copy).toHaveText('Copied');
  await page.locator('input[type=search]').focus();
  await page.keyboard.press('Control+V');
  await expect(page.locator('input[type=search]')).toHaveValue(/^curl -sS -i .*\$CLIENT_SECRET/);
});

test('The filter shows and opens each item that contains the typed words, and Escape closes the items again', async ({
  pages,
  faulty,
}) => {
  const { page } = await pages.open(renderHtml(faulty));
  const shown = page.locator('[data-clause]:visible');
  const all = await page.locator('[data-item]').count();
  const filter = async (words: string): Promise<void> => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.keyboard.type(words);
  };
  await filter('■ broken');
  await expect(shown).toHaveCount(faulty.clauses.filter(({ verdict }) => verdict === 'fail').length);
  await filter('atms. ■ broken');
  await expect(shown).toHaveCount(1);
  await expect(page.locator('article.finding:visible')).toHaveCount(1);
  await expect(page.locator('#filter-count')).toHaveText(`2 of ${all}`);
  await page.keyboard.press('Escape');
  await expect(page.locator('[data-item]:not([hidden])')).toHaveCount(all);
  await expect(shown).toHaveCount(0);
  for (const part of ['evidence', 'open-points']) {
    const item = page.locator(`section[aria-labelledby=${part}] [data-item]`).first();
    await filter((await item.textContent())!.trim().slice(0, 40));
    await expect(item).toBeVisible();
  }
});

for (const javaScriptEnabled of [true, false])
  test(`Links and clicks open folded parts ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async ({
    pages,
    faulty,
  }) => {
    const { page } = await pages.open(renderHtml(faulty), { hash: '#clause-atms.no-distance', javaScriptEnabled });
    await expect(page.locator('[id="clause-atms.no-distance"]')).toBeInViewport();
    await expect(page.locator('#filters')).toBeVisible({ visible: javaScriptEnabled });
    const finding = page.locator('article.finding').first();
    await finding.locator('summary').first().click();
    await finding.locator('summary', { hasText: 'Evidence' }).click();
    expect((await page.locator('button:visible').count()) > 0).toBe(javaScriptEnabled);
    await expect(page.locator('article.finding .exchange').first()).toBeVisible();
    const closed = page.locator('section > details.fold:not([open]) > summary');
    while ((await closed.count()) > 0) await closed.first().click();
    await expect(page.locator('[data-item]:visible')).toHaveCount(await page.locator('[data-item]').count());
    expect(await page.locator('section[aria-labelledby=evidence] [data-item]').count()).toBeGreaterThan(10);
  });

test('Links lead to clauses and exchanges, even if these are folded or filtered out', async ({ pages, faulty }) => {
  const { page } = await pages.open(renderHtml(faulty));
  await page.locator('#filters input').fill('observed');
  await page.evaluate("void (location.hash = '#clause-atms.no-distance')");
  await expect(page.locator('[id="clause-atms.no-distance"]')).toBeInViewport();
  const link = page.locator('[data-clause]:visible a[href^="#exchange-"]').first();
  const target = (await link.getAttribute('href'))!.slice(1);
  await link.click();
  await expect(page.locator(`[id="${target}"] .exchange`).first()).toBeInViewport();
});

test('The first screen says what changed since BASELINE, and how many findings KNOWN tolerates', async ({
  pages,
  faulty,
  good,
}) => {
  const entry = { ...faulty.findings[0]!, reason: 'a ticket', owner: 'Team Loans', expires: '2030-01-31' };
  const known = [{ ...entry, state: 'tolerated' } as const, { ...entry, state: 'stale' } as const];
  const against = { known, changes: findChanges(good, faulty) };
  const { page } = await pages.open(renderHtml({ ...faulty, against }), { viewport });
  await expect(page.locator('#against')).toBeInViewport();
  await expect(page.locator('#against')).toContainText('Known findings: 1 tolerated, 1 did not show any more');
  await expect(page.locator('#against')).toContainText('the verdict: before conformant, now non-conformant');
});

test('A finding marks the wrong value in its answer, and the right value in the reference exchange', async ({
  pages,
  faulty,
}) => {
  const { page } = await pages.open(renderHtml(faulty));
  const finding = page.locator('article.finding', { hasText: 'interest rate' }).first();
  await finding.locator('summary').first().click();
  await finding.locator('summary', { hasText: 'Evidence' }).click();
  await expect(finding.locator('.exchange mark').first()).toHaveText(/^"interest_rate": "\d+\.\d{4}",?$/);
  await expect(finding.locator('.contrast mark').first()).toHaveText(/^"interest_rate": "\d+\.\d{5}",?$/);
});

test('A printed report with seven findings has two pages: verdict, findings, operations', async ({ pages, faulty }) => {
  const [first, ...more] = groupCauses(faulty.findings).map(([worst]) => worst);
  const seven = [first!, ...more, { ...first!, id: 'seventh', clause: 'loans.application.id' }];
  expect(groupCauses(seven)).toHaveLength(7);
  const { page } = await pages.open(renderHtml({ ...faulty, findings: seven }));
  expect((await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(2);
  await page.emulateMedia({ media: 'print' });
  for (const id of ['findings', 'operations']) await expect(page.locator(`#${id}`)).toBeVisible();
  for (const id of ['clauses', 'evidence', 'terms']) await expect(page.locator(`#${id}`)).toBeHidden();
  await expect(page.locator('article.finding pre[id^=replay]').first()).toBeVisible();
});

/** Opens the first closed part of each kind, in each section. */
const openOneOfEach = `
  const opened = new Set();
  for (const part of document.querySelectorAll('details')) {
    const kind = [part.closest('section')?.getAttribute('aria-labelledby'), part.parentElement.className].join();
    part.open = !opened.has(kind);
    opened.add(kind);
  }`;

const target = { ...RUN_FACTS.target, name: HOSTILE_TEXTS };
const hostileReport = reportOfLines(makeFaultyJournal(), { target });

for (const colorScheme of ['light', 'dark'] as const)
  for (const name of ['a faulty bank', 'a hostile bank'] as const)
    test(
      `The page of ${name} has no serious accessibility problem (${colorScheme})`,
      thoroughUnless((name === 'a faulty bank') === (colorScheme === 'light')),
      async ({ pages, faulty }) => {
        const report = name === 'a faulty bank' ? faulty : hostileReport;
        const { page } = await pages.open(renderHtml(report), { colorScheme, viewport });
        await page.evaluate(openOneOfEach);
        expect(await findSeriousBarriers(page)).toEqual([]);
      },
    );

test('No text of a bank is executed on the page', async ({ pages }) => {
  const { page, asked, complaints } = await pages.open(renderHtml(hostileReport));
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => void dialogs.push(dialog.message()));
  expect(await page.locator('img, iframe, object, embed, base, link, a:not([href^="#"])').count()).toBe(0);
  expect(await page.locator('script').count()).toBe(1);
  await expect(page.locator('.who')).toContainText('<script>alert(1)</script>');
  expect([asked, complaints, dialogs]).toEqual([[], [], []]);
});

test('The page of a comparison shows differing clauses, folds equal clauses, fits the screen, and is accessible', async ({
  pages,
  faulty,
  good,
}) => {
  const named = (report: Report, name: string): Report => ({ ...report, target: { ...report.target, name } });
  const four = [named(good, 'Plain'), named(faulty, 'Faulty'), named(good, 'Third'), named(faulty, 'Fourth')];
  const comparison = compareReports(four);
  const isDivided = ({ verdicts }: (typeof comparison)['clauses'][number]): boolean =>
    new Set(verdicts).size > 1 && verdicts.some((verdict) => verdict === 'fail' || verdict === 'warning');
  const { page, complaints } = await pages.open(renderComparisonPage(comparison), { viewport });
  const rows = page.locator('section[aria-labelledby=clauses] tbody tr:visible');
  await expect(rows).toHaveCount(comparison.clauses.filter(isDivided).length);
  await expect(rows.first()).toContainText('broken');
  const folded = page.locator('section[aria-labelledby=clauses] summary');
  await folded.first().click();
  await folded.last().click();
  expect(await rows.count()).toBeGreaterThan(100);
  await expectNoSidewaysScroll(page);
  expect(await findSeriousBarriers(page)).toEqual([]);
  expect(complaints).toEqual([]);
});
