/**
 * Judges that the bank refuses a branch of another merchant and installments of another list, and shows no lists of an unknown
 * merchant.
 */
import { defineLevels } from '../../../clauses/clause.ts';
import { endpointRow, linkRequestField } from '../../clauses/payment-links.ts';
import { readIdText } from '../../../history/answers.ts';
import type { SentRequest } from '../../../model/exchange.ts';
import { isAnswered, isRefusal } from '../../../model/outcome.ts';
import { getEntries } from '../../../rules/entries.ts';
import { broken, compared, kept, notTested } from '../../../behaviours/behaviour.ts';
import { optional, reply, word } from '../../../behaviours/evidence.ts';
import { unknownInstallment } from '../service/refused.ts';

const { money, secure } = defineLevels('payment-links');
const linkReply = reply('createPaymentLink');

export const foreignBranchRefused = compared({
  id: 'links.foreign-branch',
  clause: money(
    linkRequestField('branch_no'),
    'If the bank refuses a payment link for an unknown branch, it also refuses a payment link for a branch of another merchant.',
  ),
  control: 'The same request with a branch of the merchant is accepted.',
  evidence: {
    foreign: linkReply,
    control: linkReply,
    branches: optional(reply('listBranches')),
    unknown: optional(linkReply),
  },
  asks: { point: 'links.unknown-ids', question: 'a branch of another merchant' },
  judge({
    foreign: linkForForeignBranch,
    control: linkForOwnBranch,
    branches: branchList,
    unknown: linkForUnknownBranch,
  }) {
    if (!linkForOwnBranch.accepted) return notTested('the bank did not accept a link for a branch of this merchant');
    if (isRefusal(linkForForeignBranch)) return kept(linkForForeignBranch, { contrast: linkForOwnBranch });
    if (!linkForForeignBranch.accepted) return notTested('the bank neither made the link nor refused it');
    const branchNumbersOfMerchant = getEntries(branchList?.data.branches).map(({ no }) => readIdText(no));
    if (
      branchList?.accepted !== true ||
      branchNumbersOfMerchant.includes(String(linkForForeignBranch.exchange.request.asked['branch_no']))
    )
      return notTested('the branch may be a branch of this merchant too');
    if (linkForUnknownBranch === undefined || !isRefusal(linkForUnknownBranch))
      return notTested('the bank accepts links for any branch');
    return broken(linkForForeignBranch, {
      pointer: 'request/body/branch_no',
      expected: 'a refusal, as for a branch that does not exist',
      contrast: linkForUnknownBranch,
    });
  },
});

const readInstallment = ({ exchange }: { readonly exchange: { readonly request: SentRequest } }): number =>
  Number(exchange.request.asked['installment']);

/** `list`: the list for the refused request, read again if the bank accepted the number. `difference`: what the other list is for. */
export const otherListRefused = compared({
  ...unknownInstallment,
  way: 'another list',
  control: 'The same request with a listed number is accepted, and a number that is on no list is refused.',
  evidence: {
    probe: linkReply,
    control: linkReply,
    unknown: linkReply,
    list: optional(reply('listInstallments')),
    difference: word,
  },
  asks: { point: 'links.unknown-ids', question: 'installments of another list' },
  judge({
    probe: linkWithOtherList,
    control: linkWithListed,
    unknown: linkWithUnlisted,
    list: installmentList,
    difference: otherListText,
  }) {
    if (!linkWithListed.accepted)
      return notTested('the bank did not accept a link with a listed number of installments');
    if (!isRefusal(linkWithUnlisted)) return notTested('the bank accepts numbers of installments that are on no list');
    if (isRefusal(linkWithOtherList)) return kept(linkWithOtherList, { contrast: linkWithListed });
    if (!linkWithOtherList.accepted) return notTested('the bank neither made the link nor refused it');
    const installmentCount = readInstallment(linkWithOtherList);
    if (
      installmentList?.accepted !== true ||
      getEntries(installmentList.data.installments).some(({ value }) => Number(value) === installmentCount)
    )
      return notTested('the number of installments may be on this list too');
    return broken(linkWithOtherList, {
      pointer: 'request/body/installment',
      expected: `a refusal: only the list for ${otherListText} has ${installmentCount} installments`,
      contrast: linkWithUnlisted,
    });
  },
});

/**
 * Defines that a list is not shown for an unknown merchant. `entriesText`: the entries of the list, in words. `listField`: the field of the
 * list. `unknown`, `similar`: the requests for an unknown merchant, and for a number that is similar to a known one.
 */
function defineNoList<const Id extends string>(
  id: Id,
  endpointText: string,
  entriesText: string,
  operation: 'listCurrencies' | 'listBranches' | 'listInstallments',
  listField: string,
) {
  const list = reply(operation);
  return compared({
    id,
    clause: secure(endpointRow(endpointText), `The bank shows no ${entriesText} for a merchant that does not exist.`),
    control: 'The same list request for a known merchant is accepted.',
    evidence: { control: list, unknown: optional(list), similar: optional(list) },
    asks: { point: 'links.unknown-ids', question: 'an unknown merchant' },
    judge({ control: knownMerchantAnswer, unknown: unknownMerchantAnswer, similar: similarNumberAnswer }) {
      const findingPlace = { pointer: `/data/${listField}`, contrast: knownMerchantAnswer };
      if (similarNumberAnswer !== undefined)
        return similarNumberAnswer.accepted &&
          JSON.stringify(similarNumberAnswer.data) === JSON.stringify(knownMerchantAnswer.data)
          ? broken(similarNumberAnswer, {
              ...findingPlace,
              expected: 'a refusal, or no branches of a merchant with a similar number',
            })
          : kept(similarNumberAnswer, findingPlace);
      if (unknownMerchantAnswer === undefined) return notTested('the bank was not asked for an unknown merchant');
      if (!isAnswered(unknownMerchantAnswer) && !isRefusal(unknownMerchantAnswer))
        return notTested('the bank neither answered the request for an unknown merchant nor refused it');
      const entries = (unknownMerchantAnswer.data as Readonly<Record<string, unknown>>)[listField];
      return unknownMerchantAnswer.accepted && Array.isArray(entries) && entries.length > 0
        ? broken(unknownMerchantAnswer, { ...findingPlace, expected: 'a refusal, or an empty list' })
        : kept(unknownMerchantAnswer, findingPlace);
    },
  });
}

// prettier-ignore
export const unknownMerchantLists = {
  currencies: defineNoList('links.unknown-merchant.currencies', 'GET /merchants/{merchant_no}/available-currency-codes', 'currencies', 'listCurrencies', 'currencies'),
  branches: defineNoList('links.unknown-merchant.branches', 'GET /merchants/{merchant_no}/branches', 'branches', 'listBranches', 'branches'),
  installments: defineNoList('links.unknown-merchant.installments', 'GET /merchants/{merchant_no}/Installments', 'installment options', 'listInstallments', 'installments'),
};
