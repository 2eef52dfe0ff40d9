/** Judges all exchanges of a run together: finds broken clauses and answers to open points that no single exchange shows. */
import { inferences, leaveOutReplaced } from '#bank/inference';
import { openUniquenessTest } from './api.ts';
import { evaluateBehaviours } from './behaviours/evaluate.ts';
import { readAnswer } from './history/answers.ts';
import { toExchange } from './history/reading.ts';
import { getScenario } from './model/exchange.ts';
import type { RunResult } from './model/finding.ts';
import type { Answered, Comparison, Contrast, History } from './model/history.ts';
import type { RunLines } from './model/journal.ts';
import type { Outcome } from './model/outcome.ts';
import { EMPTY_RUN, type Run, type RunRecord } from './model/record.ts';
import { groupBy } from './util/group-by.ts';

/** What the log has for the judgement of the whole run. `outcomes`: the outcome of each exchange by its id. */
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

/** Sorts exchanges by scenario, so that the order of the logs of workers makes no difference. */
const compareByScenario = (firstId = '', secondId = ''): number => {
  const [a, b] = [getScenario(firstId), getScenario(secondId)];
  if (a === b) return 0;
  return a < b ? -1 : 1;
};

/** Groups the records of a run by kind. Leaves out records about an id that several applications have. */
export function openRun(unordered: readonly RunRecord[]): Run {
  const records = unordered.toSorted((a, b) => compareByScenario(a.exchange, b.exchange));
  const byKind = groupBy(records, ({ kind }) => kind);
  const isAboutOneApplication = openUniquenessTest(records);
  return {
    ...EMPTY_RUN,
    ...Object.fromEntries([...byKind].map(([kind, ofKind]) => [kind, ofKind.filter(isAboutOneApplication)])),
  };
}

/** Returns the answers that scenarios compare, by the id of the exchange. */
function findComparedAnswers(
  lines: RunLines,
  { comparisons, contrasts, outcomes }: RunEvidence,
): ReadonlyMap<string, Answered> {
  const ids = new Set([...comparisons.flatMap(listExchangeIds), ...contrasts.flatMap(listContrastExchanges)]);
  const answers = new Map<string, Answered>();
  for (const id of ids) {
    const entry = lines.findEntry(id);
    if (entry !== undefined) answers.set(id, readAnswer(toExchange(entry), outcomes.get(id) ?? 'lost'));
  }
  return answers;
}

function openHistory(lines: RunLines, evidence: RunEvidence): History {
  const answers = findComparedAnswers(lines, evidence);
  const findAnswers = (ids: readonly string[]): readonly Answered[] => ids.flatMap((id) => answers.get(id) ?? []);
  const inOrder = evidence.comparisons.toSorted((a, b) =>
    compareByScenario(listExchangeIds(a)[0], listExchangeIds(b)[0]),
  );
  const byClause = groupBy(inOrder, ({ clause }): string => clause);
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

/** Judges the evidence of a run, with the entries that it names. The order of the scenarios does not matter. */
export function evaluateRun(evidence: RunEvidence, lines: RunLines): RunResult {
  const history = openHistory(lines, evidence);
  const judged = evaluateBehaviours(leaveOutReplaced(history));
  const inferred = inferences.flatMap((infer) => infer(history.run));
  return { ...judged, observed: [...inferred, ...judged.observed] };
}
