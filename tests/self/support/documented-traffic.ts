/** Sends one documented request to each operation, as a functional test of a client would. */
import { sandboxCredentials } from '../../../fixtures/reference-bank/bank.ts';
import { renderBody, composeRequest, renderPathWithQuery, type Values } from '../../../fixtures/session/request.ts';
import type { OperationId } from '../../../openapi/model/exchange.ts';

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

type Tree = { [name: string]: Tree & readonly Tree[] & string } | undefined;

/** Sends the requests one after the other; `send` returns the body of each answer. */
export async function sendDocumentedTraffic(
  send: (operation: OperationId, request: Sent) => Promise<string>,
): Promise<void> {
  const ask = async (operation: OperationId, values: Values = {}): Promise<Tree> => {
    const draft = composeRequest(operation, values, sandboxCredentials);
    const token = draft.bearer ? { Authorization: `Bearer ${sandboxCredentials.accessToken}` } : {};
    const headers = { ...draft.headers, ...token };
    const answer = await send(operation, {
      method: draft.method,
      path: renderPathWithQuery(draft),
      headers,
      body: renderBody(draft),
    });
    try {
      return (JSON.parse(answer) as { data?: Tree }).data;
    } catch {
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
  const currency_code = currencies?.['currencies']?.[0]?.['code'] ?? 'EUR';
  const chosen = { ...known, currency_code, branch_no: branches?.['branches']?.[0]?.['no'] ?? '0' };
  const installments = await ask('listInstallments', chosen);
  const installment = installments?.['installments']?.[0]?.['value'] ?? 1;
  const link = { language_code: 'en', personal_description: 'Invoice 77, Öz', amount: 10 };
  await ask('createPaymentLink', { ...chosen, ...link, installment });

  await ask('findAtms', { latitude: '41.0082', longitude: '28.9784' });
  for (const code of ['1', '01']) await ask('findAtms', { province_code: code, district_code: code });
}
