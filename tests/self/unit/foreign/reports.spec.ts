/** Tests that commands can read the report of a stranger: they end normally for any content, and nothing in it is executed. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { toPrintable, toOneLine } from '../../../../openapi/foreign/print.ts';
import { readBaselineFiles } from '../../../../fixtures/run/config/baseline-files.ts';
import { compareCommand } from '../../../../reports/cli/compare.ts';
import { contractCommand } from '../../../../reports/cli/contract.ts';
import { knownCommand } from '../../../../reports/cli/known.ts';
import { replayCommand } from '../../../../reports/cli/replay.ts';
import { reportCommand } from '../../../../reports/cli/report.ts';
import { verifyCommand } from '../../../../reports/cli/verify.ts';
import type { Report } from '../../../../reports/model/report.ts';
import { runInProcess } from '../../support/command.ts';
import { expect, test } from '../../support/reports/samples.ts';
import { makeTempDir, makeTempFile, readTexts } from '../../support/temp-dir.ts';

const listReadingCommands = (file: string) =>
  [
    [reportCommand, file, '--out', makeTempDir(), '--render', 'sarif,summary,annotations,har'],
    [compareCommand, file, file, '--out', makeTempDir()],
    [knownCommand, file],
    [verifyCommand, file],
    [replayCommand, file, '1', '--dry-run', '--base-url', 'http://127.0.0.1:1'],
  ] as const;

const ONE_SENTENCE = /^[^\n]+\.\n$/;

const makeChangedReport = (more: object) => (report: Report) => JSON.stringify({ ...report, ...more });
const makePollutingReport = (name: string) => (report: Report) =>
  JSON.stringify(report).replace('"exchanges":{', `"exchanges":{"${name}":{"polluted":1},`);

/** Files that are not reports. */
const unusableReports: readonly (readonly [
  what: string,
  content: (report: Report) => string | Buffer,
  said?: RegExp,
])[] = [
  ['is null', () => 'null'],
  [
    'is nested without end',
    ({ format }) => `{"format":"${format}","findings":${'['.repeat(99_999)}${']'.repeat(99_999)}}`,
  ],
  ['changes the objects around it', makePollutingReport('__proto__')],
  ['has that name in other letters', makePollutingReport('\\u005f_proto__')],
  ['has lists in the place of objects', makeChangedReport({ suite: [], target: [] })],
  ['has an unknown verdict', makeChangedReport({ verdict: 'constructor' })],
  ['is a zip archive', () => Buffer.from('PK\u0003\u0004…'), /is a zip archive: unpack it and name the file in it/],
  ['is packed', (report) => gzipSync(JSON.stringify(report)), /is packed by gzip: unpack it/],
  ['is in UTF-16', () => Buffer.from('\ufeff{}', 'utf16le'), /is in UTF-16: save it in UTF-8/],
  ['is empty', () => ' ', /is empty: get the whole file again/],
  [
    'is cut off',
    (report) => JSON.stringify(report).slice(0, 1000),
    /is JSON that ends too soon: get the whole file again/,
  ],
  ['is a page', () => '<html>', /is not JSON/],
];

for (const [what, content, said = ONE_SENTENCE] of unusableReports)
  test(`A report that ${what} is refused in one sentence by every command`, async ({ faulty }) => {
    const file = makeTempFile('conformance.json', content(faulty));
    for (const [command, ...words] of listReadingCommands(file)) {
      const { status, out } = await runInProcess(command, ...words);
      expect([status, out]).toEqual([2, expect.stringMatching(said)]);
    }
    const named = { overlay: null, known: null, baseline: file };
    expect(readBaselineFiles(named).faults).toEqual([expect.stringMatching(/^\w+ names .*\.$/)]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

test('Each command refuses a folder without a report in one sentence', async () => {
  for (const [command, ...words] of listReadingCommands(makeTempDir()))
    expect(await runInProcess(command, ...words)).toEqual({
      status: 2,
      out: expect.stringMatching(
        /is a folder: name a file in it|has no report and no journals of a run: give the REPORT_DIR of a run/,
      ),
    });
});

test('Each command refuses a device, and a link to a device, in one sentence', async () => {
  test.skip(process.platform === 'win32', 'there are none');
  const link = join(makeTempDir(), 'conformance.json');
  symlinkSync('/dev/zero', link);
  for (const file of ['/dev/zero', link])
    for (const [command, ...words] of [...listReadingCommands(file), [contractCommand, '--overlay', file]] as const)
      expect(await runInProcess(command, ...words)).toEqual({
        status: 2,
        out: expect.stringMatching(/device: name a file\.\n$/),
      });
});

const HOSTILE_TEXT =
  '\u001b]0;x\u0007\r\n::error::x\n##[error]x <img src=x onerror=alert(1)> \u202e$(touch x)`touch x`\'";touch x #';

/** Changes every text in `value`, except texts with a fixed format. */
function changeTexts(value: unknown, change: (text: string, name: string) => string, name = ''): unknown {
  if (typeof value === 'string') return change(value, name);
  if (Array.isArray(value)) return value.map((entry) => changeTexts(entry, change, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, changeTexts(member, change, key)]));
}

/** True if the JSON Schema lists the possible texts: words, times and members. */
const hasFixedFormat = (text: string, name: string): boolean =>
  /^(?:[\w-]*|\d{4}-\d\d-\d\dT.*)$/.test(text) ||
  /^(?:format|section|state|role|why|sign|reply|outline|replay|REPLAY)$/.test(name);

test('Control characters, CI commands and mark-up in a report are escaped on the terminal and in written files', async ({
  faulty,
}) => {
  const hostile = changeTexts(faulty, (text, name) =>
    hasFixedFormat(text, name) ? text : `${text}${HOSTILE_TEXT}`,
  ) as Report;
  const file = makeTempFile('conformance.json', JSON.stringify(hostile));
  for (const [command, ...words] of listReadingCommands(file)) {
    const { status, out } = await runInProcess(command, ...words);
    expect([0, 1, 2], out).toContain(status);
    const shown = toPrintable(out);
    expect(shown).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}]/u);
    expect(shown).not.toMatch(/^\s*::|##\[/m);
  }
  const folder = makeTempDir();
  for (const [command, ...words] of [
    [reportCommand, file, '--render', 'summary'],
    [compareCommand, file, makeTempFile('other.json', JSON.stringify(faulty))],
  ] as const)
    expect((await runInProcess(command, ...words, '--out', folder)).status).toBe(0);
  for (const [name, text] of readTexts(folder))
    if (/\.(?:html|md)$/.test(name)) expect([name, /(?<!\\)<img src=x/.test(text)]).toEqual([name, false]);
});

