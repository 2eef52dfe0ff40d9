/** Tests wrong credentials that are similar to the right ones: when they are sent, and how reports show them. */
import { execFileSync } from 'node:child_process';
import { expect, test } from '@playwright/test';
import { changeResponses, refuseWhen } from '../../../../fixtures/banks/lib/serving.ts';
import { withHeaders } from '../../../../fixtures/banks/lib/exchange.ts';
import type { Handler } from '../../../../fixtures/banks/lib/mutant.ts';
import { createBank, sandboxCredentials } from '../../../../fixtures/reference-bank/bank.ts';
import { writeCurl } from '../../../../reports/text/curl.ts';
import { examineBank, listFindings } from '../../support/examine.ts';

const { clientSecret } = sandboxCredentials;
const env = { AREAS: 'atms', RUNS: '1' };

/** Makes an ATM locator that accepts a secret if `takes` is true, and records the secrets that it received. */
function makeLocator(takes: (shown: string) => boolean, seen: Set<string> = new Set()): Handler {
  const bank = createBank();
  return {
    async fetch(request) {
      const shown = request.headers.get('x-gw-client-secret') ?? '';
      seen.add(shown);
      const right = () => withHeaders(request, (own) => own.set('x-gw-client-secret', clientSecret));
      return bank.fetch(takes(shown) ? right() : request);
    },
  };
}

test('Wrong credentials that resemble the right ones are sent, and none with PROBE_CREDENTIALS=0', async () => {
  const listSeen = async (more = {}): Promise<readonly string[]> => {
    const seen = new Set<string>();
    const locator = makeLocator(() => false, seen);
    await examineBank(locator, { env: { ...env, ...more } });
    return [...seen];
  };
  expect(await listSeen()).toEqual(expect.arrayContaining(['secret-5f1', 'secret-5f1cx', 'SECRET-5F1C']));
  expect(await listSeen({ PROBE_CREDENTIALS: '0' })).toEqual([clientSecret]);
});

test('If no link can be made, but credentials are accepted elsewhere, only the right ones are sent', async () => {
  const bank = createBank();
  const shown = new Set<string | null>();
  const withoutLinks = refuseWhen('createPaymentLink', 422, 'no', ({ request: { headers } }) => {
    for (const name of ['x-gw-client-id', 'x-gw-client-secret', 'authorization']) shown.add(headers.get(name));
    return true;
  })(bank);
  await examineBank(withoutLinks, { env: { AREAS: 'payment-links', RUNS: '1' } });
  expect(shown.size).toBe(3);
});

test('The right secret goes under another name only while no documented request of its operation is accepted', async () => {
  const bank = createBank();
  /** Returns the names of the header fields that had the secret. `takes` selects the requests that the bank accepts. */
  async function listNames(takes: (query: URLSearchParams) => boolean, more = {}): Promise<readonly string[]> {
    const names = new Set<string>();
    const handler: Handler = {
      fetch(request) {
        for (const [name, value] of request.headers) if (value === clientSecret) names.add(name);
        return takes(new URL(request.url).searchParams)
          ? bank.fetch(request)
          : Promise.resolve(Response.json({ message: 'no' }, { status: 400 }));
      },
    };
    await examineBank(handler, { env: { ...env, ...more } });
    return [...names];
  }
  expect((await listNames(() => false)).length).toBeGreaterThan(1);
  expect(await listNames(() => false, { PROBE_CREDENTIALS: '0' })).toEqual(['x-gw-client-secret']);
  expect(await listNames((query) => query.has('latitude'))).toEqual(['x-gw-client-secret']);
});

test('Evidence hides an altered credential, and the curl line sends it', async () => {
  const altered = `${clientSecret}x`;
  const report = await examineBank(
    makeLocator((shown) => shown === altered),
    { env },
  );
  const found = report.findings.find(({ clause }) => clause === 'atms.credentials.client-secret');
  const record = report.exchanges[found?.exchange ?? ''];
  expect(record?.request.headers['X-GW-client-secret']).toContain('CLIENT_SECRET');
  expect(JSON.stringify(report)).not.toContain(altered);
  const [field] = /-H 'X-GW-client-secret: '"[^ ].*?"x?(?= -H)/.exec(record ? writeCurl(record) : '') ?? [''];
  const shell = { env: { ...process.env, CLIENT_SECRET: clientSecret } };
  const sent = execFileSync('bash', ['-c', `printf '%s\\n' ${field}`], shell);
  expect(String(sent)).toBe(`-H\nX-GW-client-secret: ${altered}\n`);
});

test('A refusal that repeats an altered credential is no reflected credential', async () => {
  const bank = changeResponses((response, _nth, request) => {
    const shown = request.headers.get('x-gw-client-secret');
    return !response.ok && shown !== clientSecret
      ? Response.json({ error: `Unknown secret ${shown}` }, { status: 401 })
      : response;
  })(createBank());
  expect((await listFindings(bank, 'atms', { env })).join()).not.toContain('service.credentials-not-reflected');
});
