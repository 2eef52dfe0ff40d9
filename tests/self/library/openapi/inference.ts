import type { Inference } from '../../../../openapi/model/finding.ts';
import type { History } from '../../../../openapi/model/history.ts';
import type { Run } from '../../../../openapi/model/record.ts';

export const inferences: readonly ((run: Run) => readonly Inference[])[] = [];
export const leaveOutReplaced = (history: History): History => history;
