/** Pinned answers: answers to open points that the user turned into requirements for later runs. */
import { renderQuestion, type ObservedAnswer } from '../../openapi/model/observation.ts';
import type { Violation } from '../../openapi/model/finding.ts';
import type { Clause } from '../../openapi/clauses/clause.ts';
import { makeQuestionKey } from './behaviour-profile.ts';
import { type BehaviourProfile, type ProfileQuestion } from '../model/description.ts';
import type { Catalogue, RunTallies } from '../model/tallies.ts';
import { formatOperationName } from '../text/phrases.ts';

interface Pin extends ProfileQuestion {
  readonly point: string;
}

export const listPins = (profile: BehaviourProfile | undefined): readonly Pin[] =>
  (profile?.points ?? []).flatMap(({ point, questions }) =>
    questions.flatMap((one) => (one.pinned ? { ...one, point } : [])),
  );

/** Returns the catalogue with these open points changed to `must` clauses. Pins or an overlay name the points. */
export function turnIntoRequirements(catalogue: Catalogue, points: ReadonlySet<string>): Catalogue {
  const promise = (clause: Clause): Clause => ({
    ...clause,
    level: 'must',
    exercise: 'conditional',
    statement: `The bank gives the answer that PINS or an overlay requires. ${clause.statement}`,
  });
  const clauses = Object.entries(catalogue.clauses).map(([id, clause]): [string, Clause] => [
    id,
    points.has(id) && clause.level === 'open' ? promise(clause) : clause,
  ]);
  return points.size === 0 ? catalogue : { ...catalogue, clauses: Object.fromEntries(clauses) };
}

/** Returns the upper bound of latencies in milliseconds; null if an answer is not a latency. */
function getHighestLatency(answers: readonly (ObservedAnswer | undefined)[]): number | null {
  const bounds = answers.flatMap((answer) =>
    typeof answer === 'object' && 'withinMs' in answer ? (answer.withinMs ?? Infinity) : [],
  );
  return bounds.length < answers.length ? null : Math.max(0, ...bounds);
}

/** Lists the questions whose answers differ from the pinned answers, with both answers. */
export function findPinViolations(
  pins: readonly Pin[],
  { observations }: RunTallies,
  catalogue: Catalogue,
): readonly Violation[] {
  const seen = new Map(
    [...observations.values()].map((tally) => {
      const operation = formatOperationName(catalogue.operations[tally.operation]);
      const about = tally.question === null ? null : renderQuestion(tally.question);
      return [makeQuestionKey({ point: tally.point, operation, about }), tally];
    }),
  );
  return pins.flatMap((pin): Violation[] => {
    const tally = seen.get(makeQuestionKey(pin));
    const before = pin.answers.map(({ value }) => value);
    const bound = getHighestLatency(pin.answers.map(({ answer }) => answer));
    const changed = [...(tally?.answers ?? [])].filter(([value, { answer }]) =>
      bound === null ? !before.includes(value) : (getHighestLatency([answer]) ?? Infinity) > bound,
    );
    const [first] = changed;
    if (tally === undefined || first === undefined) return [];
    const expected = bound === null ? before.join(' or ') : `at most ${bound} ms`;
    return [
      {
        clause: pin.point as Violation['clause'],
        operation: tally.operation,
        pointer: pin.point.includes('status') ? 'response/status' : 'response/body',
        kind: `pinned ${pin.about ?? ''}`.trim(),
        expected: `${pin.about === null ? '' : `${pin.about}: `}${expected}, as it was pinned`,
        received: changed
          .slice(0, 4)
          .map(([value]) => value)
          .join(', '),
        exchange: first[1].exchange,
      },
    ];
  });
}
