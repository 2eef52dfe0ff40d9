/** Defines the inputs and the times that many records have. */

/** The inputs of a request by name, without ids that are new in each request. Free text is replaced by its length. */
export type Inputs = Readonly<Record<string, string>>;

/** The time of sending and the time of the complete answer, in milliseconds since the epoch. */
export interface Times {
  readonly from: number;
  readonly at: number;
}
