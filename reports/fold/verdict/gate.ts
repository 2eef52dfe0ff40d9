/** Decides the gate from the verdict: whether the run passes, and its exit status. */
import type { RunFacts } from '../../model/description.ts';
import type { JudgedEntry } from '../../model/contents.ts';
import type { ExitStatus, Finding, Gate, LevelCounts, RunVerdict } from '../../model/report.ts';
import { describeEntryFault } from '../../baseline/expected-failures.ts';
import { counted } from '../../text/phrases.ts';

interface GateFacts {
  readonly verdict: RunVerdict;
  /** True if something made the run inconclusive, even if there are findings. */
  readonly gaps: boolean;
  readonly run: RunFacts;
  readonly counts: LevelCounts;
  readonly findings: readonly Finding[];
  readonly pinned: ReadonlySet<string>;
  readonly entries: readonly JudgedEntry[];
  readonly errors: number;
}

const MAX_LISTED_UNTESTED_CLAUSES = 5;

export function decideGate({ verdict, gaps, run, counts, findings, pinned, entries, errors }: GateFacts): Gate {
  const { strict, failOn = [] } = run.suite;
  const leaks = run.leaks ?? [];
  const reasons: (readonly [exit: ExitStatus, reason: string])[] = [];
  const fail = (exit: ExitStatus, reason: string): unknown => reasons.push([exit, reason]);
  const open = findings.filter((one) => one.known === undefined);
  const clausesOf = (some: readonly Finding[]): number => new Set(some.map(({ clause }) => clause)).size;
  const openClauses = new Set(open.map((one) => `${one.verdict} ${one.clause}`));
  const known = (wanted: Finding['verdict']): number =>
    clausesOf(findings.filter((one) => one.verdict === wanted && !openClauses.has(`${wanted} ${one.clause}`)));
  const knownFailures = known('fail');
  const [failures, warnings] = [counts.must.fail - knownFailures, counts.should.warning - known('warning')];
  const changed = clausesOf(open.filter((one) => one.verdict === 'fail' && pinned.has(one.clause)));
  const excused = verdict === 'non-conformant' && failures === 0 && knownFailures > 0;
  if (leaks.length > 0) {
    const more =
      leaks.length > MAX_LISTED_UNTESTED_CLAUSES ? `, and ${leaks.length - MAX_LISTED_UNTESTED_CLAUSES} more` : '';
    fail(
      3,
      `a secret was found in what was to be written, and withheld there: ${leaks.slice(0, MAX_LISTED_UNTESTED_CLAUSES).join(', ')}${more}`,
    );
  }
  if (verdict === 'non-conformant' && !excused && (failures > changed || changed === 0)) {
    const allowed = knownFailures > 0 ? `, and ${knownFailures} more that known findings allow` : '';
    fail(1, `${counted(failures - changed, 'clause')} of the document broken${allowed}`);
  }
  if (changed > 0) fail(1, `the answers to ${counted(changed, 'open point')} are not those that PINS names`);
  if (strict && warnings > 0) fail(1, `${counted(warnings, 'warning')}, and STRICT=1 is set`);
  for (const fault of entries.flatMap(describeEntryFault)) fail(1, fault);
  for (const name of strict ? [] : failOn) {
    const warned = clausesOf(open.filter((one) => one.verdict === 'warning' && one.class === name));
    if (warned > 0) fail(1, `${counted(warned, `${name} warning`)}, and FAIL_ON names ${name}`);
  }
  if (errors > 0) fail(3, `the suite itself broke (${counted(errors, 'fault')})`);
  if (run.configuration !== undefined && run.configuration.length > 0) fail(2, 'the configuration is wrong');
  else if (verdict === 'inconclusive') fail(2, 'the verdict is inconclusive');
  else if (excused && gaps) fail(2, 'known findings allow what is broken, but not all of the bank could be tested');
  // The order: a leaked secret, faults of the bank, faults of the suite, clauses that were not tested.
  const exits = reasons.map(([exit]) => exit);
  const exitStatus = leaks.length > 0 ? 3 : (([1, 3, 2] as const).find((exit) => exits.includes(exit)) ?? 0);
  if (exitStatus > 0) return { pass: false, exitStatus, reasons: reasons.map(([, reason]) => reason) };
  const passed = excused
    ? `${counted(knownFailures, 'clause')} of the document broken, all allowed by known findings`
    : 'the bank is conformant';
  const spared = warnings > 0 ? `; ${counted(warnings, 'warning')}, which would fail with STRICT=1` : '';
  return { pass: true, exitStatus, reasons: [`${passed}${spared}`] };
}
