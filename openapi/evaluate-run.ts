/** Evaluates all exchanges of a run together: finds broken clauses and answers to open points. */
import { inferences, leaveOutReplaced } from '#bank/inference';
import { openUniquenessTest } from './api.ts';
import { evaluateBehaviours } from './behaviours/evaluate.ts';
import { readAnswer } from './history/answers.ts';
import { toExchange } from './history/reading.ts';
import { getScenario } from './model/exchange.ts';
import type { RunResult } from './model/finding.ts';
import type { Answered, Comparison, Contrast, History } from './model/history.ts';
import type { RunLines } from './history/run-lines.ts';
import type { Outcome } from './model/outcome.ts';
import { EMPTY_RUN, type Run, type RunRecord } from './model/record.ts';
import { groupBy } from './util/group-by.ts';

export interface RunEvidence {
  readonly records: RunRecord[];
  readonly comparisons: Comparison[];
  readonly contrasts: Contrast<string>[];
  readonly outcomes: Map<string, Outcome>;
}

const listExchangeIds = ({ exchanges }: Comparison): readonly string[] => Object.values(exchanges).flat();
const listContrastExchanges = ({ refused, accepted, nonsense }: Contrast<string>): readonly string[] => [
  ...refused,
  ...accepted,
  ...nonsense,
];

/** Compares exchanges by scenario, so that the order of the journals makes no difference. */
const compareByScenario = (firstId = '', secondId = ''): number => {
  const [a, b] = [getScenario(firstId), getScenario(secondId)];
  return a < b ? -1 : a > b ? 1 : 0;
};

/** Leaves out records about an id that several applications have. */
export function openRun(unordered: readonly RunRecord[]): Run {
  const records = unordered.toSorted((a, b) => compareByScenario(a.exchange, b.exchange));
  const byKind = groupBy(records, ({ kind }) => kind);
  const isOfOne = openUniquenessTest(records);
  return { ...EMPTY_RUN, ...Object.fromEntries([...byKind].map(([kind, all]) => [kind, all.filter(isOfOne)])) };
}

function findComparedAnswers(
  lines: RunLines,
  { comparisons, contrasts, outcomes }: RunEvidence,
): ReadonlyMap<string, Answered> {
  const ids = new Set([...comparisons.flatMap(listExchangeIds), ...contrasts.flatMap(listContrastExchanges)]);
  const found = new Map<string, Answered>();
  for (const id of ids) {
    const entry = lines.findEntry(id);
    if (entry !== undefined) found.set(id, readAnswer(toExchange(entry), outcomes.get(id) ?? 'lost'));
  }
  return found;
}

function openHistory(lines: RunLines, evidence: RunEvidence): History {
  const found = findComparedAnswers(lines, evidence);
  const findAnswers = (ids: readonly string[]): readonly Answered[] => ids.flatMap((id) => found.get(id) ?? []);
  const inOrder = evidence.comparisons.toSorted((a, b) =>
    compareByScenario(listExchangeIds(a)[0], listExchangeIds(b)[0]),
  );
  const byClause = groupBy(inOrder, ({ clause }) => clause);
  return {
    run: openRun(evidence.records),
    compared: (clause) =>
      (byClause.get(clause) ?? []).map(({ exchanges, about }) => ({
        about,
        answers: Object.fromEntries(Object.entries(exchanges).map(([role, ids]) => [role, findAnswers(ids)])),
      })),
    contrasts: evidence.contrasts
      .toSorted((a, b) => compareByScenario(listContrastExchanges(a)[0], listContrastExchanges(b)[0]))
      .map((contrast) => ({
        ...contrast,
        refused: findAnswers(contrast.refused),
        accepted: findAnswers(contrast.accepted),
        nonsense: findAnswers(contrast.nonsense),
      })),
  };
}

/** Evaluates the evidence of a run, and the entries that it names. The order of the scenarios does not matter. */
export function evaluateRun(evidence: RunEvidence, lines: RunLines): RunResult {
  const history = openHistory(lines, evidence);
  const judged = evaluateBehaviours(leaveOutReplaced(history));
  const inferred = inferences.flatMap((infer) => infer(history.run));
  return { ...judged, observed: [...inferred, ...judged.observed] };
}
