/**
 * The proof of the suite: which known mutants it catches, and for which conforming banks it has no findings. The page and
 * the totals on the terminal are renderings.
 */
import type { Level, Section } from '../../openapi/clauses/clause.ts';
import type { Area } from '../../openapi/model/exchange.ts';
import type { Alarm, Drawn } from './drawn.ts';

/** What was measured. */
export interface Measure {
  /** Digest of the contract, the fixtures and the tests. */
  readonly digest: string;
  /** Number of cases per property. */
  readonly runs: number;
}

/**
 * `caught`: the verdict is right, the finding names the clause, the operation and the place, and no other promise is reported as
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

/** The complaint about a bank begins so if warnings that its description expects did not come. */
export const MISSED_WARNINGS = 'It was to be warned of: ';

/** The result for one bank that conforms. */
export interface ConformantOutcome {
  readonly name: string;
  readonly kind: 'variant' | 'random';
  /** The areas in which the bank was examined. */
  readonly areas: readonly Area[];
  readonly description: string;
  readonly verdict: string;
  /** The number of answers to open points that were compared with the design of the bank. */
  readonly choices: number;
  readonly alarms: readonly Alarm[];
  /** Other differences from the description of this bank. */
  readonly complaints: readonly string[];
}

/**
 * The result for one bank with a shipped bug. `failed`: the verdict is non-conformant. `warned`: there is a finding. `inconclusive`:
 * there is no finding, and the verdict is inconclusive. `silent`: there is no finding, and the verdict is conformant. `broken`: the
 * suite itself failed.
 */
export interface IncidentOutcome {
  readonly name: string;
  readonly description: string;
  readonly area: Area | 'service';
  readonly breaks: 'must' | 'should';
  readonly clause: string | null;
  /** Whether an ordinary run can show the bug, or only a run that is spread over time. */
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
  /** The number of known mutants of this clause, and how many of them are caught. */
  readonly known: number;
  readonly caught: number;
  /** Names of the mutants that are not caught. */
  readonly escaped: readonly string[];
}

export interface Proof {
  readonly suite: { readonly version: string; readonly contractDigest: string };
  readonly measure: Measure;
  /** The number of existing banks of each sort. A proof may examine only some of them. */
  readonly population: Readonly<Record<'mutants' | 'variants' | 'randomVariants' | 'incidents', number>>;
  readonly startedAt: string;
  readonly durationMs: number;
  /** The number of examined conforming banks. */
  readonly conformant: { readonly variants: number; readonly randomVariants: number };
  readonly clauses: readonly ClauseStrength[];
  readonly mutants: readonly MutantOutcome[];
  readonly banks: readonly ConformantOutcome[];
  readonly incidents: readonly IncidentOutcome[];
  /** Random banks for this proof. */
  readonly drawn: Drawn;
}
