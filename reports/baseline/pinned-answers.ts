import { renderQuestion, type ObservedAnswer } from '../../openapi/model/observation.ts';
import type { Violation } from '../../openapi/model/finding.ts';
import type { Clause } from '../../openapi/clauses/clause.ts';
import { questionKey } from './behaviour-profile.ts';
import type { RunTallies } from '../model/tally.ts';
import type { Catalogue } from '../model/catalogue.ts';
import { operationName } from '../text/phrases.ts';
import type { BehaviourProfile, ProfileQuestion } from '../model/behaviour-profile.ts';

interface Pin extends ProfileQuestion {
  readonly point: string;
}

/** The pinned questions of a dialect. */
export function pinsOf(dialect: BehaviourProfile): readonly Pin[] {
  return dialect.points.flatMap(({ point, questions }) =>
    questions.filter(({ pinned }) => pinned).map((one) => ({ ...one, point })),
  );
}

/** The catalogue with open points promoted to promises of the document's rank: by pins, or by an overlay. */
export function promoted(catalogue: Catalogue, points: ReadonlySet<string>): Catalogue {
  if (points.size === 0) return catalogue;
  const clauses = Object.fromEntries(
    Object.entries(catalogue.clauses).map(([id, clause]): [string, Clause] => [
      id,
      points.has(id) && clause.level === 'open'
        ? {
            ...clause,
            level: 'must',
            exercise: 'conditional',
            statement: `The answer is the one that was settled before: ${clause.statement}`,
          }
        : clause,
    ]),
  );
  return { ...catalogue, clauses };
}

/** The upper bound of answers that are latencies, in milliseconds; null where one of them is not. */
function boundOf(answers: readonly (ObservedAnswer | undefined)[]): number | null {
  const bounds = answers.map((answer) =>
    typeof answer === 'object' && 'withinMs' in answer ? (answer.withinMs ?? Infinity) : null,
  );
  return bounds.reduce<number | null>(
    (most, bound) => (most === null || bound === null ? null : Math.max(most, bound)),
    0,
  );
}

/** The places where the run answers otherwise than was pinned: before and after. */
export function pinViolations(
  pins: readonly Pin[],
  runTallies: RunTallies,
  catalogue: Catalogue,
): readonly Violation[] {
  const seen = new Map(
    [...runTallies.observations.values()].map((tally) => [
      questionKey({
        point: tally.point,
        operation: operationName(catalogue.operations[tally.operation]),
        about: tally.question === null ? null : renderQuestion(tally.question),
      }),
      tally,
    ]),
  );
  return pins.flatMap((pin): Violation[] => {
    const tally = seen.get(questionKey(pin));
    if (tally === undefined) return [];
    const before = pin.answers.map(({ value }) => value);
    const bound = boundOf(pin.answers.map(({ answer }) => answer));
    const isOther = (value: string): boolean =>
      bound === null ? !before.includes(value) : (boundOf([tally.details.get(value)?.answer]) ?? Infinity) > bound;
    const other = [...tally.answers].filter(([value]) => isOther(value));
    const [first] = other;
    if (first === undefined) return [];
    return [
      {
        clause: pin.point as Violation['clause'],
        operation: tally.operation,
        pointer: /status/.test(pin.point) ? 'response/status' : 'response/body',
        kind: `pinned ${pin.about ?? ''}`.trim(),
        expected: `${pin.about === null ? '' : `${pin.about}: `}${bound === null ? before.join(' or ') : `at most ${bound} ms`}, as it was pinned`,
        received: other
          .map(([value]) => value)
          .slice(0, 4)
          .join(', '),
        exchange: first[1].exchange,
      },
    ];
  });
}
