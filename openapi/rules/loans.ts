/** Rules for revolving loans. */
import type { Rule } from './context.ts';
import type { ClauseId } from '../clauses/index.ts';
import { integerOf, sameId } from '../util/ids.ts';
import { orderIdType } from '../model/exchange.ts';
import { all, distinct, entriesOf, keeps, member, type Entry } from './entries.ts';

/** The document allows two forms of order_id. An accepted request exercises the clause of its form. */
const orderIdForms =
  (text: ClauseId, integer: ClauseId): Rule =>
  (context) => {
    const { succeeded, exchange } = context;
    if (!succeeded || !('order_id' in exchange.request.asked)) return;
    keeps(context, orderIdType(exchange.request) === 'text' ? text : integer, 'request/body/order_id');
  };

/** Checks that the answer contains the application id of the request. */
const echo =
  (clause: ClauseId): Rule =>
  ({ exchange, data, check }) => {
    const answered = member(data, 'application_id');
    const sent = exchange.request.asked['application_id'];
    if (typeof answered !== 'string' || sent === undefined) return;
    check(clause, '/data/application_id', sameId(answered, sent), `"${sent}"`, () => JSON.stringify(answered));
  };

/** Matches a documented error code anywhere in a text. */
const CODE = /(?<![\w-])R\d{3};/;

/** This many levels of a body are searched for error codes. */
const MAX_DEPTH = 5;

/** Returns the path to an error code in `value`; null if there is no code. */
function errorIn(value: unknown, depth = MAX_DEPTH): readonly string[] | null {
  if (typeof value === 'string') return CODE.test(value) ? [] : null;
  if (typeof value !== 'object' || value === null || depth === 0) return null;
  for (const [name, child] of Object.entries(value)) {
    const found = errorIn(child, depth - 1);
    if (found !== null) return [Array.isArray(value) ? '*' : name, ...found];
  }
  return null;
}

/** Checks that error codes are in `errors`. A code elsewhere breaks the clause only if `errors` has no code. */
const errorsBesideData: Rule = ({ body, check }) => {
  const { errors, ...others } = body as Entry;
  const hasErrors = entriesOf(errors).length > 0;
  const elsewhere = hasErrors ? null : errorIn(others);
  if (!hasErrors && elsewhere === null) return;
  const received = (): string => `an error at /${(elsewhere ?? []).join('/')}, and none in errors`;
  const expected = 'the error codes in errors, beside data';
  check('loans.outcome.errors-beside-data', '/errors', hasErrors, expected, received);
};

export const loanRules = {
  validateLoan: orderIdForms('loans.validation.request.order-id.text', 'loans.validation.request.order-id.integer'),
  requestLoan: all(
    orderIdForms('loans.application.request.order-id.text', 'loans.application.request.order-id.integer'),
    distinct(
      'loans.offer.account-id.distinct',
      '/data/infos/*/account_id',
      (data) => entriesOf(member(data, 'infos')),
      ({ account_id: id }) => (typeof id === 'string' ? String(integerOf(id) ?? id) : null),
    ),
  ),
  approveContract: echo('loans.contract.application-id.echo'),
  disburse: echo('loans.disbursement.application-id.echo'),
  queryDisbursement: all(echo('loans.outcome.application-id.echo'), errorsBesideData),
} as const satisfies Record<string, Rule>;
