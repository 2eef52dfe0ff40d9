/** Judges that a loan request is offered the accounts of its currency, also while requests in other currencies are in flight. */
import { defineLevels } from '../../../clauses/clause.ts';
import { offerField } from '../../clauses/loans.ts';
import { getEntries } from '../../../rules/entries.ts';
import { groupBy } from '../../../util/group-by.ts';
import { toIdText } from '../../../util/ids.ts';
import { broken, compared, kept, notTested } from '../../../behaviours/behaviour.ts';
import { list, reply, type Judged } from '../../../behaviours/evidence.ts';
import { wereInFlightTogether } from './once.ts';

/** At least this many answers must have the accounts of another currency. A single one may be an accident. */
const MIN_MIXED_ANSWERS = 2;

type LoanAnswer = Judged<'requestLoan'>;

const readCurrency = ({ exchange }: LoanAnswer): string => String(exchange.request.asked['currency']);
const listAccountIds = ({ data }: LoanAnswer): readonly string[] =>
  getEntries(data.infos)
    .map((offer) => toIdText(offer['account_id']))
    .toSorted();
const joinAccountIds = (answer: LoanAnswer): string => listAccountIds(answer).join(' ');

/** Lists the requests in other currencies that were in flight together with this request. */
const listConcurrent = (answer: LoanAnswer, answers: readonly LoanAnswer[]): readonly LoanAnswer[] =>
  answers.filter(
    (otherAnswer) =>
      readCurrency(otherAnswer) !== readCurrency(answer) && wereInFlightTogether(otherAnswer.exchange, answer.exchange),
  );

/**
 * Returns, for each currency, the first and the last answer that had no concurrent request in another currency. Leaves out a currency
 * whose answers without concurrent requests offer different accounts, or whose answers vary in another way than a mix-up of currencies
 * explains: fewer answers have the accounts of the currency than accounts that are usual in no currency.
 */
function findAnswersAloneByCurrency(
  answers: readonly LoanAnswer[],
): ReadonlyMap<string, readonly [LoanAnswer, LoanAnswer]> {
  const answersAlone = answers.filter((answer) => listConcurrent(answer, answers).length === 0);
  const answersByCurrency = groupBy(answers, readCurrency);
  const usualAccountIds = new Set(answersAlone.map(joinAccountIds));
  const doOffersVary = (currency: string, usualOfCurrency: string): boolean => {
    const accountIds = (answersByCurrency.get(currency) ?? []).map(joinAccountIds);
    const usualCount = accountIds.filter((ids) => ids === usualOfCurrency).length;
    return accountIds.filter((ids) => !usualAccountIds.has(ids)).length > usualCount;
  };
  const steadyCurrencies = [...groupBy(answersAlone, readCurrency)].filter(
    ([currency, answersOfCurrency]) =>
      new Set(answersOfCurrency.map(joinAccountIds)).size === 1 &&
      !doOffersVary(currency, joinAccountIds(answersOfCurrency[0])),
  );
  return new Map(
    steadyCurrencies.map(([currency, answersOfCurrency]) => [
      currency,
      [answersOfCurrency[0], answersOfCurrency.at(-1) ?? answersOfCurrency[0]] as const,
    ]),
  );
}

const getSentAt = ({ exchange }: LoanAnswer): number => exchange.ticks?.[0] ?? 0;

/** `answers`: loan answers. Answers without offers, and refusals, are left out. */
export const isolatedOffers = compared({
  id: 'loans.isolation.offers',
  clause: defineLevels('loans').money(
    offerField('account_id'),
    'The bank offers a loan request the same accounts, whether or not requests in other currencies are in flight.',
  ),
  control: 'Before and afterwards, with no further request in flight, the bank offers the currency its own accounts.',
  evidence: { answers: list(reply('requestLoan')) },
  judge({ answers: loanAnswers }) {
    const answers = loanAnswers
      .filter((answer) => answer.accepted && listAccountIds(answer).length > 0)
      .toSorted((a, b) => getSentAt(a) - getSentAt(b));
    const aloneByCurrency = findAnswersAloneByCurrency(answers);
    // Returns the accounts of the currency if an earlier answer and a later answer, sent without other requests, have the same accounts.
    const findUsualAccountIds = (answer: LoanAnswer): string | undefined => {
      const [, lastAlone] = aloneByCurrency.get(readCurrency(answer)) ?? [];
      if (lastAlone === undefined || getSentAt(lastAlone) < getSentAt(answer)) return undefined;
      const usualAccountIds = joinAccountIds(lastAlone);
      const answersBefore = answers.slice(0, answers.indexOf(answer));
      const hasUsualAccounts = (earlierAnswer: LoanAnswer): boolean =>
        readCurrency(earlierAnswer) === readCurrency(answer) && joinAccountIds(earlierAnswer) === usualAccountIds;
      return answersBefore.some(hasUsualAccounts) ? usualAccountIds : undefined;
    };
    const testedAnswers = answers.flatMap((answer) => {
      const usualAccountIds = findUsualAccountIds(answer);
      const concurrentCurrenciesAlone = listConcurrent(answer, answers).flatMap(
        (concurrentAnswer) => aloneByCurrency.get(readCurrency(concurrentAnswer))?.[0] ?? [],
      );
      if (usualAccountIds === undefined) return [];
      const isUsualAccount = (accountId: string): boolean => usualAccountIds.split(' ').includes(accountId);
      const answersWithOtherAccounts = concurrentCurrenciesAlone.filter(
        (otherAnswer) => !listAccountIds(otherAnswer).some(isUsualAccount),
      );
      return answersWithOtherAccounts.length === 0 ? [] : [{ answer, answersWithOtherAccounts }];
    });
    const [firstTested] = testedAnswers;
    if (firstTested === undefined)
      return notTested('no two requests in currencies with different accounts were in flight at the same time');
    const mixedAnswers = testedAnswers.filter(({ answer, answersWithOtherAccounts }) =>
      answersWithOtherAccounts.some((otherAnswer) => joinAccountIds(otherAnswer) === joinAccountIds(answer)),
    );
    const [mixedExample = firstTested] = mixedAnswers;
    const contrast = aloneByCurrency.get(readCurrency(mixedExample.answer))?.[0];
    if (mixedAnswers.length < MIN_MIXED_ANSWERS)
      return kept(mixedExample.answer, { contrast, count: testedAnswers.length });
    return broken(mixedExample.answer, {
      contrast,
      pointer: '/data/infos/*/account_id',
      expected: `the accounts that ${readCurrency(mixedExample.answer)} has when no further request is in flight`,
      received: `the accounts of a different currency, whose request was in flight at the same time`,
      count: mixedAnswers.length,
    });
  },
});
