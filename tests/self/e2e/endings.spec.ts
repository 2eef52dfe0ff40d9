/** Tests that each way in which a run ends has its own exit status, verdict and first words. Each test starts a process. */
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { createBank } from '../../../fixtures/reference-bank/bank.ts';
import { startServer, type Handler } from '../../../fixtures/reference-bank/http/serve.ts';
import type { Report } from '../../../reports/model/report.ts';
import { runConformance, mergeShards, makeSandboxEnv, serveDuring, type Ran } from '../support/command.ts';
import { makeTempDir } from '../support/temp-dir.ts';
import { thoroughUnless } from '../support/thorough.ts';

/** How a stopped service behaves: no process listens, a gateway answers 502, or the port never answers. */
type Ending = 'closed' | '502' | 'silent';

interface Mortality {
  readonly ending: Ending;
  /** True if the service stops at this request, which then gets no answer. `nth` counts requests from 1. */
  readonly endsWith: (request: Request, nth: number) => boolean | Promise<boolean>;
  /** Milliseconds until the gateway works again; without this member, it never does. */
  readonly backAfterMs?: number;
}

/** Serves `bank` on a port of 127.0.0.1 until it stops. */
async function startMortalGateway(
  bank: Handler,
  { ending, endsWith, backAfterMs }: Mortality,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  let [requests, gone] = [0, false];
  const never = new Promise<Response>(() => {});
  const mortal: Handler = {
    async fetch(request) {
      requests += 1;
      if (!gone && (await endsWith(request, requests))) void end();
      if (!gone) return bank.fetch(request);
      return ending === '502' ? new Response('<h1>Bad gateway</h1>', { status: 502 }) : never;
    },
  };
  const first = await startServer(mortal);
  let served: typeof first | null = first;

  async function shut(): Promise<void> {
    const shutting = served;
    served = null;
    await shutting?.close();
  }

  async function end(): Promise<void> {
    gone = true;
    if (ending === 'closed') await shut();
    if (backAfterMs === undefined) return;
    await setTimeout(backAfterMs);
    gone = false;
    if (ending === 'closed') served = await startServer(mortal, { port: first.port });
  }

  return { url: first.url, close: shut };
}

interface Row {
  readonly status: number;
  /** Null if no report is made. */
  readonly verdict: Report['verdict'] | null;
  /** Words that the terminal must show. */
  readonly says: RegExp;
  /** True if another row tests the same code. */
  readonly isThorough?: true;
  run(): Promise<Pick<Ran, 'status' | 'out' | 'report'>>;
}

type Env = Readonly<Record<string, string>>;
const shortRunSettings: Env = { AREAS: 'atms', RUNS: '1', SEED: '1' };

async function judgeBehindGateway(mortality: Mortality, env: Env = {}, bank: Handler = createBank()): Promise<Ran> {
  const gateway = await startMortalGateway(bank, mortality);
  try {
    return await runConformance({ ...makeSandboxEnv(gateway.url), SEED: '1', RUNS: '3', TIMEOUT_MS: '400', ...env });
  } finally {
    await gateway.close();
  }
}

const runOnDyingBank = (ending: Ending, moment: number): Pick<Row, 'status' | 'verdict' | 'says' | 'run'> => ({
  status: 2,
  verdict: 'inconclusive',
  says: /the target stopped answering at \S+, after [A-Z]+ \//,
  run: () => judgeBehindGateway({ ending, endsWith: (_, nth) => nth === moment }),
});

/** Makes a bank whose token expires after this many requests. */
function makeBankWithExpiringToken(requests: number): Handler {
  const bank = createBank();
  let nth = 0;
  return {
    fetch: (request) =>
      (nth += 1) > requests && request.headers.has('authorization')
        ? Response.json({ error: 'token expired' }, { status: 401 })
        : bank.fetch(request),
  };
}

/** After the end of a run, at most this many more requests are sent. */
const MAX_REQUESTS_AFTER_END = 8;

const rowsByEnding: Readonly<Record<string, Row>> = {
  'The gateway starts to answer 502 during the run': runOnDyingBank('502', 250),
  'The bank stops answering': { ...runOnDyingBank('silent', 60), isThorough: true },
  'The token expires during the run, and no command renews it': {
    status: 2,
    verdict: 'inconclusive',
    says: /the credentials are no longer accepted: since \S+ the target answers 401/,
    isThorough: true,
    run: () =>
      judgeBehindGateway(
        { ending: 'closed', endsWith: () => false },
        { TIMEOUT_MS: '2000' },
        makeBankWithExpiringToken(200),
      ),
  },
  'The bank restarts for two seconds': {
    status: 0,
    verdict: 'conformant',
    says: /^Verdict: conformant/m,
    isThorough: true,
    run: () =>
      judgeBehindGateway(
        { ending: 'closed', endsWith: (_, nth) => nth === 250, backAfterMs: 2000 },
        { TIMEOUT_MS: '2000' },
      ),
  },
  'Another reporter, without the gate': {
    status: 1,
    verdict: null,
    says: /No verdict was drawn/,
    run: () => runConformance(shortRunSettings, { more: ['--reporter=line', '--no-deps', '-g', 'A position brings'] }),
  },
  'Shards of which one is missing': {
    status: 2,
    verdict: 'inconclusive',
    says: /Of 2 shards, 1 is missing/,
    isThorough: true,
    async run() {
      const blobs = makeTempDir();
      const env = { ...shortRunSettings, PLAYWRIGHT_BLOB_OUTPUT_FILE: join(blobs, 'shard-2.zip') };
      await runConformance(env, { more: ['--shard=2/2', '--reporter=blob'] });
      return mergeShards(blobs);
    },
  },
  'Wrong credentials, after a handful of requests': {
    status: 2,
    verdict: 'inconclusive',
    says: /The credentials are not accepted: .* was answered with status 40[13].*check CLIENT_ID, CLIENT_SECRET and ACCESS_TOKEN/,
    run: () =>
      serveDuring(createBank(), async (url, asked) => {
        const ran = await runConformance({ ...makeSandboxEnv(url), CLIENT_SECRET: 'not-the-secret-of-anybody' });
        return asked() <= MAX_REQUESTS_AFTER_END
          ? ran
          : { ...ran, out: `${asked()} requests were made.\n${ran.out}`, status: null };
      }),
  },
};

for (const [title, { status, verdict, says, isThorough, run }] of Object.entries(rowsByEnding))
  test(title, thoroughUnless(isThorough !== true), async () => {
    const ran = await run();
    expect([ran.status, ran.report?.verdict ?? null], ran.out).toEqual([status, verdict]);
    expect(ran.out.replaceAll(/\n\s*(?=\S)/g, ' ') + ran.out).toMatch(says);
    expect(ran.out).not.toMatch(/\n\s+at /);
  });
