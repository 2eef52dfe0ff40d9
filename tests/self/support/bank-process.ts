/** `npm run bank` in a process of its own. */
import { spawn } from 'node:child_process';
import { root, script } from './command.ts';

export const bankCommand = script('fixtures/runner/cli/bank.ts');

/** The sandbox with these options, once it listens; `end` ends it. */
export async function startBankProcess(
  options: readonly string[] = [],
  { cwd = root, command = bankCommand }: { readonly cwd?: string; readonly command?: readonly string[] } = {},
): Promise<{ url: string; end: () => void }> {
  const child = spawn(process.execPath, [...command, '--port', '0', ...options], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((done, fail) => {
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const found = /http:\/\/[\d.]+:\d+/.exec(said)?.[0];
      if (found !== undefined) done(found);
    });
    child.once('close', () => fail(new Error(`The bank did not listen: ${said}`)));
  });
  return { url, end: () => void child.kill() };
}