test('A finding whose exchange is named like a built-in property of JavaScript makes no command throw', async ({
  faulty,
}) => {
  for (const name of ['constructor', 'toString', 'hasOwnProperty', '__proto__']) {
    const findings = faulty.findings.map((finding) => ({ ...finding, exchange: name, contrast: name }));
    const file = makeTempFile('conformance.json', JSON.stringify({ ...faulty, findings }));
    for (const [command, ...words] of listReadingCommands(file)) {
      const { status, out } = await runInProcess(command, ...words);
      expect([[0, 1, 2].includes(status), toOneLine(out)]).toEqual([
        true,
        expect.not.stringMatching(/TypeError|function/),
      ]);
    }
  }
});

test('A report with unknown members of a newer version is read', async ({ faulty }) => {
  const newer = { ...faulty, more: { deep: [1] }, target: { ...faulty.target, region: 'x' } };
  const file = makeTempFile('conformance.json', JSON.stringify(newer));
  expect(await runInProcess(knownCommand, file)).toMatchObject({ status: 0 });
});

test('A pipe or a link to a device in a report folder is never read as a log or a report', async ({ good }) => {
  test.skip(process.platform === 'win32', 'there are none');
  const folder = makeTempDir();
  const place = (name: string): string => join(folder, name);
  mkdirSync(place('journal'));
  symlinkSync('/dev/zero', place('journal/a.jsonl'));
  execFileSync('mkfifo', ['journal/b.jsonl', 'conformance.json', 'history.jsonl.gz'].map(place));
  writeFileSync(place('journal/run.json'), '{"conformance":{"run":""},"startedAt":"2026-01-01T00:00:00Z"}');
  expect(await runInProcess(reportCommand, folder)).toMatchObject({ status: 0 });
  for (const name of ['journal/run.json', 'conformance.json', 'history.jsonl.gz']) rmSync(place(name));
  symlinkSync('/dev/zero', place('journal/run.json'));
  expect((await runInProcess(reportCommand, folder)).out).toContain('has no report and no journals of a run');
  execFileSync('mkfifo', [place('history.jsonl.gz')]);
  writeFileSync(place('conformance.json'), JSON.stringify(good));
  expect((await runInProcess(verifyCommand, place('conformance.json'))).out).toContain('is a pipe: name a file.');
});

test('Damaged logs of a run make the report command end normally, without a stack trace', async () => {
  for (const [begun, line] of [
    ['{"conformance":{"suite":{"settings":"x","seed":{}}},"startedAt":"never","scenarios":{"length":1}}', '{}'],
    ['{"conformance":{},"startedAt":"2026-01-01T00:00:00Z","scenarios":[]}', '{"line":"exchange","record":null}'],
    ['{"conformance":{"run":""},"startedAt":"2026-01-01T00:00:00Z","scenarios":null}', 'null'],
  ] as const) {
    const folder = makeTempDir();
    mkdirSync(join(folder, 'journal'));
    writeFileSync(join(folder, 'journal/run.json'), begun);
    const first = '{"line":"scenario","run":"","id":"a","title":"a"}';
    writeFileSync(join(folder, 'journal/a.jsonl'), `${first}\n${line}\n`);
    const { status, out } = await runInProcess(reportCommand, folder);
    expect([status, out]).toEqual([expect.any(Number), expect.not.stringMatching(/^\s+at |\n\n\n/)]);
    if (status === 2) expect(out).toMatch(ONE_SENTENCE);
  }
});
