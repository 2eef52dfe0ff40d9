/** Checks that the bank makes no forbidden disbursement, and that it makes a disbursement of exactly the available limit. */
import type { Answered, Check } from '../../model/check.ts';
import type { ClauseId } from '../../clauses/index.ts';
import { hasErrors, isAboutRequestedApplication } from '../../history/answer-data.ts';
import { isEffectUnknown } from '../../history/describe.ts';
import { isRefusal } from '../../model/outcome.ts';
import { isConclusive, isPending } from '../../history/outcome-texts.ts';
import { checkComparison } from '../check.ts';
import { readApplicationId, readOutcome } from '../../behaviours/loans/settled.ts';

/** True if the outcome text in `query` is the same as the text of a successful disbursement. */
const hasSameOutcomeText = (query: Answered, made: Answered): boolean =>
  made.accepted && !hasErrors(made.body) && query.accepted && readOutcome(query) === readOutcome(made);

/** A disbursement is lost after this many refused queries with pauses: a copy of the data may be updated late. */
const MIN_OUTCOME_QUERIES = 2;

/**
 * Makes a check that the bank refuses a forbidden disbursement, or does not give it the outcome of a successful disbursement. For
 * an unknown application (`isOfNobody`), an accepted disbursement without an outcome breaks the clause too.
 */
const checkForbidden = (clause: ClauseId, question: string, isOfNobody = false): Check =>
  checkComparison(
    clause,
    ({ one, all }) => {
      const [probe, made, queries] = [one('probe'), one('made'), all('after')];
      if (probe === undefined || made === undefined || isEffectUnknown(probe)) return null;
      const said = { by: probe, expected: 'a refusal, or an outcome that is no success', contrast: one('control') };
      if (!probe.accepted) return { ...said, holds: true };
      const last = queries.at(-1);
      if (last === undefined) return null;
      const isLost = isOfNobody && queries.length >= MIN_OUTCOME_QUERIES && queries.every(isRefusal);
      if (isPending(readOutcome(made)) && !isLost) return null;
      return { ...said, holds: !isLost && !hasSameOutcomeText(last, made) };
    },
    ['loans.unknown-ids', question],
  );

/** The lowest possible id. */
const ZERO_ID = '0';
const removeLeadingZeros = (id: string): string => id.replace(/^0+(?=\d)/, '');

/** True if the query with a similar id returned the outcome of another application. */
function hasOutcomeOfOther(similar: Answered, control: Answered, isOfRun: boolean): boolean {
  const beginning = readApplicationId(control).slice(0, -1);
  const answered = String(similar.data['application_id']);
  const asked = readApplicationId(similar);
  const isOwn = [beginning, asked].some((id) => removeLeadingZeros(id) === removeLeadingZeros(answered));
  const isSimilar = beginning !== '' && answered.startsWith(beginning);
  return !isOwn && (isSimilar || isOfRun || (asked === ZERO_ID && /^\d+$/.test(answered)));
}

/** A disbursement of the exact limit must fail, and one of a smaller amount must succeed, this many times. Fewer may be chance. */
const MIN_LIMIT_REPETITIONS = 2;

