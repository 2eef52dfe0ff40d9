/** Comparisons: which exchanges a scenario lays side by side. A check says what follows. */
import type { ClauseId } from '../clauses/index.ts';

/** What a scenario lays side by side for a clause. It holds no verdict. */
export interface Comparison {
  readonly clause: ClauseId;
  /** Ids of exchanges by their role, such as `probe` and `control`. */
  readonly exchanges: Readonly<Record<string, readonly string[]>>;
  /** What was asked that the exchanges do not show, as words of the finding. */
  readonly about?: Readonly<Record<string, string>>;
}
