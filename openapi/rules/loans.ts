/** Rules of revolving loans. */
import type { RuleContext, Rule } from './context.ts';
import type { ClauseId } from '../clauses/index.ts';
import { integerOf, sameId } from '../util/ids.ts';
import { orderIdType } from '../model/exchange.ts';
import { distinct, entriesOf, member, type Entry } from './entries.ts';

/** The two forms of order_id are two promises: this exchange showed one of them accepted. */
const orderIdForms =
  (text: ClauseId, integer: ClauseId): Rule =>
  ({ exchange, succeeded, check }) => {
    if (!succeeded || !('order_id' in exchange.request.asked)) return;
    check(orderIdType(exchange.request) === 'text' ? text : integer, 'request/body/order_id', true, '', () => '');
  };

/** The application id answered is the one sent. */
const echo =
  (clause: ClauseId): Rule =>
  ({ exchange, data, check }: RuleContext) => {
    const answered = member(data, 'application_id');
    const sent = exchange.request.asked['application_id'];
    if (typeof answered !== 'string' || sent === undefined) return;
    check(clause, '/data/application_id', sameId(answered, sent), `"${sent}"`, () => JSON.stringify(answered));
  };

/** The codes of a failure stand beside data: those in it count where none do. */
function errorsBesideData({ body, data, check }: RuleContext): void {
  const isCode = ({ message }: Entry): boolean => /\bR\d{3};/.test(String(message));
  const inData = entriesOf(member(data, 'errors')).filter(isCode);
  const beside = entriesOf(member(body, 'errors'));
  if (inData.length + beside.length > 0)
    check(
      'loans.outcome.errors-beside-data',
      '/errors',
      beside.length > 0,
      'the error codes beside data',
      () => 'error codes in data, and none beside it',
    );
}

const outcomeEcho = echo('loans.outcome.application-id.echo');
const validated = orderIdForms('loans.validation.request.order-id.text', 'loans.validation.request.order-id.integer');
const applied = orderIdForms('loans.application.request.order-id.text', 'loans.application.request.order-id.integer');

export const loanRules = {
  validateLoan: validated,
  requestLoan: (context) => {
    applied(context);
    distinct(
      context,
      'loans.offer.account-id.distinct',
      '/data/infos/*/account_id',
      entriesOf(member(context.data, 'infos')),
      (offer) =>
        typeof offer['account_id'] === 'string' ? String(integerOf(offer['account_id']) ?? offer['account_id']) : null,
    );
  },
  approveContract: echo('loans.contract.application-id.echo'),
  disburse: echo('loans.disbursement.application-id.echo'),
  queryDisbursement: (context) => {
    outcomeEcho(context);
    errorsBesideData(context);
  },
} as const satisfies Record<string, Rule>;
