/** Tests faults that only a few requests show: the run must send these requests, and find the fault. */
import { expect, test } from '@playwright/test';
import { createBank } from '../../../fixtures/reference-bank/bank.ts';
import { examineBank } from '../support/examine.ts';

type Body = Readonly<Record<string, unknown>>;
/** Answers a request with the body `sent`, with the answer of the reference bank or with another one. */
type Answer = (
  forward: () => Promise<Response>,
  request: { readonly path: string; readonly sent: Body },
) => Promise<Response>;

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

/** Examines an area of a bank with these answers. Returns the findings, and the ids of the exchanges that created something. */
async function examine(area: string, answer: Answer, bank = createBank()) {
  const fetch = async (request: Request): Promise<Response> => {
    const text = await request.clone().text();
    const sent = parseBody(text) as Body;
    return answer(async () => bank.fetch(request), { path: new URL(request.url).pathname, sent });
  };
  const created: string[] = [];
  const { findings } = await examineBank(
    { fetch },
    {
      env: { AREAS: area, RUNS: '5' },
      onLines: (lines) => created.push(...lines.flatMap((line) => (line.line === 'created' ? line.exchange : []))),
    },
  );
  return { found: findings.map(({ clause, pointer }) => `${clause} ${pointer}`), created };
}

/** Returns the clauses with a finding in an area of a bank with these answers, and where each finding is. */
const examineArea = async (area: string, answer: Answer): Promise<readonly string[]> =>
  (await examine(area, answer)).found;

test('If all limits are above MAX_AMOUNT, the run still sees failed outcomes, by disbursing more than was applied for', async () => {
  const amounts = new Map<string, number>();
  const failed = new Set<string>();
  const found = await examineArea('loans', async (forward, { path, sent }) => {
    const answer = await forward();
    const text = await answer.clone().text();
    if (!answer.ok) return answer;
    if (path.endsWith('/loans')) {
      amounts.set(/"application_id":"(\d+)"/.exec(text)?.[1] ?? '', Number(sent['amount']));
      return Response.json(JSON.parse(text.replaceAll(/("avaliable_limit":)"[^"]*"/g, '$1"900000.00"')));
    }
    const id = String(sent['application_id'] ?? path.split('/').at(-1));
    if (path.endsWith('/disbursements') && Number(sent['amount']) > (amounts.get(id) ?? Infinity)) failed.add(id);
    if (!failed.has(id) || sent['application_id'] !== undefined) return answer;
    return Response.json({ data: { application_id: id, result: 'Failed' }, errors: [{ message: 'R36;' }] });
  });
  expect(found).toContain('loans.outcome.message.code /errors/*/message');
});

test('If the last account on offer is refused in one currency only, there is a finding about account_id', async () => {
  const refused = new Set<string>();
  const found = await examineArea('loans', async (forward, { path, sent }) => {
    if (
      path.endsWith('/disbursements') &&
      refused.has(`${String(sent['application_id'])} ${String(sent['account_id'])}`)
    )
      return Response.json({ error: 'not for this account' }, { status: 422 });
    const answer = await forward();
    if (path.endsWith('/loans') && sent['currency'] === 'EUR') {
      const text = await answer.clone().text();
      const accounts = [...text.matchAll(/"account_id":"(\d+)"/g)].map(([, id = '']) => id);
      if (accounts.length > 1) refused.add(`${/"application_id":"(\d+)"/.exec(text)?.[1]} ${accounts.at(-1)}`);
    }
    return answer;
  });
  expect(found).toContain('loans.disbursement.refusal-explained request/body/account_id');
});

test('If only one of two machines, which serve requests by turns, knows a contract, there is a finding', async () => {
  const machines = new Map<string, number>();
  let count = 0;
  const found = await examineArea('loans', async (forward, { path, sent }) => {
    const machine = (count += 1) % 2;
    const id = String(sent['application_id']);
    if (path.endsWith('/disbursements') && machines.has(id) && machines.get(id) !== machine)
      return Response.json({ error: 'no contract' }, { status: 409 });
    const answer = await forward();
    if (path.endsWith('/contracts') && answer.ok) machines.set(id, machine);
    return answer;
  });
  expect(found).toContain('loans.disbursement.refusal-explained response/status');
});

test('If the bank refuses a disbursement after a step that came too early, and makes it anyway, there is a finding', async () => {
  const refused = new Set<string>();
  const found = await examineArea('loans', async (forward, { path, sent }) => {
    const answer = await forward();
    const id = String(sent['application_id']);
    if (!path.endsWith('/disbursements') || sent['application_id'] === undefined) return answer;
    if (!answer.ok) refused.add(id);
    return answer.ok && refused.has(id) ? Response.json({ error: 'not in this state' }, { status: 409 }) : answer;
  });
  expect(found).toContain('loans.outcome.not-of-a-refused /data/result');
});

test('If descriptions beyond ASCII get 504, there is a finding, although 504 may mean too many requests', async () => {
  const found = await examineArea('payment-links', async (forward, { sent }) =>
    /\P{ASCII}/u.test(String(sent['personal_description']))
      ? Response.json({ error: 'failed' }, { status: 504 })
      : forward(),
  );
  expect(found).toContain('links.link.request.personal-description request/body/personal_description');
});

test('If fractions of a cent and unknown languages are refused, there is a finding about the amount', async () => {
  const found = await examineArea('payment-links', async (forward, { path, sent }) => {
    const cents = Number(sent['amount'] ?? 0) * 100;
    const isRefused = cents !== Math.round(cents) || !['en', 'tr'].includes(String(sent['language_code']));
    return path.endsWith('/payment-links') && isRefused
      ? Response.json({ error: 'refused' }, { status: 400 })
      : forward();
  });
  expect(found).toContain('links.link.refusal-explained request/body/amount');
});

test('If long order ids are refused, no loans are requested only to find out whether they are refused each time', async () => {
  const { created } = await examine('loans', async (forward, { sent }) =>
    String(sent['order_id']).length > 40 ? Response.json({ error: 'too long' }, { status: 400 }) : forward(),
  );
  expect(created.filter((exchange) => exchange.startsWith('taken-each-time-loans'))).toEqual([]);
});

test('A bank with padded ids that disburses before the contract, and refuses a second disbursement, has no finding', async () => {
  const behaviour = {
    loans: { applicationId: { padTo: 20 }, order: { contractRequired: false, secondDisbursement: 'refused' } },
  } as const;
  const { found } = await examine('loans', (forward) => forward(), createBank({ behaviour }));
  expect(found).toEqual([]);
});
