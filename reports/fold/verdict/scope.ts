/** Names the areas and operations that were judged, if these are not all. */
import {
  areas,
  belongsTo,
  isReadOnly as isReached,
  operationIds,
  type OperationId,
} from '../../../openapi/clauses/areas.ts';
import { areaNames, joinWithAnd } from '../../text/phrases.ts';
import type { Target } from '../../model/report.ts';

type Scope = Pick<Target, 'areas' | 'operations' | 'readOnly'>;

const listOperations = (scope: Scope): readonly OperationId[] =>
  operationIds.filter((id) => scope.areas.some((area) => belongsTo(id, area)));

/**
 * Returns ` (ATM locator only)`, ` (read-only operations)`, ` (only operations a and b)`, or an empty text if everything was
 * judged.
 */
export function describeScope(scope: Scope): string {
  const { operations: selected, readOnly: isReadOnly = false } = scope;
  const isWhole =
    selected === undefined || (isReadOnly && listOperations(scope).filter(isReached).length === selected.length);
  const names = areas.filter((area) => scope.areas.includes(area)).map((area) => areaNames[area]);
  const parts = [
    !isWhole && `only ${selected.length === 1 ? 'operation' : 'operations'} ${joinWithAnd(selected)}`,
    isWhole && names.length > 0 && names.length < areas.length && `${joinWithAnd(names)} only`,
    isReadOnly && 'read-only operations',
  ].filter((part) => part !== false);
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

/** Names the operations that READ_ONLY left out, in a sentence; an empty list if there are none. */
export function listReadOnlyOmissions(scope: Scope): readonly string[] {
  const out = listOperations(scope).filter((id) => !isReached(id));
  if (scope.readOnly !== true || out.length === 0) return [];
  const query = out.includes('queryDisbursement') ? '; queryDisbursement is a GET, but only disburse gives its id' : '';
  return [`READ_ONLY left out ${joinWithAnd(out)}${query}.`];
}
