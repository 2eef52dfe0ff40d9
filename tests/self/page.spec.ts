import { readFileSync } from 'node:fs';
import { test, expect } from './browser.ts';

test('The page opens', async ({ pages }) => {
  const { page, asked, complaints } = await pages.open(readFileSync('/tmp/r1/conformance.html', 'utf8'));
  expect(await page.title()).toContain('conformant');
  expect([asked, complaints]).toEqual([[], []]);
  await page.screenshot({ path: '/tmp/shot.png' });
});
