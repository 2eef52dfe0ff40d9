/** Tests the files of the suite: only the user can read them, no symbolic link redirects them, and nothing in them is executed. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { openFileJournal } from '../../../../fixtures/run/session/journal-writer.ts';
import { lockFolder } from '../../../../fixtures/runner/run-lock.ts';
import { clearJournals } from '../../../../reports/journal/read.ts';
import type { Command } from '../../../../openapi/util/command.ts';
import { contractCommand } from '../../../../reports/cli/contract.ts';
import { reportCommand } from '../../../../reports/cli/report.ts';
import { toJson, toYaml } from '../../../../reports/text/sanitize.ts';
import { writeCreatedCsv } from '../../../../reports/write-report.ts';
import { writeReportFile } from '../../../../reports/formats/paths.ts';
import { knownCommand, makeKnownEntries } from '../../../../reports/cli/known.ts';
import { runInProcess } from '../../support/command.ts';
import { faultyReport } from '../../support/reports/sample-report.ts';
import { makeTempDir, makeTempFile } from '../../support/temp-dir.ts';

/** Makes a folder of another program with files whose names the suite also uses. */
function makeForeignFolder(): { readonly folder: string; readonly isUntouched: () => boolean } {
  const folder = makeTempDir();
  const names = ['notes.jsonl', 'run.json', 'conformance.json', 'atm-crawl.jsonl'];
  for (const name of names) writeFileSync(join(folder, name), name);
  return {
    folder,
    isUntouched: () =>
      readdirSync(folder).length === names.length &&
      names.every((name) => readFileSync(join(folder, name), 'utf8') === name),
  };
}

test('A report folder with a symbolic link inside, or in use by a running run, is refused; an old lock is ignored', () => {
  for (const name of ['.lock', '.playwright', 'journal', 'last-attempt', 'recorded', 'replay']) {
    const [report, foreignFolder] = [makeTempDir(), makeForeignFolder()];
    symlinkSync(name === '.lock' ? join(foreignFolder.folder, 'run.json') : foreignFolder.folder, join(report, name));
    expect(lockFolder(report, 'run')).toContain(`${name}" is a symbolic link`);
    expect(foreignFolder.isUntouched()).toBe(true);
  }
  const locked = makeTempDir();
  const lock = (pid: number): void =>
    writeFileSync(
      join(locked, '.lock'),
      JSON.stringify({ run: 'another', pid, host: hostname(), since: new Date().toISOString() }),
    );
  lock(process.pid);
  expect(lockFolder(locked, 'run')).toMatch(/is that of another run, which began at \S+ and is under way/);
  // No process has this id: it is above the highest id of Linux.
  lock(2 ** 30);
  expect(lockFolder(locked, 'run')).toBeNull();
  // A symbolic link that the user names is followed.
  const link = join(makeTempDir(), 'reports');
  symlinkSync(makeTempDir(), link);
  expect(lockFolder(link, 'run')).toBeNull();
});

test('If a link takes the place of a file after the check, nothing is written through the link', () => {
  const [report, { folder, isUntouched }] = [makeTempDir(), makeForeignFolder()];
  symlinkSync(folder, join(report, 'journal'));
  clearJournals(join(report, 'journal'));
  const errors: string[] = [];
  const failed = ({ message }: Error): void => void errors.push(message);
  openFileJournal(join(report, 'journal', 'atm-crawl.jsonl'), failed).close();
  mkdirSync(join(report, 'other'));
  symlinkSync(join(folder, 'notes.jsonl'), join(report, 'other', 'notes.jsonl'));
  openFileJournal(join(report, 'other', 'notes.jsonl'), failed).close();
  expect(errors).toEqual([expect.stringContaining('is a symbolic link'), expect.stringContaining('ELOOP')]);
  symlinkSync(join(folder, 'conformance.json'), join(report, 'conformance.json'));
  writeReportFile(join(report, 'conformance.json'), 'a report');
  expect(lstatSync(join(report, 'conformance.json')).isSymbolicLink()).toBe(false);
  expect(isUntouched()).toBe(true);
});

