/** What the suite says of shipped bugs, counted. */
import type { IncidentOutcome } from './proof.ts';

const count = (incidents: readonly IncidentOutcome[], outcome: IncidentOutcome['outcome']): number =>
  incidents.filter((incident) => incident.outcome === outcome).length;

const rare = [
  ['inconclusive', 'inconclusive without a finding'],
  ['broken', 'broke the suite'],
] as const;

const counts = (incidents: readonly IncidentOutcome[]): string =>
  [
    ...(['failed', 'warned', 'silent'] as const).map((outcome) => `${count(incidents, outcome)} ${outcome}`),
    ...rare
      .map(([outcome, words]) => [count(incidents, outcome), words] as const)
      .filter(([found]) => found > 0)
      .map(([found, words]) => `${found} ${words}`),
  ].join(', ');

/** A line on the incidents that an ordinary run can show, and one on those that show only over time. */
export function incidentCounts(incidents: readonly IncidentOutcome[]): readonly string[] {
  const shown = (visible: IncidentOutcome['visible']) => incidents.filter((incident) => incident.visible === visible);
  const musts = shown('run').filter(({ breaks }) => breaks === 'must');
  return [
    `incidents: ${counts(shown('run'))}; of those that break the document: ${counts(musts)}`,
    `incidents over time: ${counts(shown('soak'))}`,
  ];
}

/** Those that no finding shows. */
export function silentIncidents(incidents: readonly IncidentOutcome[]): readonly IncidentOutcome[] {
  return incidents.filter(({ outcome }) => outcome !== 'failed' && outcome !== 'warned');
}
