/** Counts the results of the suite for shipped bugs. */
import type { IncidentOutcome } from './proof.ts';

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

/** Writes two lines: incidents that an ordinary run can show, and incidents that show only over time. */
export function listIncidentCounts(incidents: readonly IncidentOutcome[]): readonly string[] {
  const shown = (visible: IncidentOutcome['visible']) => incidents.filter((incident) => incident.visible === visible);
  const musts = shown('run').filter(({ breaks }) => breaks === 'must');
  return [
    `incidents: ${describeCounts(shown('run'))}; of those that break the document: ${describeCounts(musts)}`,
    `incidents over time: ${describeCounts(shown('soak'))}`,
  ];
}

/** Returns the incidents that no finding shows. */
export const listSilent = (incidents: readonly IncidentOutcome[]): readonly IncidentOutcome[] =>
  incidents.filter(({ outcome }) => outcome !== 'failed' && outcome !== 'warned');
