/** Decides by the report on a bank whether the verdict and the findings of the suite are right. */
import { clauses, type CatalogueId } from '../../../openapi/catalogue.ts';
import { openLines } from '../../../openapi/model/journal.ts';
import { getOperationName } from '../../../openapi/contract/operations.ts';
import { areas } from '../../../openapi/model/exchange.ts';
import type { RealisticFault } from '../../../fixtures/banks/realistic-faults/index.ts';
import type { ConformingBank } from '../../../fixtures/banks/lib/conforming-bank.ts';
import type { Mutant } from '../../../fixtures/banks/lib/mutant.ts';
import {
  MISSED_WARNINGS,
  type Alarm,
  type ConformantOutcome,
  type RealisticFaultOutcome,
  type MutantOutcome,
} from '../proof/proof.ts';
import { buildReport } from '../../../reports/build/index.ts';
import type { RunFacts } from '../../../reports/model/description.ts';
import { compareOpenPoints } from './choices.ts';
import type { Finding, Report } from '../../../reports/model/report.ts';

/** Writes a finding in one line. */
export const formatFinding = ({ verdict, clause, operation, pointer, received }: Finding): string =>
  `${verdict} ${clause} at ${operation} ${pointer === '' ? 'root' : pointer}: ${received}`;

const describeExpected = ({ breaks, operation, pointer }: Mutant): string =>
  `${breaks} at ${getOperationName(operation)} ${pointer === '' ? 'root' : pointer}`;
/** Makes the report of a run without any request. */
const reportOfNothing = (errors: RunFacts['errors'] = []): Report =>
  buildReport({
    lines: openLines([]),
    run: {
      target: { name: null, build: null, baseUrl: '', embedded: false, areas },
      suite: {
        version: '',
        digest: '',
        contractDigest: '',
        catalogueDigest: '',
        seed: 0,
        runs: 0,
        strict: false,
        failOn: [],
      },
      startedAt: '',
      durationMs: 0,
      errors,
    },
  });

/** Makes the report on a bank if the suite stopped with an error of its own. */
export const reportOfFault = (error: unknown): Report =>
  reportOfNothing([
    { scenario: null, message: error instanceof Error ? (error.stack ?? error.message) : String(error) },
  ]);

/** The maximum number of findings that are shown for a mutant that the suite did not catch. */
const MAX_SHOWN_FINDINGS = 8;

/** Decides by the report on a mutant whether the suite caught the mutant. */
export function decideMutantOutcome(mutant: Mutant, report: Report): MutantOutcome {
  const { name, description, breaks, operation, pointer, also = [] } = mutant;
  const { findings, verdict, errors } = report;
  const isMust = clauses[breaks].level === 'must';
  const warned = report.clauses.some((clause) => clause.id === breaks && clause.verdict === 'warning');
  const seen = isMust ? verdict === 'non-conformant' : warned;
  const exact = findings.some(
    (finding) =>
      finding.clause === breaks && finding.operation === getOperationName(operation) && finding.pointer === pointer,
  );
  const broken = new Set(findings.filter((finding) => finding.verdict === 'fail').map(({ clause }) => clause));
  const others = [...broken].filter((clause) => clause !== breaks && !also.includes(clause as CatalogueId));
  const reasons = [
    ...(errors.length > 0 ? [`The suite itself broke: ${errors[0]?.message}`] : []),
    ...(seen ? [] : [isMust ? `The verdict is ${verdict}.` : 'There is no such warning.']),
    ...(exact ? [] : ['No finding names the clause at that place.']),
    ...(others.length > 0 ? [`Other promises are said to be broken: ${others.join(', ')}.`] : []),
  ];
  return {
    name,
    description,
    clause: breaks,
    outcome: !seen || errors.length > 0 ? 'missed' : reasons.length > 0 ? 'misblamed' : 'caught',
    expected: describeExpected(mutant),
    found: reasons.length === 0 ? [] : findings.slice(0, MAX_SHOWN_FINDINGS).map(formatFinding),
    why: reasons.length === 0 ? null : reasons.join(' '),
  };
}

/** Decides by the report on a conformant bank whether it has every expected warning and no other finding, and passes the gate. */
export function decideConformingOutcome(conformingBank: ConformingBank, report: Report): ConformantOutcome {
  const { name, description, warned = [], because } = conformingBank;
  const { findings, verdict, reasons, errors, gate } = report;
  const wrong = findings.filter(
    (finding) => finding.verdict === 'fail' || !warned.includes(finding.clause as CatalogueId),
  );
  const unseen = warned.filter((clause) => !findings.some((finding) => finding.clause === clause));
  const expected = because === undefined ? 'conformant' : 'inconclusive';
  const { compared, misread } = compareOpenPoints(conformingBank, report);
  const complaints = [
    ...(errors.length > 0 ? [`The suite itself broke: ${errors[0]?.message}`] : []),
    ...(verdict === expected ? [] : [`The verdict is ${verdict} and not ${expected}: ${reasons.join(' ')}`]),
    // The gate of a bank that is expected to be inconclusive fails for that reason alone.
    ...(gate.exitStatus === (because === undefined ? 0 : 2) ? [] : [`The gate fails: ${gate.reasons.join('; ')}.`]),
    ...(because === undefined || because.test(reasons.join(' '))
      ? []
      : [`The reasons do not say why: ${reasons.join(' ')}`]),
    ...(unseen.length > 0 ? [`${MISSED_WARNINGS}${unseen.join(', ')}.`] : []),
    ...misread,
  ];
  const alarms = wrong.map((finding): Alarm => ({
    clause: finding.clause,
    level: finding.level,
    found: formatFinding(finding),
  }));
  return { name, description, choices: compared, alarms, complaints };
}

/** Returns what a report says about a realistic fault. */
export function decideRealisticFaultOutcome(
  realisticFault: RealisticFault,
  { findings, verdict, reasons, errors }: Report,
): RealisticFaultOutcome {
  const found = [...errors.map(({ message }) => message), ...findings.slice(0, MAX_SHOWN_FINDINGS).map(formatFinding)];
  if (verdict === 'inconclusive') found.push(...reasons.slice(0, MAX_SHOWN_FINDINGS));
  const outcome = nameRealisticFaultOutcome(errors.length > 0, verdict, findings.length > 0);
  const { name, description, breaks, clause, visible } = realisticFault;
  return { name, description, breaks, clause, visible, outcome, found };
}

function nameRealisticFaultOutcome(
  hasErrors: boolean,
  verdict: Report['verdict'],
  hasFindings: boolean,
): RealisticFaultOutcome['outcome'] {
  if (hasErrors) return 'broken';
  if (verdict === 'non-conformant') return 'failed';
  if (hasFindings) return 'warned';
  return verdict === 'inconclusive' ? 'inconclusive' : 'silent';
}
