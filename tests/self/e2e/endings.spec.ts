/** Tests how a run can end: each cause has its exit status, its verdict and its sentence. Each test starts a process. */
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { createBank } from '../../../fixtures/reference-bank/bank.ts';
import type { Handler } from '../../../fixtures/reference-bank/http/serve.ts';
import type { Report } from '../../../reports/model/report.ts';
import { judgeBank, runConformance, mergeShards, makeSandboxEnv, serveDuring, type Ran } from '../support/command.ts';
import { makeTempDir } from '../support/temp-dir.ts';
import { thoroughUnless } from '../support/thorough.ts';

interface Row {
  readonly status: number;
  /** Null if no report is made. */
  readonly verdict: Report['verdict'] | null;
  /** Words that the terminal must show. */
  readonly says: RegExp;
  readonly isThorough?: true;
  run(): Promise<Pick<Ran, 'status' | 'out' | 'report'>>;
}

type Env = Readonly<Record<string, string>>;
const shortRunSettings: Env = { AREAS: 'atms', RUNS: '1', SEED: '1' };

/** Makes a bank that answers `requests` requests as the reference bank does, and then as `refuse` says (null: as before). */
function makeBankUntil(requests: number, refuse: (request: Request) => Response | null): Handler {
  const bank = createBank();
  let received = 0;
  return { fetch: (request) => ((received += 1) > requests ? refuse(request) : null) ?? bank.fetch(request) };
}

const badGateway = (): Response => new Response('<h1>Bad gateway</h1>', { status: 502 });

const judgeBankUntil = (...until: Parameters<typeof makeBankUntil>) =>
  judgeBank(makeBankUntil(...until), { SEED: '1', RUNS: '3', TIMEOUT_MS: '2000' });

/** A run whose credentials are refused sends at most this many requests. */
const MAX_REFUSED_REQUESTS = 8;

const rowsByEnding: Readonly<Record<string, Row>> = {
  'The gateway starts to answer 502 during the run': {
    status: 2,
    verdict: 'inconclusive',
    says: /the target stopped answering at \S+, after [A-Z]+ \//,
    run: () => judgeBankUntil(250, badGateway),
  },
  'The gateway answers 502 for two seconds': {
    status: 0,
    verdict: 'conformant',
    says: /^Verdict: conformant/m,
    isThorough: true,
    run() {
      let end = 0;
      return judgeBankUntil(250, () => (Date.now() < (end ||= Date.now() + 2000) ? badGateway() : null));
    },
  },
  'The token expires during the run, and no command renews it': {
    status: 2,
    verdict: 'inconclusive',
    says: /the credentials are no longer accepted: since \S+ the target answers 401/,
    isThorough: true,
    run: () =>
      judgeBankUntil(200, ({ headers }) =>
        headers.has('authorization') ? Response.json({ error: 'token expired' }, { status: 401 }) : null,
      ),
  },
  'A run with another reporter and without the gate draws no verdict': {
    status: 1,
    verdict: null,
    says: /No verdict was drawn/,
    run: () =>
      runConformance(shortRunSettings, {
        more: ['--reporter=line', '--no-deps', '-g', 'ATM queries at random positions'],
      }),
  },
  'The option --grep-invert leaves out two scenarios': {
    status: 2,
    verdict: 'inconclusive',
    says: /2 of 18 scenarios were left out by --grep-invert "nearest known ATM\|Requests with findings": “ATM queries at a position whose/,
    run: () =>
      runConformance(shortRunSettings, { more: ['--grep-invert', 'nearest known ATM|Requests with findings'] }),
  },
  'One of two shards is missing in the merged run': {
    status: 2,
    verdict: 'inconclusive',
    says: /Of 2 shards, 1 is missing\. .* 17 scenarios did not run: “/,
    isThorough: true,
    async run() {
      const blobs = makeTempDir();
      const env = { ...shortRunSettings, PLAYWRIGHT_BLOB_OUTPUT_FILE: join(blobs, 'shard-2.zip') };
      await runConformance(env, { more: ['--shard=2/2', '--reporter=blob'] });
      return mergeShards(blobs);
    },
  },
  'The bank refuses the credentials, and the run stops after a few requests': {
    status: 2,
    verdict: 'inconclusive',
    says: /The credentials are not accepted: .* was answered with status 40[13].*check CLIENT_ID, CLIENT_SECRET and ACCESS_TOKEN/,
    run: () =>
      serveDuring(createBank(), async (url, countRequests) => {
        const ran = await runConformance({ ...makeSandboxEnv(url), CLIENT_SECRET: 'not-the-secret-of-anybody' });
        return countRequests() <= MAX_REFUSED_REQUESTS
          ? ran
          : { ...ran, out: `${countRequests()} requests were made.\n${ran.out}`, status: null };
      }),
  },
};

for (const [title, { status, verdict, says, isThorough, run }] of Object.entries(rowsByEnding))
  test(`${title}: the exit status is ${status}`, thoroughUnless(isThorough !== true), async () => {
    const ran = await run();
    expect([ran.status, ran.report?.verdict ?? null], ran.out).toEqual([status, verdict]);
    expect(ran.out.replaceAll(/\n\s*(?=\S)/g, ' ') + ran.out).toMatch(says);
    expect(ran.out).not.toMatch(/\n\s+at /);
  });
