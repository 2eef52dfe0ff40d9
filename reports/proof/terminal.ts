/** Writes the proof as a table for the terminal. */
import { grouped } from '../text/phrases.ts';
import { describeDrawn, listDrawnRemarks } from './drawn.ts';
import { listUnproven } from './matrix.ts';
import type { ConformantOutcome, IncidentOutcome, MutantOutcome, Proof } from './proof.ts';

const formatPercent = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${((100 * part) / whole).toFixed(part === whole ? 0 : 1)} %`;

/** Describes a mutant that was not caught, in a few lines. */
export function describeMiss({ name, description, expected, found, outcome, why }: MutantOutcome): string {
  const seen = found.length === 0 ? ['nothing'] : found;
  return [
    `${outcome.toUpperCase()} ${name}: ${description}`,
    `  expected: ${expected}`,
    ...seen.map((one) => `  found:    ${one}`),
    `  ${why ?? ''}`,
  ].join('\n');
}

/** Describes false findings about a conforming bank, and other differences from its description, in a few lines. */
export function describeAlarm({ name, description, alarms, complaints }: ConformantOutcome): string {
  return [
    `${alarms.length > 0 ? 'FALSE ALARM' : 'NOT AS DESCRIBED'} ${name}: ${description}`,
    ...alarms.map(({ level, found }) => `  ${level}: ${found}`),
    ...complaints.map((one) => `  ${one}`),
  ].join('\n');
}

/** True for a conforming bank without false alarms and without complaints. */
export const isBlameless = ({ alarms, complaints }: ConformantOutcome): boolean =>
  alarms.length === 0 && complaints.length === 0;

/** Writes how many banks were examined, and how many there are if not all were examined. */
export function describePopulation({ population, mutants, banks, incidents }: Proof): string {
  const share = (part: number, whole: number, what: string): string =>
    part === whole ? `all ${grouped(whole)} ${what}` : `${grouped(part)} of ${grouped(whole)} ${what}`;
  return [
    share(mutants.length, population.mutants, 'mutants'),
    share(banks.length, population.variants, 'variants'),
    share(incidents.length, population.incidents, 'incidents'),
  ].join(', ');
}

/** Outcomes in words. A rare outcome is left out if its count is 0. */
const incidentOutcomes: readonly (readonly [outcome: IncidentOutcome['outcome'], words: string, isRare?: true])[] = [
  ['failed', 'failed'],
  ['warned', 'warned'],
  ['silent', 'silent'],
  ['inconclusive', 'inconclusive without a finding', true],
  ['broken', 'broke the suite', true],
];

const describeCounts = (incidents: readonly IncidentOutcome[]): string =>
  incidentOutcomes
    .flatMap(([outcome, words, isRare]) => {
      const count = incidents.filter((incident) => incident.outcome === outcome).length;
      return isRare && count === 0 ? [] : `${count} ${words}`;
    })
    .join(', ');

/** Writes two lines: incidents that a normal run can show, and incidents that are visible only over time. */
function listIncidentCounts(incidents: readonly IncidentOutcome[]): readonly string[] {
  const shown = (visible: IncidentOutcome['visible']) => incidents.filter((incident) => incident.visible === visible);
  const musts = shown('run').filter(({ breaks }) => breaks === 'must');
  return [
    `incidents: ${describeCounts(shown('run'))}; of those that break the document: ${describeCounts(musts)}`,
    `incidents over time: ${describeCounts(shown('soak'))}`,
  ];
}

/** Returns the incidents that have no finding. */
export const listSilent = (incidents: readonly IncidentOutcome[]): readonly IncidentOutcome[] =>
  incidents.filter(({ outcome }) => outcome !== 'failed' && outcome !== 'warned');

/** Writes the totals of the proof. */
export function renderProof(proof: Proof): string {
  const { clauses, mutants, banks, incidents, drawn } = proof;
  const countFor = (level: string) => {
    const ids = new Set(clauses.filter((clause) => clause.level === level).map(({ id }) => id));
    const mine = mutants.filter(({ clause }) => ids.has(clause));
    const count = (isCounted: (outcome: MutantOutcome) => boolean): string => {
      const some = mine.filter(isCounted).length;
      return `${some} (${formatPercent(some, mine.length)})`;
    };
    return `${mine.length} mutants of ${level} clauses: ${count(({ outcome }) => outcome !== 'missed')} seen, ${count(({ outcome }) => outcome === 'caught')} with the right blame`;
  };
  return [
    `Examined: ${describePopulation(proof)}.`,
    countFor('must'),
    countFor('should'),
    `${banks.filter((bank) => bank.alarms.length > 0).length} of ${banks.length} variants with a false alarm`,
    `${listUnproven(proof).length} clauses without a mutant`,
    ...listIncidentCounts(incidents),
    ...describeDrawn(drawn),
    ...listDrawnRemarks(drawn).map((line) => `  ${line}`),
    `${mutants.length + banks.length + incidents.length + drawn.bugs.length + drawn.banks.length} banks in ${(proof.durationMs / 1000).toFixed(0)} s`,
  ].join('\n');
}
