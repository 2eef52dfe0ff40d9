/** Defines the kinds of records that only this bank has. Records contain no secret and no payment token. */
import type { OperationId } from '../../clauses/areas.ts';
import type { Inputs, Times } from '../../model/inputs.ts';
import type { Position } from '../../util/geo.ts';

/** A record about one application. Times are milliseconds since the epoch, or ticks of the session. */
interface OfApplication {
  readonly application: string;
}

/** An ATM in an answer. */
export interface SeenAtm extends Position {
  readonly no: string;
  readonly name: string;
  readonly distance: number | null;
  /** Digests of the texts in lower case and without white space; null if the text is missing. */
  readonly texts: Readonly<Record<'atm_name' | 'atm_address' | 'atm_city' | 'atm_district', string | null>>;
}

export interface BankRecords {
  /** `text`: the id as the answer shows it, with its leading zeros. */
  applications: { readonly id: string; readonly text: string };
  /** Outcome texts, and whether the answer has errors. */
  outcomes: OfApplication & Times & { readonly text: string; readonly errors: boolean };
  /** Accepted disbursements. */
  disbursed: OfApplication & Pick<Times, 'at'>;
  /** Answers that name another application than their request. */
  otherApplications: { readonly operation: OperationId; readonly asked: string; readonly answered: string };
  /** Queries that were refused with a status that may mean “not found”. */
  missingOutcomes: OfApplication & Pick<Times, 'from'>;
  /** Queries that got errors and no data in a 2xx answer. */
  outcomesWithoutData: OfApplication & Pick<Times, 'from'>;
  /** Contracts and disbursements that the bank did not refuse, also invalid ones: the outcome of the application may change. */
  changes: OfApplication & Times & { readonly operation: OperationId; readonly account: string };
  /** An account in a loan answer: a digest of its reference, and its rates; null if a rate is not a number. */
  accounts: {
    readonly id: string;
    readonly text: string;
    readonly reference: string;
    readonly rates: { readonly interest: number; readonly commission: number } | null;
  };
  links: Times & {
    /** A digest, because the order id may be the token, and a log must not contain tokens. */
    readonly orderId: string | null;
    readonly token: string | null;
    /** A digest of the next consecutive token; null if the token does not end in digits. */
    readonly nextToken: string | null;
    /** The expiry time as in the answer; null if it is not a valid date and time. */
    readonly expiry: string | null;
    readonly asked: Inputs;
  };
  /** Values of `qr_max_amount`. */
  highestAmounts: { readonly amount: number };
  /** Requests that may have created a payment link, also invalid ones: the merchant list may change. */
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
}

export const NO_BANK_RECORDS: { readonly [K in keyof BankRecords]: readonly [] } = {
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
};

/** A change that a session remembers: a later request may be refused because of it. */
export type StepChange = BankRecords['changes'] & { readonly exchange: string };
