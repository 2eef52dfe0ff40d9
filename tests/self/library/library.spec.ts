/** Tests that the engine judges another API than the bank: a library that lends books, with its own contract and operations. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { Report } from '../../../reports/model/report.ts';
import { PLAYWRIGHT_CLI, runProcess } from '../support/command.ts';
import { closeAllServers, startHttpServer } from '../support/servers.ts';
import { makeTempDir } from '../support/temp-dir.ts';
import { makeLibrary } from './server.ts';

test.afterEach(closeAllServers);

async function judgeLibrary(isFaulty: boolean) {
  const port = await startHttpServer(makeLibrary(isFaulty));
  const folder = makeTempDir();
  const { status } = await runProcess([PLAYWRIGHT_CLI, 'test', `--config=${join(__dirname, 'playwright.config.ts')}`], {
    BASE_URL: `http://127.0.0.1:${port}`,
    CLIENT_ID: 'none',
    CLIENT_SECRET: 'none',
    REPORT_DIR: folder,
    SEED: '1',
  });
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const report = JSON.parse(read('conformance.json')) as Report;
  const verdicts = report.clauses.flatMap(({ id, verdict }) => (id.startsWith('books.') ? [`${id} ${verdict}`] : []));
  return { status, report, verdicts, page: read('conformance.html'), junit: read('junit.xml') };
}

test('A sound library conforms, and each of its clauses was kept', async () => {
  const { status, report, verdicts, page, junit } = await judgeLibrary(false);
  expect([status, report.verdict, report.errors]).toEqual([0, 'conformant', []]);
  expect(verdicts).toEqual([
    ...['books.address pass', 'books.json pass', 'books.input pass', 'books.fields pass', 'books.lent-once pass'],
  ]);
  expect(report.operations.map(({ id, successes }) => `${id} ${successes}`)).toEqual([
    ...['listBooks 1', 'borrowBook 1', 'queryBorrowing 1'],
  ]);
  expect(report.createdResources.counts).toEqual({ borrowing: 1 });
  expect(page).toContain('The library lends a book only once at a time.');
  expect(junit).toMatch(/name="books\.lent-once" time="[\d.]+"\/>/);
});

test('A faulty library breaks a promise and an expectation, and the gate fails', async () => {
  const { status, report, verdicts, page, junit } = await judgeLibrary(true);
  expect([status, report.verdict, report.errors]).toEqual([1, 'non-conformant', []]);
  expect(verdicts).toEqual([
    ...['books.address pass', 'books.json pass', 'books.input pass', 'books.fields fail', 'books.lent-once warning'],
  ]);
  expect(report.findings.map(({ operation, pointer, received }) => [operation, pointer, received])).toEqual([
    ['POST /borrowings', '/data/due', '"14"'],
    ['GET /borrowings/{borrowing}', '/data/due', '"14"'],
    ['POST /borrowings', 'response/status', 'status 200 with {"borrowing":"l2","due":"14"}'],
  ]);
  expect(page).toContain('non-conformant');
  expect(junit).toMatch(/name="books\.fields" time="[\d.]+">\s*<failure/);
});
