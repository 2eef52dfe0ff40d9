/** Defines values that several operations use. */
import type { OperationFacts } from '../../model/operation.ts';

/** For an operation whose exchanges the run does not compare. */
export const keepsNothing: OperationFacts['kept'] = {
  change: null,
  accepted: null,
  refused: null,
  state: null,
};

/** For a list that is compared as a whole. */
export const wholeList: Omit<NonNullable<OperationFacts['list']>, 'gives'> = {
  part: (data) => data,
  render: null,
  renderAlike: null,
  beside: null,
};
