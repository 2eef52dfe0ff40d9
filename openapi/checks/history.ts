/** Collects what checks read from the lines of a run: the comparisons of scenarios, and the probes with their controls. */
import type { Answered, Comparison, Contrast, History } from '../model/check.ts';
import { readAnswer } from '../history/answered.ts';
import { toExchange } from '../history/reading.ts';
import { getScenario } from '../model/exchange.ts';
import type { FactRecord } from '../model/facts.ts';
import type { Outcome } from '../model/outcome.ts';
import type { JournalLine } from '../model/journal.ts';
import { groupBy } from '../util/group-by.ts';
import { selectNotes } from '../notes/generators.ts';

/** Data for the checks from the first pass over the lines of a run. */
export interface Noted {
  readonly comparisons: Comparison[];
  readonly contrasts: Contrast<string>[];
  /** For each probe: its control, and the probes that repeat it. */
  readonly probes: Map<string, { readonly control: string; readonly again: string[] }>;
  readonly outcomes: Map<string, Outcome>;
}

const listExchangeIds = ({ exchanges }: Comparison): readonly string[] => Object.values(exchanges).flat();
const listSides = ({ refused, accepted, nonsense }: Contrast<string>): readonly string[] => [
  ...refused,
  ...accepted,
  ...nonsense,
];

/** Compares exchanges by scenario, so that the order of the journals makes no difference. */
const compareByScenario = (firstId: string, secondId: string): number => {
  const [a, b] = [getScenario(firstId), getScenario(secondId)];
  return a < b ? -1 : a > b ? 1 : 0;
};

/** Reads the lines again and collects the exchanges that checks compare. */
export function collectComparedExchanges(
  lines: Iterable<JournalLine>,
  { comparisons, contrasts, probes, outcomes }: Noted,
): Omit<History, 'notes'> {
  const wanted = new Set([
    ...comparisons.flatMap(listExchangeIds),
    ...contrasts.flatMap(listSides),
    ...[...probes].flatMap(([id, { control, again }]) => [id, control, ...again]),
  ]);
  const found = new Map<string, Answered>();
  if (wanted.size > 0)
    for (const line of lines)
      if (line.line === 'entry' && wanted.has(line.entry.id) && !found.has(line.entry.id))
        found.set(line.entry.id, readAnswer(toExchange(line.entry), outcomes.get(line.entry.id) ?? 'lost'));
  const findAnswers = (ids: readonly string[] = []): readonly Answered[] => ids.flatMap((id) => found.get(id) ?? []);
  const inOrder = comparisons.toSorted((a, b) =>
    compareByScenario(listExchangeIds(a)[0] ?? '', listExchangeIds(b)[0] ?? ''),
  );
  const byClause = groupBy(inOrder, ({ clause }) => clause);
  return {
    compared: (clause) =>
      (byClause.get(clause) ?? []).map(({ exchanges, about = {} }) => {
        const all = (role: string): readonly Answered[] => findAnswers(exchanges[role]);
        return { roles: Object.keys(exchanges), about, all, one: (role) => all(role)[0] };
      }),
    contrasts: contrasts
      .toSorted((a, b) => compareByScenario(listSides(a)[0] ?? '', listSides(b)[0] ?? ''))
      .map(({ refused, accepted, nonsense, ...contrast }) => ({
        ...contrast,
        refused: findAnswers(refused),
        accepted: findAnswers(accepted),
        nonsense: findAnswers(nonsense),
      })),
    probes: [...probes]
      .toSorted(([a], [b]) => compareByScenario(a, b))
      .flatMap(([id, of]) => {
        const [probe, control] = [found.get(id), found.get(of.control)];
        const again = of.again.flatMap((repetition) => found.get(repetition) ?? []);
        return probe === undefined || control === undefined ? [] : [{ probe, control, again }];
      }),
  };
}

/** Replaces the comparisons of a run if only its notes are known. */
export const NO_COMPARISONS: Omit<History, 'notes'> = { compared: () => [], contrasts: [], probes: [] };

/**
 * Returns the notes of a run by kind, in the order of the scenarios. Leaves out notes about an id that several applications have.
 */
export function groupNotesByKind(unordered: readonly FactRecord[]): History['notes'] {
  const records = [...unordered].sort((a, b) => compareByScenario(a.exchange, b.exchange));
  const byRule = groupBy(records, ({ fact }) => fact.rule);
  const applicationsById = groupBy(selectNotes(records, 'application'), ({ fact }) => fact.id);
  const isOfOne = ({ fact }: FactRecord): boolean =>
    !('application' in fact) || (applicationsById.get(fact.application)?.length ?? 0) < 2;
  const notes = new Map([...byRule].map(([rule, all]) => [rule, all.filter(isOfOne)]));
  return ((rule) => notes.get(rule) ?? []) as History['notes'];
}
