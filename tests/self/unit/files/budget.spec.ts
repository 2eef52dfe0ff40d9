/** Tests the budget of lines in a repository of its own. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from '@playwright/test';
import { makeTempDir } from '../../support/temp-dir.ts';

/** Returns what the check says about these tracked files, with a budget of ten lines for each of two parts. */
function weigh(files: Readonly<Record<string, string>>): { readonly status: number | null; readonly said: string } {
  const repository = makeTempDir();
  const table =
    '| part | folders | lines |\n| --- | --- | --: |\n| reports | `src/reports` | 10 |\n| run | `src` | 10 |\n';
  for (const [name, text] of Object.entries({ ...files, '.github/CONTRIBUTING.md': table })) {
    mkdirSync(dirname(join(repository, name)), { recursive: true });
    writeFileSync(join(repository, name), text);
  }
  execFileSync('git', ['init', '-q'], { cwd: repository });
  execFileSync('git', ['add', '.'], { cwd: repository });
  const { status, stderr } = spawnSync(process.execPath, [resolve('.package/weigh.mjs')], {
    cwd: repository,
    encoding: 'utf8',
  });
  return { status, said: stderr };
}

const TEN_LINES = 'a;\n'.repeat(10);

test('One line too many fails the check, and so does a long line: the folder is named', () => {
  for (const text of [`${TEN_LINES}b;\n`, `${'a;\n'.repeat(9)}${'b'.repeat(240)}\n`]) {
    const { status, said } = weigh({ 'src/run.ts': TEN_LINES, 'src/reports/page.ts': text });
    expect(status).toBe(1);
    expect(said).toMatch(/^reports \(src\/reports\) has 11 lines, 1 over its budget: [^\n]*\n$/);
  }
});

test('A part within its budget passes, texts are no code, and a file in no part fails the check', () => {
  const files = { 'src/run.ts': TEN_LINES, 'src/reports/page.cjs': TEN_LINES, 'src/README.md': TEN_LINES };
  expect(weigh(files)).toEqual({ status: 0, said: '' });
  expect(weigh({ 'other/tool.mjs': 'a;\n' })).toEqual({ status: 1, said: expect.stringContaining('other/tool.mjs') });
});
