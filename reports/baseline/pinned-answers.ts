/** Pinned answers: answers to open points that later runs require. */
import { renderQuestion, type ObservedAnswer } from '../../openapi/model/observation.ts';
import type { Violation } from '../../openapi/model/finding.ts';
import type { Clause } from '../../openapi/clauses/clause.ts';
import { getPointKey } from './behaviour-profile.ts';
import type { RunTallies } from '../model/tally.ts';
import type { Catalogue } from '../model/catalogue.ts';
import { nameOperation } from '../text/phrases.ts';
import type { BehaviourProfile, ProfileQuestion } from '../model/behaviour-profile.ts';

interface Pin extends ProfileQuestion {
  readonly point: string;
}

export const listPins = (profile: BehaviourProfile | undefined): readonly Pin[] =>
  (profile?.points ?? []).flatMap(({ point, questions }) =>
    questions.flatMap((one) => (one.pinned ? { ...one, point } : [])),
  );

/** Returns the catalogue with these open points changed to promises. Pins or an overlay name the points. */
export function promotePoints(catalogue: Catalogue, points: ReadonlySet<string>): Catalogue {
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

/** Returns the upper bound of latency answers in milliseconds; null if an answer is no latency. */
function getLowestBound(answers: readonly (ObservedAnswer | undefined)[]): number | null {
  const bounds = answers.flatMap((answer) =>
    typeof answer === 'object' && 'withinMs' in answer ? (answer.withinMs ?? Infinity) : [],
  );
  return bounds.length < answers.length ? null : Math.max(0, ...bounds);
}

/** Lists questions whose answers differ from the pinned answers, with both. */
export function findPinViolations(
  pins: readonly Pin[],
  { observations }: RunTallies,
  catalogue: Catalogue,
): readonly Violation[] {
  const seen = new Map(
    [...observations.values()].map((tally) => {
      const operation = nameOperation(catalogue.operations[tally.operation]);
      const about = tally.question === null ? null : renderQuestion(tally.question);
      return [getPointKey({ point: tally.point, operation, about }), tally];
    }),
  );
  return pins.flatMap((pin): Violation[] => {
    const tally = seen.get(getPointKey(pin));
    const before = pin.answers.map(({ value }) => value);
    const bound = getLowestBound(pin.answers.map(({ answer }) => answer));
    const other = [...(tally?.answers ?? [])].filter(([value, { answer }]) =>
      bound === null ? !before.includes(value) : (getLowestBound([answer]) ?? Infinity) > bound,
    );
    const [first] = other;
    if (tally === undefined || first === undefined) return [];
    const expected = bound === null ? before.join(' or ') : `at most ${bound} ms`;
    return [
      {
        clause: pin.point as Violation['clause'],
        operation: tally.operation,
        pointer: pin.point.includes('status') ? 'response/status' : 'response/body',
        kind: `pinned ${pin.about ?? ''}`.trim(),
        expected: `${pin.about === null ? '' : `${pin.about}: `}${expected}, as it was pinned`,
        received: other
          .slice(0, 4)
          .map(([value]) => value)
          .join(', '),
        exchange: first[1].exchange,
      },
    ];
  });
}
