/** Limits on what a run does to its target, counted at the target: caps, READ_ONLY, RATE_LIMIT, and who gets secrets. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { composeMutations, editMemberAt } from '../../../fixtures/banks/lib/intercept.ts';
import { set } from '../../../fixtures/banks/lib/mutators.ts';
import { createBank, sandboxCredentials, type Bank } from '../../../fixtures/reference-bank/bank.ts';
import type { Handler } from '../../../fixtures/reference-bank/http/serve.ts';
import type { Report } from '../../../reports/model/report.ts';
import { runConformance, makeSandboxEnv, serveDuring, type Ran } from '../support/command.ts';
import { examineUrl } from '../support/examine.ts';
import { thoroughUnless } from '../support/thorough.ts';

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
  readonly bank: Bank;
}

/** Counts requests at a sandbox while `work` judges it. */
async function countRequests<T>(
  work: (url: string) => Promise<T>,
  mutate: (bank: Handler) => Handler = (bank) => bank,
): Promise<CountedRequests & T> {
  const bank = createBank();
  const mutated = mutate(bank);
  const came: CountedRequests['came'] = [];
  const counting: Handler = {
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const body = request.method === 'GET' || request.method === 'HEAD' ? '' : await request.clone().text();
      const authorization = request.headers.get('authorization');
      const userAgent = request.headers.get('user-agent');
      came.push({ method: request.method, path: pathname, body, authorization, userAgent, at: performance.now() });
      return mutated.fetch(request);
    },
  };
  return { ...(await serveDuring(counting, work)), came, bank };
}

type Env = Readonly<Record<string, string>>;

/** Runs the command, and the same judgement in this process. */
const runCommand = (
  env: Env,
  mutate?: (bank: Handler) => Handler,
  more: readonly string[] = [],
): Promise<CountedRequests & Ran> =>
  countRequests((url) => runConformance({ ...makeSandboxEnv(url), SEED: '3', ...env }, { more }), mutate);
const examineAndCount = (env: Env, mutate?: (bank: Handler) => Handler): Promise<CountedRequests & Report> =>
  countRequests((url) => examineUrl(url, { seed: 3, env }), mutate);

/** Counts the requests that asked the bank to create something, even if the bank did not create it. */
const countRequestsFor = ({ came }: CountedRequests, end: string) =>
  came.filter(({ method, path: at }) => method === 'POST' && at.endsWith(end));

/** Breaks a promise in every answer that creates something, so that the suite shrinks the case. */
const mutateCreations = composeMutations(
  editMemberAt('requestLoan', '/data/result', set('perhaps')),
  editMemberAt('createPaymentLink', '/data/end_date', set('soon')),
);

for (const [what, env, caps, mutate] of [
  ['the default caps allow', {}, [97, 75, 90], undefined],
  ['the default caps allow, at a bank that makes it shrink', {}, [97, 75, 90], mutateCreations],
  ['small caps allow', { MAX_APPLICATIONS: '9', MAX_DISBURSEMENTS: '5', MAX_LINKS: '7' }, [9, 5, 7], mutateCreations],
  ['caps of zero allow', { MAX_APPLICATIONS: '0', MAX_DISBURSEMENTS: '0', MAX_LINKS: '0' }, [0, 0, 0], undefined],
] as const)
  // The other caps differ only in a number; other tests examine probing under caps of zero.
  test(`No more is created than ${what}`, thoroughUnless(mutate === undefined && !('MAX_LINKS' in env)), async () => {
    const run = await runCommand({ ...env, AREAS: 'loans,payment-links' }, mutate, ['--repeat-each=2']);
    const { applications, disbursements, links } = run.bank.state;
    const made = [applications.size, disbursements.length, links.length];
    made.forEach((count, at) => expect(count).toBeLessThanOrEqual(caps[at] ?? 0));
    if (caps[0] > 9) expect(made[0]).toBeGreaterThan(20);
    expect(run.out).toContain(
      `at most ${caps[0]} loan applications, ${caps[1]} disbursements of up to 100,000 each, ${caps[2]} payment links`,
    );
    if (mutate !== undefined) return;
    const listed = readFileSync(path.join(run.folder, 'created.csv'), 'utf8').trimEnd().split('\r\n').slice(1);
    const count = (kind: string) => listed.filter((line) => line.startsWith(`${kind},`)).length;
    expect([count('application'), count('link')]).toEqual([made[0], made[2]]);
    for (const { orderId } of links) expect(listed.some((line) => line.includes(orderId))).toBe(true);
  });

test('No amount is above the cap, not even in a probe of the limit of an offer', async () => {
  const run = await examineAndCount({ MAX_AMOUNT: '500', AREAS: 'loans,payment-links' });
  const amounts = run.came.flatMap(({ body }) => /"amount":\s*(-?[\d.]+)/.exec(body)?.[1] ?? []);
  expect(amounts.length).toBeGreaterThan(50);
  expect(Math.max(...amounts.map(Number))).toBeLessThanOrEqual(500);
  const clause = run.clauses.find(({ id }) => id === 'loans.over-limit');
  expect(clause).toMatchObject({ verdict: 'inconclusive', why: expect.stringContaining('above MAX_AMOUNT') });
});

test('READ_ONLY sends only GET, creates nothing, and judges what GET requests reach', async () => {
  const run = await runCommand({ READ_ONLY: '1', RUNS: '3' });
  expect(new Set(run.came.map(({ method }) => method))).toEqual(new Set(['GET']));
  expect(run.bank.state.applications.size + run.bank.state.links.length).toBe(0);
  expect(run.out).toContain('only GET requests are sent');
  expect([run.status, run.report?.headline]).toEqual([0, 'conformant (read-only operations)']);
  expect(run.report?.reasons.join()).toMatch(
    /READ_ONLY left out validateLoan, .* and createPaymentLink; queryDisbursement is a GET, but only disburse gives/,
  );
  expect(run.report?.target.operations).toEqual([
    ...['listMerchants', 'listCurrencies', 'listBranches', 'listInstallments'],
    'findAtms',
  ]);
  expect(run.report?.notExercised.operations).toEqual([]);
});

