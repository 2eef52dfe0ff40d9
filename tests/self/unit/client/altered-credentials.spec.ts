import { execFileSync } from 'node:child_process';
import { expect, test } from '@playwright/test';
import { createBank, sandboxCredentials } from '../../../../fixtures/reference-bank/bank.ts';
import { passing } from '../../../../fixtures/banks/lib/serving.ts';
import type { Handler } from '../../../../fixtures/banks/lib/mutant.ts';
import { withHeaders } from '../../../../fixtures/banks/lib/exchange.ts';
import { bearsDataOf } from '../../../../openapi/history/answer-data.ts';
import { exchange } from '../../support/judge-harness.ts';
import { curl } from '../../../../reports/text/curl.ts';
import { examine } from '../../support/examine.ts';

const { clientSecret } = sandboxCredentials;

/** A locator that takes every secret of which `shown` is true; it notes those that it was shown. */
function locator(takes: (shown: string) => boolean, seen: Set<string> = new Set()): Handler {
  const bank = createBank();
  return {
    async fetch(request) {
      const shown = request.headers.get('x-gw-client-secret') ?? '';
      seen.add(shown);
      return bank.fetch(
        takes(shown) ? withHeaders(request, (own) => own.set('x-gw-client-secret', clientSecret)) : request,
      );
    },
  };
}

test('Wrong credentials that resemble the right ones are sent, and none with PROBE_CREDENTIALS=0', async () => {
  const seen = new Set<string>();
  await examine(
    locator(() => false, seen),
    { env: { AREAS: 'atms', RUNS: '1' } },
  );
  for (const altered of ['secret-5f1', 'secret-5f1cx', 'SECRET-5F1C']) expect(seen).toContain(altered);
  const quiet = new Set<string>();
  await examine(
    locator(() => false, quiet),
    { env: { AREAS: 'atms', RUNS: '1', PROBE_CREDENTIALS: '0' } },
  );
  expect([...quiet]).toEqual([clientSecret]);
});

for (const [asked, status, env] of [
  ['with PROBE_CREDENTIALS=0', 400, { PROBE_CREDENTIALS: '0' }],
  ['where the bank looked at the content and takes the credentials elsewhere', 422, {}],
] as const)
  test(`Links that are never made are asked about with the right credentials alone, ${asked}`, async () => {
    const bank = createBank();
    const shown = new Set<string | null>();
    const withoutLinks: Handler = {
      fetch(request) {
        if (!request.url.endsWith('/payment-links')) return bank.fetch(request);
        for (const name of ['x-gw-client-id', 'x-gw-client-secret', 'authorization'])
          shown.add(request.headers.get(name));
        return Promise.resolve(Response.json({ message: 'no' }, { status }));
      },
    };
    await examine(withoutLinks, { env: { AREAS: 'payment-links', RUNS: '1', ...env } });
    expect(shown.size).toBe(3);
  });

for (const [how, takes, altered] of [
  ['cut', (shown) => shown === 'secret-5f1', 'secret-5f1'],
  ['longer', (shown) => shown === 'secret-5f1cx', 'secret-5f1cx'],
  ['case swapped', (shown) => shown === 'SECRET-5F1C', 'SECRET-5F1C'],
] as const satisfies readonly (readonly [string, (shown: string) => boolean, string])[])
  test(`Evidence of an altered credential hides it, and its curl line sends it (${how})`, async () => {
    const report = await examine(locator(takes), { env: { AREAS: 'atms', RUNS: '1' } });
    const found = report.findings.find(({ clause }) => clause === 'atms.credentials.client-secret');
    const record = report.exchanges[found?.exchange ?? ''];
    expect(record?.request.headers['X-GW-client-secret']).toContain('CLIENT_SECRET');
    expect(JSON.stringify(report)).not.toContain(altered);
    const [field] = /-H 'X-GW-client-secret: '"[^ ].*?"x?(?= -H)/.exec(record ? curl(record) : '') ?? [''];
    const sent = execFileSync('bash', ['-c', `printf '%s\\n' ${field}`], {
      env: { ...process.env, CLIENT_SECRET: clientSecret },
    });
    expect(String(sent)).toBe(`-H\nX-GW-client-secret: ${altered}\n`);
  });

test('A refusal that repeats an altered credential reflects no credential', async () => {
  const report = await examine(
    passing(createBank(), (response, _nth, request) => {
      const shown = request.headers.get('x-gw-client-secret');
      return !response.ok && shown !== clientSecret
        ? Response.json({ error: `Unknown secret ${shown}` }, { status: 401 })
        : response;
    }),
    { env: { AREAS: 'atms', RUNS: '1' } },
  );
  expect(report.findings.map(({ clause }) => clause)).not.toContain('service.credentials-not-reflected');
});

test('A refusal bears the data of a request where it is the same, and holds some', () => {
  const bears = (refused: unknown, given: unknown): boolean =>
    bearsDataOf(
      exchange('listCurrencies', { data: refused }, { status: 401 }),
      exchange('listCurrencies', { data: given }),
    );
  const given = { currencies: [{ code: 'EUR' }] };
  expect(bears(given, given)).toBe(true);
  for (const other of [null, {}, [], { currencies: [] }, { code: 'E401', message: 'who are you' }])
    expect([other, bears(other, given)]).toEqual([other, false]);
  for (const empty of [{}, [], { currencies: [] }]) expect([empty, bears(empty, empty)]).toEqual([empty, false]);
});
