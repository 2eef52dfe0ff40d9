/** Checks what the schema cannot express in an answer of the ATM locator. */
import type { Rule } from '../../model/rule.ts';
import { makeUniquenessRule, getEntries, recordKeptClause } from '../../rules/entries.ts';

export const checkAuthorizationAbsent: Rule = (context) => {
  const names = Object.keys(context.exchange.request.headers);
  if (!names.some((name) => name.toLowerCase() === 'authorization'))
    recordKeptClause(context, 'atms.header.no-authorization', 'request/header/Authorization');
};

export const checkDistanceAbsent: Rule = (context) => {
  const atms = getEntries(context.data);
  if (context.form === 0 || atms.length === 0) return;
  // The schema records a clause only if the field is present. Here the document requires that the field is absent.
  recordKeptClause(context, 'atms.no-distance', '/data/*/atm_distance');
  const isAbsent = atms.every((atm) => atm['atm_distance'] !== null);
  context.check('atms.no-distance.absent', '/data/*/atm_distance', isAbsent, 'no atm_distance', () => 'null');
};

export const checkAtmsDistinct = makeUniquenessRule(
  'atms.no.distinct',
  '/data/*/atm_no',
  getEntries,
  ({ atm_no, atm_latitude, atm_longitude }) =>
    typeof atm_no === 'string' ? `${atm_no} at ${String(atm_latitude)}, ${String(atm_longitude)}` : null,
);
