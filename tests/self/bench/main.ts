/** Measures the speed of the suite: `npm run bench` prints how long a run takes, near and far, and how many rounds it needs. */
import { createBank } from '../../../fixtures/reference-bank/bank.ts';
import type { Handler } from '../../../fixtures/reference-bank/http/serve.ts';
import { makeSandboxEnv, PLAYWRIGHT_CLI, RUN_COMMAND, runProcess, serveDuring } from '../support/command.ts';
import { makeTempDir } from '../support/temp-dir.ts';

type Environment = Readonly<Record<string, string>>;
const LATENCIES_MS = [80, 300];
/** If no request comes for this many milliseconds, the client has sent everything that it can send without an answer. */
const QUIET_PERIOD_MS = 300;

/** Returns the seconds that a command of Node.js takes. */
async function measureSeconds(words: readonly string[], env: Environment = {}): Promise<number> {
  const start = performance.now();
  const { status, out } = await runProcess(words, { SEED: '1', REPORT_DIR: makeTempDir(), ...env });
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}: ${out}`);
  return (performance.now() - start) / 1000;
}

/** Runs the suite against the reference bank, which answers each request after `delay`. */
function measureRun(delay: () => Promise<unknown>, env: Environment = {}): Promise<number> {
  const bank = createBank();
  const far: Handler = {
    async fetch(request) {
      await delay();
      return bank.fetch(request);
    },
  };
  return serveDuring(far, (url) => measureSeconds(RUN_COMMAND, { ...makeSandboxEnv(url), ...env }));
}

/**
 * Counts how many requests wait for each other, one after the other. The bank answers all waiting requests together when no more
 * requests come, so that the load of the machine does not matter.
 */
async function countRounds(env: Environment): Promise<number> {
  let rounds = 0;
  let timer: NodeJS.Timeout | undefined;
  const held: (() => void)[] = [];
  const answerAll = (): void => {
    rounds += 1;
    for (const answer of held.splice(0)) answer();
  };
  await measureRun(() => {
    clearTimeout(timer);
    timer = setTimeout(answerAll, QUIET_PERIOD_MS);
    return new Promise<void>((resolve) => held.push(resolve));
  }, env);
  return rounds;
}

async function main(): Promise<void> {
  const print = (what: string, value: number): void => console.log(`${what}: ${value.toFixed(1)}`);
  print('Playwright alone, seconds', await measureSeconds([PLAYWRIGHT_CLI, 'test', '--list', '--project=conformance']));
  print('A run on the embedded bank, seconds', await measureSeconds(RUN_COMMAND));
  for (const latencyMs of LATENCIES_MS)
    print(
      `A target ${latencyMs} ms away, seconds`,
      await measureRun(() => new Promise((resolve) => setTimeout(resolve, latencyMs))),
    );
  print('Rounds of requests that wait for one another', await countRounds({}));
  print('The same without a limit of requests in flight', await countRounds({ IN_FLIGHT: '256' }));
}

void main();
