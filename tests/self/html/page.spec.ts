/** Tests the page of a report in a real browser: what it shows to every reader, and that no text of a bank is executed. */
import { findChanges } from '../../../reports/baseline/changes.ts';
import { groupCauses } from '../../../reports/fold/root-causes.ts';
import { renderHtml } from '../../../reports/formats/html/index.ts';
import { findSeriousBarriers } from '../support/browser.ts';
import { foldJournal, HOSTILE_TEXTS, makeFaultyJournal, RUN_FACTS } from '../support/reports/sample-report.ts';
import { expect, test } from '../support/reports/samples.ts';
import { thoroughUnless } from '../support/thorough.ts';

test('The first screen shows verdict, reasons, target and seed; operations lead to their findings; nothing is loaded', async ({
  pages,
  faulty,
}) => {
  const { page, asked, complaints } = await pages.open(renderHtml(faulty));
  await expect(page.locator('h1')).toHaveText('Non-conformant');
  await expect(page.locator('.reasons')).toContainText(faulty.reasons[0]!);
  await expect(page.locator('.facts')).toContainText(String(faulty.suite.seed));
  await page.locator('[id=operation-requestLoan] td a').first().click();
  await expect(page.locator('article.finding h3').first()).toBeInViewport();
  expect([asked, complaints]).toEqual([[], []]);
});

test('After two clicks, the page shows the command of the worst finding', async ({ pages, faulty }) => {
  const { page } = await pages.open(renderHtml(faulty), { viewport: { width: 1280, height: 800 } });
  await page.locator('#failed + ol a, #failed ~ ol a').first().click();
  const finding = page.locator('article.finding').first();
  const command = finding.locator('pre').first();
  await expect(command).toBeInViewport();
  await expect(command).toContainText('curl -sS -i');
  await finding.getByRole('button', { name: 'Copy: Send it again' }).click();
  await expect(finding.getByRole('button', { name: 'Copy: Send it again' })).toHaveText('Copied');
  await page.locator('input[type=search]').focus();
  await page.keyboard.press('Control+V');
  await expect(page.locator('input[type=search]')).toHaveValue(/^curl -sS -i .*\$CLIENT_SECRET/);
});

test('The filter finds everything by its words, opens it, and closes it again', async ({ pages, faulty }) => {
  const { page } = await pages.open(renderHtml(faulty));
  const shown = page.locator('[data-clause]:visible');
  const items = page.locator('[data-item]');
  const filter = async (words: string): Promise<void> => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.keyboard.type(words);
  };
  await expect(shown).toHaveCount(0);
  await filter('■ broken');
  await expect(shown).toHaveCount(faulty.clauses.filter(({ verdict }) => verdict === 'fail').length);
  await filter('atms. ■ broken');
  await expect(shown).toHaveCount(1);
  await expect(page.locator('article.finding:visible')).toHaveCount(1);
  await expect(page.locator('#filter-count')).toHaveText(`2 of ${await items.count()}`);
  await filter('no such words');
  await expect(page.locator('[data-item]:visible')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(page.locator('[data-item]:not([hidden])')).toHaveCount(await items.count());
  await expect(shown).toHaveCount(0);
  for (const part of ['evidence', 'open-points']) {
    const item = page.locator(`section[aria-labelledby=${part}] [data-item]`).first();
    await filter((await item.textContent())!.trim().slice(0, 40));
    await expect(item).toBeVisible();
  }
});

/** The greatest height of a page, in pixels, by the width of the screen. */
const MAX_PAGE_HEIGHTS = { 1280: 12_000, 390: 20_000 };

