/** Tests the limits on what a run does to the bank, counted at the bank: caps, READ_ONLY, RATE_LIMIT, and who gets secrets. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { createBank, sandboxCredentials, type ReferenceBank } from '../../../fixtures/reference-bank/bank.ts';
import type { Handler } from '../../../fixtures/reference-bank/http/serve.ts';
import type { Report } from '../../../reports/model/report.ts';
import { runConformance, makeSandboxEnv, serveDuring } from '../support/command.ts';
import { examineUrl } from '../support/examine.ts';

interface CountedRequests {
  /** The requests that the bank received. */
  readonly came: {
    readonly method: string;
    readonly path: string;
    readonly body: string;
    readonly authorization: string | null;
    readonly userAgent: string | null;
    readonly at: number;
  }[];
  readonly bank: ReferenceBank;
}

type Mutate = (bank: Handler) => Handler;
type Env = Readonly<Record<string, string>>;

/** Counts requests at a sandbox while `work` judges it. */
async function countRequests<T>(
  work: (url: string) => Promise<T>,
  mutate: Mutate = (bank) => bank,
): Promise<CountedRequests & T> {
  const bank = createBank();
  const mutated = mutate(bank);
  const came: CountedRequests['came'] = [];
  const counting: Handler = {
    async fetch(request) {
      const { method, headers, url } = request;
      const body = method === 'GET' || method === 'HEAD' ? '' : await request.clone().text();
      const credentials = { authorization: headers.get('authorization'), userAgent: headers.get('user-agent') };
      came.push({ method, path: new URL(url).pathname, body, ...credentials, at: performance.now() });
      return mutated.fetch(request);
    },
  };
  return { ...(await serveDuring(counting, work)), came, bank };
}

const examineAndCount = (env: Env, mutate?: Mutate): Promise<CountedRequests & Report> =>
  countRequests((url) => examineUrl(url, { seed: 3, env }), mutate);

/** Returns the values of a field in all requests to paths that end in `end`, even if the bank created nothing. */
const listSentValues = ({ came }: CountedRequests, end: string, field: RegExp): readonly string[] =>
  came.flatMap(({ method, path: at, body }) =>
    method === 'POST' && at.endsWith(end) ? (field.exec(body)?.[1] ?? []) : [],
  );

test('Two runs with the same seed keep the default caps, list what they created, and share no text or id', async () => {
  const env = { SEED: '3', AREAS: 'loans,payment-links' };
  const run = await countRequests((url) =>
    runConformance({ ...makeSandboxEnv(url), ...env }, { more: ['--repeat-each=2'] }),
  );
  const { applications, disbursements, links } = run.bank.state;
  expect(applications.size).toBeLessThanOrEqual(105);
  expect(disbursements.length).toBeLessThanOrEqual(75);
  expect(links.length).toBeLessThanOrEqual(90);
  expect(run.out).toContain('at most 105 loan applications, 75 disbursements of up to 100,000 each, 90 payment links');
  expect(applications.size).toBeGreaterThan(20);
  const listed = readFileSync(path.join(run.folder, 'created.csv'), 'utf8').trimEnd().split('\r\n').slice(1);
  const count = (kind: string) =>
    listed.filter((line) => line.startsWith(`${kind},`) && !line.endsWith(',refused')).length;
  expect([count('application'), count('link')]).toEqual([applications.size, links.length]);
  for (const { orderId } of links) expect(listed.some((line) => line.includes(orderId))).toBe(true);

  const secondRun = await examineAndCount({ AREAS: 'loans,payment-links', RUNS: '1', USER_AGENT: 'acme-shop/4.2' });
  const agents = [run, secondRun].map(({ came }) => [...new Set(came.map(({ userAgent }) => userAgent))]);
  expect(agents).toEqual([['bank-open-api-conformance'], ['acme-shop/4.2']]);
  const sent = [run, secondRun].map((requests) => ({
    texts: listSentValues(requests, '/payment-links', /"personal_description":"([^"]*)"/),
    orders: listSentValues(requests, '/loans', /"order_id":\s*"?([^",}]+)/),
  }));
  for (const { texts, orders } of sent) {
    // At most one payment link of a run has a text without space for the mark. The command ran twice.
    expect(texts.filter((text) => text === '').length).toBeLessThanOrEqual(2);
    const marks = texts.filter((text) => text !== '').map((text) => text.slice(0, 18));
    expect(marks.length).toBeGreaterThan(10);
    expect(marks.filter((mark) => !/^[A-Z][a-z]{4} [0-9A-Z]{12}$/.test(mark))).toEqual([]);
    expect(new Set(marks).size).toBeGreaterThan(0.9 * marks.length);
    expect(new Set(orders).size).toBeGreaterThan(0.9 * orders.length);
  }
  const [ids, idsOfSecondRun] = sent.map(
    ({ texts, orders }) => new Set([...orders, ...texts.map((text) => text.slice(0, 18))]),
  );
  expect([...(ids ?? [])].filter((id) => id !== '' && idsOfSecondRun?.has(id))).toEqual([]);
  for (const { came } of [run, secondRun])
    expect(came.filter(({ body, path: at }) => /\bct-|conformance/i.test(`${at} ${body}`))).toEqual([]);
});

