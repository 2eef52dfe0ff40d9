/** Records: what a run keeps of each exchange beside its history. They contain no secret and no payment token. */
import type { OperationId } from './exchange.ts';
import type { Position } from '../util/geo.ts';
import type { Outcome } from './outcome.ts';

/** The inputs of a request by name, without ids that are new in each request. Free text is replaced by its length. */
export type Inputs = Readonly<Record<string, string>>;

/** The time of sending and the time of the complete answer, in milliseconds since the epoch. */
interface Times {
  readonly from: number;
  readonly at: number;
}

/** A record about one application. Times are milliseconds since the epoch, or ticks of the session. */
interface OfApplication {
  readonly application: string;
}

export interface RecordByKind {
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
  /** `text`: the id as the answer shows it, with its leading zeros. */
  applications: { readonly id: string; readonly text: string };
  outcomes: OfApplication & Times & { readonly text: string; readonly errors: boolean };
  disbursed: OfApplication & Pick<Times, 'at'>;
  /** Answers that name another application than their request. */
  otherApplications: { readonly operation: OperationId; readonly asked: string; readonly answered: string };
  missingOutcomes: OfApplication & Pick<Times, 'from'>;
  outcomesWithoutData: OfApplication & Pick<Times, 'from'>;
  /** Contracts and disbursements, also in probes, that the bank did not refuse: the outcome of the application may change. */
  changes: OfApplication & Times & { readonly operation: OperationId; readonly account: string };
  /** An account in a loan answer: a digest of its reference, and its rates; null if a rate is not a number. */
  accounts: {
    readonly id: string;
    readonly text: string;
    readonly reference: string;
    readonly rates: { readonly interest: number; readonly commission: number } | null;
  };
  links: Times & {
    /** A digest: the order id may be the token, and a journal must not contain tokens. */
    readonly orderId: string | null;
    readonly token: string | null;
    /** A digest of the next consecutive token; null if the token does not end in digits. */
    readonly nextToken: string | null;
    /** The expiry time as in the answer; null if it is not a valid date and time. */
    readonly expiry: string | null;
    readonly asked: Inputs;
  };
  highestAmounts: { readonly amount: number };
  /** Requests, also probes, that may have created a payment link: the merchant list may change. */
  payments: Times;
  /** The names of branches in the merchant list, or in the branch list of one merchant. */
  branchLists: Pick<Times, 'at'> & {
    readonly isOfMerchants: boolean;
    /** The merchant of a branch list; empty for the merchant list. */
    readonly asked: string;
    /** The number of all entries. `named` has fewer if the list is long, or if an entry has no name. */
    readonly entries: number;
    /** The numbers of merchant and branch, and the name in small letters without white space, of the first branches. */
    readonly named: readonly { readonly merchant: string; readonly branch: string; readonly name: string }[];
  };
  /** The ATMs in one answer. `asked`: the requested position, or the requested province and district codes. */
  atmAnswers: {
    readonly asked: Position | { readonly province: string; readonly district: string };
    readonly atms: readonly SeenAtm[];
    /** Set if only some ATMs of the answer are kept: the number of all ATMs, and a digest of all of them. */
    readonly drawnFrom?: { readonly atms: number; readonly digest: string };
    readonly at: number;
    readonly until: number;
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
  /** Probes that have a control, and their repetitions after a server error. */
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

export interface SeenAtm extends Position {
  readonly no: string;
  readonly name: string;
  readonly distance: number | null;
  /** Digests of the texts in lower case and without white space; null if the text is missing. */
  readonly texts: Readonly<Record<'atm_name' | 'atm_address' | 'atm_city' | 'atm_district', string | null>>;
}

export type RecordKind = keyof RecordByKind;
/** A record, with the id of its exchange. */
export type RunRecord<K extends RecordKind = RecordKind> = {
  [Kind in K]: { readonly kind: Kind; readonly exchange: string } & RecordByKind[Kind];
}[K];
export type Run = { readonly [K in RecordKind]: readonly RunRecord<K>[] };

export const EMPTY_RUN: Run = {
  answers: [],
  applications: [],
  outcomes: [],
  disbursed: [],
  otherApplications: [],
  missingOutcomes: [],
  outcomesWithoutData: [],
  changes: [],
  accounts: [],
  links: [],
  highestAmounts: [],
  payments: [],
  branchLists: [],
  atmAnswers: [],
  lists: [],
  probes: [],
};