test('A run with two findings is a short page with a bar of sections that stays, and a kept clause is one line', async ({
  pages,
  faulty,
}) => {
  const findings = groupCauses(faulty.findings).flatMap(({ worst }, rank) => (rank < 2 ? worst : []));
  const { page } = await pages.open(renderHtml({ ...faulty, findings }));
  for (const [width, most] of Object.entries(MAX_PAGE_HEIGHTS)) {
    await page.setViewportSize({ width: Number(width), height: 800 });
    expect(await page.evaluate('document.documentElement.scrollHeight'), `at ${width} px`).toBeLessThan(most);
    await page.evaluate("document.getElementById('evidence').scrollIntoView()");
    await expect(page.getByRole('navigation').getByRole('link', { name: 'Findings (2)' })).toBeInViewport();
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.locator('details.fold', { hasText: 'ATM Locator' }).first().locator('summary').click();
  const row = page.locator('[data-clause]:visible', { hasText: 'kept' }).first();
  const lineHeight = await page.evaluate("parseFloat(getComputedStyle(document.querySelector('.scan')).lineHeight)");
  expect((await row.boundingBox())!.height).toBeLessThan(2 * Number(lineHeight));
});

test('Folded parts are details elements, which links and the search of the browser open without JavaScript', async ({
  pages,
  faulty,
}) => {
  for (const javaScriptEnabled of [true, false]) {
    const { page } = await pages.open(renderHtml(faulty), { hash: '#clause-atms.no-distance', javaScriptEnabled });
    await expect(page.locator('[id="clause-atms.no-distance"]')).toBeInViewport();
    await expect(page.locator('#filters')).toBeVisible({ visible: javaScriptEnabled });
    expect((await page.locator('button:visible').count()) > 0).toBe(javaScriptEnabled);
    await page.locator('article.finding summary', { hasText: 'Evidence' }).first().click();
    await expect(page.locator('article.finding .exchange').first()).toBeVisible();
    const closed = page.locator('section > details.fold:not([open]) > summary');
    while ((await closed.count()) > 0) await closed.first().click();
    await expect(page.locator('[data-item]:visible')).toHaveCount(await page.locator('[data-item]').count());
    const rows = page.locator('section[aria-labelledby=evidence] [data-item] > summary');
    expect(await rows.count()).toBeGreaterThan(10);
    await expect(rows.filter({ hasNot: page.locator('span') })).toHaveCount(0);
  }
});

test('The flows show the ids that each step takes from an earlier answer', async ({ pages, good }) => {
  const { page } = await pages.open(renderHtml(good), { hash: '#flow-loans' });
  const last = page.locator('#flow-loans tbody tr').last();
  await expect(last).toBeVisible();
  const { value } = good.flows[0]!.steps.at(-1)!.carried.find(({ name }) => name === 'application_id')!;
  await expect(last).toContainText(`application_id ${value} (from step `);
});

test('Links lead to clauses, findings and exchanges, even if they are closed or filtered out', async ({
  pages,
  faulty,
}) => {
  const { page } = await pages.open(renderHtml(faulty));
  await page.locator('#filters input').fill('observed');
  await page.evaluate(() => ((globalThis as never as Doc).location.hash = '#clause-atms.no-distance'));
  await expect(page.locator('[id="clause-atms.no-distance"]')).toBeInViewport();
  const link = page.locator('[data-clause]:visible a[href^="#exchange-"]').first();
  const target = (await link.getAttribute('href'))!.slice(1);
  await link.click();
  await expect(page.locator(`[id="${target}"] .exchange`).first()).toBeInViewport();
});

test('The first screen says what changed since BASELINE, and which findings are known', async ({
  pages,
  faulty,
  good,
}) => {
  const finding = faulty.findings[0]!;
  const entry = { ...finding, reason: 'a ticket', owner: 'Team Loans', expires: '2030-01-31' };
  const known = [{ ...entry, state: 'tolerated' } as const, { ...entry, state: 'stale' } as const];
  const against = { known, changes: findChanges(good, faulty, 3) };
  const { page } = await pages.open(renderHtml({ ...faulty, against }), { viewport: { width: 1280, height: 800 } });
  await expect(page.locator('#against')).toBeInViewport();
  await expect(page.locator('#against')).toContainText('Known findings: 1 tolerated, 1 stale');
  await expect(page.locator('#against')).toContainText('the verdict: before conformant, now non-conformant');
});

test('The differing place is marked in the body, beside an answer that was judged right', async ({ pages, faulty }) => {
  const { page } = await pages.open(renderHtml(faulty));
  const finding = page.locator('article.finding').first();
  await finding.locator('summary', { hasText: 'Evidence' }).click();
  await expect(finding.locator('.exchange mark').first()).toHaveText(/^"interest_rate": "\d+\.\d{4}",?$/);
  await expect(finding.locator('.contrast mark').first()).toHaveText(/^"interest_rate": "\d+\.\d{5}",?$/);
});

test('On paper a run with up to seven findings takes two pages: verdict, findings, operations', async ({
  pages,
  faulty,
}) => {
  const [first, ...more] = groupCauses(faulty.findings).map(({ worst }) => worst);
  const seven = [first!, ...more, { ...first!, id: 'seventh', clause: 'loans.application.id' }];
  expect(groupCauses(seven)).toHaveLength(7);
  const { page } = await pages.open(renderHtml({ ...faulty, findings: seven }));
  expect((await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(2);
  await page.emulateMedia({ media: 'print' });
  for (const id of ['findings', 'operations']) await expect(page.locator(`#${id}`)).toBeVisible();
  for (const id of ['clauses', 'evidence', 'flows', 'terms']) await expect(page.locator(`#${id}`)).toBeHidden();
  await expect(page.locator('article.finding pre[id^=replay]').first()).toBeVisible();
});

test('The page never scrolls sideways at widths from 320 to 1600 px', async ({ pages, faulty }) => {
  const { page } = await pages.open(renderHtml(faulty));
  for (const width of [320, 375, 768, 1024, 1280, 1600]) {
    await page.setViewportSize({ width, height: 800 });
    const [wide, seen]: [number, number] = await page.evaluate(() => {
      const { documentElement, body } = (globalThis as never as Doc).document;
      return [Math.max(documentElement.scrollWidth, body.scrollWidth), documentElement.clientWidth] as [number, number];
    });
    expect(wide, `at ${width} px`).toBeLessThanOrEqual(seen);
  }
});

/** Opens the first closed part of each kind, in each section. */
const openOneOfEach = `
  const opened = new Set();
  for (const one of document.querySelectorAll('details')) {
    const kind = [one.closest('section')?.getAttribute('aria-labelledby'), one.parentElement.className].join();
    one.open = !opened.has(kind);
    opened.add(kind);
  }`;

const reportWithHostileTexts = foldJournal(makeFaultyJournal(), {
  target: { ...RUN_FACTS.target, name: HOSTILE_TEXTS },
});

for (const colorScheme of ['light', 'dark'] as const)
  for (const name of ['a faulty bank', 'a hostile bank'] as const)
    test(
      `The page of ${name} has no serious barrier (${colorScheme})`,
      thoroughUnless((name === 'a faulty bank') === (colorScheme === 'light')),
      async ({ pages, faulty }) => {
        const report = name === 'a faulty bank' ? faulty : reportWithHostileTexts;
        const { page } = await pages.open(renderHtml(report), { colorScheme, viewport: { width: 1280, height: 900 } });
        await page.evaluate(openOneOfEach);
        expect(await findSeriousBarriers(page)).toEqual([]);
      },
    );

test('No text of a bank is executed on the page', async ({ pages }) => {
  const { page, asked, complaints } = await pages.open(renderHtml(reportWithHostileTexts));
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => void dialogs.push(dialog.message()));
  expect(await page.locator('img, iframe, object, embed, base, link').count()).toBe(0);
  expect(await page.locator('script').count()).toBe(1);
  expect(await page.locator('a:not([href^="#"])').count()).toBe(0);
  await expect(page.locator('.who')).toContainText('<script>alert(1)</script>');
  expect([asked, complaints, dialogs]).toEqual([[], [], []]);
});

/** The parts of a document that these tests use. */
interface Doc {
  readonly document: {
    getElementById(id: string): unknown;
    readonly documentElement: { readonly scrollWidth: number; readonly clientWidth: number };
    readonly body: { readonly scrollWidth: number };
  };
  readonly location: { hash: string };
}
