/** Tests that the caps hold whatever the bank answers to requests that create. The bank itself counts what it created. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { findCreatedKind } from '../../../../fixtures/run/client/created-resources.ts';
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import { MAX_REQUESTS_PER_CREATED } from '../../../../fixtures/run/config/variables/index.ts';
import type { Created } from '../../../../openapi/api.ts';
import type { JournalLine } from '../../../../openapi/model/journal.ts';
import type { Report } from '../../../../reports/model/report.ts';
import { writeCreatedCsv } from '../../../../reports/write-report.ts';
import { loadScenarios } from '../../../index.ts';
import { examineUrl, createInstantClock } from '../../support/examine.ts';
import { closeAllServers, startHttpServer } from '../../support/servers.ts';
import { LOAN_REQUEST as loan, runScenarioOnServer } from '../../support/scenario-harness.ts';

test.afterEach(closeAllServers);

/** Sends a misleading answer, whether or not something was created. */
type Lie = (response: ServerResponse, body: string) => unknown;

const answerStatus =
  (status: number, headers: Record<string, string> = {}): Lie =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end('{"message":"no"}');

/** Statuses with which a bank may hide what it has created, some with Retry-After. */
const hidingStatuses: readonly (readonly [status: number, headers?: Record<string, string>])[] = [
  ...[200, 408, 409, 425, 429, 500, 502, 503].map((status) => [status] as const),
  ...[403, 429, 503].map((status) => [status, { 'retry-after': status === 429 ? '0' : '1' }] as const),
  [302, { location: '/elsewhere' }],
];

const misleadingAnswers: Readonly<Record<string, Lie>> = {
  ...Object.fromEntries(hidingStatuses.map((item) => [JSON.stringify(item), answerStatus(...item)])),
  '204': (response) => response.writeHead(204).end(),
  'false, but with the created data': (response, body) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(body.replace('"result":"true"', '"result":"false"').replace('"is_success":true', '"is_success":false')),
  'a connection reset': (response) => response.destroy(),
  'no answer in time': () => null,
  'a truncated body': (response, body) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
    response.write(body.slice(0, body.length / 2), () => response.destroy());
  },
  '100 Continue and then 500': (response, body) => {
    response.writeContinue();
    answerStatus(500)(response, body);
  },
};

/** On a busy machine, other answers are late too: the run may then end before it creates anything. */
const SHORT_TIMEOUT = { TIMEOUT_MS: '300' };

const createdKinds: readonly Created[] = ['applications', 'disbursements', 'links'];
const pathEnds = { applications: '/loans', disbursements: '/disbursements', links: '/payment-links' } as const;
type Counts = Record<Created, number>;

/**
 * Makes a bank that creates what was requested, and then sends the misleading answer of `lieOf` to the nth creating request (from
 * 1), or the true answer if `lieOf` returns null.
 */
async function startLyingBank(chooseLie: (nth: number) => Lie | null): Promise<{ url: string; made: () => Counts }> {
  const bank = createBank();
  let nth = 0;
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = 'GET', url = '/' } = request;
    const body = Buffer.concat(chunks);
    const headers = request.headers as Record<string, string>;
    const answer = await bank.fetch(
      new Request(`http://bank${url}`, { method, headers, ...(body.length > 0 ? { body } : {}) }),
    );
    const text = await answer.text();
    const creates = answer.ok && method === 'POST' && createdKinds.some((kind) => url.endsWith(pathEnds[kind]));
    const lie = creates ? chooseLie((nth += 1)) : null;
    if (lie === null) response.writeHead(answer.status, [...answer.headers].flat()).end(text);
    else lie(response, text);
  };
  const port = await startHttpServer((request, response) => void serve(request, response));
  const { applications, disbursements, links } = bank.state;
  return {
    url: `http://127.0.0.1:${port}`,
    made: () => ({ applications: applications.size, disbursements: disbursements.length, links: links.length }),
  };
}

const caps = { applications: 6, disbursements: 4, links: 5 } as const;
const env = {
  MAX_APPLICATIONS: `${caps.applications}`,
  MAX_DISBURSEMENTS: `${caps.disbursements}`,
  MAX_LINKS: `${caps.links}`,
  AREAS: 'loans,payment-links',
  RUNS: '2',
};

/** Returns what is wrong with the resources at a bank: more than a cap, or resources that its reports do not list. */
function listFaultsBeyondCaps(made: Counts, reports: readonly Report[], maxCounts: Counts = caps): readonly string[] {
  const listed = reports.flatMap(({ createdResources }) => createdResources.items);
  return createdKinds.flatMap((kind) => {
    const rows = listed.filter(({ what }) => `${what}s` === kind).length;
    return [
      ...(made[kind] > maxCounts[kind] ? [`${made[kind]} ${kind} under a cap of ${maxCounts[kind]}`] : []),
      ...(rows < made[kind] ? [`${rows} of ${made[kind]} ${kind} are listed`] : []),
      ...(rows > maxCounts[kind] ? [`${rows} ${kind} are listed under a cap of ${maxCounts[kind]}`] : []),
    ];
  });
}

