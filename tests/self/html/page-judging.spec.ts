/** The page judges itself: it agrees with itself untouched, and names what was touched. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { createHash } from 'node:crypto';
import { digest } from '../../../fixtures/redaction/redactor.ts';
import { page as rendered } from '../../../reports/formats/write-report.ts';
import { canonical, sha256 } from '../../../reports/formats/html/judging/sha256.ts';
import type { Evidence } from '../../../reports/formats/html/judging/rejudge.ts';
import type { Report } from '../../../reports/model/report.ts';
import { expect, test } from '../support/browser.ts';
import { sampleFolder } from '../support/samples.ts';

const report = JSON.parse(readFileSync(path.join(sampleFolder, 'faulty-bank.json'), 'utf8')) as Report;

/** The page with its packed evidence changed. */
async function withEvidence(
  change: (evidence: { -readonly [K in keyof Evidence]: Evidence[K] }) => void,
): Promise<string> {
  const html = await rendered(report);
  return html.replace(/(id="evidence-data">)([^<]+)/, (_, head: string, packed: string) => {
    const evidence = JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString('utf8')) as Evidence;
    change(evidence);
    return head + gzipSync(JSON.stringify(evidence)).toString('base64');
  });
}

test('An untouched page recomputes its verdicts and agrees', async ({ pages }) => {
  const { page } = await pages.open(await rendered(report));
  const said = page.locator('#self-judging');
  await expect(said).toHaveAttribute('data-state', 'equal');
  const [, verdicts, equal] = /([\d,]+) verdicts recomputed from [\d,]+ exchanges, ([\d,]+) equal/.exec(
    await said.innerText(),
  )!;
  expect(equal).toBe(verdicts);
  expect(Number(verdicts!.replaceAll(',', ''))).toBeGreaterThan(1_000);
  await expect(said).toContainText(/Not judged again: \d+ clauses whose verdict rests on several exchanges/);
  await expect(said).toContainText('This finds damage, not forgery');
});

test('A changed byte of an exchange shows, by its digest and by its verdict', async ({ pages }) => {
  const finding = report.findings[0]!;
  const html = await withEvidence(({ exchanges }) => {
    const { response } = exchanges[finding.exchange] as unknown as { response: { body: string } };
    response.body = response.body.replaceAll(/("interest_rate":"\d+\.\d{4})"/g, '$10"');
  });
  const { page } = await pages.open(html);
  const said = page.locator('#self-judging');
  await expect(said).toHaveAttribute('data-state', 'different');
  await expect(said).toContainText('1 do not fit');
  await expect(said).toContainText(
    `${finding.exchange}: ${finding.clause} at ${finding.pointer} (${finding.kind}) was broken and is not`,
  );
});

test('A verdict that was changed shows, in the evidence and on the page', async ({ pages }) => {
  const broken = report.clauses.find(({ verdict }) => verdict === 'fail')!;
  const inEvidence = await withEvidence((evidence) => {
    evidence.clauses = evidence.clauses.map((one) => (one.id === broken.id ? { ...one, verdict: 'pass' } : one));
  });
  const first = await pages.open(inEvidence);
  await expect(first.page.locator('#self-judging')).toContainText(
    `${broken.id}: its verdict is pass, and its counts say fail`,
  );
  const id = `id="clause-${broken.id}"`;
  const html = await rendered(report);
  const [before, after] = [html.slice(0, html.indexOf(id)), html.slice(html.indexOf(id))];
  const second = await pages.open(
    before + after.replace('data-verdict="fail"', 'data-verdict="pass"').replace('broken</span>', 'kept</span>'),
  );
  await expect(second.page.locator('#self-judging')).toContainText(
    `${broken.id}: the page shows pass and its evidence says fail`,
  );
  await expect(second.page.locator('#self-judging')).toContainText(
    'its text on the page is not the text that was written',
  );
});

test('Evidence that cannot be read is said to be damaged', async ({ pages }) => {
  const html = (await rendered(report))
    .replace(/(id="evidence-data">.{2000})./, '$1A')
    .replace(/(id="evidence-data">.{3000})./, '$1B');
  const { page } = await pages.open(html);
  await expect(page.locator('#self-judging')).toContainText('it is damaged and cannot be read');
});

test('The digests of the page are those of the records', () => {
  for (const text of ['', 'abc', 'ä'.repeat(61), '\u{1f4b0}'.repeat(500)])
    expect(sha256(text)).toBe(createHash('sha256').update(text).digest('hex'));
  const value = { b: [1, { z: null, a: 'x' }], a: true };
  expect(sha256(canonical(value))).toBe(digest(value));
});
