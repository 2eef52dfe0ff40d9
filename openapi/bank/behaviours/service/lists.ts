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
function countPayments({ from, at }: { from: number; at: number }, payments: Run['payments']): number | null {
  if (payments.some((payment) => payment.from <= at + CLOCK_TOLERANCE_MS && payment.at >= from - MAX_UPDATE_DELAY_MS))
    return null;
  return payments.filter((payment) => payment.at < from).length;
}

/** A list, or the values beside a list. `request` is equal for two answers that must have the same list. */
interface ListAnswer {
  readonly request: string;
  /** The digest of the list. */
  readonly list: string;
  readonly answer: RunRecord<'lists'>;
  /** True if earlier payments may have changed the values. If the bank has a cache, the values change later, and only one time. */
  readonly isAfterPayments?: boolean;
}

/**
 * Groups the lists of an operation by request, in order of time. A payment may change the values beside the merchants, such as the
 * highest QR amount: these values are compared only between two payments.
 */
function groupLists(lists: Run['lists'], payments: Run['payments']) {
  const listAnswers = lists.flatMap((answer): ListAnswer[] => {
    const { asked, list, beside, operation } = answer;
    const request = `${operation} ${asked}`;
    const paymentCount = beside === undefined ? null : countPayments(beside, payments);
    if (beside === undefined || paymentCount === null) return [{ request, list, answer }];
    const after = {
      request: `${request} after ${paymentCount} payments`,
      list: beside.list,
      isAfterPayments: paymentCount > 0,
    };
    return [
      { request, list, answer },
      { ...after, answer },
    ];
  });
  const inTime = listAnswers.toSorted((a, b) => a.answer.at - b.answer.at);
  return [...groupBy(inTime, ({ request }) => request).values()].filter((sameRequest) => sameRequest.length > 1);
}

/** Judges the lists of one request: all must be like the first one. */
function judgeLists(answers: readonly [ListAnswer, ...ListAnswer[]]): readonly Verdict[] {
  const [first] = answers;
  const tested = kept(first.answer, { count: answers.length - 1 });
  const isLikeFirst = ({ list, answer }: ListAnswer): boolean =>
    list === first.list || (answer.alike ?? list) === (first.answer.alike ?? first.list);
  const different = answers.filter((answer) => !isLikeFirst(answer));
  const listTimes = (group: readonly ListAnswer[]) => group.map(({ answer }) => answer.at);
  // The first list never came again after a different one.
  const hasChangedOnce = min(listTimes(different)) > max(listTimes(answers.filter(isLikeFirst)));
  if (hasChangedOnce && first.isAfterPayments === true && new Set(different.map(({ list }) => list)).size === 1)
    return [tested];
  const contradictions = different.map(({ answer }) => ({ by: answer, contrast: first.answer }));
  return [
    tested,
    ...mergeBroken(contradictions, () => ({
      pointer: '/data',
      expected: 'what the same request brought before',
      received: hasChangedOnce
        ? 'another list, and never the first one again: others may have changed it meanwhile'
        : 'another list at times',
    })),
  ];
}

/** At least this many list requests must be refused, because one refusal may be an accident of the network. */
const MIN_REFUSALS = 2;

/** True for a refusal with status 4xx or 5xx. Refusals with status 2xx are judged elsewhere. */
const isRefused = ({ outcome, status }: RunRecord<'answers'>): boolean => outcome === 'refused' && (status ?? 0) >= 400;

/** Judges requests that the bank first refused and later answered. A daily limit explains refusals until the end of a run. */
function judgeRefusals(answers: readonly RunRecord<'answers'>[]): readonly Verdict[] {
  const requests = groupBy(answers, ({ asked }) => JSON.stringify(Object.entries(asked).sort()));
  const refused = [...requests.values()].flatMap((sameRequest) => {
    const inTime = sameRequest.toSorted((a, b) => a.at - b.at);
    const lastList = inTime.findLast(isAnswered);
    if (lastList === undefined) return [];
    return sameRequest
      .filter((answer) => isRefused(answer) && answer.at < lastList.at)
      .map((by) => ({ by, contrast: lastList }));
  });
  const [first] = refused;
  if (first === undefined || refused.length < MIN_REFUSALS) return [];
  return [
    kept(first.contrast, { count: refused.length }),
    ...mergeBroken(refused, ({ by: { what } }) => ({
      kind: 'at-times',
      expected: 'the list that the same request brought another time',
      received: `${what}, ${refused.length} times`,
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
      const repeated = groupLists(lists.filter(isOfArea), payments);
      const verdicts = [
        ...repeated.flatMap(judgeLists),
        ...[...groupBy(answers.filter(isOfArea), ({ operation }) => operation).values()].flatMap(judgeRefusals),
      ];
      return verdicts.length > 0 ? verdicts : [notTested('no list was requested twice')];
    },
  });

// prettier-ignore
export const linkListsRepeat = defineListsRepeat('links.lists-repeat', 'payment-links', defineLevels('payment-links').expected(endpointRow(), 'Identical list requests always return the same list.'));
// prettier-ignore
export const atmListsRepeat = defineListsRepeat('atms.lists-repeat', 'atms', defineLevels('atms').expected(atmEndpointRow(), 'Identical ATM queries always return the same ATMs.'));
