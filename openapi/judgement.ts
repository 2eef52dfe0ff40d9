/** What the judge says of one exchange, and how it comes together. */
import type { ClauseId } from './clauses/index.ts';
import type { Exchange } from './model/exchange.ts';
import type { Violation } from './model/finding.ts';
import { outcomeOf, type Outcome } from './model/outcome.ts';
import { shortName } from './util/truncate.ts';
import type { Share } from './validation/limits.ts';
import type { AnswerValidators } from './validation/validators.ts';

export interface Judgement {
  readonly outcome: Outcome;
  /** The clauses that this exchange put to the test, broken ones among them. */
  readonly exercised: ReadonlySet<ClauseId>;
  /** Clauses of patterns of an overlay that were not decided in time: the run neither keeps nor breaks them. */
  readonly undecided: ReadonlySet<ClauseId>;
  readonly breaks: readonly Violation[];
  /** How many entries the documented arrays of a readable answer have, by their pointer with `*` for indices. */
  readonly entries: Readonly<Record<string, number>>;
  /** Where not all entries of very long arrays were judged: how many. */
  readonly share: Share | null;
  /** The body of a readable 2xx answer with integers beyond 2^53 as bigint, else undefined. */
  readonly value: unknown;
}

/** A text, or what makes it where it is needed: of many values that are broken alike only the first one is quoted. */
type Text = string | (() => string);
const written = (text: Text): string => (typeof text === 'string' ? text : text());

/** Records a violation of a clause; `instance` is the place with the real indices, where it has any. */
type Report = (
  clause: ClauseId,
  place: string,
  kind: string,
  expected: Text,
  received: Text,
  instance?: string,
) => void;

/** A judgement that is under way. */
export interface OpenJudgement {
  /** Records that clauses were put to the test. */
  exercise(clauses: Iterable<ClauseId>): void;
  /** Records that it could not be decided whether a clause is kept. */
  leaveUndecided(...clauses: readonly ClauseId[]): void;
  readonly report: Report;
  /** Ends it, with what the body of a 2xx makes of it, and the value, the entries and their share of a readable one. */
  conclude(ofBody?: Outcome, value?: unknown, entries?: Judgement['entries'], share?: Share | null): Judgement;
}

/** Opens the judgement of an exchange whose answer has these validators. */
export function openJudgement(exchange: Exchange, validate: AnswerValidators): OpenJudgement {
  const exercised = new Set<ClauseId>();
  const undecided = new Set<ClauseId>();
  /** A thousand entries may all be wrong alike: they are one violation with its count. */
  const broken = new Map<string, { readonly first: Violation; readonly instances: Set<string> }>();
  return {
    exercise(clauses) {
      for (const clause of clauses) exercised.add(clause);
    },
    leaveUndecided(...clauses) {
      for (const clause of clauses) undecided.add(clause);
    },
    report(clause, place, kind, expected, received, instance = place) {
      exercised.add(clause);
      const pointer = place.startsWith('/') ? validate.documentedPlace(place) : place;
      const key = `${clause} ${pointer} ${kind}`;
      const known = broken.get(key);
      if (known !== undefined) {
        known.instances.add(instance);
        return;
      }
      const { id, operation } = exchange;
      const [wanted, came] = [written(expected), written(received)];
      const found = { clause, operation, pointer, kind, expected: wanted, received: came, exchange: id };
      const first = instance === pointer ? found : { ...found, instance: shortName(instance) };
      broken.set(key, { first, instances: new Set([instance]) });
    },
    conclude(ofBody, value, entries = {}, share = null) {
      const breaks = [...broken.values()].map(({ first, instances: { size } }) =>
        size > 1 ? { ...first, count: size } : first,
      );
      const outcome = outcomeOf(exchange.answer, ofBody);
      return { outcome, exercised, undecided, breaks, entries, share, value };
    },
  };
}
