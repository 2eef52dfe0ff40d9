/** Runs a tool, for a bounded time; rejects where there is no such tool. */
import { spawn } from 'node:child_process';

export interface Ran {
  readonly status: number | null;
  readonly text: string;
  readonly timedOut: boolean;
}

export function run(
  command: string,
  words: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; limitMs?: number } = {},
): Promise<Ran> {
  const { limitMs = 120_000, ...rest } = options;
  return new Promise((done, fail) => {
    const child = spawn(command, words, { ...rest, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    let [text, timedOut] = ['', false];
    const timer = setTimeout(() => {
      timedOut = true;
      // The tool and whatever it started.
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, limitMs);
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
    child.once('error', (error) => {
      clearTimeout(timer);
      fail(error);
    });
    child.once('close', (status) => {
      clearTimeout(timer);
      done({ status, text, timedOut });
    });
  });
}
