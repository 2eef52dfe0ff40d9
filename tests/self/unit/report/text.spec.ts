import { execFileSync } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from '@playwright/test';
import { writeCurl, quoteForShell } from '../../../../reports/text/curl.ts';
import { removeDuplicateJournals, readLines } from '../../../../reports/journal/read.ts';
import { toJunit } from '../../../../reports/formats/junit.ts';
import { writeTerminalSummary } from '../../../../reports/formats/terminal.ts';
import { describeOpening } from '../../../../reports/reporter/opening.ts';
import { escapeCommands, toOneLine, shortenText, escapeHarmful } from '../../../../reports/text/sanitize.ts';
import {
  faultyReport as bad,
  makeRecord,
  RUN_FACTS,
  soundReport as good,
} from '../../support/reports/sample-report.ts';

function runBash(script: string, env: Record<string, string>): string {
  return execFileSync('bash', ['--norc', '-c', script], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

test('Texts are shown on one line, shortened between characters, and are executed nowhere', () => {
  for (const [shown, text] of [
    [escapeHarmful('a\u001b[31mb\u202Ec\u0000\ud800\nd'), 'a\\u001b[31mb\\u202ec\\u0000\\ud800\nd'],
    [escapeHarmful('Ağrı Şube 東京 עברית 😀'), 'Ağrı Şube 東京 עברית 😀'],
    [toOneLine('a\r\nb\tc'), 'a\\r\\nb\\tc'],
    [shortenText('abcdef', 4), 'abc…'],
    [shortenText('ab😀def', 4), 'ab…'],
    [shortenText('abc', 3), 'abc'],
    [escapeCommands('  ::error::x'), '  : :error::x'],
    [escapeCommands('x ##[error]y ##vso[z]'), 'x # #[error]y # #vso[z]'],
  ] as const)
    expect(shown).toBe(text);
});

test('The summary shows the verdict, its reasons, each finding in four lines, and which file to open', () => {
  const text = writeTerminalSummary(bad, { color: false, path: 'reports/out/conformance.html' });
  expect(text).toContain('Verdict: non-conformant  A bank, build 7 at https://bank.example/sandbox');
  expect(text).toContain('1 clause of the document is broken: loans.rate.');
  expect(text).toMatch(
    /^broken \(consistency\) loans\.rate {2}POST .*\/loans {2}\/data\/infos\/\*\/interest_rate.*\n {5}clause .*\n {5}document {2}Resources and their fields\n {5}expected {2}five decimals\n {5}received /m,
  );
  expect(text).toMatch(/^warning \(consistency\) service\.content-type/m);
  expect(text).toMatch(/^Not tested: 1 clause$/m);
  expect(text).toMatch(/^must {4}1 broken, 3 kept, 1 not tested$/m);
  expect(text).toContain('(exit status 1)');
  expect(text).toContain('Report: reports/out/conformance.html');
});

test('The summary shows ten causes and counts the rest, and counts the other places of each', () => {
  const finding = bad.findings[0]!;
  const shown = (change: (at: number) => Partial<typeof finding>): string =>
    writeTerminalSummary(
      { ...bad, findings: Array.from({ length: 13 }, (_, at) => ({ ...finding, ...change(at) })) },
      { color: false },
    );
  const many = shown((at) => ({ clause: `loans.${at}` }));
  expect(many.match(/^broken /gm)).toHaveLength(10);
  expect(many).toContain('and 3 more in the report');
  const one = shown((at) => ({ operation: `GET /${at}` }));
  expect(one.match(/^broken /gm)).toHaveLength(1);
  expect(one).toMatch(/^broken .*GET \/0 .*$/m);
  expect(one).toMatch(/^ {5}also at {3}GET \/1 [^]*GET \/3 [^]* 9 more places in the report$/m);
  expect(one).not.toContain('more in the report');
});

test('Colours appear only on request', () => {
  expect(writeTerminalSummary(good, { color: true })).toContain('\u001b[32m');
  expect(writeTerminalSummary(good, { color: false })).not.toContain('\u001b');
});

test('Lines of the summary fit the width, unless a word is longer or the line is a command; further lines are indented', () => {
  for (const color of [false, true]) {
    const lines = stripVTControlCharacters(writeTerminalSummary(bad, { color, width: 80 })).split('\n');
    const long = lines.filter(
      (line) => line.length > 80 && !/^ +(?:replay|request) /.test(line) && !/\S{30}/.test(line),
    );
    expect(long).toEqual([]);
    expect(lines[lines.findIndex((line) => line.startsWith('broken ')) + 1]).toMatch(/^ {5}\S/);
  }
});

test('The lines before a run fit a terminal, and are whole in a log', () => {
  const plan = [`Plan: at most ${'81 loan applications, '.repeat(9)}on the bank.`];
  const lines = describeOpening({ ...RUN_FACTS, run: 'a', plan }, 1, 80).split('\n');
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  expect(lines.slice(2).every((line) => /^ {5}\S/.test(line))).toBe(true);
  expect(describeOpening({ ...RUN_FACTS, run: 'a', plan }, 1, null).split('\n')).toHaveLength(2);
});

test('JUnit names the operation as class and the clause as case', () => {
  const xml = toJunit(bad);
  expect(xml).toMatch(/\nreplay: npm run replay -- .*\nrequest: curl -sS -i /);
  expect(xml).toContain(
    '<testcase classname="POST /api/bank/revolving-loans/v1/loans" name="loans.rate" time="0.001">',
  );
  expect(xml).toMatch(/<testsuites name="Bank Open API: non-conformant" tests="8" failures="1" errors="0"/);
  expect(xml).toMatch(
    /<testcase classname="GET \/api\/v1\/atms" name="service.content-type" time="0\.001">\n<system-out>warning: /,
  );
  expect(xml).toContain('<skipped message="not tested: No outcome failed.');
  const strict = { ...bad, suite: { ...bad.suite, strict: true } };
  expect(toJunit(strict)).toContain('failures="2"');
  const broken = toJunit({ ...good, errors: [{ scenario: 'A scenario', message: 'out of order' }] });
  expect(broken).toContain(
    '<testcase classname="suite" name="A scenario" time="0.000">\n<error message="out of order"/>',
  );
});

test('A curl line repeats the request, with shell variables for the secrets', () => {
  const asked = makeRecord('x', 'requestLoan');
  expect(writeCurl(asked)).toBe(
    'curl -sS -i https://bank.example/sandbox/api/bank/revolving-loans/v1/loans' +
      ` -H 'X-GW-client-id: '"$CLIENT_ID" -H 'Content-Type: application/json' -H Accept: --data-raw '{"amount":100}'`,
  );
  expect(writeCurl(makeRecord('x', 'findAtms', { body: '[]' }))).not.toContain('-X');
});

test('Text in a curl line reaches the shell only as text', () => {
  const texts = [
    "it's",
    '$(touch pwned)',
    '`id`',
    '$CLIENT_SECRET',
    '\\',
    '\u202e\n\u001b[31m',
    '!!',
    '*',
    '; rm -rf /',
    '"',
    '😀',
  ];
  const script = `for word in ${texts.map(quoteForShell).join(' ')}; do printf '%s\\0' "$word"; done`;
  const env = { LC_ALL: 'C.UTF-8', CLIENT_SECRET: 'secret' };
  const words = runBash(script, env).split('\0').slice(0, -1);
  expect(words).toEqual(texts);
});

test('A variable is expanded only in header fields', () => {
  const asked = makeRecord('x', 'requestLoan');
  const request = {
    ...asked.request,
    headers: { authorization: 'Bearer $ACCESS_TOKEN', 'x-odd': "$CLIENT_IDS 'and' $CLIENT_SECRET." },
    body: '"$ACCESS_TOKEN"',
  };
  const words = runBash(`curl() { printf '%s\\n' "$@"; }; ${writeCurl({ ...asked, request })}`, {
    PATH: process.env['PATH'] ?? '',
    ACCESS_TOKEN: 'token',
    CLIENT_SECRET: 'secret',
    CLIENT_ID: 'id',
  }).split('\n');
  for (const word of ['authorization: Bearer token', "x-odd: $CLIENT_IDS 'and' secret.", '"$ACCESS_TOKEN"'])
    expect(words).toContain(word);
});

test('A journal that breaks off is read up to its last complete line', () => {
  const read = (text: string) => [...readLines(Buffer.from(text))];
  expect(read('{"line":"a"}\n{"line":"b"}\n{"li')).toEqual([{ line: 'a' }, { line: 'b' }]);
  expect(read('{"line":"a"}\nnot json\n')).toEqual([{ line: 'a' }, null]);
  expect(read('')).toEqual([]);
});

test('A journal is not read twice if there is a copy; two journals of one scenario in two shards are both read', () => {
  const distinct = (...texts: readonly string[]) =>
    removeDuplicateJournals(texts.map((text) => Buffer.from(text))).map(String);
  expect(distinct('s\na\n', 's\na\nb\n', 's\na\nb\n')).toEqual(['s\na\nb\n']);
  expect(distinct('s\na\n', 's\nc\n', 't\na\n')).toEqual(['s\na\n', 's\nc\n', 't\na\n']);
  expect(distinct('', '\n')).toEqual([]);
});
