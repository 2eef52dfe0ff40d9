/**
 * The proof of the suite: what it catches of the mutants that are known, and what it leaves alone of banks that conform.
 * `proof.json` holds it; page, table and the figures beside clauses are renderings.
 */
import type { Level, Section } from '../../openapi/clauses/clause.ts';
import type { Area } from '../../openapi/model/exchange.ts';
import type { Alarm, Drawn } from './drawn.ts';

/** The name of the format; a change that breaks readers raises the number. */
export const proofFormat = 'bank-open-api-proof/1';

/** What the figures hold for: a run with less shows none of them. */
export interface Measure {
  /** Digest of the contract, the fixtures and the tests. */
  readonly digest: string;
  /** Cases per property. */
  readonly runs: number;
  readonly caps: Readonly<Record<string, number>>;
  readonly areas: readonly Area[];
}

/**
 * `caught`: the verdict is right, the finding names the clause, the operation and the place, and no other promise is said
 * to be broken. `misblamed`: the verdict is right and something else of that is not. `missed`: the verdict is wrong.
 */
type Catch = 'caught' | 'misblamed' | 'missed';

/** What came of one mutated bank. */
export interface MutantOutcome {
  readonly name: string;
  readonly kind: string;
  readonly description: string;
  readonly clause: string;
  readonly outcome: Catch;
  /** `clause at operation and pointer`. */
  readonly expected: string;
  /** What was found instead, where it was not caught. */
  readonly found: readonly string[];
  /** Why it does not count as caught, or null. */
  readonly why: string | null;
}

/** What came of one bank that conforms. */
export interface ConformantOutcome {
  readonly name: string;
  readonly kind: 'variant' | 'random';
  /** Those in which it was examined. */
  readonly areas: readonly Area[];
  readonly description: string;
  readonly verdict: string;
  /** Its answers to open points that were compared with what the bank was built to do. */
  readonly choices: number;
  readonly alarms: readonly Alarm[];
  /** What else is not as it was said of this bank. */
  readonly complaints: readonly string[];
}

/**
 * What came of one bank with a shipped bug. `failed`: the verdict is non-conformant. `warned`: there is a finding.
 * `inconclusive`: there is none, and the verdict leaves open whether the bank conforms. `silent`: it is said to conform.
 * `broken`: the suite itself broke.
 */
export interface IncidentOutcome {
  readonly name: string;
  readonly description: string;
  readonly area: Area | 'service';
  readonly breaks: 'must' | 'should';
  readonly clause: string | null;
  /** Whether an ordinary run can show it, or only one that is spread over time. */
  readonly visible: 'run' | 'soak';
  readonly outcome: 'failed' | 'warned' | 'inconclusive' | 'silent' | 'broken';
  readonly verdict: string;
  /** Findings, `verdict clause at operation pointer: received`; reasons of an inconclusive verdict; how the suite broke. */
  readonly found: readonly string[];
}

/** One line of the matrix. */
export interface ClauseStrength {
  readonly id: string;
  readonly area: Area | 'service';
  readonly level: Level;
  readonly section: Section;
  readonly statement: string;
  /** Mutants of this clause that are known, and those of them that are caught. */
  readonly known: number;
  readonly caught: number;
  /** Names of the others. */
  readonly escaped: readonly string[];
  /** Conformant banks that were examined in the area of the clause, and names of those on which it raised an alarm. */
  readonly banks: number;
  readonly alarms: readonly string[];
}

export interface Proof {
  readonly format: typeof proofFormat;
  readonly suite: { readonly version: string; readonly contractDigest: string };
  readonly measure: Measure;
  /** How many banks of each sort there are; a proof may examine a part of them. */
  readonly population: Readonly<Record<'mutants' | 'variants' | 'randomVariants' | 'incidents', number>>;
  readonly startedAt: string;
  readonly durationMs: number;
  /** Conformant banks that were examined, and choices of theirs that were found among their open points. */
  readonly conformant: { readonly variants: number; readonly randomVariants: number; readonly choices: number };
  readonly kinds: readonly { readonly kind: string; readonly known: number; readonly caught: number }[];
  readonly clauses: readonly ClauseStrength[];
  readonly mutants: readonly MutantOutcome[];
  readonly banks: readonly ConformantOutcome[];
  readonly incidents: readonly IncidentOutcome[];
  /** Banks that were drawn for this proof. */
  readonly drawn: Drawn;
}