test('With MAX_AMOUNT=500, no request carries a higher amount, not even a disbursement above the limit of an offer', async () => {
  const run = await examineAndCount({ MAX_AMOUNT: '500', AREAS: 'loans,payment-links', RUNS: '1' });
  const amounts = run.came.flatMap(({ body }) => /"amount":\s*"?-?([\d.]+)/.exec(body)?.[1] ?? []);
  expect(amounts.length).toBeGreaterThan(50);
  expect(Math.max(...amounts.map(Number))).toBeLessThanOrEqual(500);
  const clause = run.clauses.find(({ id }) => id === 'loans.over-limit');
  expect(clause).toMatchObject({ verdict: 'inconclusive', why: expect.stringContaining('above MAX_AMOUNT') });
});

test('A run with READ_ONLY sends only GET requests, creates nothing, and judges the operations that they reach', async () => {
  const run = await examineAndCount({ READ_ONLY: '1', RUNS: '1' });
  expect(new Set(run.came.map(({ method }) => method))).toEqual(new Set(['GET']));
  expect(run.bank.state.applications.size + run.bank.state.links.length).toBe(0);
  expect([run.gate.exitStatus, run.headline]).toEqual([0, 'conformant (read-only operations)']);
  expect(run.reasons.join()).toMatch(
    /READ_ONLY left out validateLoan, .* and createPaymentLink; queryDisbursement is a GET, but only disburse gives/,
  );
  expect(run.target.operations).toEqual([
    ...['listMerchants', 'listCurrencies', 'listBranches', 'listInstallments'],
    'findAtms',
  ]);
  expect(run.notExercised.operations).toEqual([]);
});

test('With RATE_LIMIT=200, the bank never gets more than 200 requests per second', async () => {
  const rate = 200;
  const from = performance.now();
  const { came } = await examineAndCount({ RATE_LIMIT: `${rate}`, AREAS: 'atms', RUNS: '2' });
  expect(came.length).toBeGreaterThan(100);
  // A request may be late, but never early. Timers are exact to a millisecond.
  const early = came.filter(({ at }, nth) => at - from < (nth * 1000) / rate - 5);
  expect(early).toEqual([]);
});

const REAL_TOKEN = `Bearer ${sandboxCredentials.accessToken}`;

const makeLocatorAnswering =
  (status: number) =>
  (bank: Handler): Handler => ({
    fetch: (request, ...more) =>
      request.url.includes('/atms') && request.headers.get('authorization') !== REAL_TOKEN
        ? Response.json({ error: 'no' }, { status })
        : bank.fetch(request, ...more),
  });

for (const [what, env, mutate] of [
  ['refuses every query with 403', {}, makeLocatorAnswering(403)],
  ['refuses every query with 404', { PROBE_CREDENTIALS: '0' }, makeLocatorAnswering(404)],
] as const)
  test(`An ATM locator that ${what} never gets the access token of the other areas`, async () => {
    const { came } = await examineAndCount({ AREAS: 'atms', RUNS: '1', ...env }, mutate);
    const tokens = came.filter(({ authorization }) => authorization !== null);
    expect(came.length).toBeGreaterThan(5);
    expect(tokens.filter(({ authorization }) => authorization === REAL_TOKEN)).toEqual([]);
    if ('PROBE_CREDENTIALS' in env) expect(tokens).toEqual([]);
  });

test('The ATM locator gets a made-up token at the end of the run, and the real token only if it answers 401 without one', async () => {
  const { came, observations } = await examineAndCount({ AREAS: 'atms', RUNS: '1' });
  const placesWithToken = came.flatMap(({ authorization }, index) => (authorization === null ? [] : [index]));
  expect(observations.filter(({ point }) => point === 'atms.authorization-minded')).toMatchObject([
    { about: 'with a made-up access token' },
  ]);
  expect(placesWithToken.length).toBeGreaterThan(0);
  expect(Math.min(...placesWithToken)).toBeGreaterThan(0.8 * came.length);
  expect(came.filter(({ authorization }) => authorization === REAL_TOKEN)).toEqual([]);
  const locked = await examineAndCount({ AREAS: 'atms', RUNS: '1' }, makeLocatorAnswering(401));
  expect(locked.findings.map(({ clause }) => clause)).toContain('atms.header.no-authorization');
  expect(locked.came.findIndex(({ authorization }) => authorization === REAL_TOKEN)).toBeGreaterThan(0);
});
