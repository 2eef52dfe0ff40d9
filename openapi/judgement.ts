/** Collects the judgement of one exchange. */
import type { ClauseId } from './clauses/index.ts';
import type { Exchange } from './model/exchange.ts';
import type { Violation } from './model/finding.ts';
import type { Reading } from './model/journal.ts';
import { classifyAnswer, type Outcome } from './model/outcome.ts';
import { getOrSet } from './util/group-by.ts';
import { memoizeByText, VALUE_MEMORY_LIMITS } from './util/memoize.ts';
import { describeValueForm, shortenName } from './util/truncate.ts';
import { FURTHER_FORMS_TEXT } from './util/value-form.ts';
import type { AnswerValidators } from './validation/validators.ts';

export interface Judgement extends Omit<Reading, 'facts' | 'seen'> {
  /** The body of a readable 2xx answer with integers beyond 2^53 as bigint, else undefined. */
  readonly value: unknown;
}

type Text = string | (() => string);
const renderText = (text: Text): string => (typeof text === 'string' ? text : text());

interface UnrenderedViolation extends Pick<Violation, 'clause' | 'pointer' | 'kind' | 'instance'> {
  readonly expected: Text;
  readonly received: Text;
}

/** For each place, at most this many forms of received values are reported separately. */
export const MAX_FORMS_PER_PLACE = 20;
/** At most this many values per place of an answer are rendered: long lists would take too much time. */
const MAX_RENDERED_VALUES = 1000;

const describeForm = memoizeByText(describeValueForm, VALUE_MEMORY_LIMITS);

export function openJudgement(exchange: Exchange, validate: AnswerValidators) {
  const exercised = new Set<ClauseId>();
  const undecided = new Set<ClauseId>();
  /** Violations by finding and by the form of the received value: many equal entries become one with a count. */
  const broken = new Map<string, Map<string, { readonly first: Violation; readonly instances: Set<string> }>>();
  return {
    exercise(clauses: Iterable<ClauseId>): void {
      for (const clause of clauses) exercised.add(clause);
    },
    leaveUndecided(...clauses: readonly ClauseId[]): void {
      for (const clause of clauses) undecided.add(clause);
    },
    report({ clause, pointer: place, kind, expected, received, instance = place }: UnrenderedViolation): void {
      exercised.add(clause);
      const pointer = place.startsWith('/') ? validate.documentedPlace(place) : place;
      const forms = getOrSet(broken, `${clause} ${pointer} ${kind}`, () => new Map());
      const seen = [...forms.values()];
      const looked = seen.reduce((sum, { instances: { size } }) => sum + size, 0);
      // If the limit is reached, the value counts as the only form until now, or as one of the further values.
      const rest = seen.length === 1 ? seen[0]!.first.received : FURTHER_FORMS_TEXT;
      const rendered = looked < MAX_RENDERED_VALUES ? renderText(received) : rest;
      const isFurther = forms.size >= MAX_FORMS_PER_PLACE && !forms.has(describeForm(rendered));
      const shown = isFurther ? FURTHER_FORMS_TEXT : rendered;
      const { instances } = getOrSet(forms, describeForm(shown), () => {
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
    /** Ends the judgement. For a 2xx answer, adds the outcome, the value and the entries of the body. */
    conclude(
      ofBody?: Outcome,
      value?: unknown,
      entries: Judgement['entries'] = {},
      share: Judgement['share'] = null,
    ): Judgement {
      const found = [...broken.values()].flatMap((forms) => [...forms.values()]);
      const breaks = found.map(({ first, instances: { size } }) => (size > 1 ? { ...first, count: size } : first));
      const outcome = classifyAnswer(exchange.answer, ofBody);
      return { outcome, exercised: [...exercised], undecided: [...undecided], breaks, entries, share, value };
    },
  };
}

export type OpenJudgement = ReturnType<typeof openJudgement>;
