/** Tests that a bank with one fault still refuses wrong credentials, so that a user of `npm run bank` sees only the chosen fault. */
import { expect, test } from '@playwright/test';
import { mutants } from '../../../../fixtures/banks/mutants/index.ts';
import type { Handler, Mutant } from '../../../../fixtures/banks/lib/mutant.ts';
import { createBank, sandboxCredentials } from '../../../../fixtures/reference-bank/bank.ts';
import { operations } from '../../../../openapi/contract/operations.ts';
import type { OperationId } from '../../../../openapi/model/exchange.ts';

const rightHeaders = {
  'X-GW-client-id': sandboxCredentials.clientId,
  'X-GW-client-secret': sandboxCredentials.clientSecret,
  Authorization: `Bearer ${sandboxCredentials.accessToken}`,
};
type CredentialHeader = keyof typeof rightHeaders;
const credentialHeaders = Object.keys(rightHeaders) as CredentialHeader[];

/** An id of no application and no account. */
const UNKNOWN_ID = 900_000_001;
const terms = { amount: 1500, currency: 'EUR', commercial_disbursement: false, disbursement_purpose: true };
const payment = { amount: 100, currency: 'EUR', contract_approved: true, customer_ip: '192.0.2.1' };

interface BankRequest {
  readonly operation: OperationId;
  readonly path: string;
  readonly body?: string;
}

const makeRequest = (operation: OperationId, inputs: object, query = ''): BankRequest => {
  const { method, path } = operations[operation];
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => String(inputs[name as keyof typeof inputs]));
  return { operation, path: `${filled}${query}`, ...(method === 'POST' ? { body: JSON.stringify(inputs) } : {}) };
};

const sharedBank = createBank();
const { merchants, atms } = sharedBank.seedData;

/** Returns documented requests. Requests about an application are for a known and for an unknown application. */
function listRequests(ids: object): readonly BankRequest[] {
  const [merchant, atm] = [merchants[0], atms[0]];
  const branch_no = merchant?.branches[0]?.no;
  const merchantNo = { merchant_no: Number(merchant?.no) };
  const link = { language_code: 'en', personal_description: 'A bench', amount: 20, installment: 1, is_domestic: true };
  const unknown = { application_id: UNKNOWN_ID, account_id: UNKNOWN_ID };
  return [
    makeRequest('validateLoan', { ...terms, order_id: 'order-1' }),
    makeRequest('requestLoan', { ...terms, order_id: 'order-1' }),
    ...[ids, unknown].flatMap((idsOfApplication) => [
      makeRequest('approveContract', idsOfApplication),
      makeRequest('disburse', { ...idsOfApplication, ...payment }),
      makeRequest('queryDisbursement', idsOfApplication),
    ]),
    makeRequest('listMerchants', {}),
    makeRequest('listCurrencies', merchantNo, '?is_domestic=true'),
    makeRequest('listBranches', merchantNo),
    makeRequest('listInstallments', merchantNo, `?branch_no=${branch_no}&currency_code=EUR&is_domestic=true`),
    makeRequest('createPaymentLink', { ...link, ...merchantNo, branch_no, currency_code: 'EUR' }),
    makeRequest('findAtms', {}, '?latitude=41&longitude=29'),
    makeRequest('findAtms', {}, `?province_code=${atm?.provinceCode}&district_code=${atm?.districtCode}`),
  ];
}

const send = async (bank: Handler, { operation, path, body }: BankRequest, credentials: object): Promise<Response> =>
  bank.fetch(
    new Request(`http://bank.example${path}`, {
      method: operations[operation].method,
      headers: { ...credentials, 'Content-Type': 'application/json', Accept: 'application/json' },
      ...(body === undefined ? {} : { body }),
    }),
  );

/** Returns the ids of the first application at the reference bank, and of the first account on offer. */
async function readFirstIds(): Promise<object> {
  const sent = makeRequest('requestLoan', { ...terms, order_id: 'order-1' });
  const { data } = (await (await send(createBank(), sent, rightHeaders)).json()) as {
    data: { application_id: string; infos: readonly { account_id: string }[] };
  };
  return { application_id: Number(data.application_id), account_id: Number(data.infos[0]?.account_id) };
}

/** Sends each request with right credentials and, at the same time and afterwards, with one credential missing or wrong. */
async function* sendWithWrongCredentials({ mutate, kind, operation }: Mutant, requests: readonly BankRequest[]) {
  // A mutant that is made from the contract changes only its own operation, and keeps no state.
  const bank = mutate(kind === 'derived' ? sharedBank : createBank());
  for (const sent of requests.filter((request) => kind !== 'derived' || request.operation === operation)) {
    const headers = credentialHeaders.slice(0, operations[sent.operation].area === 'atms' ? 2 : 3);
    const sendAll = () =>
      Promise.all(
        headers.map(async (header, index) => {
          const { [header]: right, ...otherHeaders } = rightHeaders;
          return send(bank, sent, index === 0 ? otherHeaders : { ...otherHeaders, [header]: `${right}x` });
        }),
      );
    const [, answersAtOnce] = await Promise.all([send(bank, sent, rightHeaders), sendAll()]);
    for (const { status } of [...answersAtOnce, ...(await sendAll())]) yield { operation: sent.operation, status };
  }
}

const isAboutCredentials = ({ breaks }: Mutant): boolean => /credentials|\.header\./.test(breaks);

test('Each bank with a fault that is not about credentials refuses every request with a missing or wrong credential', async () => {
  const requests = listRequests(await readFirstIds());
  const served: string[] = [];
  for (const mutant of mutants.filter((candidate) => !isAboutCredentials(candidate)))
    for await (const { operation, status } of sendWithWrongCredentials(mutant, requests))
      if (status < 400) served.push(`${mutant.name}: ${operation} ${status}`);
  expect([...new Set(served)]).toEqual([]);
});
