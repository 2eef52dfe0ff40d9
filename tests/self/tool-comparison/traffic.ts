/** One documented request to each operation, as a functional test of a client would make them. */
import { sandboxCredentials } from '../../../fixtures/reference-bank/bank.ts';
import { bodyOf, compose, pathOf, type Values } from '../../../fixtures/session/request.ts';
import type { OperationId } from '../../../openapi/model/exchange.ts';

type Tree = { [name: string]: Tree & readonly Tree[] & string } | undefined;

/** Makes the requests through `base` and gathers what `judge` says of each answer. */
export async function documentedTraffic(
  base: string,
  judge: (operation: OperationId, response: Response) => readonly string[],
): Promise<readonly string[]> {
  const failures: string[] = [];
  const ask = async (operation: OperationId, values: Values = {}): Promise<Tree> => {
    const draft = compose(operation, values, sandboxCredentials);
    const token = draft.bearer ? { Authorization: `Bearer ${sandboxCredentials.accessToken}` } : {};
    try {
      const response = await fetch(base + pathOf(draft), {
        method: draft.method,
        headers: { ...draft.headers, ...token },
        body: bodyOf(draft),
      });
      failures.push(...judge(operation, response));
      return ((await response.json()) as { data?: Tree }).data;
    } catch (error) {
      failures.push(`${operation} cannot be read: ${(error as Error).name}`);
      return undefined;
    }
  };

  const order = { amount: 1000, currency: 'EUR', commercial_disbursement: true, disbursement_purpose: true };
  await ask('validateLoan', { ...order, order_id: 't-1' });
  const application = await ask('requestLoan', { ...order, order_id: 't-2' });
  const ids = {
    application_id: application?.['application_id'] ?? '0',
    account_id: application?.['infos']?.[0]?.['account_id'] ?? '0',
  };
  await ask('approveContract', ids);
  const paid = { amount: 100, currency: 'EUR', contract_approved: true, customer_ip: '192.0.2.17' };
  await ask('disburse', { ...ids, ...paid });
  for (let time = 0; time < 3; time += 1) await ask('queryDisbursement', ids);

  const merchants = await ask('listMerchants');
  const known = { merchant_no: merchants?.['merchants']?.[0]?.['merchant_no'] ?? '0', is_domestic: true };
  const currencies = await ask('listCurrencies', known);
  const branches = await ask('listBranches', known);
  const chosen = {
    ...known,
    currency_code: currencies?.['currencies']?.[0]?.['code'] ?? 'EUR',
    branch_no: branches?.['branches']?.[0]?.['no'] ?? '0',
  };
  const installments = await ask('listInstallments', chosen);
  await ask('createPaymentLink', {
    ...chosen,
    language_code: 'en',
    personal_description: 'Invoice 118',
    amount: 10,
    installment: installments?.['installments']?.[0]?.['value'] ?? 1,
  });

  await ask('findAtms', { latitude: '41.0082', longitude: '28.9784' });
  for (const [province_code, district_code] of [
    ['34', '1'],
    ['1', '1'],
    ['01', '01'],
  ] as const)
    await ask('findAtms', { province_code, district_code });
  return failures;
}
