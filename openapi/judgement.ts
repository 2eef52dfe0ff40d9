/** Collects the judgement of one exchange. */
import type { ClauseId } from './clauses/index.ts';
import type { Exchange } from './model/exchange.ts';
import type { Violation } from './model/finding.ts';
import type { Reading } from './model/journal.ts';
import { readOutcome, type Outcome } from './model/outcome.ts';
import { getOrSet } from './util/group-by.ts';
import { getForm, shortenName } from './util/truncate.ts';
import type { AnswerValidators } from './validation/validators.ts';

export interface Judgement extends Pick<Reading, 'outcome' | 'breaks' | 'entries' | 'share'> {
  /** The clauses that this exchange exercised, including broken clauses. */
  readonly exercised: ReadonlySet<ClauseId>;
  /** Clauses that are neither kept nor broken: a pattern of the overlay was not decided in time. */
  readonly undecided: ReadonlySet<ClauseId>;
  /** The body of a readable 2xx answer with integers beyond 2^53 as bigint, else undefined. */
  readonly value: unknown;
}

/** A text, or a function that makes the text: only the first of many equal violations needs it. */
type Text = string | (() => string);
const renderText = (text: Text): string => (typeof text === 'string' ? text : text());

/** At most this many forms of received values are distinguished per place. */
export const MAX_FORMS = 20;
/** At most this many values per place of an answer are examined, to limit the time for long lists. */
const MAX_LOOKED = 1000;
/** Stands for all other received values of a place. */
export const FURTHER_FORMS = 'further values';

/** Opens the judgement of an exchange. `validate` are the validators of its answer. */
export function openJudgement(exchange: Exchange, validate: AnswerValidators) {
  const exercised = new Set<ClauseId>();
  const undecided = new Set<ClauseId>();
  /** By finding, then by the form of the received value: equal violations in many entries become one violation with a count. */
  const broken = new Map<string, Map<string, { readonly first: Violation; readonly instances: Set<string> }>>();
  return {
    /** Records that clauses were exercised. */
    exercise(clauses: Iterable<ClauseId>): void {
      for (const clause of clauses) exercised.add(clause);
    },
    /** Records clauses that could not be decided. */
    leaveUndecided(...clauses: readonly ClauseId[]): void {
      for (const clause of clauses) undecided.add(clause);
    },
    /** Records a violation; `instance` is the place with indices, if it has indices. */
    report(clause: ClauseId, place: string, kind: string, expected: Text, received: Text, instance = place): void {
      exercised.add(clause);
      const pointer = place.startsWith('/') ? validate.documentedPlace(place) : place;
      const forms = getOrSet(broken, `${clause} ${pointer} ${kind}`, () => new Map());
      const seen = [...forms.values()];
      const looked = seen.reduce((sum, { instances: { size } }) => sum + size, 0);
      // After so many values of one form, the rest counts as this form.
      const rest = seen.length === 1 ? seen[0]!.first.received : FURTHER_FORMS;
      const came = looked < MAX_LOOKED ? renderText(received) : rest;
      const isFurther = forms.size >= MAX_FORMS && !forms.has(getForm(came));
      const shown = isFurther ? FURTHER_FORMS : came;
      const { instances } = getOrSet(forms, getForm(shown), () => {
        const { id, operation } = exchange;
        const found = {
          clause,
          operation,
          pointer,
          kind,
          expected: renderText(expected),
          received: shown,
          exchange: id,
        };
        return {
          first: instance === pointer ? found : { ...found, instance: shortenName(instance) },
          instances: new Set<string>(),
        };
      });
      instances.add(instance);
    },
    /** Ends the judgement. For a 2xx, takes the outcome from its body, and the value, entries and share of a readable body. */
    conclude(
      ofBody?: Outcome,
      value?: unknown,
      entries: Judgement['entries'] = {},
      share: Judgement['share'] = null,
    ): Judgement {
      const found = [...broken.values()].flatMap((forms) => [...forms.values()]);
      const breaks = found.map(({ first, instances: { size } }) => (size > 1 ? { ...first, count: size } : first));
      const outcome = readOutcome(exchange.answer, ofBody);
      return { outcome, exercised, undecided, breaks, entries, share, value };
    },
  };
}

/** A judgement that is being made. */
export type OpenJudgement = ReturnType<typeof openJudgement>;