export const disbursementChecks: readonly Check[] = [
  checkForbidden('loans.unknown-application.disbursement', 'a disbursement for an unknown application', true),
  checkForbidden('loans.unknown-account.disbursement', 'a disbursement to an unknown account'),
  checkForbidden('loans.amount-positive.disbursement', 'an amount of zero or below'),
  checkComparison(
    'loans.unknown-application.outcome',
    ({ one, all }) => {
      const [probe, similar, control] = [one('probe'), one('similar'), one('control')];
      if (control === undefined) return null;
      if (similar !== undefined)
        return {
          by: similar,
          holds: !hasOutcomeOfOther(similar, control, all('opened').length > 0),
          pointer: '/data/application_id',
          expected: 'no outcome of an application with another id',
          received: String(similar.data['application_id']),
          contrast: control,
        };
      // A pending or failed outcome may have a text that all applications share.
      if (probe === undefined || (probe.accepted && (isPending(readOutcome(control)) || hasErrors(control.body))))
        return null;
      return {
        by: probe,
        holds: !probe.accepted || readOutcome(probe) !== readOutcome(control),
        pointer: '/data/result',
        expected: 'no outcome of another application',
        received: String(readOutcome(probe)),
        contrast: control,
      };
    },
    ['loans.unknown-ids', 'the outcome of an unknown application'],
  ),
  checkComparison('loans.outcome.not-of-a-refused', ({ one, all }) => {
    const [refused, outcome, made, before] = [one('refused'), one('outcome'), one('made'), one('before')];
    if (refused === undefined || outcome === undefined || made === undefined) return null;
    if (!made.accepted || isPending(readOutcome(made))) return null;
    // The outcome may be about another application that the bank paid.
    if ((outcome.accepted && !isAboutRequestedApplication(outcome)) || all('opened').length > 1) return null;
    // An outcome with errors means that the disbursement failed.
    const isPaid = (query: Answered): boolean => hasSameOutcomeText(query, made) && !hasErrors(query.body);
    // If the outcome text was the same before the disbursement, it proves nothing.
    if (before !== undefined && isPaid(before)) return null;
    return {
      by: outcome,
      holds: !isPaid(outcome),
      pointer: '/data/result',
      expected: 'no outcome in the words of a disbursement that was made',
      received: String(readOutcome(outcome)),
      contrast: refused,
    };
  }),
  checkComparison('loans.over-limit', ({ one }) => {
    const [above, outcome, usual] = [one('above'), one('outcome'), one('usual')];
    if (above === undefined || usual === undefined) return null;
    if ([outcome, usual].some((query) => isPending(query?.data['result']))) return null;
    // If even a usual disbursement has errors, the bank may allow no disbursement on this account.
    const isAlike = outcome?.accepted === true && readOutcome(outcome) === readOutcome(usual) && !hasErrors(usual.body);
    // Pending disbursements may share one text, and the answer may be about another application.
    if (isAlike && (!isConclusive(readOutcome(outcome)) || !isAboutRequestedApplication(outcome))) return null;
    return {
      by: outcome ?? above,
      holds: !isAlike,
      pointer: '/data/result',
      expected: 'a refusal, or another outcome than within the limit',
      received: String(outcome?.data['result']),
      contrast: usual,
    };
  }),
  checkComparison('loans.disbursement.at-limit', ({ all }) => {
    const [exact, less, outcomes] = [all('exact'), all('less'), all('outcome')];
    // If a disbursement below the limit failed with the same text, the limit is not the reason.
    const below = all('below').map(readOutcome);
    const outcomeOf = (disbursed: Answered): Answered | undefined =>
      outcomes.find((one) => readApplicationId(one) === readApplicationId(disbursed));
    /** True if the bank made the disbursement; null if this is unknown. */
    const isMade = (disbursed: Answered): boolean | null => {
      if (!disbursed.accepted) return isRefusal(disbursed) ? false : null;
      const outcome = outcomeOf(disbursed);
      if (outcome?.accepted !== true) return null;
      return hasErrors(outcome.body) ? (below.includes(readOutcome(outcome)) ? null : false) : true;
    };
    const last = exact.at(-1);
    if (last === undefined || exact.some((one) => isMade(one) === null)) return null;
    const said = { by: last, expected: 'exactly the available limit to be disbursed, as a cent less is' };
    if (isMade(last) === true) return { ...said, holds: true };
    if (
      exact.length < MIN_LIMIT_REPETITIONS ||
      exact.some(isMade) ||
      less.length < MIN_LIMIT_REPETITIONS ||
      !less.every(isMade)
    )
      return null;
    // An account may allow only a few disbursements a day: after it refused its exact limit, it must accept a smaller amount.
    const isAfter = (one: Answered, other: Answered): boolean => one.exchange.startedAt >= other.exchange.startedAt;
    const readAccount = ({ exchange }: Answered): string => String(exchange.request.asked['account_id']);
    const isRetaken = (one: Answered): boolean =>
      less.some((later) => readAccount(later) === readAccount(one) && isAfter(later, one));
    if (!exact.some(isRetaken)) return null;
    const outcome = outcomeOf(last);
    return {
      ...said,
      holds: false,
      pointer: 'request/body/amount',
      ...(outcome === undefined ? {} : { received: `the outcome ${String(readOutcome(outcome))}` }),
      contrast: less.at(-1),
    };
  }),
  checkComparison('loans.disbursement.application-id.echo', ({ one }) => {
    const [first, second] = [one('first'), one('second')];
    if (first?.accepted !== true || second?.accepted !== true) return null;
    const [before, answered] = [first, second].map(({ data }) => data['application_id']);
    return {
      by: second,
      holds: answered === before,
      pointer: '/data/application_id',
      expected: `"${String(before)}", as the first time`,
      received: `"${String(answered)}"`,
      contrast: first,
    };
  }),
];
