/** Facts: what one exchange contributes to the checks over several exchanges. They hold no secret and no payment token. */
import type { OperationId } from './exchange.ts';
import type { Outcome } from './outcome.ts';

/** The inputs of a request, by name: without ids that are new each time, and with the length of free text in its place. */
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
    /** True for a rejection or a server error with Retry-After: it is about the moment. */
    readonly comesAgain?: true;
    /** When the request was sent, in milliseconds since the epoch. */
    readonly at: number;
    /** The status, or why there is none. */
    readonly what: string;
    /** Null if there is no answer. */
    readonly status: number | null;
    readonly asked: Features;
    /** The application or the order that the request is about. */
    readonly subject?: string;
    /** What the answer says of the state of its subject. */
    readonly state?: string;
  };
  /** An application that a loan request opened. */
  application: { readonly id: string };
  outcome: OfApplication & Times & { readonly text: string; readonly errors: boolean };
  /** A disbursement that was accepted. */
  disbursed: OfApplication & Pick<Times, 'at'>;
  /** An answer that names another application than the one asked about. */
  'other-application': { readonly operation: OperationId; readonly asked: string; readonly answered: string };
  /** A query of an outcome that was refused. */
  'outcome-missing': OfApplication & Pick<Times, 'from'>;
  /** A query of an outcome that was answered with errors and without data. */
  'outcome-without-data': OfApplication & Pick<Times, 'from'>;
  /** A contract or a disbursement that was not refused, also of a probe. Earlier outcomes of the application may have changed. */
  changed: OfApplication & Pick<Times, 'at'>;
  /** An account in a loan answer: a digest of its reference, and its rates; null if one is no number. */
  account: {
    readonly id: string;
    readonly reference: string;
    readonly rates: readonly [interest: number, commission: number] | null;
  };
  link: Times & {
    /** Digests: an id may be the token, and that never stands in a journal. */
    readonly orderId: string | null;
    readonly token: string | null;
    /** A digest of the token plus one; null if it does not end in digits. */
    readonly nextToken: string | null;
    /** As it is written; null if it is no moment. */
    readonly expiry: string | null;
    readonly asked: Features;
  };
  /** The highest amount of a QR payment, as the merchant list gives it. */
  highest: { readonly amount: number };
  /** A request that may have made a link, also of a probe: the merchant list may change by it. */
  payment: Times;
  /** The names of branches in the merchant list, or in the branch list of one merchant. */
  branches: {
    readonly isOfMerchants: boolean;
    /** Merchant and number of a branch, and a digest of its name. */
    readonly named: readonly (readonly [key: string, name: string])[];
  };
  /** The ATMs of one answer. `asked` is the position, or the province and district codes. */
  atms: {
    readonly asked: readonly [latitude: number, longitude: number] | readonly [province: string, district: string];
    readonly atms: readonly SeenAtm[];
    /** Where not all ATMs of the answer are noted: their number, and a digest of all of them in one order. */
    readonly drawnFrom?: { readonly atms: number; readonly digest: string };
    /** When the request was sent, and when its answer was complete, in milliseconds since the epoch. */
    readonly at: number;
    readonly until: number;
  };
  list: {
    readonly operation: OperationId;
    readonly asked: string;
    /** A digest of the documented parts of the list, whatever the order of keys and entries. */
    readonly list: string;
    /** Of ATMs: a digest that stays the same if other ATMs at the farthest distance are returned. */
    readonly alike?: string;
    /** When the request was sent, in milliseconds since the epoch. */
    readonly at: number;
    /** Of the merchant list: a digest of what stands next to the merchants, such as the maximum. Payments may change it. */
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
  /** Digests of its texts without white space; null if one is missing. */
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
