/** Rules for revolving loans that no schema can express. */
import type { ClauseId } from '../../clauses/index.ts';
import { toInteger, isSameId } from '../../util/ids.ts';
import { getOrderIdType } from '../inputs.ts';
import type { Rule } from '../../model/rule.ts';
import { makeUniquenessRule, getEntries, recordKeptClause, readMember } from '../../rules/entries.ts';
import type { JsonObject } from '../../contract/references.ts';

/** The document allows two types of order_id. An accepted request tests the clause of its type. */
export const checkOrderIdForm =
  (text: ClauseId, integer: ClauseId): Rule =>
  (context) => {
    const { succeeded, exchange } = context;
    if (!succeeded || !('order_id' in exchange.request.asked)) return;
    recordKeptClause(context, getOrderIdType(exchange.request) === 'text' ? text : integer, 'request/body/order_id');
  };

export const makeEchoRule =
  (clause: ClauseId): Rule =>
  ({ exchange, data, check }) => {
    const answered = readMember(data, 'application_id');
    const sent = exchange.request.asked['application_id'];
    if (typeof answered !== 'string' || sent === undefined) return;
    check(clause, '/data/application_id', isSameId(answered, sent), `"${sent}"`, () => JSON.stringify(answered));
  };

const ERROR_CODE = /(?<![\w-])R\d{3};/;

const MAX_ERROR_DEPTH = 5;

function findErrorCodePath(value: unknown, depth = MAX_ERROR_DEPTH): readonly string[] | null {
  if (typeof value === 'string') return ERROR_CODE.test(value) ? [] : null;
  if (typeof value !== 'object' || value === null || depth === 0) return null;
  for (const [name, child] of Object.entries(value)) {
    const found = findErrorCodePath(child, depth - 1);
    if (found !== null) return [Array.isArray(value) ? '*' : name, ...found];
  }
  return null;
}

/** Checks that error codes are in `errors`. A code elsewhere breaks the clause only if `errors` has none. */
export const checkErrorsBesideData: Rule = ({ body, check }) => {
  const { errors, ...others } = body as JsonObject;
  const hasErrors = getEntries(errors).length > 0;
  const elsewhere = hasErrors ? null : findErrorCodePath(others);
  if (!hasErrors && elsewhere === null) return;
  const received = (): string => `an error at /${(elsewhere ?? []).join('/')}, and none in errors`;
  const expected = 'the error codes in errors, beside data';
  check('loans.outcome.errors-beside-data', '/errors', hasErrors, expected, received);
};

export const checkAccountsDistinct = makeUniquenessRule(
  'loans.offer.account-id.distinct',
  '/data/infos/*/account_id',
  (data) => getEntries(readMember(data, 'infos')),
  ({ account_id: id }) => (typeof id === 'string' ? String(toInteger(id) ?? id) : null),
);
