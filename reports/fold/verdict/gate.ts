/** From the verdict to the gate: whether the run lets pass, and the exit status that says so. */
import type { ExitStatus, Finding, Gate, LevelCounts, RunVerdict, Suite } from '../../model/report.ts';
import type { RunFacts } from '../../model/description.ts';
import type { KnownJudgement } from '../../baseline/expected-failures.ts';
import { counted } from '../../text/phrases.ts';

interface GateTally {
  readonly verdict: RunVerdict;
  /** True where something kept the run from a conclusion, whatever was found. */
  readonly gaps?: boolean;
  readonly strict: boolean;
  /** Clauses of which every finding is known, and what is wrong with the known findings themselves. */
  readonly tolerated?: { readonly failures: number; readonly warnings: number };
  readonly knownFaults?: readonly { readonly exit: ExitStatus; readonly reason: string }[];
  /** Clauses with a warning. */
  readonly warnings: number;
  readonly failures: number;
  /** Of the failures those of pinned answers that nobody answers for. */
  readonly changed?: number;
  readonly errors: number;
  readonly configuration: number;
  /** Which secrets were found in what was to be written, and where. */
  readonly leaks: readonly string[];
}

const MAX_LISTED = 5;

/** Whether the run lets pass, and the exit status that says so. */
export function gate(tally: GateTally): Gate {
  const reasons: string[] = [];
  const exits = new Set<ExitStatus>();
  const no = (exit: ExitStatus, reason: string): void => {
    exits.add(exit);
    reasons.push(reason);
  };
  if (tally.leaks.length > 0)
    no(3, `a secret was found in what was to be written, and withheld there: ${listed(tally.leaks)}`);
  const { failures: known = 0, warnings: knownWarnings = 0 } = tally.tolerated ?? {};
  const [failures, warnings] = [tally.failures - known, tally.warnings - knownWarnings];
  const excused = tally.verdict === 'non-conformant' && failures === 0 && known > 0;
  const { changed = 0 } = tally;
  if (tally.verdict === 'non-conformant' && !excused && (failures > changed || changed === 0))
    no(
      1,
      `${counted(failures - changed, 'clause')} of the document broken${known > 0 ? `, and ${known} more that known findings allow` : ''}`,
    );
  if (changed > 0) no(1, `the pinned answers to ${counted(changed, 'open point')} changed`);
  if (tally.strict && warnings > 0) no(1, `${counted(warnings, 'warning')}, and STRICT=1 is set`);
  for (const fault of tally.knownFaults ?? []) no(fault.exit, fault.reason);
  if (tally.errors > 0) no(3, `the suite itself broke (${counted(tally.errors, 'fault')})`);
  if (tally.configuration > 0) no(2, 'the configuration is wrong');
  else if (tally.verdict === 'inconclusive' || (excused && tally.gaps === true)) no(2, 'the verdict is inconclusive');
  if (reasons.length === 0) {
    const spared = warnings > 0 ? `; ${counted(warnings, 'warning')}, which would fail with STRICT=1` : '';
    const verdict = excused
      ? `${counted(known, 'clause')} of the document broken, all allowed by known findings`
      : 'the bank is conformant';
    return { pass: true, exitStatus: 0, reasons: [`${verdict}${spared}`] };
  }
  return { pass: false, exitStatus: exitOf(exits, tally.leaks.length > 0), reasons };
}

/** The first of many. */
function listed(leaks: readonly string[]): string {
  const more = leaks.length - MAX_LISTED;
  return leaks.slice(0, MAX_LISTED).join(', ') + (more > 0 ? `, and ${more} more` : '');
}

/** A leak comes before all. Then what the target did counts before what the suite did, and both before a gap. */
function exitOf(exits: ReadonlySet<ExitStatus>, leaked: boolean): ExitStatus {
  if (leaked) return 3;
  return ([1, 3, 2] as const).find((status) => exits.has(status)) ?? 0;
}

/** What of a run the gate is made of. */
interface GateFacts {
  readonly verdict: RunVerdict;
  readonly gaps: boolean;
  readonly run: RunFacts;
  readonly counts: LevelCounts;
  readonly findings: readonly Finding[];
  readonly pinned: ReadonlySet<string>;
  readonly known: KnownJudgement;
  readonly errors: number;
}

/** The gate of a run. */
export function gateOf({ verdict, gaps, run, counts, findings, pinned, known, errors }: GateFacts): Gate {
  const { suite } = run;
  const changed = findings.filter((one) => one.verdict === 'fail' && one.known === undefined && pinned.has(one.clause));
  return gate({
    verdict,
    gaps,
    strict: suite.strict,
    warnings: counts.should.warning,
    failures: counts.must.fail,
    changed: new Set(changed.map(({ clause }) => clause)).size,
    tolerated: { failures: toleratedClauses(findings, 'fail'), warnings: toleratedClauses(findings, 'warning') },
    knownFaults: [...known.faults, ...securityFaults(findings, suite)],
    errors,
    configuration: run.configuration?.length ?? 0,
    leaks: run.leaks ?? [],
  });
}

/** With FAIL_ON=security: what fails the gate about warnings of that class that nobody answers for. */
function securityFaults(findings: readonly Finding[], { failOn = [], strict }: Suite): KnownJudgement['faults'] {
  const open = findings.filter((one) => one.class === 'security' && one.known === undefined);
  const clauses = new Set(open.map(({ clause }) => clause));
  if (clauses.size === 0 || strict || !failOn.includes('security')) return [];
  return [{ exit: 1, reason: `${counted(clauses.size, 'security warning')}, and FAIL_ON names security` }];
}

/** Clauses of which every finding of this verdict is known. */
function toleratedClauses(findings: readonly Finding[], verdict: Finding['verdict']): number {
  const mine = findings.filter((finding) => finding.verdict === verdict);
  const open = new Set(mine.filter(({ known }) => known === undefined).map(({ clause }) => clause));
  return new Set(mine.map(({ clause }) => clause).filter((clause) => !open.has(clause))).size;
}
