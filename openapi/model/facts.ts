/** Facts: what one exchange contributes to the rules over several exchanges. They hold no secret and no payment token. */
import type { OperationId } from './exchange.ts';
import type { Outcome } from './outcome.ts';

/** What a request asked for, by name, without fresh ids; the length of a text in the place of free text. */
export type Features = Readonly<Record<string, string>>;

export interface AnswerFact {
  readonly rule: 'answer';
  readonly operation: OperationId;
  readonly outcome: Outcome;
  /** True of a rejection or a server error that says when to come again: it speaks of the moment. */
  readonly comesAgain?: true;
  /** When the request was sent, in milliseconds since the epoch. */
  readonly at: number;
  /** The status, or why there is none. */
  readonly what: string;
  /** Null where there was no answer. */
  readonly status: number | null;
  /** The request without its fresh ids. */
  readonly asked: Features;
  /** The application or the order that the request is about. */
  readonly subject?: string;
  /** What the answer says of the state of its subject. */
  readonly state?: string;
}

interface ApplicationFact {
  readonly rule: 'application';
  readonly id: string;
}

export interface OutcomeFact {
  readonly rule: 'outcome';
  readonly application: string;
  readonly text: string;
  readonly errors: boolean;
  /** When the query was sent, and when its answer was complete: milliseconds since the epoch, or ticks of the session. */
  readonly from: number;
  readonly at: number;
}

/** A disbursement was taken on. */
interface DisbursedFact {
  readonly rule: 'disbursed';
  readonly application: string;
  readonly at: number;
}

/** An answer that names another application than the one that was asked about. */
interface OtherApplicationFact {
  readonly rule: 'other-application';
  readonly operation: OperationId;
  readonly asked: string;
  readonly answered: string;
}

/** A query of an outcome that was refused. */
interface OutcomeMissingFact {
  readonly rule: 'outcome-missing';
  readonly application: string;
  /** When the query was sent: milliseconds since the epoch, or ticks of the session. */
  readonly from: number;
}

/** A query of an outcome that was answered with errors and without data. */
interface OutcomeWithoutDataFact {
  readonly rule: 'outcome-without-data';
  readonly application: string;
  /** When the query was sent: milliseconds since the epoch, or ticks of the session. */
  readonly from: number;
}

/** A contract or a disbursement that was not refused, a probe too: what was said of the application before is history. */
interface ChangedFact {
  readonly rule: 'changed';
  readonly application: string;
  /** When it was answered: milliseconds since the epoch, or ticks of the session. */
  readonly at: number;
}

/** What a loan answer says of an account. */
interface AccountFact {
  readonly rule: 'account';
  readonly id: string;
  /** A digest of the reference. */
  readonly reference: string;
  /** The rates of interest and of commission; null where one is no number. */
  readonly rates: readonly [interest: number, commission: number] | null;
}

export type LoanFact =
  | ApplicationFact
  | DisbursedFact
  | OutcomeFact
  | OtherApplicationFact
  | OutcomeMissingFact
  | ChangedFact
  | OutcomeWithoutDataFact
  | AccountFact;

export interface LinkFact {
  readonly rule: 'link';
  /** Digests: an id may be the token, and that never stands in a journal. */
  readonly orderId: string | null;
  readonly token: string | null;
  /** A digest of the token counted on by one; null where it does not end in digits. */
  readonly nextToken: string | null;
  /** The expiry as it is written; null where it is no moment. */
  readonly expiry: string | null;
  /** Milliseconds since the epoch: between them the link was made. */
  readonly from: number;
  readonly at: number;
  /** The request without its fresh ids. */
  readonly asked: Features;
}

/** The highest amount of a QR payment, as the merchant list gives it. */
export interface HighestFact {
  readonly rule: 'highest';
  readonly amount: number;
}

/** A request that may have made a link, a probe too: what the merchant list says may change by it. */
export interface PaymentFact {
  readonly rule: 'payment';
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly at: number;
}

/** The names of branches in the merchant list, or in the list of the branches of one merchant. */
export interface BranchesFact {
  readonly rule: 'branches';
  readonly isOfMerchants: boolean;
  /** Merchant and number of a branch, and a digest of its name. */
  readonly named: readonly (readonly [key: string, name: string])[];
}

/** An ATM as an answer showed it. */
export type SeenAtm = readonly [
  no: string,
  latitude: number,
  longitude: number,
  name: string,
  distance: number | null,
  /** Digests of its texts without white space; null of one that is missing. */
  texts: readonly [name: string | null, address: string | null, city: string | null, district: string | null],
  /** The length of its address in UTF-16 code units and in UTF-8 bytes, and the digest of its beginning; null of one that is missing or short. */
  addressHead: readonly [length: number, head: string, bytes: number] | null,
];

/** The ATMs of one answer; `asked` is the position, or the province and district codes. */
export interface AtmFact {
  readonly rule: 'atms';
  readonly asked: readonly [latitude: number, longitude: number] | readonly [province: string, district: string];
  readonly atms: readonly SeenAtm[];
  /** Where the answer showed more ATMs: how many, and a digest of all of them, in whatever order. */
  readonly drawnFrom?: { readonly atms: number; readonly digest: string };
  /** When the request was sent, and when its answer was complete, in milliseconds since the epoch. */
  readonly at: number;
  readonly until: number;
}

export interface ListFact {
  readonly rule: 'list';
  readonly operation: OperationId;
  readonly asked: string;
  /** A digest of what the document names in the list, whatever the order of keys and entries. */
  readonly list: string;
  /** Of ATMs: a digest that is the same where the lists differ in ATMs as far as the farthest alone. */
  readonly alike?: string;
  /** When the request was sent, in milliseconds since the epoch. */
  readonly at: number;
  /**
   * Of the merchant list: a digest of what stands beside the merchants, as the maximum, which payments may change, and when
   * it was asked for and when it had come, in milliseconds since the epoch.
   */
  readonly beside?: { readonly list: string; readonly from: number; readonly at: number };
}

/** What one exchange contributes to a clause over several. Holds no secret and no payment token. */
export type Fact = AnswerFact | LoanFact | LinkFact | PaymentFact | HighestFact | BranchesFact | AtmFact | ListFact;

export interface FactRecord<F extends Fact = Fact> {
  /** The exchange that showed the fact. */
  readonly exchange: string;
  readonly fact: F;
}
