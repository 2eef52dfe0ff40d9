/** Checks what the schema cannot express in an answer about revolving loans. */
import type { ClauseId } from '../../clauses/index.ts';
import { toInteger, isSameId } from '../../util/ids.ts';
import { getOrderIdType } from '../inputs.ts';
import type { Rule } from '../../model/rule.ts';
import { makeUniquenessRule, getEntries, recordKeptClause, readMember } from '../../rules/entries.ts';
import type { JsonObject } from '../../contract/references.ts';

/** Makes a rule for order_id, which is a text or an integer. An accepted request shows that the bank accepts its type. */
export const makeOrderIdRule =
  (textClause: ClauseId, integerClause: ClauseId): Rule =>
  (context) => {
    const { succeeded, exchange } = context;
    if (!succeeded || !('order_id' in exchange.request.asked)) return;
    const clause = getOrderIdType(exchange.request) === 'text' ? textClause : integerClause;
    recordKeptClause(context, clause, 'request/body/order_id');
  };

/** Makes a rule that the answer has the application id of the request. */
export const makeEchoRule =
  (clause: ClauseId): Rule =>
  ({ exchange, data, check }) => {
    const answeredId = readMember(data, 'application_id');
    const requestedId = exchange.request.asked['application_id'];
    if (typeof answeredId !== 'string' || requestedId === undefined) return;
    const received = (): string => JSON.stringify(answeredId);
    check(clause, '/data/application_id', isSameId(answeredId, requestedId), `"${requestedId}"`, received);
  };

const ERROR_CODE = /(?<![\w-])R\d{3};/;

/** Error codes are searched this many levels below the body. */
const MAX_ERROR_DEPTH = 5;

/** Returns the path to the first error code such as `R036;`; null if there is none. */
function findErrorCodePath(value: unknown, depth = MAX_ERROR_DEPTH): readonly string[] | null {
  if (typeof value === 'string') return ERROR_CODE.test(value) ? [] : null;
  if (typeof value !== 'object' || value === null || depth === 0) return null;
  for (const [name, member] of Object.entries(value)) {
    const path = findErrorCodePath(member, depth - 1);
    if (path !== null) return [Array.isArray(value) ? '*' : name, ...path];
  }
  return null;
}

/** Checks that error codes are in `errors`. An error code in a different member breaks the clause only if `errors` is empty. */
export const checkErrorsBesideData: Rule = ({ body, check }) => {
  const { errors, ...otherMembers } = body as JsonObject;
  const hasErrors = getEntries(errors).length > 0;
  const misplacedPath = hasErrors ? null : findErrorCodePath(otherMembers);
  if (!hasErrors && misplacedPath === null) return;
  const received = (): string => `an error at /${(misplacedPath ?? []).join('/')}, and none in errors`;
  const expected = 'the error codes in errors, beside data';
  check('loans.outcome.errors-beside-data', '/errors', hasErrors, expected, received);
};

export const checkAccountsDistinct = makeUniquenessRule(
  'loans.offer.account-id.distinct',
  '/data/infos/*/account_id',
  (data) => getEntries(readMember(data, 'infos')),
  ({ account_id: id }) => (typeof id === 'string' ? String(toInteger(id) ?? id) : null),
);
