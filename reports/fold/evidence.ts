/** Chooses the exchanges for a report: first those of its verdicts, then the first exchange of each kind. */
import type { JournalLine } from '../../openapi/model/journal.ts';
import type { Observation } from '../model/report.ts';
import type { RunTallies } from '../model/tally.ts';
import type { Chain } from './flows.ts';

/** The exchanges in a report have at most this many characters: a report then has about ten megabytes. */
const MAX_EVIDENCE_CHARACTERS = 6_000_000;

/** Reads the history again and keeps the exchanges for the report. */
export function collectReportExchanges(
  lines: Iterable<JournalLine>,
  to: RunTallies,
  observations: readonly Observation[],
  chains: readonly Chain[],
): void {
  const wanted = [
    ...[...to.breaks.values()].flatMap(({ first: { exchange, contrast } }) => [exchange, contrast]),
    ...[...to.breaks.values()].flatMap(({ forms }) => [...forms.values()].map(({ first }) => first.exchange)),
    ...[...to.counterexamples.values()].map(({ counterexample }) => counterexample.exchange),
    ...chains.flatMap(({ steps }) => steps.map(({ id }) => id)),
    ...[...to.operations.values()].flatMap(({ ways }) => [...ways.values()].map(({ exchange }) => exchange)),
    ...to.firsts,
    ...[...to.exercised.values()].flatMap((places) => [...places.values()].slice(0, 1).map(({ exchange }) => exchange)),
    ...observations.flatMap(({ exchange, control }) => [exchange, control]),
  ];
  const ids = new Set<string>();
  let room = MAX_EVIDENCE_CHARACTERS;
  for (const id of new Set(wanted)) {
    const size = to.sizes.get(id ?? '') ?? Infinity;
    if (id == null || size > room) continue;
    room -= size;
    ids.add(id);
  }
  for (const line of lines)
    if (line.line === 'entry' && ids.delete(line.entry.id)) to.records.set(line.entry.id, line.entry);
}
