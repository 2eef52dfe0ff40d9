/** Examples that the bank knows: somebody who tries a tool on a bank fills in what that bank has. */
import { createBank, sandboxCredentials } from '../../../fixtures/reference-bank/bank.ts';
import { documentedTraffic } from './traffic.ts';

/** Values by the name of a field or parameter, found by asking the reference bank. */
export async function knownValues(): Promise<Readonly<Record<string, unknown>>> {
  const bank = createBank();
  const { clientId, clientSecret, accessToken } = sandboxCredentials;
  const headers = [
    ['X-GW-client-id', clientId],
    ['X-GW-client-secret', clientSecret],
    ['Authorization', `Bearer ${accessToken}`],
  ] as const;
  const known: Record<string, unknown> = {};
  const ask = async (url: string, init?: RequestInit): Promise<Response> => {
    const request = new Request(url, init);
    const { pathname, searchParams } = new URL(url);
    const merchant = /\/merchants\/(\d+)\//.exec(pathname)?.[1];
    if (merchant !== undefined) known['merchant_no'] = Number(merchant);
    if (typeof init?.body === 'string' && pathname.endsWith('/payment-links'))
      Object.assign(known, JSON.parse(init.body));
    for (const name of ['branch_no', 'currency_code'])
      if (searchParams.has(name))
        known[name] = name === 'branch_no' ? Number(searchParams.get(name)) : searchParams.get(name);
    return bank.fetch(request);
  };
  await documentedTraffic('http://bank', headers, () => [], ask);
  delete known['amount'];
  return { ...known, is_domestic: true };
}
