/** Facts: notes about one exchange for checks over several exchanges. They contain no secret and no payment token. */
import type { OperationId } from './exchange.ts';
import type { Outcome } from './outcome.ts';

/** The inputs of a request, by name. Ids that are new each time are left out; free text is replaced by its length. */
export type Features = Readonly<Record<string, string>>;

/** When a request was sent, and when its answer was complete: milliseconds since the epoch. */
interface Times {
  readonly from: number;
  readonly at: number;
}

/** A note about an application. All times of these notes are milliseconds since the epoch, or ticks of the session. */
interface OfApplication {
  readonly application: string;
}

interface Facts {
  answer: {
    readonly operation: OperationId;
    readonly outcome: Outcome;
    /** True for a rejection or a server error with Retry-After: a later request may succeed. */
    readonly comesAgain?: true;
    /** When the request was sent, in milliseconds since the epoch. */
    readonly at: number;
    /** The status, or why there is no answer. */
    readonly what: string;
    /** Null if there is no answer. */
    readonly status: number | null;
    readonly asked: Features;
    /** The application or the order that the request is about. */
    readonly subject?: string;
    /** The state of the subject in the answer. */
    readonly state?: string;
  };
  /** An application that a loan request opened. */
  application: { readonly id: string };
  outcome: OfApplication & Times & { readonly text: string; readonly errors: boolean };
  /** A disbursement that was accepted. */
  disbursed: OfApplication & Pick<Times, 'at'>;
  /** An answer that names another application than the request. */
  'other-application': { readonly operation: OperationId; readonly asked: string; readonly answered: string };
  /** A refused query of an outcome. */
  'outcome-missing': OfApplication & Pick<Times, 'from'>;
  /** A query of an outcome whose answer has errors and no data. */
  'outcome-without-data': OfApplication & Pick<Times, 'from'>;
  /** A contract or a disbursement that was not refused, also in a probe. It may change the outcome of the application. */
  changed: OfApplication & Pick<Times, 'at'>;
  /** An account in a loan answer: a digest of its reference, and its rates; null if a rate is no number. */
  account: {
    readonly id: string;
    readonly reference: string;
    readonly rates: readonly [interest: number, commission: number] | null;
  };
  link: Times & {
    /** A digest, as the id may be the token: a journal never contains a token. */
    readonly orderId: string | null;
    readonly token: string | null;
    /** A digest of the token plus one; null if the token does not end in digits. */
    readonly nextToken: string | null;
    /** The expiry as in the answer; null if it is no moment. */
    readonly expiry: string | null;
    readonly asked: Features;
  };
  /** The highest amount of a QR payment in the merchant list. */
  highest: { readonly amount: number };
  /** A request that may have made a link, also in a probe. It may change the merchant list. */
  payment: Times;
  /** The names of branches in the merchant list, or in the branch list of one merchant. */
  branches: {
    readonly isOfMerchants: boolean;
    /** Merchant and number of a branch, and a digest of its name. */
    readonly named: readonly (readonly [key: string, name: string])[];
  };
  /** The ATMs in one answer. `asked` is the requested position, or the province and district codes. */
  atms: {
    readonly asked: readonly [latitude: number, longitude: number] | readonly [province: string, district: string];
    readonly atms: readonly SeenAtm[];
    /** Set if only some ATMs of the answer are noted: the number of all ATMs, and a digest of all sorted ATMs. */
    readonly drawnFrom?: { readonly atms: number; readonly digest: string };
    /** When the request was sent, and when its answer was complete, in milliseconds since the epoch. */
    readonly at: number;
    readonly until: number;
  };
  list: {
    readonly operation: OperationId;
    readonly asked: string;
    /** A digest of the documented parts of the list. The order of keys and entries does not matter. */
    readonly list: string;
    /** For ATMs: a digest that stays the same if other ATMs at the farthest distance are returned. */
    readonly alike?: string;
    /** When the request was sent, in milliseconds since the epoch. */
    readonly at: number;
    /** For the merchant list: a digest of the values next to the merchants, such as the maximum. Payments may change them. */
    readonly beside?: Times & { readonly list: string };
  };
}

/** An ATM as an answer showed it. */
export type SeenAtm = readonly [
  no: string,
  latitude: number,
  longitude: number,
  name: string,
  distance: number | null,
  /** Digests of the texts without white space; null for a missing text. */
  texts: readonly [name: string | null, address: string | null, city: string | null, district: string | null],
];

export type FactName = keyof Facts;
type AnyFact = { [Name in FactName]: { readonly rule: Name } & Facts[Name] }[FactName];

/** A fact, or the facts of these names. */
export type Fact<Name extends FactName = FactName> = Extract<AnyFact, { readonly rule: Name }>;

export type AnswerFact = Fact<'answer'>;
export type OutcomeFact = Fact<'outcome'>;
export type LinkFact = Fact<'link'>;
export type PaymentFact = Fact<'payment'>;
export type BranchesFact = Fact<'branches'>;
export type AtmFact = Fact<'atms'>;
export type ListFact = Fact<'list'>;
export type LoanFact = Fact<
  | 'application'
  | 'disbursed'
  | 'outcome'
  | 'other-application'
  | 'outcome-missing'
  | 'changed'
  | 'outcome-without-data'
  | 'account'
>;

export interface FactRecord<F extends Fact = Fact> {
  /** The exchange that shows the fact. */
  readonly exchange: string;
  readonly fact: F;
}
