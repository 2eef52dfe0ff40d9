/** What several operations have in common. */
import type { OperationFacts } from '../../model/operation.ts';

export const keepsNothing: OperationFacts['kept'] = {
  change: null,
  accepted: null,
  refused: null,
  state: null,
};

/** A list that is compared as a whole. */
export const wholeList: Omit<NonNullable<OperationFacts['list']>, 'gives'> = {
  part: (data) => data,
  render: null,
  renderAlike: null,
  beside: null,
};
