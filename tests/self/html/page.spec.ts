/** The page of a report, in a real browser. */
import { causesOf } from '../../../reports/fold/root-causes.ts';
import { page as rendered } from '../../../reports/write-report.ts';
import { expect, test } from '../support/reports/samples.ts';

test('The first screen shows verdict, reasons, target and seed, and every cell of the matrix leads to its evidence', async ({
  pages,
  faulty,
}) => {
  const { page, complaints } = await pages.open(rendered(faulty));
  await expect(page.locator('h1')).toHaveText('Non-conformant');
  await expect(page.locator('.reasons')).toContainText(faulty.reasons[0]!);
  await expect(page.locator('.facts')).toContainText(String(faulty.suite.seed));
  const cells = page.locator('.matrix td a');
  expect(await cells.count()).toBeGreaterThan(35);
  const lost = await cells.evaluateAll((links) =>
    links
      .map((link) => (link as unknown as { hash: string }).hash.slice(1))
      .filter((id) => !(globalThis as never as Doc).document.getElementById(id)),
  );
  expect(lost).toEqual([]);
  await expect(page.locator('.matrix a[aria-label^="requestLoan, shape"]')).toHaveAttribute(
    'href',
    /^#finding-loans\.offer\.interest-rate/,
  );
  expect(complaints).toEqual([]);
});

