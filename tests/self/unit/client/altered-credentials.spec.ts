/** Tests wrong credentials that resemble the right ones: when the suite sends them, and how reports show them. */
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
function makeLocator(isAccepted: (secret: string) => boolean, receivedSecrets: Set<string> = new Set()): Handler {
  const bank = createBank();
  return {
    async fetch(request) {
      const secret = request.headers.get('x-gw-client-secret') ?? '';
      receivedSecrets.add(secret);
      const right = () => withHeaders(request, (headers) => headers.set('x-gw-client-secret', clientSecret));
      return bank.fetch(isAccepted(secret) ? right() : request);
    },
  };
}

test('Wrong credentials that resemble the right ones are sent, and none with PROBE_CREDENTIALS=0', async () => {
  const listSeen = async (more = {}): Promise<readonly string[]> => {
    const receivedSecrets = new Set<string>();
    const locator = makeLocator(() => false, receivedSecrets);
    await examineBank(locator, { env: { ...env, ...more } });
    return [...receivedSecrets];
  };
  expect(await listSeen()).toEqual(expect.arrayContaining(['secret-5f1', 'secret-5f1cx', 'SECRET-5F1C']));
  expect(await listSeen({ PROBE_CREDENTIALS: '0' })).toEqual([clientSecret]);
});

test('If the bank refuses every payment link, no wrong credentials are sent with payment links', async () => {
  const bank = createBank();
  const sentCredentials = new Set<string | null>();
  const withoutLinks = refuseWhen('createPaymentLink', 422, 'no', ({ request: { headers } }) => {
    for (const name of ['x-gw-client-id', 'x-gw-client-secret', 'authorization'])
      sentCredentials.add(headers.get(name));
    return true;
  })(bank);
  await examineBank(withoutLinks, { env: { AREAS: 'payment-links', RUNS: '1' } });
  expect(sentCredentials.size).toBe(3);
});

test('The right secret is sent in a header with another name only if the bank accepts no documented request', async () => {
  const bank = createBank();
  /** Returns the names of the header fields that had the secret. `takes` selects the requests that the bank accepts. */
  async function listNames(isAccepted: (query: URLSearchParams) => boolean, more = {}): Promise<readonly string[]> {
    const names = new Set<string>();
    const handler: Handler = {
      fetch(request) {
        for (const [name, value] of request.headers) if (value === clientSecret) names.add(name);
        return isAccepted(new URL(request.url).searchParams)
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

test('Evidence hides an altered credential, and the curl line of its finding sends it', async () => {
  const altered = `${clientSecret}x`;
  const report = await examineBank(
    makeLocator((secret) => secret === altered),
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

test('A refusal that repeats an altered credential is no finding', async () => {
  const bank = changeResponses((response, _nth, request) => {
    const secret = request.headers.get('x-gw-client-secret');
    return !response.ok && secret !== clientSecret
      ? Response.json({ error: `Unknown secret ${secret}` }, { status: 401 })
      : response;
  })(createBank());
  expect((await listFindings(bank, 'atms', { env })).join()).not.toContain('service.credentials-not-reflected');
});
