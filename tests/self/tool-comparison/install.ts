/** Installs a tool where nothing else is, once. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ComparedTool } from './tool.ts';
import { run } from './processes.ts';

const INSTALL_LIMIT_MS = 600_000;

/** Its folder, or why it cannot be had. */
export async function install(
  { name, packages, from }: Pick<ComparedTool, 'name' | 'packages'> & { from: ComparedTool['from'] | 'here' },
  work: string,
): Promise<{ home: string; why: string | null }> {
  const home = join(work, name.toLowerCase().replace(/[^a-z]+/g, '-'));
  const [mark, wanted] = [join(home, 'installed'), packages.join(' ')];
  if (from === 'here' || (existsSync(mark) && readFileSync(mark, 'utf8') === wanted)) return { home, why: null };
  mkdirSync(home, { recursive: true });
  let ran;
  if (from === 'pypi') {
    ran = await run('python3', ['-m', 'venv', home], { limitMs: INSTALL_LIMIT_MS });
    if (ran.status === 0)
      ran = await run(join(home, 'bin', 'pip'), ['install', '--quiet', ...packages], { limitMs: INSTALL_LIMIT_MS });
  } else {
    writeFileSync(join(home, 'package.json'), '{ "private": true }');
    ran = await run('npm', ['install', '--no-audit', '--no-fund', ...packages], {
      cwd: home,
      limitMs: INSTALL_LIMIT_MS,
    });
  }
  if (ran.status !== 0) return { home, why: `could not be installed: ${ran.text.trim().split('\n').at(-1) ?? ''}` };
  writeFileSync(mark, wanted);
  return { home, why: null };
}
