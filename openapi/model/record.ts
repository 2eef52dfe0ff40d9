/** Defines records: what a run keeps of each exchange to compare it with others. Records have no secret and no payment token. */
import { NO_BANK_RECORDS, type BankRecords } from '#bank/records/kinds';
import type { OperationId } from './exchange.ts';
import type { Inputs, Times } from './inputs.ts';
import type { Outcome } from './outcome.ts';

export interface RecordByKind extends BankRecords {
  answers: {
    readonly operation: OperationId;
    readonly outcome: Outcome;
    /** True for a refusal or a server error with Retry-After: a later request may succeed. */
    readonly isRetryable?: true;
    readonly at: number;
    /** The status, or the reason why there is no answer. */
    readonly what: string;
    readonly status: number | null;
    readonly asked: Inputs;
    readonly subject?: string;
    readonly state?: string;
  };
  lists: {
    readonly operation: OperationId;
    readonly asked: string;
    /** A digest of the documented parts of the list. The order of keys and entries does not matter. */
    readonly list: string;
    /** For ATMs: a digest that does not depend on which of the farthest ATMs the bank returned. */
    readonly alike?: string;
    readonly at: number;
    /** For the merchant list: a digest of the values beside the merchants. Payments may change them. */
    readonly beside?: Times & { readonly list: string };
  };
  /** Invalid requests that have a positive control, and their repetitions after a server error. */
  probes: {
    readonly operation: OperationId;
    readonly status: number | null;
    readonly control?: string;
    readonly repeats?: string;
    /** True for a 5xx that is a fault of the server. */
    readonly isServerError: boolean;
    readonly isThrottled: boolean;
    readonly isRetryable: boolean;
    /** True for a 2xx that is a refusal. */
    readonly isDisguised: boolean;
    readonly leak: string | null;
    /** Quotes an answer that may break a clause. */
    readonly what: string;
  };
}

export type RecordKind = keyof RecordByKind;
/** A record, with the id of its exchange. */
export type RunRecord<K extends RecordKind = RecordKind> = {
  [Kind in K]: { readonly kind: Kind; readonly exchange: string } & RecordByKind[Kind];
}[K];
export type Run = { readonly [K in RecordKind]: readonly RunRecord<K>[] };

export const EMPTY_RUN: Run = { ...NO_BANK_RECORDS, answers: [], lists: [], probes: [] };
