import { expect, test } from '@playwright/test';
import { splitJson, selectLines, type JsonLine } from '../../../../reports/formats/html/json-lines.ts';
import { renderHtml } from '../../../../reports/formats/html/index.ts';
import type { Report } from '../../../../reports/model/report.ts';
import {
  faultyReport as bad,
  foldJournal,
  makeRecord,
  RUN_FACTS,
  makeSoundJournal,
  soundReport as good,
} from '../../support/reports/sample-report.ts';

const page = renderHtml(bad);

test('The same report gives the same page', () => {
  expect(renderHtml(JSON.parse(JSON.stringify(bad)) as Report)).toBe(page);
});

test('The first screen says verdict, reasons, target, seed, suite and contract', () => {
  for (const text of [
    'Non-conformant',
    'A bank, build 7',
    bad.reasons[0]!,
    '42 (10 cases per property)',
    '0.1.0',
    'cccccccccccc',
  ])
    expect(page).toContain(text);
  expect(renderHtml(good)).toContain('<h1 class="conformant">Conformant</h1>');
  const part = foldJournal(makeSoundJournal(), { target: { ...RUN_FACTS.target, areas: ['atms'] } });
  expect(renderHtml(part)).toContain('Conformant (ATM locator only)');
});

test('Every clause and every finding has its place, and every link within the page has a target', () => {
  for (const clause of bad.clauses) expect(page).toContain(`id="clause-${clause.id}"`);
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
  expect(links.filter((id) => !ids.includes(id))).toEqual([]);
  expect(links.length).toBeGreaterThan(20);
});

test('The first screen says what was not tested', () => {
  expect(page).toContain('What was not tested');
  expect(page).toContain('No outcome failed.');
});

test('No text from a target becomes markup', () => {
  expect(page.match(/<img/g)).toBeNull();
  expect(page.match(/<script/g)).toHaveLength(1);
  expect(page.match(/<\/script/g)).toHaveLength(1);
  expect(page.match(/<[^<>]* on[a-z]+=/g)).toBeNull();
  expect(page).toContain('&lt;/script&gt;&lt;script&gt;alert(1)');
});

test('Characters that act on the eye of a reader are shown as escapes', () => {
  const acting = /(?!\n)[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu;
  expect(page.match(acting)).toBeNull();
  expect(page).toContain('\\u202egnp.exe');
});

test('The page refers to nothing outside itself', () => {
  expect(page.match(/(?:src|href)="(?!#)/g)).toBeNull();
  expect(page.match(/url\((?!#)|@import/g)).toBeNull();
  expect(page).toContain('default-src &#39;none&#39;');
});

test('The headings of the page are in order', () => {
  const levels = [...page.matchAll(/<h([1-6])/g)].map(([, level]) => Number(level));
  expect(levels.filter((level) => level === 1)).toHaveLength(1);
  levels.forEach((level, at) => expect(level - (levels[at - 1] ?? 0)).toBeLessThanOrEqual(1));
});

test('A page of very many exchanges stays small', () => {
  const long = `{"data":[${Array.from({ length: 2_000 }, (_, at) => `{"atm_no":"${at}","atm_name":"${'x'.repeat(200)}"}`).join()}]}`;
  const exchanges = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, at) => [
      `${at}`,
      makeRecord(`${at}`, 'findAtms', { body: at % 20 === 0 ? long : '{}' }),
    ]),
  );
  expect(renderHtml({ ...bad, exchanges: { ...bad.exchanges, ...exchanges } }).length).toBeLessThan(2_000_000);
});

const readTexts = (lines: readonly JsonLine[]): string[] => lines.map(({ indent, text }) => ' '.repeat(indent) + text);
const readMarkedTexts = (lines: readonly JsonLine[]): string[] =>
  lines.filter((line) => line.marked).map((line) => line.text);

test('A JSON text is formatted unchanged, with big numbers and unusual strings', () => {
  expect(readTexts(splitJson('{"a":[],"b":{ },"c":[9007199254740993123, "x\\"]}"] , "d":null}', null))).toEqual([
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
  expect(readTexts(splitJson('[]', null))).toEqual(['[]']);
  const deep = `{"deep":${'['.repeat(200_000)}${']'.repeat(200_000)},"b":{"c":2}}`;
  expect(splitJson(deep, '/b/c').length).toBeLessThan(200);
  expect(splitJson(deep, '/b/c').filter(({ marked }) => marked)).toEqual([{ indent: 2, text: '"c": 2', marked: true }]);
  expect(readTexts(splitJson('{"a": tru', null))).toEqual(['{', ' "a": tru']);
});

test('The place of a pointer is marked, for each index', () => {
  const body = '{"data":{"infos":[{"rate":"1"},{"rate":"2","other":{"rate":"3"}}]}}';
  expect(readMarkedTexts(splitJson(body, '/data/infos/*/rate'))).toEqual(['"rate": "1"', '"rate": "2",']);
  expect(readMarkedTexts(splitJson(body, '/data'))).toEqual(['"data": {']);
  expect(readMarkedTexts(splitJson(body, ''))).toEqual([]);
  expect(readMarkedTexts(splitJson(body, 'response/status'))).toEqual([]);
  expect(readMarkedTexts(splitJson('{"a/b":{"~":1}}', '/a~1b/~0'))).toEqual(['"~": 1']);
});

test('If a member is missing, its object says so, and complete objects are not marked', () => {
  const body = '{"data":[{"no":"1"},{"name":"x"}]}';
  const lines = splitJson(body, '/data/*/no', true);
  expect(lines.filter((line) => line.marked)).toEqual([{ indent: 2, text: '{', marked: true, missing: 'no' }]);
  expect(readMarkedTexts(splitJson(body, '/data/*/no'))).toEqual(['"no": "1"']);
});

test('A long body is shown with its beginning and the text around its marks', () => {
  const body = JSON.stringify({ data: Array.from({ length: 500 }, (_, at) => (at === 400 ? { odd: 1 } : at)) });
  const shown = selectLines(splitJson(body, '/data/*/odd'));
  expect(shown.length).toBeLessThan(40);
  expect(shown.filter((line) => typeof line === 'number')).toHaveLength(2);
  expect(shown.some((line) => typeof line === 'object' && line.marked)).toBe(true);
});
