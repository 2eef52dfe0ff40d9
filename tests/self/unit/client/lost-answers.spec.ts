/** Tests the conclusions from server errors: a gateway may lose a request, or the answer to a request. */
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { expect, test } from '@playwright/test';
import { serveOperations } from '../../../../fixtures/banks/lib/serving.ts';
import { createFakeClock } from '../../support/examine.ts';
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import { examineUrl, listFindings } from '../../support/examine.ts';
import { runScenarioOnServer, summarizeLines } from '../../support/scenario-harness.ts';
import { closeAllServers, listenOnFreePort } from '../../support/servers.ts';

test.afterEach(closeAllServers);

test('An unusual input is blamed for a server error only after three errors in a row', async () => {
  for (const [errors, isBlamed] of [
    [0, false],
    [1, false],
    [2, false],
    [3, true],
  ] as const) {
    let asked = 0;
    const { lines } = await runScenarioOnServer(
      async ({ bank, probe }) =>
        void (await probe(await bank.listBranches({ merchant_no: '1' }), { merchant_no: '-1' })),
      {
        answer: (_, { url }) =>
          url.includes('/-1/') && (asked += 1) <= errors ? { status: 500, body: { error: 'internal' } } : undefined,
      },
    );
    const found = summarizeLines(lines).broken.includes('service.odd-input');
    expect([errors, asked, found]).toEqual([errors, Math.min(errors + 1, 3), isBlamed]);
  }
});

/** Returns the findings about a bank whose gateway loses the requests for which `isLost` is true; `nth` counts from 1. */
async function findFindingsWithLosses(isLost: (nth: number, body: string) => boolean): Promise<readonly string[]> {
  let nth = 0;
  const down = { status: 502, body: '<h1>Bad gateway</h1>' };
  const { lines } = await runScenarioOnServer(
    async ({ bank }) => {
      await bank.listMerchants();
      await bank.validateLoan({ amount: 0 });
      for (const merchant_no of ['1', '2', '3']) await bank.listBranches({ merchant_no });
    },
    { answer: (_, { body }) => (isLost((nth += 1), body) ? down : undefined), clock: createFakeClock() },
  );
  return summarizeLines(lines).broken;
}

test('A request ends the service if nothing is answered for a while after it, but not if losses come and go', async () => {
  let unanswered = 0;
  const falls = (_: number, body: string): boolean => {
    if (unanswered === 0 && body.includes('"amount":0')) unanswered = 10;
    unanswered = Math.max(0, unanswered - 1);
    return unanswered > 0;
  };
  expect(await findFindingsWithLosses(falls)).toContain('service.stays-up');
  // Loses three consecutive requests, answers the control five times, then loses every second request.
  const loseSomeRequests = (nth: number): boolean => [2, 3, 4].includes(nth) || (nth > 9 && nth % 2 === 1);
  expect(await findFindingsWithLosses(loseSomeRequests)).not.toContain('service.stays-up');
});

test('A disbursement whose answer was lost does not count as refused', async () => {
  const refusedOnce = new Set<unknown>();
  const bank = serveOperations(
    createBank(),
    ['disburse'],
    async ({ sent: { application_id: id, amount } }, forward) => {
      const isRefused = !Number.isInteger(amount) && !refusedOnce.has(id);
      if (isRefused) refusedOnce.add(id);
      if (isRefused) return Response.json({ error: 'no cents' }, { status: 422 });
      const made = await forward();
      return refusedOnce.has(id) ? Response.json({ error: 'timeout' }, { status: 504 }) : made;
    },
  );
  expect((await listFindings(bank, 'loans', { env: { RUNS: '5' } })).join()).not.toContain(
    'loans.outcome.not-of-a-refused',
  );
  expect(refusedOnce.size).toBeGreaterThan(0);
});

test('A gateway that closes the connection at an apparent attack is found, also on an old connection', async () => {
  const bank = createBank();
  const server = createServer((incoming, outgoing) => {
    const listener = getRequestListener(async (request) => {
      if ((await request.clone().text()).includes("'")) incoming.socket.destroy();
      return bank.fetch(request);
    });
    void listener(incoming, outgoing);
  });
  const url = `http://127.0.0.1:${await listenOnFreePort(server)}`;
  const { findings } = await examineUrl(url, { env: { AREAS: 'payment-links', RUNS: '5' } });
  expect(findings.map(({ clause, operation }) => [clause, operation])).toEqual([
    ['links.link.request.personal-description', 'POST /api/bank/card/paybylink/v1/payment-links'],
    ['service.answers', 'POST /api/bank/card/paybylink/v1/payment-links'],
  ]);
});
