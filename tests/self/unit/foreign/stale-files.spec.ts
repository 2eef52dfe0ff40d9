/** Tests that writing a report removes the files of an earlier report from the folder, and no other files. */
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashText } from '../../../../openapi/util/hash.ts';
import { removeReport } from '../../../../reports/formats/paths.ts';
import { RENDERINGS, writeReport } from '../../../../reports/write-report.ts';
import { expect, test } from '../../support/reports/samples.ts';
import { makeTempDir } from '../../support/temp-dir.ts';

const allRenderings = Object.keys(RENDERINGS);

test('Writing a report removes the formats of an earlier report that it does not write itself', async ({
  faulty,
  good,
}) => {
  const [folder, newFolder] = [makeTempDir(), makeTempDir()];
  writeReport(faulty, folder, { render: allRenderings });
  writeReport(good, folder, { render: ['summary'] });
  writeReport(good, newFolder, { render: ['summary'] });
  expect(readdirSync(folder).toSorted()).toEqual(readdirSync(newFolder).toSorted());
});

test('Writing the same report again with fewer formats keeps its earlier files', async ({ faulty }) => {
  const folder = makeTempDir();
  writeReport(faulty, folder, { render: allRenderings });
  const before = readdirSync(folder).toSorted();
  writeReport(faulty, folder);
  expect(readdirSync(folder).toSorted()).toEqual(before);
  writeReport({ ...faulty, startedAt: '2026-01-01T00:00:00.000Z' }, folder);
  expect(readdirSync(folder)).not.toContain('conformance.sarif');
});

test('Files that the suite did not write, or that somebody edited, stay, even if the list of files names them', async ({
  faulty,
  good,
}) => {
  const folder = makeTempDir();
  const outside = join(makeTempDir(), 'theirs.txt');
  writeFileSync(outside, '');
  for (const name of ['summary.md', 'notes.txt']) writeFileSync(join(folder, name), 'mine');
  writeReport(faulty, folder, { render: ['sarif', 'har'] });
  writeFileSync(join(folder, 'conformance.har'), 'edited');
  mkdirSync(join(folder, 'annotations.txt'));
  const list = join(folder, '.report-files.json');
  const stated = JSON.parse(readFileSync(list, 'utf8')) as object;
  const empty = hashText('');
  const addedEntries = { 'annotations.txt': empty, [outside]: empty, [`../${outside}`]: empty, '..': empty };
  writeFileSync(list, JSON.stringify({ ...stated, ...addedEntries }));
  writeReport(good, folder);
  expect([existsSync(join(folder, 'conformance.sarif')), existsSync(outside)]).toEqual([false, true]);
  const kept = ['summary.md', 'notes.txt', 'conformance.har'].map((name) => readFileSync(join(folder, name), 'utf8'));
  expect(kept).toEqual(['mine', 'mine', 'edited']);
  for (const text of ['', 'null', '[1]', '{"conformance.har":1}']) {
    writeFileSync(list, text);
    writeReport(good, folder);
    expect(readFileSync(join(folder, 'conformance.har'), 'utf8')).toBe('edited');
  }
});

test('A file that a variable names stays unchanged in the report folder, also if the variable names it through a link', async ({
  faulty,
  good,
}) => {
  const folder = makeTempDir();
  writeReport(faulty, folder, { render: ['sarif'] });
  const dialectFile = join(folder, 'dialect.json');
  const before = readFileSync(dialectFile, 'utf8');
  const link = join(makeTempDir(), 'link');
  symlinkSync(folder, link);
  const keep = [join(link, 'dialect.json'), join(link, 'conformance.sarif'), join(folder, 'no-such.yaml')];
  removeReport(folder, keep);
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(['dialect.json', 'conformance.sarif']));
  writeReport(good, folder, { keep });
  expect(readFileSync(dialectFile, 'utf8')).toBe(before);
  expect(existsSync(join(folder, 'conformance.sarif'))).toBe(true);
});
