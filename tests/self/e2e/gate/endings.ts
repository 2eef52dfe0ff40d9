/** Targets that stop serving in mid-run, that end with one request, whose credentials end, and that only seem to. */
import { setTimeout } from 'node:timers/promises';
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import type { Handler } from '../../../../fixtures/banks/lib/mutant.ts';
import { conformance, sandbox } from '../../support/command.ts';
import { mortalGateway, type Ending, type Mortality } from '../../support/mortal-gateway.ts';
import type { GateCase } from './case.ts';

async function behind(mortality: Mortality, env: Readonly<Record<string, string>> = {}, bank: Handler = createBank()) {
  const gateway = await mortalGateway(bank, mortality);
  try {
    return await conformance({
      ...sandbox(gateway.url),
      SEED: '1',
      RUNS: '3',
      TIMEOUT_MS: '400',
      ...env,
    });
  } finally {
    await gateway.close();
  }
}

const moments = [5, 20, 60, 250, 600];
const endings: Readonly<Record<Ending, string>> = {
  closed: 'nobody listens any more',
  '502': 'the gateway answers 502',
  silent: 'nothing is answered',
};

const dying: readonly GateCase[] = (Object.keys(endings) as Ending[]).flatMap((ending) =>
  moments.map((moment) => ({
    name: `From request ${moment} on ${endings[ending]}`,
    status: 2,
    verdict: 'inconclusive',
    says: /the target stopped answering at \S+, after [A-Z]+ \//,
    ...(ending === '502' && moment === 250 ? {} : { isInTests: false }),
    run: () => behind({ ending, endsWith: (_, nth) => nth === moment }),
  })),
);

const never = { ending: 'closed', endsWith: () => false } as const;

/** The bank, whose token ends after so many requests. */
function forgetful(requests: number): Handler {
  const bank = createBank();
  let nth = 0;
  return {
    fetch(request) {
      nth += 1;
      return nth > requests && request.headers.has('authorization')
        ? Response.json({ error: 'token expired' }, { status: 401 })
        : bank.fetch(request);
    },
  };
}

const slow = (bank: Handler, ms: number): Handler => ({
  async fetch(request) {
    await setTimeout(ms);
    return bank.fetch(request);
  },
});

/** The bank behind a gateway that lets one request in four come again at once. */
function throttled(): Handler {
  const bank = createBank();
  let nth = 0;
  return {
    fetch: (request) =>
      (nth += 1) % 4 === 0 ? new Response(null, { status: 429, headers: { 'retry-after': '0' } }) : bank.fetch(request),
  };
}

export const endingCases: readonly GateCase[] = [
  ...dying,
  {
    name: 'A request of ours ends the service, which starts again each time',
    status: 0,
    verdict: 'conformant',
    isInTests: false,
    says: /warning service\.stays-up {2}POST \S+validations/,
    async run() {
      const fatal = async (request: Request): Promise<boolean> =>
        request.url.endsWith('/validations') && /"amount":-/.test(await request.clone().text());
      return behind({ ending: '502', endsWith: fatal, backAfterMs: 300 }, { AREAS: 'loans', TIMEOUT_MS: '2000' });
    },
  },
  {
    name: 'The token expires in mid-run, and no command renews it',
    status: 2,
    verdict: 'inconclusive',
    says: /the credentials are no longer accepted: since \S+ the target answers 401/,
    isInTests: false,
    run: () => behind(never, { TIMEOUT_MS: '2000' }, forgetful(200)),
  },
  {
    name: 'The bank restarts for two seconds',
    status: 0,
    verdict: 'conformant',
    says: /^Verdict: conformant/m,
    isInTests: false,
    run: () =>
      behind({ ending: 'closed', endsWith: (_, nth) => nth === 250, backAfterMs: 2000 }, { TIMEOUT_MS: '2000' }),
  },
  {
    name: 'The bank is slow and well',
    status: 0,
    verdict: 'conformant',
    says: /^Verdict: conformant/m,
    isInTests: false,
    run: () => behind(never, { AREAS: 'payment-links', TIMEOUT_MS: '2000' }, slow(createBank(), 60)),
  },
  {
    name: 'The bank is well behind a gateway that says 429',
    status: 0,
    verdict: 'conformant',
    isInTests: false,
    says: /^Verdict: conformant/m,
    run: () => behind(never, { AREAS: 'payment-links', TIMEOUT_MS: '2000' }, throttled()),
  },
];
