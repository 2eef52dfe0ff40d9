import { expect, test } from '@playwright/test';
import { splitJson, selectLines } from '../../../../reports/formats/html/sections/findings.ts';
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

test('The first screen says what was not tested, and no text refers to something outside the page', () => {
  expect(reportPage).toContain('No outcome failed.');
  expect(reportPage.match(/(?:src|href)="(?!#)|url\((?!#)|@import/g)).toBeNull();
  expect(reportPage).toContain('default-src &#39;none&#39;');
});

test('A page of very many findings and exchanges stays small', () => {
  const long = `{"data":[${Array.from({ length: 2_000 }, (_, at) => `{"atm_no":"${at}","atm_name":"${'x'.repeat(200)}"}`).join()}]}`;
  const exchanges = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, at) => [
      `${at}`,
      makeRecord(`${at}`, 'findAtms', { body: at % 20 === 0 ? long : '{}' }),
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

const readTexts = (text: string): string[] | undefined =>
  splitJson(text, null)?.map(({ indent, text }) => ' '.repeat(indent) + text);
const readMarks = (text: string, pointer: string, missing = false): string[] | undefined =>
  splitJson(text, pointer, missing)?.flatMap((line) =>
    line.marked ? `${line.text}${line.missing === undefined ? '' : ` lacks ${line.missing}`}` : [],
  );

test('A JSON text is laid out with all digits; what is no whole JSON is not', () => {
  expect(readTexts('{"a":[],"b":{ },"c":[9007199254740993123, "x\\"]}"] , "d":null}')).toEqual([
    '{',
    ' "a": [],',
    ' "b": {},',
    ' "c": [',
    '  9007199254740993123,',
    '  "x\\"]}"',
    ' ],',
    ' "d": null',
    '}',
  ]);
  expect(readTexts('[]')).toEqual(['[]']);
  for (const text of ['{"a": tru', '{"a":1,"a":2}', `${'['.repeat(200_000)}${']'.repeat(200_000)}`])
    expect(readTexts(text)).toBeUndefined();
});

const jsonWithTwoRates = '{"data":{"infos":[{"rate":"1"},{"rate":"2","other":{"rate":"3"}}]}}';
const entryWithoutNo = '{"data":[{"no":"1"},{"name":"x"}]}';
for (const [title, marks, expected] of [
  ['each index', readMarks(jsonWithTwoRates, '/data/infos/*/rate'), ['"rate": "1"', '"rate": "2",']],
  ['an object', readMarks(jsonWithTwoRates, '/data'), ['"data": {']],
  ['the whole body', readMarks(jsonWithTwoRates, ''), []],
  ['another part of the answer', readMarks(jsonWithTwoRates, 'response/status'), []],
  ['an escaped name', readMarks('{"a/b":{"~":1}}', '/a~1b/~0'), ['"~": 1']],
  ['a missing member', readMarks(entryWithoutNo, '/data/*/no', true), ['{ lacks no']],
  ['a member that one object lacks', readMarks(entryWithoutNo, '/data/*/no'), ['"no": "1"']],
] as const)
  test(`The value at a JSON pointer is marked: ${title}`, () => {
    expect(marks).toEqual(expected);
  });

test('A long body is shown with its beginning and the text around its marks', () => {
  const body = JSON.stringify({ data: Array.from({ length: 500 }, (_, at) => (at === 400 ? { odd: 1 } : at)) });
  const lines = splitJson(body, '/data/*/odd')!;
  const shown = selectLines(lines);
  expect(shown.size).toBeLessThan(40);
  expect([...shown].some((at) => lines[at]?.marked)).toBe(true);
});