test('Two clicks lead from opening the file to the command of the worst finding', async ({ pages, faulty }) => {
  const { page } = await pages.open(rendered(faulty), { viewport: { width: 1280, height: 800 } });
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

test('Filters narrow findings and clauses down by verdict, level, area and words', async ({ pages, faulty }) => {
  const { page } = await pages.open(rendered(faulty));
  const shown = page.locator('[data-clause]:visible');
  const broken = faulty.clauses.filter(({ verdict }) => verdict === 'fail').length;
  await page.locator('#filters input[value=fail]').check();
  await expect(shown).toHaveCount(broken);
  await expect(page.locator('#filter-count')).toContainText(
    `${broken + causesOf(faulty.findings).filter(({ worst }) => worst.verdict === 'fail').length} of`,
  );
  await page.locator('#filters input[value=atms]').check();
  await expect(shown).toHaveCount(1);
  await expect(page.locator('article.finding:visible')).toHaveCount(1);
  await page.keyboard.press('/');
  await page.keyboard.type('no such words');
  await expect(shown).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(shown).toHaveCount(faulty.clauses.length);
  await page.locator('#filters input[value=open]').check();
  await expect(shown).toHaveCount(faulty.clauses.filter(({ level }) => level === 'open').length);
});

test('Links lead to clauses, findings and exchanges, even if they are closed or filtered out', async ({
  pages,
  faulty,
}) => {
  const html = rendered(faulty);
  const direct = await pages.open(html, { hash: '#clause-atms.no-distance' });
  await expect(direct.page.locator('[id="clause-atms.no-distance"]')).toBeInViewport();
  const { page } = await pages.open(html);
  await page.locator('#filters input[value=open]').check();
  await page.evaluate(() => ((globalThis as never as Doc).location.hash = '#clause-atms.no-distance'));
  await expect(page.locator('[id="clause-atms.no-distance"]')).toBeInViewport();
  const link = page.locator('#document ~ section .often a, .clause .often a').first();
  const target = (await link.getAttribute('href'))!.slice(1);
  await link.click();
  await expect(page.locator(`[id="${target}"] .exchange, .exchange >> nth=0`).first()).toBeAttached();
  await expect(page.locator(`[id="${target}"]`)).toBeInViewport();
});

test('Keys move from finding to finding', async ({ pages, faulty }) => {
  const { page } = await pages.open(rendered(faulty));
  await page.keyboard.press('j');
  await expect(page.locator('article.finding').first()).toBeFocused();
  await page.keyboard.press('j');
  await expect(page.locator('article.finding').nth(1)).toBeFocused();
  await page.keyboard.press('k');
  await expect(page.locator('article.finding').first()).toBeInViewport();
});

test('The differing place is marked in the body, beside an answer that was judged right', async ({ pages, faulty }) => {
  const { page } = await pages.open(rendered(faulty));
  const finding = page.locator('article.finding').first();
  await finding.locator('summary', { hasText: 'Evidence' }).click();
  await expect(finding.locator('.exchange mark').first()).toHaveText(/^"interest_rate": "\d+\.\d{4}",?$/);
  await expect(finding.locator('.contrast mark').first()).toHaveText(/^"interest_rate": "\d+\.\d{5}",?$/);
});

test('The page draws the flows with the ids that each step passes on', async ({ pages, good }) => {
  const { page } = await pages.open(rendered(good));
  for (const [area, steps] of [
    ['loans', 5],
    ['payment-links', 5],
  ] as const) {
    const picture = page.locator(`#picture-flow-${area}`);
    expect(await picture.locator('line.asked').count()).toBeGreaterThanOrEqual(steps);
    expect(await picture.locator('path.arc').count()).toBeGreaterThanOrEqual(3);
    await expect(picture.locator('svg')).toHaveAttribute('role', 'img');
  }
  const carried = good.flows[0]!.steps.at(-1)!.carried.find(({ name }) => name === 'application_id')!;
  await expect(page.locator('#picture-flow-loans desc')).toContainText(
    `application_id ${carried.value} (given in step`,
  );
});

test('The map shows the ATMs around the queried position, within rings', async ({ pages, good }) => {
  const { page } = await pages.open(rendered(good));
  const map = page.locator('#picture-map');
  const dots = await map.locator('circle.atm').count();
  expect(dots).toBeGreaterThan(1);
  expect(await map.locator('circle.ring').count()).toBeGreaterThanOrEqual(2);
  await map.locator('summary').click();
  await expect(map.locator('tbody tr')).toHaveCount(dots);
});

test('Everything can be read without JavaScript', async ({ pages, faulty }) => {
  const { page } = await pages.open(rendered(faulty), { javaScriptEnabled: false });
  await expect(page.locator('h1')).toHaveText('Non-conformant');
  await expect(page.locator('article.finding').first().locator('pre').first()).toBeVisible();
  await expect(page.locator('#filters')).toBeHidden();
  await expect(page.locator('button:visible')).toHaveCount(0);
  await page.locator('article.finding summary', { hasText: 'Evidence' }).first().click();
  await expect(page.locator('article.finding .exchange').first()).toBeVisible();
});

test('On paper a run takes two pages: verdict, findings, operations; everything is printed on demand', async ({
  pages,
  faulty,
}) => {
  const [first, second] = causesOf(faulty.findings).map(({ worst }) => worst);
  const { page } = await pages.open(rendered({ ...faulty, findings: [first!, second!] }));
  const paper = async (of: typeof page): Promise<number> =>
    (await of.pdf({ format: 'A4' })).toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
  expect(await paper(page)).toBeGreaterThan(0);
  expect(await paper(page)).toBeLessThanOrEqual(2);
  await page.emulateMedia({ media: 'print' });
  for (const id of ['findings', 'operations']) await expect(page.locator(`#${id}`)).toBeVisible();
  for (const id of ['document', 'evidence', 'pictures', 'terms']) await expect(page.locator(`#${id}`)).toBeHidden();
  await expect(page.locator('article.finding pre[id^=replay]').first()).toBeVisible();
  await page.locator('#print-all').evaluate((box) => ((box as unknown as { checked: boolean }).checked = true));
  for (const id of ['document', 'evidence', 'terms']) await expect(page.locator(`#${id}`)).toBeVisible();
  const { page: ofMany } = await pages.open(rendered(faulty));
  expect(await paper(ofMany)).toBeLessThanOrEqual(4);
});

test('The page loads nothing from outside', async ({ pages, faulty, good }) => {
  for (const report of [good, faulty]) {
    const { page, asked, complaints } = await pages.open(rendered(report));
    await expect(page.locator('#filter-count')).toContainText('findings and clauses');
    expect([asked, complaints]).toEqual([[], []]);
  }
});

test('The page never scrolls sideways at widths from 320 to 1600 px', async ({ pages, faulty }) => {
  const { page } = await pages.open(rendered(faulty));
  for (const width of [320, 375, 768, 1024, 1280, 1600]) {
    await page.setViewportSize({ width, height: 800 });
    const [wide, seen]: [number, number] = await page.evaluate(() => {
      const { documentElement, body } = (globalThis as never as Doc).document;
      return [Math.max(documentElement.scrollWidth, body.scrollWidth), documentElement.clientWidth] as [number, number];
    });
    expect(wide, `at ${width} px`).toBeLessThanOrEqual(seen);
  }
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
