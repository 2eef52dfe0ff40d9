/** The bank refuses a branch of another merchant, and shows no lists of a merchant that does not exist. */
import { defineLevels } from '../../clauses/clause.ts';
import type { BehaviourId } from '../../clauses/index.ts';
import { endpointRow, linkRequestField } from '../../clauses/payment-links.ts';
import { readIdText } from '../../history/answers.ts';
import { isAnswered, isRefusal } from '../../model/outcome.ts';
import { getEntries } from '../../rules/entries.ts';
import { broken, compared, kept, notTested } from '../behaviour.ts';
import { optional, reply } from '../evidence.ts';

const { money, secure } = defineLevels('payment-links');
const link = reply('createPaymentLink');

export const foreignBranchRefused = compared({
  id: 'links.foreign-branch',
  clause: money(
    linkRequestField('branch_no'),
    'If the bank refuses a payment link for an unknown branch, it also refuses a payment link for a branch of another merchant.',
  ),
  control: 'The same request with a branch of the merchant is accepted.',
  evidence: { foreign: link, control: link, branches: optional(reply('listBranches')), unknown: optional(link) },
  asks: { point: 'links.unknown-ids', question: 'a branch of another merchant' },
  judge({ foreign, control, branches, unknown }) {
    if (!control.accepted) return notTested('the bank did not accept a link for a branch of this merchant');
    if (isRefusal(foreign)) return kept(foreign, { contrast: control });
    if (!foreign.accepted) return notTested('the bank neither made the link nor refused it');
    const own = getEntries(branches?.data.branches).map(({ no }) => readIdText(no));
    if (branches?.accepted !== true || own.includes(String(foreign.exchange.request.asked['branch_no'])))
      return notTested('the branch may be a branch of this merchant too');
    if (unknown === undefined || !isRefusal(unknown)) return notTested('the bank accepts links for any branch');
    return broken(foreign, {
      pointer: 'request/body/branch_no',
      expected: 'a refusal, as for a branch that does not exist',
      contrast: unknown,
    });
  },
});

function defineNoList<const Id extends BehaviourId>(
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
    control: 'The same list request for a known merchant is accepted.',
    evidence: { control: list, unknown: optional(list), similar: optional(list) },
    asks: { point: 'links.unknown-ids', question: 'an unknown merchant' },
    judge({ control, unknown, similar }) {
      const at = { pointer: `/data/${name}`, contrast: control };
      if (similar !== undefined)
        return similar.accepted && JSON.stringify(similar.data) === JSON.stringify(control.data)
          ? broken(similar, { ...at, expected: 'a refusal, or no branches of a merchant with a similar number' })
          : kept(similar, at);
      if (unknown === undefined) return notTested('the bank was not asked for an unknown merchant');
      if (!isAnswered(unknown) && !isRefusal(unknown))
        return notTested('the bank neither answered the request for an unknown merchant nor refused it');
      const shown = (unknown.data as Readonly<Record<string, unknown>>)[name];
      return unknown.accepted && Array.isArray(shown) && shown.length > 0
        ? broken(unknown, { ...at, expected: 'a refusal, or an empty list' })
        : kept(unknown, at);
    },
  });
}

// prettier-ignore
export const unknownMerchantLists = {
  currencies: defineNoList('links.unknown-merchant.currencies', 'GET /merchants/{merchant_no}/available-currency-codes', 'currencies', 'listCurrencies', 'currencies'),
  branches: defineNoList('links.unknown-merchant.branches', 'GET /merchants/{merchant_no}/branches', 'branches', 'listBranches', 'branches'),
  installments: defineNoList('links.unknown-merchant.installments', 'GET /merchants/{merchant_no}/Installments', 'installment options', 'listInstallments', 'installments'),
};
