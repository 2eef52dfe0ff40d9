/** What a run may do to its target, counted at the target: caps, READ_ONLY, RATE_LIMIT, and where secrets go. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { editBody } from '../../../fixtures/banks/lib/intercept.ts';
import { createBank, type Bank } from '../../../fixtures/reference-bank/bank.ts';
import { serve, type Handler } from '../../../fixtures/reference-bank/http/serve.ts';
import { conformance, removeFolders, reportFolder, reportIn, sandbox } from '../support/cli-harness.ts';
import { shownIf } from '../support/thorough.ts';

test.afterAll(removeFolders);

interface Counted {
  readonly requests: { readonly method: string; readonly path: string; readonly body: string; readonly at: number }[];
  readonly bank: Bank;
  readonly folder: string;
  readonly out: string;
  readonly status: number | null;
}

/** A whole run against a sandbox that counts. */
async function counted(
  env: Record<string, string>,
  mutate: (bank: Handler) => Handler = (bank) => bank,
  more: readonly string[] = [],
): Promise<Counted> {
  const bank = createBank();
  const mutated = mutate(bank);
  const requests: Counted['requests'] = [];
  const served = await serve({
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const body = request.method === 'GET' || request.method === 'HEAD' ? '' : await request.clone().text();
      requests.push({ method: request.method, path: pathname, body, at: performance.now() });
      return mutated.fetch(request);
    },
  });
  const folder = reportFolder();
  try {
    const { out, status } = await conformance(
      { ...sandbox(served.url), REPORT_DIR: folder, SEED: '3', ...env },
      undefined,
      more,
    );
    return { requests, bank, folder, out, status };
  } finally {
    await served.close();
  }
}

/** What requests for a thing asked for, whether or not the bank said yes. */
const asked = ({ requests }: Counted, end: string) =>
  requests.filter(({ method, path: at }) => method === 'POST' && at.endsWith(end));

/** Breaks a promise in every answer that creates, so that shrinking has work to do. */
const faulty = (bank: Handler): Handler =>
  editBody(
    'requestLoan',
    (body) => void ((body['data'] as Record<string, unknown>)['result'] = 'perhaps'),
  )(
    editBody(
      'createPaymentLink',
      (body) => void ((body['data'] as Record<string, unknown>)['end_date'] = 'soon'),
    )(bank),
  );

for (const [what, env, caps] of [
  ['the default caps', {}, [61, 40, 64]],
  ['small caps', { MAX_APPLICATIONS: '9', MAX_DISBURSEMENTS: '5', MAX_LINKS: '7' }, [9, 5, 7]],
  ['caps of zero', { MAX_APPLICATIONS: '0', MAX_DISBURSEMENTS: '0', MAX_LINKS: '0' }, [0, 0, 0]],
] as const) {
  for (const [which, mutate] of [
    ['a good bank', undefined],
    ['a bank that makes it shrink', faulty],
  ] as const) {
    test(
      `No more is created than ${what} allow, at ${which}`,
      shownIf((mutate === undefined) === !('MAX_LINKS' in env)),
      async () => {
        const run = await counted({ ...env }, mutate, ['--repeat-each=2']);
        const [applications, disbursements, links] = caps;
        const { state } = run.bank;
        expect(state.applications.size).toBeLessThanOrEqual(applications);
        expect(state.disbursements.length).toBeLessThanOrEqual(disbursements);
        expect(state.links.length).toBeLessThanOrEqual(links);
        if (applications > 9) expect(state.applications.size).toBeGreaterThan(20);
        expect(run.out).toContain(
          `at most ${applications} loan applications, ${disbursements} disbursements of up to 100,000 each, ${links} payment links`,
        );
        const listed = readFileSync(path.join(run.folder, 'created.csv'), 'utf8').trimEnd().split('\r\n').slice(1);
        const kinds = listed.map((line) => line.split(',')[0]);
        if (mutate === undefined) {
          expect(kinds.filter((kind) => kind === 'link').length).toBe(state.links.length);
          for (const { orderId } of state.links) expect(listed.some((line) => line.includes(orderId))).toBe(true);
          expect(kinds.filter((kind) => kind === 'application').length).toBe(state.applications.size);
        }
      },
    );
  }
}

test('No amount is above the cap, not even where the limit of an offer is to be overstepped', async () => {
  const run = await counted({ MAX_AMOUNT: '500' });
  const amounts = run.requests.flatMap(({ body }) => /"amount":\s*(-?[\d.]+)/.exec(body)?.[1] ?? []);
  expect(amounts.length).toBeGreaterThan(50);
  expect(Math.max(...amounts.map(Number))).toBeLessThanOrEqual(500);
  const clause = reportIn(run.folder)?.clauses.find(({ id }) => id === 'loans.over-limit');
  expect(clause).toMatchObject({ verdict: 'inconclusive', why: expect.stringContaining('above MAX_AMOUNT') });
});

test('READ_ONLY sends nothing but GET, creates nothing and says what it left out', async () => {
  const run = await counted({ READ_ONLY: '1' });
  expect(new Set(run.requests.map(({ method }) => method))).toEqual(new Set(['GET']));
  expect(run.bank.state.applications.size + run.bank.state.links.length).toBe(0);
  expect(run.out).toContain('only GET requests are sent');
  expect(run.status).toBe(2);
  const report = reportIn(run.folder);
  expect(report?.verdict).toBe('inconclusive');
  expect(report?.findings).toEqual([]);
});

test('RATE_LIMIT holds at the bank', async () => {
  const [rate, inFlight] = [60, 4];
  const run = await counted({ RATE_LIMIT: `${rate}`, IN_FLIGHT: `${inFlight}`, AREAS: 'atms', RUNS: '2' });
  const at = run.requests.map((one) => one.at);
  expect(at.length).toBeGreaterThan(100);
  // However busy the machine is: beside those whose turn is within the second, only those come that were under way before.
  for (const from of at)
    expect(at.filter((one) => one >= from && one < from + 1000).length).toBeLessThanOrEqual(rate + 1 + inFlight);
});

test('Texts and ids that the suite chooses bear the nonce of the run', async () => {
  const run = await counted({ AREAS: 'payment-links,loans' });
  const texts = asked(run, '/payment-links').flatMap(
    ({ body }) => /"personal_description":"([^"]*)"/.exec(body)?.[1] ?? [],
  );
  const nonces = new Set(texts.map((text) => /^ct-([0-9a-z]+)-\d+/.exec(text)?.[1]));
  expect(texts.length).toBeGreaterThan(10);
  expect(nonces.size).toBe(1);
  const orders = asked(run, '/loans').flatMap(({ body }) => /"order_id":\s*"?([^",}]+)/.exec(body)?.[1] ?? []);
  expect(
    orders.filter((order) => order.startsWith('ct-')).every((order) => order.includes([...nonces][0] as string)),
  ).toBe(true);
  expect(new Set(orders).size).toBeGreaterThan(orders.length * 0.9);
});
