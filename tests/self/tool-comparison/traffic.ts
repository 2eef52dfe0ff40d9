/** One documented request to each operation, as a functional test of a client would make them. */

type Judge = (operation: string, response: Response, body: unknown) => readonly string[];
type Tree = { [name: string]: Tree & readonly Tree[] & string } | undefined;

/** Makes the requests through `base` and gathers what `judge` says of each answer. */
export async function documentedTraffic(
  base: string,
  headers: readonly (readonly [string, string])[],
  judge: Judge,
): Promise<readonly string[]> {
  const failures: string[] = [];
  const ask = async (operation: string, method: 'GET' | 'POST', path: string, body?: unknown): Promise<Tree> => {
    const all = path.startsWith('/api/v1') ? headers.filter(([name]) => name !== 'Authorization') : headers;
    const sent = Object.fromEntries([
      ...all,
      path.startsWith('/api/v1') ? ['Accept', 'application/json'] : ['Content-Type', 'application/json'],
    ]) as Record<string, string>;
    try {
      const response = await fetch(base + path, {
        method,
        headers: sent,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      failures.push(...judge(operation, response, text));
      return (JSON.parse(text) as { data?: Tree }).data;
    } catch (error) {
      failures.push(`${operation} cannot be read: ${(error as Error).name}`);
      return undefined;
    }
  };
  const [loans, links] = ['/api/bank/revolving-loans/v1', '/api/bank/card/paybylink/v1'];
  const order = (id: string) => ({
    amount: 1000,
    currency: 'EUR',
    commercial_disbursement: true,
    disbursement_purpose: true,
    order_id: id,
  });
  await ask('validateLoan', 'POST', `${loans}/validations`, order('t-1'));
  const application = await ask('requestLoan', 'POST', `${loans}/loans`, order('t-2'));
  const ids = {
    application_id: Number(application?.['application_id'] ?? 0),
    account_id: Number(application?.['infos']?.[0]?.['account_id'] ?? 0),
  };
  await ask('approveContract', 'POST', `${loans}/contracts`, ids);
  await ask('disburse', 'POST', `${loans}/disbursements`, {
    ...ids,
    amount: 100,
    currency: 'EUR',
    contract_approved: true,
    customer_ip: '192.0.2.17',
  });
  for (let time = 0; time < 3; time += 1)
    await ask('queryDisbursement', 'GET', `${loans}/disbursements/${ids.application_id}`);
  const merchant = (await ask('listMerchants', 'GET', `${links}/merchants`))?.['merchants']?.[0]?.['merchant_no'];
  const currency = (
    await ask('listCurrencies', 'GET', `${links}/merchants/${merchant}/available-currency-codes?is_domestic=true`)
  )?.['currencies']?.[0]?.['code'];
  const branch = (await ask('listBranches', 'GET', `${links}/merchants/${merchant}/branches`))?.['branches']?.[0]?.[
    'no'
  ];
  const query = `branch_no=${branch}&currency_code=${currency}&is_domestic=true`;
  const installment = (await ask('listInstallments', 'GET', `${links}/merchants/${merchant}/Installments?${query}`))?.[
    'installments'
  ]?.[0]?.['value'];
  await ask('createPaymentLink', 'POST', `${links}/payment-links`, {
    language_code: 'en',
    branch_no: branch,
    personal_description: 'Invoice 118',
    amount: 10,
    merchant_no: merchant,
    installment,
    currency_code: currency,
    is_domestic: true,
  });
  await ask('findAtms by position', 'GET', '/api/v1/atms?latitude=41.0082&longitude=28.9784');
  for (const [province, district] of [
    ['34', '1'],
    ['1', '1'],
    ['01', '01'],
  ])
    await ask('findAtms by code', 'GET', `/api/v1/atms?province_code=${province}&district_code=${district}`);
  return failures;
}
