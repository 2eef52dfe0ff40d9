/** What a report says of recorded traffic. */

/** Traffic that others made and the suite judged. */
export interface RecordingReport {
  /** The file of the recording, or that it was recorded live. */
  readonly source: string;
  readonly judged: number;
  /** Exchanges that are of no operation of the document at the base URL. */
  readonly others: number;
  /** Exchanges that were recorded without their whole answer. */
  readonly incomplete: number;
  /** How requests left the document, the commonest first: no promise is drawn from the answers to these. */
  readonly deviations: readonly { readonly why: string; readonly count: number }[];
}