const examineLyingBank = (url: string, more: Parameters<typeof examineUrl>[1] = {}): Promise<Report> =>
  examineUrl(url, { overlap: true, clock: createInstantClock(), ...more, env: { ...env, ...more.env } });

test('For random misleading answers, a run creates no more than the caps, and lists all that was created', async () => {
  const lie = fc.constantFrom(null, ...Object.values(misleadingAnswers));
  await fc.assert(
    fc.asyncProperty(fc.array(lie, { minLength: 40, maxLength: 40 }), fc.integer(), async (drawn, seed) => {
      const { url, made } = await startLyingBank((nth) => drawn[nth % drawn.length] ?? null);
      expect(listFaultsBeyondCaps(made(), [await examineLyingBank(url, { seed, env: SHORT_TIMEOUT })])).toEqual([]);
    }),
    { numRuns: 3, endOnFailure: true },
  );
});

test('Two shards together create no more than the caps, and a replay creates no more than a run', async () => {
  const { url, made } = await startLyingBank((nth) =>
    nth % 3 === 0 ? null : answerStatus(429, { 'retry-after': '0' }),
  );
  const ids = loadScenarios().map(({ id }) => id);
  const isFirst = (id: string): boolean => ids.indexOf(id) < ids.length / 2;
  const halves = [ids.filter(isFirst), ids.filter((id) => !isFirst(id))];
  const reports = await Promise.all(halves.map((without) => examineLyingBank(url, { without })));
  expect(listFaultsBeyondCaps(made(), reports)).toEqual([]);
  const replay = await examineLyingBank(url, { env: { REPLAY: 'loan-flow,link-every-choice' } });
  const twice = { applications: 12, disbursements: 8, links: 10 };
  expect(listFaultsBeyondCaps(made(), [...reports, replay], twice)).toEqual([]);
});

test('If the bank creates and answers 401, the request with the renewed token counts against the caps too', async () => {
  const { url, made } = await startLyingBank((nth) => (nth % 2 === 1 ? answerStatus(401) : null));
  // The clock advances, because a token is renewed at most once a minute.
  const { now, sleep } = createInstantClock();
  let minutes = 0;
  const clock = { now: () => now() + (minutes += 1) * 61_000, sleep };
  const command = { ACCESS_TOKEN: '', ACCESS_TOKEN_COMMAND: 'echo token-9b2e' };
  expect(listFaultsBeyondCaps(made(), [await examineLyingBank(url, { clock, env: command })])).toEqual([]);
  expect(made().links).toBeGreaterThan(0);
});

const allCaps = { applications: 10, disbursements: 10, links: 10 };

test('An invalid request with an amount above MAX_AMOUNT, in any spelling and at any place of its body, is not sent', async () => {
  const { received } = await runScenarioOnServer(
    async ({ bank }) => {
      const values = { ...loan, amount: 100 };
      const { amount: _, ...others } = values;
      for (const body of [
        '{"data": {"Amount" : 500.01}}',
        '{"amount": 6e2,',
        { ...values, amount: '501' },
        { ...values, amount: -500.25 },
        { ...values, amount: '1.250' },
        { ...values, amount: "-1'250,50" },
        { ...values, amount: [{ value: '12 500' }] },
        { ...values, amount: '١٢٥٠٫٥' },
        { ...values, amount: '５０１' },
        '{"amount": "\\u0665\\u0660\\u0661"}',
        { ...others, total: 501 },
        'order_id=77&amount=%2B501',
        '{"currency": {"limit": 501}}',
      ])
        expect((await bank.ask('requestLoan', values, { mutate: (draft) => ({ ...draft, body }) })).reasonNotSent).toBe(
          'the amount is above MAX_AMOUNT',
        );
    },
    { env: { MAX_AMOUNT: '500' }, creates: allCaps },
  );
  expect(received).toEqual([]);
});