for (const [title, command, wordsFor] of [
  ['known', knownCommand, (file, out) => [file('conformance.json', toJson(faultyReport)), '--out', out]],
  [
    'report --finding',
    reportCommand,
    (file, out) => [file('conformance.json', toJson(faultyReport)), '--finding', '1', '--out', out],
  ],
  ['contract', contractCommand, (_, out) => ['--out', out]],
] as readonly (readonly [string, Command, (file: typeof makeTempFile, out: string) => readonly string[]])[])
  test(`The command ${title} writes through no link, and keeps the mode of an existing file`, async () => {
    const folder = makeTempDir();
    const precious = makeTempFile('precious', 'precious');
    const links = {
      file: precious,
      nothing: join(folder, 'not-there'),
      link: join(folder, 'file'),
      folder: makeTempDir(),
    };
    for (const [name, to] of Object.entries(links)) {
      const out = join(folder, name);
      symlinkSync(to, out);
      expect(await runInProcess(command, ...wordsFor(makeTempFile, out))).toEqual({
        status: 2,
        out: `${out} is a symbolic link, and nothing is written through a link: name the file itself.\n`,
      });
    }
    expect([readFileSync(precious, 'utf8'), existsSync(links.nothing)]).toEqual(['precious', false]);
    const ordinaryFile = join(folder, 'own');
    writeFileSync(ordinaryFile, 'before');
    chmodSync(ordinaryFile, 0o640);
    expect((await runInProcess(command, ...wordsFor(makeTempFile, ordinaryFile))).status).toBe(0);
    expect([readFileSync(ordinaryFile, 'utf8') === 'before', statSync(ordinaryFile).mode & 0o777]).toEqual([
      false,
      0o640,
    ]);
  });

const ACTING_CHARACTERS = 'a\u202eb\u2066c\u200bd\u0085e\u{e0041}f\ud800g\u001b[31m';

test('A value with control characters is written as printable YAML, and reads back the same', () => {
  const received = ACTING_CHARACTERS.replace('\ud800', '').repeat(20);
  const value = { known: [{ 'a\u202eb': received, plain: 'a\nb: "c" # d', number: 1 }] };
  const text = toYaml(value);
  expect(/[^\P{C}\n]/u.test(text)).toBe(false);
  expect(parse(text)).toEqual(value);
  const known = makeKnownEntries(
    { ...faultyReport, findings: faultyReport.findings.map((finding) => ({ ...finding, received })) },
    'me',
    1,
  );
  expect(parse(toYaml(known))).toEqual(known);
});

test('An id that begins like a formula is escaped in created.csv, for any separator', () => {
  for (const [id, cell] of [
    ['=1+1', "'=1+1"],
    ['\t=1', '\\t=1'],
    ['\r-1', '\\r-1'],
    ['  @x', "'  @x"],
    ['\uff1d1', "'\uff1d1"],
    ['\uff20x', "'\uff20x"],
    ['a;=HYPERLINK("http://x")', `"a;'=HYPERLINK(""http://x"")"`],
    ['a;  +1|-2', `"a;'  +1|'-2"`],
    ['";=1', `""";'=1"`],
    ["'=1", "''=1"],
    ['4711-a', '4711-a'],
  ] as const) {
    const items = faultyReport.createdResources.items.slice(0, 1).map((item) => ({ ...item, id }));
    const text = writeCreatedCsv({ ...faultyReport, createdResources: { ...faultyReport.createdResources, items } });
    expect(text.split('\r\n')[1]).toContain(`,${cell},`);
    // Splits like a spreadsheet that does not know quotation marks.
    for (const part of text.split(/[;,|\r\n\t]/))
      expect(part.replace(/^"+/, '')).not.toMatch(/^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/);
  }
});
