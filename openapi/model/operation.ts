/**
 * Defines what the suite knows of an area and of an operation beside the contract. Each member is required: who adds an operation states
 * all of them. The contract says the rest (method, path, inputs, answers), and `contract/operations.ts` puts both together.
 */
import type { Area, Created, OperationId } from '../clauses/areas.ts';
import type { ClauseId } from '../clauses/index.ts';
import type { Exchange } from './exchange.ts';
import type { Creation } from './journal.ts';
import type { OpenPointAnswer } from './observation.ts';
import type { RecordByKind, RecordKind } from './record.ts';
import type { Rule } from './rule.ts';

/** What the suite knows of an area of the service. */
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

type Members = Readonly<Record<string, unknown>>;

/** What a request creates at the bank. */
interface Creates {
  readonly what: Creation['what'];
  /** The heading for the created things, such as “Payment links”. */
  readonly title: string;
  /** The cap that a request uses; null if nothing limits it. */
  readonly kind: Created | null;
  /** The member of `data` with the id of what was created; null if the request names it. */
  readonly id: string | null;
  /** Members of `data`: an answer `false` in which all of them are empty created nothing. Null if the answer cannot show this. */
  readonly shownBy: readonly string[] | null;
}

/** The list in the answers of an operation. */
interface GivenList {
  /** The part of `data` that the same request always gets. */
  readonly part: (data: object) => object;
  /** Writes the list as a text that does not depend on the order of entries; null for all documented members of `part`. */
  readonly render: ((data: object) => string) | null;
  /** Writes the list without what may differ between two right answers. */
  readonly renderAlike: ((data: object) => string) | null;
  /** The part of `data` that payments may change. */
  readonly beside: ((data: object) => object) | null;
  /** The input that takes its values from the list, the array in `data`, and the member of an entry. */
  readonly gives: { readonly input: string; readonly list: string; readonly member: string } | null;
}

/** An accepted answer to a documented request. */
export interface AcceptedAnswer {
  readonly exchange: Exchange;
  readonly data: unknown;
  readonly body: unknown;
}

export type AddRecord = <K extends RecordKind>(kind: K, record: RecordByKind[K]) => void;

/** What the run keeps of the exchanges of an operation. */
interface Kept {
  /** Records of each request that the bank did not refuse, also of an invalid one. */
  readonly change: ((exchange: Exchange, add: AddRecord) => void) | null;
  readonly accepted: ((answer: AcceptedAnswer, add: AddRecord) => void) | null;
  readonly refused: ((exchange: Exchange, add: AddRecord) => void) | null;
  /** The state that the body of an answer shows. */
  readonly state: ((body: unknown) => string | undefined) | null;
}

/** What later requests need from an answer. */
export interface LoggedDetails {
  /** The positions of the ATMs. */
  readonly shown?: readonly string[];
  /** For an accepted loan request: its application, and the offered accounts and limits in order. */
  readonly opened?: { readonly id: string; readonly accounts: readonly string[]; readonly limits: readonly unknown[] };
  /** The text of an outcome, also in an answer that is not accepted. */
  readonly result?: string;
}

/** A kind of requests that the bank should refuse. `text` is shown before the run. */
interface PlannedRefusal {
  readonly text: string;
  readonly isOverLimit: boolean;
}

export interface OperationFacts {
  readonly area: Area;
  /** The heading of its column in reports. */
  readonly label: string;
  /** The operations whose answers have inputs for this one: ids, offers, entries of lists. */
  readonly needs: readonly OperationId[];
  /** The operations that come before this one, and whose answers it does not need. */
  readonly after: readonly OperationId[];
  /** True if a run that sends only GET requests can test the operation. */
  readonly readOnly: boolean;
  /** The input that names the subject of the request: a subject has a state, which requests may change. */
  readonly subject: string | null;
  readonly creates: Creates | null;
  /** The input that an accepted request uses up; null if the request can be repeated. */
  readonly usesUp: string | null;
  /**
   * The end of the name of an input in findings about later steps, such as ` of its loan request` in “currency of its loan request”.
   * Null if findings do not name its inputs.
   */
  readonly asEarlierStep: string | null;
  /** The input with a free text; null if there is none. */
  readonly freeText: string | null;
  /** Inputs whose values come from lists of the bank, the most informative first. */
  readonly listedInputs: readonly string[];
  readonly list: GivenList | null;
  /** Returns the ids in the data of an answer, as inputs of later requests. The id is the last member, and its owners come before it. */
  readonly answeredIds: ((data: Members, asked: Members) => readonly Members[]) | null;
  readonly rules: readonly Rule[];
  /** True if only several exchanges show whether a 2xx without `data` is a refusal in disguise. */
  readonly isDisguiseShownByRun: boolean;
  /** The clause that is broken if an answer `false` leaves out a documented member. */
  readonly declinedClause: ClauseId | null;
  /** The clause that is broken if a refusal gives no reason. */
  readonly refusalClause: ClauseId | null;
  /** The id of the open point that lists which values the bank accepts. */
  readonly boundsPoint: ClauseId | null;
  /** The id of the open point that lists which requests the bank refuses. */
  readonly refusalsPoint: ClauseId | null;
  /** Answers of an exchange to open points of this operation. */
  readonly observe: ((answer: AcceptedAnswer, succeeded: boolean) => readonly OpenPointAnswer[]) | null;
  readonly kept: Kept;
  /** Reads what later requests need from the data of an answer; `isAccepted` is false for a refusal. */
  readonly logged: ((data: unknown, isAccepted: boolean) => LoggedDetails) | null;
  /** What was empty if the operation got no request although those before it succeeded, and what a user can do. */
  readonly whenNotReached: string | null;
  /** True if its answers depend on the test data: other operations may then not be reached. */
  readonly hasTestData: boolean;
  readonly plannedRefusals: readonly PlannedRefusal[];
}