test('An invalid request with a long id or number, but no amount above MAX_AMOUNT, is sent', async () => {
  const values = { ...loan, amount: 100, order_id: '9000000001' };
  const { order_id, amount, ...others } = values;
  const bodies = [
    { ...values, amount: '500.00' },
    { ...values, amount: -500 },
    { ...values, amount: 5e2 },
    { ...others, amount, orderId: order_id },
    { ...others, amount, order: Number(order_id) },
    `{"order_id": "0000${order_id}", "personal_description": "pays 70000, or \\"80000\\"", "amount" : 4.99e+2`,
    `amount=100&merchant_no=123456&order_id=${order_id}`,
  ];
  const { received } = await runScenarioOnServer(
    async ({ bank }) => {
      for (const body of bodies)
        expect((await bank.ask('requestLoan', values, { mutate: (draft) => ({ ...draft, body }) })).reasonNotSent).toBe(
          null,
        );
    },
    { env: { MAX_AMOUNT: '500' }, creates: allCaps },
  );
  expect(received).toHaveLength(bodies.length);
});

test('A request to the path of payment links counts against MAX_LINKS, whatever its operation, method or letter case', async () => {
  const path = '/api/bank/card/paybylink/v1/payment-links';
  const patchRequest = { method: 'PATCH', path: `${path.toUpperCase()}/?a=b`, headers: {}, body: null };
  expect(findCreatedKind('listMerchants', patchRequest)).toBe('links');
  const { received } = await runScenarioOnServer(
    async ({ bank }) => {
      const ask = (method: string) =>
        bank.ask('listMerchants', {}, { mutate: (draft) => ({ ...draft, method, path }) });
      expect((await ask('POST')).outcome).not.toBe('not-sent');
      expect((await ask('GET')).outcome).not.toBe('not-sent');
      expect((await ask('PUT')).reasonNotSent).toBe('the cap on links is reached');
    },
    { creates: { links: 1 }, env: { MAX_LINKS: '1' }, answer: () => ({ status: 500, body: {} }) },
  );
  expect(received).toHaveLength(2);
});

/** The lines of a journal about creations. Without a line about the answer, a resource is listed as possibly created. */
const listCreationLines = (lines: readonly JournalLine[]): readonly JournalLine[] =>
  lines.filter(({ line }) => line.startsWith('creat'));

test('If a scenario ends while its loan request is in flight, the application is listed as perhaps created', async () => {
  let noteArrival = (): void => {};
  const requestArrived = new Promise<void>((resolve) => (noteArrival = resolve));
  const { lines } = await runScenarioOnServer(
    async ({ bank }) => {
      void bank.requestLoan(loan).catch(() => {});
      await requestArrived;
    },
    { creates: allCaps, answer: () => (noteArrival(), undefined) },
  );
  expect(listCreationLines(lines)).toMatchObject([{ line: 'creation-sent', what: 'application', id: loan.order_id }]);
});

test('A refusal after the end of its scenario gives no budget back, and the application is listed as perhaps created', async () => {
  let noteArrival = (): void => {};
  const requestArrived = new Promise<void>((resolve) => (noteArrival = resolve));
  const { lines } = await runScenarioOnServer(
    async ({ bank, run }) => {
      const answer = bank.requestLoan(loan);
      await requestArrived;
      run.end(0);
      const left = run.budget.countLeft('applications');
      expect((await answer).status).toBe(422);
      expect(run.budget.countLeft('applications')).toBe(left);
    },
    { creates: allCaps, answer: () => (noteArrival(), { status: 422, body: { message: 'no' } }) },
  );
  expect(listCreationLines(lines)).toMatchObject([{ line: 'creation-sent' }]);
});

test('After the end of a scenario, a creating request is not sent, because no log can record it; a GET is sent', async () => {
  const { received } = await runScenarioOnServer(
    async ({ bank, run }) => {
      run.end(0);
      expect((await bank.requestLoan(loan)).outcome).toBe('not-sent');
      expect((await bank.listMerchants()).outcome).not.toBe('not-sent');
    },
    { creates: allCaps },
  );
  expect(received.map(({ method }) => method)).toEqual(['GET']);
});

test('A bank that creates and answers 422 gets at most five requests for each place in a cap, all listed as refused', async () => {
  const { url, made } = await startLyingBank(() => answerStatus(422));
  const report = await examineLyingBank(url);
  const { items, refused = [] } = report.createdResources;
  for (const kind of ['applications', 'links'] as const) {
    const rows = refused.filter(({ what, id }) => `${what}s` === kind && id !== '');
    expect(made()[kind]).toBeGreaterThan(caps[kind]);
    expect(made()[kind]).toBeLessThanOrEqual(rows.length);
    expect(rows.length).toBeLessThanOrEqual(MAX_REQUESTS_PER_CREATED * caps[kind]);
  }
  expect(items.filter(({ what }) => what !== 'contract')).toEqual([]);
  const states = writeCreatedCsv(report).split(/,|\r\n/);
  expect(states.indexOf('refused')).toBeGreaterThan(states.lastIndexOf('created'));
});
