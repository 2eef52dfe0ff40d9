/** Judges that the same list request always returns the same list. */
import { atmEndpointRow } from '../../clauses/atms.ts';
import { belongsTo, isRepeatable, type Area } from '../../../api.ts';
import { defineLevels, type Clause } from '../../../clauses/clause.ts';
import { endpointRow } from '../../clauses/payment-links.ts';
import { isAnswered } from '../../../model/outcome.ts';
import { groupBy } from '../../../util/group-by.ts';
import { max, min } from '../../../util/min-max.ts';
import { mergeBroken } from '../../../behaviours/agreement.ts';
import { kept, notTested, ofRun, type Verdict } from '../../../behaviours/behaviour.ts';
import type { Run, RunRecord } from '../../../model/record.ts';

/** Two readings of the same clock may differ by this many milliseconds. */
const CLOCK_TOLERANCE_MS = 5;
/** After a payment, lists may show the old values for this many milliseconds. */
const MAX_UPDATE_DELAY_MS = 1000;

/** Counts the payments before an answer; null if a payment was in flight during the request, or ended just before. */
function countPayments(
  { from: sentAt, at: answeredAt }: { from: number; at: number },
  payments: Run['payments'],
): number | null {
  const mayOverlap = (payment: Run['payments'][number]): boolean =>
    payment.from <= answeredAt + CLOCK_TOLERANCE_MS && payment.at >= sentAt - MAX_UPDATE_DELAY_MS;
  if (payments.some(mayOverlap)) return null;
  return payments.filter((payment) => payment.at < sentAt).length;
}

/** A list, or the values beside a list. `comparisonKey` is equal for two answers that must have the same list. */
interface ComparableList {
  readonly comparisonKey: string;
  /** The digest of the list. */
  readonly digest: string;
  readonly answer: RunRecord<'lists'>;
  /** True if earlier payments may have changed the values. If the bank has a cache, the values change later, and only one time. */
  readonly isAfterPayments?: boolean;
}

/**
 * Groups the lists of an operation by request, in order of time. A payment may change the values beside the merchants, such as the
 * highest QR amount: these values are compared only between two payments.
 */
function groupComparableLists(lists: Run['lists'], payments: Run['payments']) {
  const comparableLists = lists.flatMap((answer): ComparableList[] => {
    const { asked: inputs, list: digest, beside: valuesBeside, operation } = answer;
    const comparisonKey = `${operation} ${inputs}`;
    const list = { comparisonKey, digest, answer };
    const paymentCount = valuesBeside === undefined ? null : countPayments(valuesBeside, payments);
    if (valuesBeside === undefined || paymentCount === null) return [list];
    const besideList = {
      comparisonKey: `${comparisonKey} after ${paymentCount} payments`,
      digest: valuesBeside.list,
      isAfterPayments: paymentCount > 0,
      answer,
    };
    return [list, besideList];
  });
  const listsInOrder = comparableLists.toSorted((a, b) => a.answer.at - b.answer.at);
  return [...groupBy(listsInOrder, ({ comparisonKey }) => comparisonKey).values()].filter(
    (listsOfRequest) => listsOfRequest.length > 1,
  );
}

/** Judges the lists of one request: all must be like the first one. */
function judgeLists(comparableLists: readonly [ComparableList, ...ComparableList[]]): readonly Verdict[] {
  const [firstList] = comparableLists;
  const keptVerdict = kept(firstList.answer, { count: comparableLists.length - 1 });
  const isLikeFirst = ({ digest, answer }: ComparableList): boolean =>
    digest === firstList.digest || (answer.alike ?? digest) === (firstList.answer.alike ?? firstList.digest);
  const differentLists = comparableLists.filter((list) => !isLikeFirst(list));
  const listAnswerTimes = (lists: readonly ComparableList[]): readonly number[] => lists.map(({ answer }) => answer.at);
  // The first list never came again after a different one.
  const hasChangedOnce =
    min(listAnswerTimes(differentLists)) > max(listAnswerTimes(comparableLists.filter(isLikeFirst)));
  const hasOneNewList = new Set(differentLists.map(({ digest }) => digest)).size === 1;
  const mayBeCached = hasChangedOnce && firstList.isAfterPayments === true && hasOneNewList;
  if (mayBeCached) return [keptVerdict];
  const contradictions = differentLists.map(({ answer }) => ({ answer, contrast: firstList.answer }));
  return [
    keptVerdict,
    ...mergeBroken(contradictions, () => ({
      pointer: '/data',
      expected: 'the answer that the same request got before',
      received: hasChangedOnce
        ? 'another list, and never the first one again: others may have changed it meanwhile'
        : 'another list at times',
    })),
  ];
}

/** At least this many list requests must be refused, because one refusal may be an accident of the network. */
const MIN_REFUSALS = 2;

/** True for a refusal with status 4xx or 5xx. The judgement of single answers tests refusals with status 2xx. */
const isRefused = ({ outcome, status }: RunRecord<'answers'>): boolean => outcome === 'refused' && (status ?? 0) >= 400;

/** Judges requests that the bank first refused and later answered. A daily limit explains refusals until the end of a run. */
function judgeRefusals(listAnswers: readonly RunRecord<'answers'>[]): readonly Verdict[] {
  const answersByRequest = groupBy(listAnswers, ({ asked }) => JSON.stringify(Object.entries(asked).sort()));
  const refusedBeforeAnswer = [...answersByRequest.values()].flatMap((answersToRequest) => {
    const answersInOrder = answersToRequest.toSorted((a, b) => a.at - b.at);
    const lastListAnswer = answersInOrder.findLast(isAnswered);
    if (lastListAnswer === undefined) return [];
    return answersToRequest
      .filter((answer) => isRefused(answer) && answer.at < lastListAnswer.at)
      .map((answer) => ({ answer, contrast: lastListAnswer }));
  });
  const [firstRefused] = refusedBeforeAnswer;
  if (firstRefused === undefined || refusedBeforeAnswer.length < MIN_REFUSALS) return [];
  return [
    kept(firstRefused.contrast, { count: refusedBeforeAnswer.length }),
    ...mergeBroken(refusedBeforeAnswer, ({ answer: { what } }) => ({
      kind: 'at-times',
      expected: 'the list that the same request returned before or afterwards',
      received: `${what}, ${refusedBeforeAnswer.length} times`,
    })),
  ];
}

const defineListsRepeat = <const Id extends string>(id: Id, area: Area, clause: Clause) =>
  ofRun({
    id,
    clause,
    control: 'The same list request is answered at least twice.',
    judge({ lists, answers, payments }) {
      const isOfArea = ({ operation }: { readonly operation: RunRecord<'lists'>['operation'] }): boolean =>
        belongsTo(operation, area) && isRepeatable(operation);
      const repeatedLists = groupComparableLists(lists.filter(isOfArea), payments);
      const answersByOperation = groupBy(answers.filter(isOfArea), ({ operation }) => operation);
      const verdicts = [
        ...repeatedLists.flatMap(judgeLists),
        ...[...answersByOperation.values()].flatMap(judgeRefusals),
      ];
      return verdicts.length > 0 ? verdicts : [notTested('no list was requested twice')];
    },
  });

// prettier-ignore
export const linkListsRepeat = defineListsRepeat('links.lists-repeat', 'payment-links', defineLevels('payment-links').expected(endpointRow(), 'Identical list requests always return the same list.'));
// prettier-ignore
export const atmListsRepeat = defineListsRepeat('atms.lists-repeat', 'atms', defineLevels('atms').expected(atmEndpointRow(), 'Identical ATM queries always return the same ATMs.'));
