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

type Answer = Judged<'requestLoan'>;

const readCurrency = ({ exchange }: Answer): string => String(exchange.request.asked['currency']);
const listAccounts = ({ data }: Answer): readonly string[] =>
  getEntries(data.infos)
    .map((offer) => toIdText(offer['account_id']))
    .toSorted();
const nameAccounts = (answer: Answer): string => listAccounts(answer).join(' ');

/** Lists the requests in other currencies that were in flight together with this request. */
const listConcurrent = (answer: Answer, answers: readonly Answer[]): readonly Answer[] =>
  answers.filter(
    (other) => readCurrency(other) !== readCurrency(answer) && wereInFlightTogether(other.exchange, answer.exchange),
  );

/**
 * Returns, for each currency, the first and the last answer that had no concurrent request in another currency. Leaves out a currency
 * whose answers without concurrent requests offer different accounts.
 */
function findAlone(answers: readonly Answer[]): ReadonlyMap<string, readonly [Answer, Answer]> {
  const alone = answers.filter((answer) => listConcurrent(answer, answers).length === 0);
  const steady = [...groupBy(alone, readCurrency)].filter(([, group]) => new Set(group.map(nameAccounts)).size === 1);
  return new Map(steady.map(([currency, group]) => [currency, [group[0], group.at(-1) ?? group[0]] as const]));
}

const getSentAt = ({ exchange }: Answer): number => exchange.ticks?.[0] ?? 0;

/** `answers`: loan answers. Answers without offers, and refusals, are left out. */
export const isolatedOffers = compared({
  id: 'loans.isolation.offers',
  clause: defineLevels('loans').money(
    offerField('account_id'),
    'A loan request is offered the same accounts while requests in other currencies are in flight as without them.',
  ),
  control: 'The currency had its own accounts before, and has them afterwards without other requests.',
  evidence: { answers: list(reply('requestLoan')) },
  judge({ answers: loanAnswers }) {
    const answers = loanAnswers
      .filter((answer) => answer.accepted && listAccounts(answer).length > 0)
      .toSorted((a, b) => getSentAt(a) - getSentAt(b));
    const alone = findAlone(answers);
    // Returns the accounts that the currency had in an earlier answer and alone in a later one: the accounts did not change meanwhile.
    const findUsual = (answer: Answer): string | undefined => {
      const [, last] = alone.get(readCurrency(answer)) ?? [];
      if (last === undefined || getSentAt(last) < getSentAt(answer)) return undefined;
      const usual = nameAccounts(last);
      const before = answers.slice(0, answers.indexOf(answer));
      const hasUsualAccounts = (earlier: Answer): boolean =>
        readCurrency(earlier) === readCurrency(answer) && nameAccounts(earlier) === usual;
      return before.some(hasUsualAccounts) ? usual : undefined;
    };
    const tested = answers.flatMap((answer) => {
      const usual = findUsual(answer);
      const others = listConcurrent(answer, answers).flatMap((other) => alone.get(readCurrency(other))?.[0] ?? []);
      const different = others.filter((other) => !listAccounts(other).some((id) => usual?.split(' ').includes(id)));
      return usual === undefined || different.length === 0 ? [] : [{ answer, usual, different }];
    });
    const [first] = tested;
    if (first === undefined)
      return notTested('no two requests in currencies with different accounts were in flight at the same time');
    const mixed = tested.filter(({ answer, different }) =>
      different.some((other) => nameAccounts(other) === nameAccounts(answer)),
    );
    const [by = first] = mixed;
    const contrast = alone.get(readCurrency(by.answer))?.[0];
    if (mixed.length < MIN_MIXED_ANSWERS) return kept(by.answer, { contrast, count: tested.length });
    return broken(by.answer, {
      contrast,
      pointer: '/data/infos/*/account_id',
      expected: `the accounts that ${readCurrency(by.answer)} has alone`,
      received: `the accounts of another currency, whose request was in flight at the same time`,
      count: mixed.length,
    });
  },
});
