/** Examples that the bank knows: somebody who tries a tool on a bank fills in what that bank has. */
import { createBank } from '../../../fixtures/reference-bank/bank.ts';

/** Values by the name of a field or parameter. */
export function knownValues(): Readonly<Record<string, unknown>> {
  const [merchant] = createBank().seedData.paymentLinks.merchants;
  const [branch] = merchant?.branches ?? [];
  const [[currency, installments] = []] = [...(branch?.domestic ?? [])];
  return {
    merchant_no: Number(merchant?.no),
    branch_no: branch?.no,
    currency_code: currency,
    language_code: 'en',
    personal_description: 'Invoice 118',
    installment: installments?.[0],
    is_domestic: true,
  };
}
