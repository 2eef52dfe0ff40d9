/**
 * What was refused of the documented requests of a run, and the smallest rule of business that explains it: a bound on the
 * amount, a currency or language that is never taken, a contract that is not approved, a right, a state or the load. What
 * is left has no explanation.
 */
import type { History } from '../model/check.ts';
import type { ClauseId } from '../clauses/index.ts';
import type { FactRecord, AnswerFact } from '../model/facts.ts';
import type { Inference } from '../model/finding.ts';
import type { OperationId } from '../model/exchange.ts';
import { operations } from '../contract/operations.ts';
import { groupBy } from '../util/group-by.ts';
import { isRejection } from '../model/outcome.ts';
import { inferenceOf } from './inference-of.ts';
import { max, min } from '../util/min-max.ts';

type Answer = FactRecord<AnswerFact>;

const pointOf = { loans: 'loans.refusals', 'payment-links': 'links.refusals' } as const satisfies Record<
  string,
  ClauseId
>;
/** Inputs in which a bank may serve some values and not others, as they are called. */
const served = { currency: 'currency', currency_code: 'currency', language_code: 'language' } as const;
/** Reasons that a status names, whatever was asked. */
const reasons: Readonly<Record<number, string>> = {
  401: 'credentials',
  402: 'a payment that is due',
  403: 'missing rights',
  404: 'something that was not found',
  407: 'credentials',
  409: 'a conflict with the current state',
  423: 'a conflict with the current state',
  429: 'too many requests',
  451: 'legal reasons',
};

/** What stands in the place of a rule where none explains a refusal. */
const NOT_EXPLAINED = 'no explanation found';

interface Explanation {
  readonly what: string;
  readonly isMet: (answer: Answer) => boolean;
}

const isTaken = ({ fact }: Answer): boolean => fact.outcome === 'accepted';
const isRefused = ({ fact }: Answer): boolean =>
  fact.outcome === 'declined' || (isRejection(fact) && fact.comesAgain !== true);
const reasonOf = ({ fact }: Answer): string | undefined => reasons[fact.status ?? 0];
const amountOf = ({ fact }: Answer): number => Number(fact.asked['amount']);

/** Rules that no taken request breaks, each with the refused requests that it explains. */
function explanations(taken: readonly Answer[], refused: readonly Answer[]): readonly Explanation[] {
  const amounts = taken.map(amountOf).filter((amount) => amount > 0);
  const [lowest, highest] = amounts.length === 0 ? [0, Infinity] : [min(amounts), max(amounts)];
  const values = Object.entries(served).flatMap(([name, called]) => {
    const known = new Set(taken.map(({ fact }) => fact.asked[name]));
    const others = new Set(refused.map(({ fact }) => fact.asked[name]));
    return [...others]
      .filter((value) => value !== undefined && !known.has(value))
      .map((value) => ({ what: `the ${called} ${value}`, isMet: ({ fact }: Answer) => fact.asked[name] === value }));
  });
  const unapproved = {
    what: 'contract_approved false',
    isMet: ({ fact }: Answer) => fact.asked['contract_approved'] === 'false',
  };
  const named = [...new Set(refused.map(reasonOf))].filter((one) => one !== undefined);
  return [
    { what: 'amounts of zero and below', isMet: (one) => amountOf(one) <= 0 },
    { what: `amounts below ${lowest}`, isMet: (one) => amountOf(one) < lowest },
    { what: `amounts above ${highest}`, isMet: (one) => amountOf(one) > highest },
    ...values,
    ...(taken.some(unapproved.isMet) ? [] : [unapproved]),
    ...named.map((what) => ({ what, isMet: (one: Answer) => reasonOf(one) === what })),
  ];
}

function refusalsOf(operation: OperationId, answers: readonly Answer[]): readonly Inference[] {
  const { area } = operations[operation];
  const refused = answers.filter(isRefused);
  // Whether there is an outcome yet is a matter of states, and not of what was sent.
  if (area === 'atms' || operation === 'queryDisbursement' || refused.length === 0) return [];
  const inferred = (question: string, answer: string, some: readonly Answer[]): Inference =>
    inferenceOf({ point: pointOf[area], operation, question, answer }, some);
  let rest = answers;
  const explained = explanations(answers.filter(isTaken), refused).flatMap(({ what, isMet }) => {
    const all = rest.filter(isMet);
    const met = all.filter(isRefused);
    if (met.length === 0) return [];
    rest = rest.filter((one) => !met.includes(one));
    return [inferred(what, `refused: ${met.length} of ${all.length}`, met)];
  });
  const left = rest.filter(isRefused);
  const unexplained = `refused: ${left.length} of ${answers.length}`;
  return left.length === 0 ? explained : [inferred(NOT_EXPLAINED, unexplained, left), ...explained];
}

/** What the run learnt of refusals, those without an explanation first. */
export function inferRefusals(notes: History['notes']): readonly Inference[] {
  const inferences = [...groupBy(notes('answer'), ({ fact }) => fact.operation)].flatMap(([operation, answers]) =>
    refusalsOf(operation, answers),
  );
  return inferences.toSorted((a, b) => Number(b.question === NOT_EXPLAINED) - Number(a.question === NOT_EXPLAINED));
}
