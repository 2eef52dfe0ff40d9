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

/** A code as the document has it, wherever it stands. */
const CODE = /(?<![\w-])R\d{3};/;

/** Depth to which a body is looked through for errors. */
const MAX_DEPTH = 5;

/** The names that lead to the code of an error in `value`; null where there is none. */
function errorIn(value: unknown, depth = MAX_DEPTH): readonly string[] | null {
  if (typeof value === 'string') return CODE.test(value) ? [] : null;
  if (typeof value !== 'object' || value === null || depth === 0) return null;
  for (const [name, child] of Object.entries(value)) {
    const found = errorIn(child, depth - 1);
    if (found !== null) return [Array.isArray(value) ? '*' : name, ...found];
  }
  return null;
}

/** The codes of a failure stand in errors beside data: those anywhere else count where none do. */
function errorsBesideData({ body, check }: RuleContext): void {
  const { errors, ...others } = body as Entry;
  const hasErrors = entriesOf(errors).length > 0;
  const elsewhere = hasErrors ? null : errorIn(others);
  if (hasErrors || elsewhere !== null)
    check(
      'loans.outcome.errors-beside-data',
      '/errors',
      hasErrors,
      'the error codes in errors, beside data',
      () => `an error at /${(elsewhere ?? []).join('/')}, and none in errors`,
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
