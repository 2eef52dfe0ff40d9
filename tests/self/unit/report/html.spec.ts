import { expect, test } from '@playwright/test';
import { renderHtml } from '../../../../reports/formats/html/index.ts';
import { faultyReport as bad, makeRecord } from '../../support/reports/sample-report.ts';

const reportPage = renderHtml(bad);

test('Every clause and every finding has its place, every link within the page has a target, and headings are in order', () => {
  for (const clause of bad.clauses) expect(reportPage).toContain(`id="clause-${clause.id}"`);
  const ids = [...reportPage.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const links = [...reportPage.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
  expect(links.filter((id) => !ids.includes(id))).toEqual([]);
  expect(links.length).toBeGreaterThan(20);
  const levels = [...reportPage.matchAll(/<h([1-6])/g)].map(([, level]) => Number(level));
  expect(levels.filter((level) => level === 1)).toHaveLength(1);
  levels.forEach((level, at) => expect(level - (levels[at - 1] ?? 0)).toBeLessThanOrEqual(1));
});

test('A page of very many findings and exchanges stays small, and a body that is nested without end breaks nothing', () => {
  const nested = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  const long = `{"data":[${Array.from({ length: 2_000 }, (_, at) => `{"atm_no":"${at}","atm_name":"${'x'.repeat(200)}"}`).join()}]}`;
  const exchanges = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, at) => [
      `${at}`,
      makeRecord(`${at}`, 'findAtms', { body: at === 1 ? nested : at % 20 === 0 ? long : '{}' }),
    ]),
  );
  const findings = Array.from({ length: 1_500 }, (_, at) => ({
    ...bad.findings[0]!,
    id: `${at}`,
    clause: `c${at % 300}`,
    pointer: `/${at}`,
    received: 'y'.repeat(200),
    exchange: `${at % 1_000}`,
  }));
  expect(renderHtml({ ...bad, findings, exchanges }).length).toBeLessThan(3_000_000);
});
