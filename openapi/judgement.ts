/** Collects the tested clauses and the violations of one exchange. Equal violations in a list become one with a count. */
import type { ClauseId } from './clauses/index.ts';
import type { Exchange } from './model/exchange.ts';
import type { Fault, Text, Violation } from './model/finding.ts';
import type { Reading } from './model/journal.ts';
import { classifyAnswer, type Outcome } from './model/outcome.ts';
import { getOrSet } from './util/group-by.ts';
import { memoizeByText, VALUE_MEMORY_LIMITS } from './util/memoize.ts';
import { describeValueForm, shortenName } from './util/truncate.ts';
import { FURTHER_FORMS_TEXT } from './util/value-form.ts';
import type { AnswerValidators } from './validation/validators.ts';

/** The result of judging one exchange. */
export interface Judgement extends Omit<Reading, 'facts' | 'seen'> {
  /** The body of a readable 2xx answer with integers beyond 2^53 as bigint, else undefined. */
  readonly value: unknown;
}

const renderText = (text: Text): string => (typeof text === 'string' ? text : text());

/** For each place, at most this many forms of received values are reported separately. */
export const MAX_FORMS_PER_PLACE = 20;
/** At most this many values per place of an answer are rendered: long lists would take too much time. */
const MAX_RENDERED_VALUES = 1000;

const describeForm = memoizeByText(describeValueForm, VALUE_MEMORY_LIMITS);

export function openJudgement(exchange: Exchange, validate: AnswerValidators) {
  const exercised = new Set<ClauseId>();
  const undecided = new Set<ClauseId>();
  /** Violations by finding, and by the form of the received value. Many equal entries become one violation with a count. */
  const broken = new Map<string, Map<string, { readonly first: Violation; readonly instances: Set<string> }>>();
  return {
    exercise(clauses: Iterable<ClauseId>): void {
      for (const clause of clauses) exercised.add(clause);
    },
    leaveUndecided(...clauses: readonly ClauseId[]): void {
      for (const clause of clauses) undecided.add(clause);
    },
    report({ clause, pointer: place, kind, expected, received, instance = place }: Fault): void {
      exercised.add(clause);
      const pointer = place.startsWith('/') ? validate.documentedPlace(place) : place;
      const forms = getOrSet(broken, `${clause} ${pointer} ${kind}`, () => new Map());
      const formsAtPlace = [...forms.values()];
      const valueCount = formsAtPlace.reduce((sum, { instances: { size } }) => sum + size, 0);
      // Above the limit, values are not rendered. A value then counts as the only form until now, or as one of the further values.
      const unrenderedText = formsAtPlace.length === 1 ? formsAtPlace[0]!.first.received : FURTHER_FORMS_TEXT;
      const rendered = valueCount < MAX_RENDERED_VALUES ? renderText(received) : unrenderedText;
      const isFurther = forms.size >= MAX_FORMS_PER_PLACE && !forms.has(describeForm(rendered));
      const receivedText = isFurther ? FURTHER_FORMS_TEXT : rendered;
      const { instances } = getOrSet(forms, describeForm(receivedText), () => {
        const { id, operation } = exchange;
        const violation = {
          clause,
          operation,
          pointer,
          kind,
          expected: renderText(expected),
          received: receivedText,
          exchange: id,
        };
        return {
          first: instance === pointer ? violation : { ...violation, instance: shortenName(instance) },
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
      const violations = [...broken.values()].flatMap((forms) => [...forms.values()]);
      const breaks = violations.map(({ first, instances: { size } }) => (size > 1 ? { ...first, count: size } : first));
      const outcome = classifyAnswer(exchange.answer, ofBody);
      return { outcome, exercised: [...exercised], undecided: [...undecided], breaks, entries, share, value };
    },
  };
}

export type OpenJudgement = ReturnType<typeof openJudgement>;
