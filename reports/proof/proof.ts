/**
 * The proof of the suite: which mutants it catches, and for which conforming banks it has no findings. The page and the totals on
 * the terminal are made from it.
 */
import type { Level, Section } from '../../openapi/clauses/clause.ts';
import type { Area } from '../../openapi/model/exchange.ts';
import type { Alarm, Drawn } from './drawn.ts';

/** The conditions of the measurement. */
export interface Measure {
  /** A digest of the contract, the fixtures and the tests. */
  readonly digest: string;
  /** The number of cases per property. */
  readonly runs: number;
}

/**
 * `caught`: the verdict is right, the finding names the clause, the operation and the place, and no other clause is reported as
 * broken. `misblamed`: only the verdict is right. `missed`: the verdict is wrong.
 */
type Catch = 'caught' | 'misblamed' | 'missed';

/** The result for one mutant. */
export interface MutantOutcome {
  readonly name: string;
  readonly kind: string;
  readonly description: string;
  readonly clause: string;
  readonly outcome: Catch;
  /** The expected finding: `clause at operation and pointer`. */
  readonly expected: string;
  /** The findings, if the mutant was not caught. */
  readonly found: readonly string[];
  /** Why the mutant does not count as caught, or null. */
  readonly why: string | null;
}

/** The beginning of the complaint that the suite did not give expected warnings. */
export const MISSED_WARNINGS = 'It was to be warned of: ';

/** The result for one bank that conforms. */
export interface ConformantOutcome {
  readonly name: string;
  /** The areas in which the bank was examined. */
  readonly areas: readonly Area[];
  readonly description: string;
  readonly verdict: string;
  /** The number of answers to open points that were compared with the design of the bank. */
  readonly choices: number;
  readonly alarms: readonly Alarm[];
  /** Other differences from the description of the bank. */
  readonly complaints: readonly string[];
}

/**
 * The result for one bank with a bug as in practice. `failed`: the verdict is non-conformant. `warned`: there is a finding.
 * `inconclusive`: there is no finding, and the verdict is inconclusive. `silent`: there is no finding, and the verdict is
 * conformant. `broken`: the suite itself failed.
 */
export interface IncidentOutcome {
  readonly name: string;
  readonly description: string;
  readonly area: Area | 'service';
  readonly breaks: 'must' | 'should';
  readonly clause: string | null;
  /** Whether a normal run can show the bug, or only a run with SOAK. */
  readonly visible: 'run' | 'soak';
  readonly outcome: 'failed' | 'warned' | 'inconclusive' | 'silent' | 'broken';
  readonly verdict: string;
  /**
   * The findings (`verdict clause at operation pointer: received`), the reasons for an inconclusive verdict, or how the suite
   * failed.
   */
  readonly found: readonly string[];
}

/** One line of the matrix. */
export interface ClauseStrength {
  readonly id: string;
  readonly area: Area | 'service';
  readonly level: Level;
  readonly section: Section;
  readonly statement: string;
  /** The number of mutants of this clause, and how many of them the suite catches. */
  readonly known: number;
  readonly caught: number;
  /** The names of the mutants that the suite does not catch. */
  readonly escaped: readonly string[];
}

export interface Proof {
  readonly suite: { readonly version: string; readonly contractDigest: string };
  readonly measure: Measure;
  /** The number of existing banks of each kind. A proof may examine only some of them. */
  readonly population: Readonly<Record<'mutants' | 'variants' | 'incidents', number>>;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly clauses: readonly ClauseStrength[];
  readonly mutants: readonly MutantOutcome[];
  readonly banks: readonly ConformantOutcome[];
  readonly incidents: readonly IncidentOutcome[];
  /** Random banks for this proof. */
  readonly drawn: Drawn;
}
