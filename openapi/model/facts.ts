/** Facts: notes about one exchange, for checks over several exchanges. They contain no secret and no payment token. */
import type { OperationId } from './exchange.ts';
import type { Position } from '../util/geo.ts';
import type { Outcome } from './outcome.ts';

/** The inputs of a request by name, without ids that are new in each request. Free text is replaced by its length. */
export type Features = Readonly<Record<string, string>>;

/** The time of sending and the time of the complete answer, in milliseconds since the epoch. */
interface Times {
  readonly from: number;
  readonly at: number;
}

/** A note about one application. Times are milliseconds since the epoch, or ticks of the session. */
interface OfApplication {
  readonly application: string;
}

interface Facts {
  answer: {
    readonly operation: OperationId;
    readonly outcome: Outcome;
    /** True for a refusal or a server error with Retry-After: a later request may succeed. */
    readonly isRetryable?: true;
    /** The time of sending, in milliseconds since the epoch. */
    readonly at: number;
    /** The status, or the reason why there is no answer. */
    readonly what: string;
    readonly status: number | null;
    readonly asked: Features;
    readonly subject?: string;
    /** The state of the application in the answer. */
    readonly state?: string;
  };
  application: { readonly id: string };
  outcome: OfApplication & Times & { readonly text: string; readonly errors: boolean };
  /** A disbursement that the bank accepted. */
  disbursed: OfApplication & Pick<Times, 'at'>;
  /** An answer that names another application than its request. */
  'other-application': { readonly operation: OperationId; readonly asked: string; readonly answered: string };
  'outcome-missing': OfApplication & Pick<Times, 'from'>;
  'outcome-without-data': OfApplication & Pick<Times, 'from'>;
  /** A contract or disbursement, also in a probe, that the bank did not refuse: the outcome of the application may change. */
  changed: OfApplication & Times & { readonly operation: OperationId; readonly account: string };
  /** An account in a loan answer: a digest of its reference, and its rates; null if a rate is not a number. */
  account: {
    readonly id: string;
    readonly reference: string;
    readonly rates: readonly [interest: number, commission: number] | null;
  };
  link: Times & {
    /** A digest: the order id may be the token, and a journal must not contain tokens. */
    readonly orderId: string | null;
    readonly token: string | null;
    /** A digest of the next consecutive token; null if the token does not end in digits. */
    readonly nextToken: string | null;
    /** The expiry time as in the answer; null if it is not a valid date and time. */
    readonly expiry: string | null;
    readonly asked: Features;
  };
  highest: { readonly amount: number };
  /** A request, also a probe, that may have created a payment link: the merchant list may change. */
  payment: Times;
  /** The names of branches in the merchant list, or in the branch list of one merchant. */
  branches: Pick<Times, 'at'> & {
    readonly isOfMerchants: boolean;
    /** For each branch: the merchant number and branch number, and a digest of the name. */
    readonly named: readonly (readonly [key: string, name: string])[];
  };
  /** The ATMs in one answer. `asked` is the requested position, or the province and district codes. */
  atms: {
    readonly asked: Position | { readonly province: string; readonly district: string };
    readonly atms: readonly SeenAtm[];
    /** Set if only some ATMs of the answer are noted: the number of all ATMs, and a digest of all of them. */
    readonly drawnFrom?: { readonly atms: number; readonly digest: string };
    /** The time of the answer and the time of sending, in milliseconds since the epoch. */
    readonly at: number;
    readonly until: number;
  };
  list: {
    readonly operation: OperationId;
    readonly asked: string;
    /** A digest of the documented parts of the list. The order of keys and entries does not matter. */
    readonly list: string;
    /** For ATMs: a digest that does not depend on which of the farthest ATMs the bank returned. */
    readonly alike?: string;
    /** The time of the answer and the time of sending, in milliseconds since the epoch. */
    readonly at: number;
    /**
     * For the merchant list: a digest of the values beside the merchants, such as the highest QR amount. Payments may change them.
     */
    readonly beside?: Times & { readonly list: string };
  };
}

/** An ATM in an answer. */
export interface SeenAtm extends Position {
  readonly no: string;
  readonly name: string;
  readonly distance: number | null;
  /** Digests of the texts without white space and case; null for a missing text. */
  readonly texts: Readonly<Record<'atm_name' | 'atm_address' | 'atm_city' | 'atm_district', string | null>>;
}

export type FactName = keyof Facts;
type AnyFact = { [Name in FactName]: { readonly rule: Name } & Facts[Name] }[FactName];

export type Fact<Name extends FactName = FactName> = Extract<AnyFact, { readonly rule: Name }>;

export type AnswerFact = Fact<'answer'>;
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
  /** The id of the exchange that shows the fact. */
  readonly exchange: string;
  readonly fact: F;
}
