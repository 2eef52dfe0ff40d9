/** Defines what the suite knows of an area of the service. */
import type { ClauseId } from '../clauses/index.ts';

export interface AreaFacts {
  /** Its name within a sentence. */
  readonly name: string;
  /** Its name as a heading. */
  readonly title: string;
  /** True if its requests carry the access token. */
  readonly usesToken: boolean;
  /** The clause that the bank requires no undocumented header fields. */
  readonly noOtherHeaders: ClauseId;
}
