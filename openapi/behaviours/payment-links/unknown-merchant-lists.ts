/** The bank shows no lists of an unknown merchant, and not those of a merchant with a similar number. */
import { defineLevels } from '../../clauses/levels.ts';
import type { BehaviourId } from '../../clauses/index.ts';
import { endpointRow } from '../../clauses/payment-links.ts';
import { broken, compared, kept, notTested } from '../behaviour.ts';
import { optional, reply } from '../evidence.ts';

const { secure } = defineLevels('payment-links');

function noList<const Id extends BehaviourId>(
  id: Id,
  row: string,
  shown: string,
  operation: 'listCurrencies' | 'listBranches' | 'listInstallments',
  name: string,
) {
  const list = reply(operation);
  return compared({
    id,
    clause: secure(endpointRow(row), `The bank shows no ${shown} for a merchant that does not exist.`),
    evidence: { control: list, unknown: optional(list), similar: optional(list) },
    asks: ['links.unknown-ids', 'an unknown merchant'],
    judge({ control, unknown, similar }) {
      const at = { pointer: `/data/${name}`, contrast: control };
      if (similar !== undefined)
        return similar.accepted && JSON.stringify(similar.data) === JSON.stringify(control.data)
          ? broken(similar, { ...at, expected: 'a refusal, or no branches of a merchant with a similar number' })
          : kept(similar, at);
      if (unknown === undefined) return notTested('the bank was not asked for an unknown merchant');
      const shown = (unknown.data as Readonly<Record<string, unknown>>)[name];
      return unknown.accepted && Array.isArray(shown) && shown.length > 0
        ? broken(unknown, { ...at, expected: 'a refusal, or an empty list' })
        : kept(unknown, at);
    },
  });
}

// prettier-ignore
export const unknownMerchantLists = {
  currencies: noList('links.unknown-merchant.currencies', 'GET /merchants/{merchant_no}/available-currency-codes', 'currencies', 'listCurrencies', 'currencies'),
  branches: noList('links.unknown-merchant.branches', 'GET /merchants/{merchant_no}/branches', 'branches', 'listBranches', 'branches'),
  installments: noList('links.unknown-merchant.installments', 'GET /merchants/{merchant_no}/Installments', 'installment options', 'listInstallments', 'installments'),
};
