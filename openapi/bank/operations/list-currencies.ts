/** GET /merchants/{merchant_no}/available-currency-codes: lists the currencies of a merchant. */
import type { OperationFacts } from '../../model/operation.ts';
import { makeUniquenessRuleForList } from '../rules/payment-links.ts';
import { keepsNothing, wholeList } from './common.ts';

export const listCurrencies: OperationFacts = {
  area: 'payment-links',
  label: 'Currencies',
  needs: ['listMerchants'],
  after: [],
  readOnly: true,
  subject: null,
  creates: null,
  usesUp: null,
  asEarlierStep: null,
  freeText: null,
  listedInputs: ['is_domestic', 'merchant_no'],
  list: { ...wholeList, gives: { input: 'currency_code', list: 'currencies', member: 'code' } },
  answeredIds: null,
  rules: [makeUniquenessRuleForList('currencies', 'links.currency.distinct', '/code', 'code')],
  isDisguiseShownByRun: false,
  declinedClause: null,
  refusalClause: 'links.listed-is-taken',
  boundsPoint: null,
  refusalsPoint: 'links.refusals',
  observe: null,
  kept: keepsNothing,
  logged: null,
  whenNotReached:
    'the merchant list was empty (give the client of CLIENT_ID a merchant, or leave the area out with AREAS)',
  hasTestData: false,
  plannedRefusals: [],
};
