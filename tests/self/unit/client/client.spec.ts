/** Tests that the client sends exactly what the document describes, and nothing that it must not send. */
import { expect, test } from '@playwright/test';
import type { BankClient, Reply } from '../../../../fixtures/run/client/reply.ts';
import type { ScenarioBody } from '../../../../fixtures/runner/run-scenario.ts';
import { closeAllServers } from '../../support/servers.ts';
import { LOAN_REQUEST as loan, runScenarioOnServer } from '../../support/scenario-harness.ts';

test.afterEach(closeAllServers);

const LOANS_PREFIX = '/api/bank/revolving-loans/v1';
const LINKS_PREFIX = '/api/bank/card/paybylink/v1';
const LOAN_BODY =
  '{"amount":1250.5,"currency":"EUR","commercial_disbursement":true,"disbursement_purpose":false,"order_id":"A-1001"}';
const merchantInputs = { merchant_no: '60017' };
const linkInputs = {
  language_code: 'en',
  branch_no: '42',
  personal_description: 'Fatura №5 "ö"',
  amount: 149.9,
  merchant_no: '9007199254740993',
  installment: 3,
  currency_code: 'EUR',
  is_domestic: false,
};

const paymentInputs = {
  amount: 10,
  account_id: '900120',
  currency: 'EUR',
  application_id: '4711',
  contract_approved: true,
  customer_ip: '2001:db8::17',
};

/** Calls of the client, each with what must be sent: method and path with query, and the body. */
const documentedRequests: readonly (readonly [(bank: BankClient) => Promise<Reply>, wire: string, body?: string])[] = [
  [(bank) => bank.validateLoan(loan), `POST ${LOANS_PREFIX}/validations`, LOAN_BODY],
  [(bank) => bank.requestLoan(loan), `POST ${LOANS_PREFIX}/loans`, LOAN_BODY],
  ...(
    [
      [1001, '1001'],
      [12345678901234567890n, '12345678901234567890'],
      ['1001', '"1001"'],
    ] as const
  ).map(
    ([order_id, written]) =>
      [
        (bank: BankClient) => bank.requestLoan({ ...loan, order_id }),
        `POST ${LOANS_PREFIX}/loans`,
        LOAN_BODY.replace('"A-1001"', written),
      ] as const,
  ),
  [
    (bank) => bank.approveContract({ application_id: '4711', account_id: '900120' }),
    `POST ${LOANS_PREFIX}/contracts`,
    '{"application_id":4711,"account_id":900120}',
  ],
  [
    (bank) => bank.approveContract({ application_id: '1234567890123456789', account_id: '0009007199254740993' }),
    `POST ${LOANS_PREFIX}/contracts`,
    '{"application_id":1234567890123456789,"account_id":9007199254740993}',
  ],
  [
    (bank) => bank.disburse(paymentInputs),
    `POST ${LOANS_PREFIX}/disbursements`,
    '{"amount":10,"account_id":900120,"currency":"EUR","application_id":4711,"contract_approved":true,"customer_ip":"2001:db8::17"}',
  ],
  [
    (bank) => bank.queryDisbursement({ application_id: '0001234567890123456789' }),
    `GET ${LOANS_PREFIX}/disbursements/0001234567890123456789`,
  ],
  [(bank) => bank.queryDisbursement({ application_id: 'A/1 ?' }), `GET ${LOANS_PREFIX}/disbursements/A%2F1%20%3F`],
  [(bank) => bank.listMerchants(), `GET ${LINKS_PREFIX}/merchants`],
  [
    (bank) => bank.listCurrencies({ ...merchantInputs, is_domestic: true }),
    `GET ${LINKS_PREFIX}/merchants/60017/available-currency-codes?is_domestic=true`,
  ],
  [(bank) => bank.listBranches(merchantInputs), `GET ${LINKS_PREFIX}/merchants/60017/branches`],
  [
    (bank) => bank.listInstallments({ ...merchantInputs, branch_no: '42', currency_code: 'EUR', is_domestic: false }),
    `GET ${LINKS_PREFIX}/merchants/60017/Installments?branch_no=42&currency_code=EUR&is_domestic=false`,
  ],
  [
    (bank) => bank.createPaymentLink(linkInputs),
    `POST ${LINKS_PREFIX}/payment-links`,
    '{"language_code":"en","branch_no":42,"personal_description":"Fatura №5 \\"ö\\"","amount":149.9,"merchant_no":9007199254740993,"installment":3,"currency_code":"EUR","is_domestic":false}',
  ],
  [
    (bank) => bank.findAtms({ latitude: '-41.0136', longitude: '28.9550' }),
    'GET /api/v1/atms?latitude=-41.0136&longitude=28.9550',
  ],
  [
    (bank) => bank.findAtms({ province_code: '06', district_code: '007' }),
    'GET /api/v1/atms?province_code=06&district_code=007',
  ],
];

const oneOfEach = { applications: 1, disbursements: 1, links: 1 };

test('Each operation is sent as documented: method, path, query, headers and body', async () => {
  const prefix = '/some/prefix';
  for (const [ask, wire, sent = ''] of documentedRequests) {
    const { received } = await runScenarioOnServer(async ({ bank }) => void (await ask(bank)), {
      creates: oneOfEach,
      prefix,
    });
    expect(received.map(({ method, url, body }) => [`${method} ${url}`, body])).toEqual([
      [wire.replace(' ', ` ${prefix}`), sent],
    ]);
    const headers = Object.entries(received[0]?.headers ?? {}).filter(
      ([name]) => !/^(?:host|connection|content-length|accept-encoding|user-agent)$/i.test(name),
    );
    expect(Object.fromEntries(headers)).toEqual({
      'X-GW-client-id': 'my-client-id',
      'X-GW-client-secret': 'my-client-secret',
      ...(wire.startsWith('GET /api/v1/atms')
        ? { Accept: 'application/json' }
        : { Authorization: 'Bearer my-access-token', 'Content-Type': 'application/json' }),
    });
  }
});

test('An invalid request is sent only if its valid counterpart was accepted just before', async () => {
  const refusing = { answer: () => ({ status: 422, body: { message: 'no' } }) };
  const scenario: ScenarioBody = async ({ bank, probe }) => {
    const control = await bank.validateLoan(loan);
    const reply = await probe(control, { ...loan, currency: '???' });
    expect(reply === null).toBe(!control.accepted);
  };
  expect((await runScenarioOnServer(scenario, refusing)).received).toHaveLength(1);
  const { received, lines } = await runScenarioOnServer(scenario);
  expect(received).toHaveLength(2);
  expect(lines.flatMap((line) => (line.line === 'entry' ? line.entry.kind : []))).toEqual(['positive', 'probe']);
});