test('RATE_LIMIT holds at the bank', async () => {
  const rate = 200;
  const from = performance.now();
  const { came } = await examineAndCount({ RATE_LIMIT: `${rate}`, AREAS: 'atms', RUNS: '2' });
  expect(came.length).toBeGreaterThan(100);
  // A request may come late, but never before its turn. Timers are exact to a millisecond.
  const early = came.filter(({ at }, nth) => at - from < (nth * 1000) / rate - 5);
  expect(early).toEqual([]);
});

test('Texts and ids that the suite chooses are new in each run, and look like those of any client', async () => {
  const run = await examineAndCount({ AREAS: 'payment-links,loans' });
  const texts = countRequestsFor(run, '/payment-links').flatMap(
    ({ body }) => /"personal_description":"([^"]*)"/.exec(body)?.[1] ?? [],
  );
  // At most one link has a text without room for the run's mark.
  expect(texts.filter((text) => text === '').length).toBeLessThanOrEqual(1);
  const marked = texts.filter((text) => text !== '');
  expect(marked.length).toBeGreaterThan(10);
  const references = new Set(marked.map((text) => /^[A-Z][a-z]{4} EXAMINED[0-9A-Z]{4}(?= |$)/.exec(text)?.[0]));
  expect(references.has(undefined)).toBe(false);
  expect(new Set(marked.map((text) => text.slice(0, 18))).size).toBeGreaterThan(0.9 * marked.length);
  const orders = countRequestsFor(run, '/loans').flatMap(
    ({ body }) => /"order_id":\s*"?([^",}]+)/.exec(body)?.[1] ?? [],
  );
  expect(new Set(orders).size).toBeGreaterThan(orders.length * 0.9);
  expect(run.came.filter(({ body, path: at }) => /\bct-|conformance/i.test(`${at} ${body}`))).toEqual([]);
});

test('Two runs of one seed share no order id and no reference, and use the name that USER_AGENT gives', async () => {
  const sent = async (env: Env): Promise<CountedRequests> =>
    runCommand({ AREAS: 'loans,payment-links', RUNS: '2', ...env });
  const [one, other] = [await sent({}), await sent({ USER_AGENT: 'acme-shop/4.2' })];
  const idsIn = ({ came }: CountedRequests): ReadonlySet<string> =>
    new Set(
      came.flatMap(({ body }) => /"(?:order_id|personal_description)":\s*("[^"]{1,18}|\d+)/.exec(body)?.[1] ?? []),
    );
  expect(idsIn(one).size).toBeGreaterThan(20);
  expect([...idsIn(one)].filter((id) => idsIn(other).has(id))).toEqual([]);
  const names = ({ came }: CountedRequests): readonly (string | null)[] => [
    ...new Set(came.map(({ userAgent }) => userAgent)),
  ];
  expect([names(one), names(other)]).toEqual([['bank-open-api-conformance'], ['acme-shop/4.2']]);
});

const REAL_TOKEN = `Bearer ${sandboxCredentials.accessToken}`;

/** Makes a locator that gives this answer to every documented query. */
const makeLocatorAnswering =
  (status: number) =>
  (bank: Handler): Handler => ({
    fetch: (request, ...more) =>
      request.url.includes('/atms') && request.headers.get('authorization') !== REAL_TOKEN
        ? Response.json({ error: 'no' }, { status })
        : bank.fetch(request, ...more),
  });

for (const [what, env, mutate] of [
  ['answers as documented', {}, undefined],
  ['refuses every query with 400', {}, makeLocatorAnswering(400)],
  ['refuses every query with 403', {}, makeLocatorAnswering(403)],
  ['refuses every query with 404', { PROBE_CREDENTIALS: '0' }, makeLocatorAnswering(404)],
  ['crashes with 500', {}, makeLocatorAnswering(500)],
] as const)
  test(`The token of the other areas never goes to a locator that ${what}`, async () => {
    const { came } = await examineAndCount({ AREAS: 'atms', RUNS: '2', ...env }, mutate);
    const tokens = came.filter(({ authorization }) => authorization !== null);
    expect(came.length).toBeGreaterThan(5);
    expect(tokens.filter(({ authorization }) => authorization === REAL_TOKEN)).toEqual([]);
    if ('PROBE_CREDENTIALS' in env) expect(tokens).toEqual([]);
  });

test('The locator gets a made-up token last of all, and the real token only if it answers 401 without one', async () => {
  const { came, observations } = await examineAndCount({ AREAS: 'atms', RUNS: '2' });
  const asked = came.flatMap(({ authorization }, index) => (authorization === null ? [] : [index]));
  expect(observations.filter(({ point }) => point === 'atms.authorization-minded')).toMatchObject([
    { about: 'with a made-up access token' },
  ]);
  expect(asked.length).toBeGreaterThan(0);
  expect(Math.min(...asked)).toBeGreaterThan(0.8 * came.length);
  const locked = await examineAndCount({ AREAS: 'atms', RUNS: '2' }, makeLocatorAnswering(401));
  expect(locked.findings.map(({ clause }) => clause)).toContain('atms.header.no-authorization');
  expect(locked.came.findIndex(({ authorization }) => authorization === REAL_TOKEN)).toBeGreaterThan(0);
});
