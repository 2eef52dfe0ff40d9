/** Infers which amounts, values and lengths the bank accepts. Amounts are rounded to powers of ten, so that two runs agree. */
import type { Run, RunRecord } from '../../model/record.ts';
import type { ObservedAnswer } from '../../model/observation.ts';
import { makeInference, type Inference } from '../../model/finding.ts';
import { operationIds, type OperationId } from '../../api.ts';
import { isRejection } from '../../model/outcome.ts';
import { operations } from '../../contract/operations.ts';
import { groupDigits } from '../../util/counted.ts';
import { max, min } from '../../util/min-max.ts';
import { getOrSet, groupBy } from '../../util/group-by.ts';

type Answer = RunRecord<'answers'>;
type Answers = readonly Answer[];

/** What was inferred: for example `about` "amounts", with the value "whole amounts only". */
interface Bound {
  readonly about: string;
  readonly value: string;
  readonly evidence: Answers;
}

/** For each input with a list of values: its name in reports. */
const nameByListedInput = { currency: 'currencies', language_code: 'languages' } as const;
const DESCRIPTION_LENGTH = 'length of personal_description';

const isAccepted = ({ outcome }: Answer): boolean => outcome === 'accepted';
const isRefused = ({ outcome, status, isRetryable }: Answer): boolean =>
  outcome === 'declined' || (outcome === 'refused' && status !== 404 && isRetryable !== true);
const readNumber =
  (input: string) =>
  ({ asked }: Answer): number =>
    Number(asked[input]);

/**
 * Returns the answers in which each input has a value that was accepted in another request. `input` and the amount may have any
 * value: only they can then explain a refusal.
 */
function selectComparableAnswers(answers: Answers, input: string): Answers {
  const acceptedValues = new Map<string, Set<string>>();
  for (const answer of answers.filter(isAccepted))
    for (const [name, value] of Object.entries(answer.asked))
      getOrSet(acceptedValues, name, () => new Set()).add(value);
  const ignoredInputs = new Set([input, 'amount', DESCRIPTION_LENGTH]);
  return answers.filter(({ asked }) =>
    Object.entries(asked).every(
      ([name, value]) => ignoredInputs.has(name) || acceptedValues.get(name)?.has(value) === true,
    ),
  );
}

/** Rounds down to a power of ten: 250 becomes 100. */
const roundDownToPower = (amount: number): number => (amount <= 0 ? 0 : 10 ** Math.floor(Math.log10(amount) + 1e-12));
/** Rounds up to a power of ten: 250 becomes 1000. */
const roundUpToPower = (amount: number): number => (amount <= 0 ? 0 : 10 ** Math.ceil(Math.log10(amount) - 1e-12));

function inferAmounts(answers: Answers): readonly Bound[] {
  const readAmount = readNumber('amount');
  const comparable = selectComparableAnswers(answers, 'amount').filter((answer) => readAmount(answer) > 0);
  const accepted = comparable.filter(isAccepted);
  if (accepted.length === 0) return [];
  const acceptedAmounts = new Set(accepted.map(readAmount));
  const refused = comparable.filter((answer) => isRefused(answer) && !acceptedAmounts.has(readAmount(answer)));
  const [lowest, highest] = [min([...acceptedAmounts]), max([...acceptedAmounts])];
  const tooHigh = refused.filter((answer) => readAmount(answer) > highest);
  const tooLow = refused.filter((answer) => readAmount(answer) < lowest);
  const inRange = refused.filter((answer) => readAmount(answer) >= lowest && readAmount(answer) <= highest);
  const hasCents = (answer: Answer): boolean => !Number.isInteger(readAmount(answer));
  const refusesCents = !accepted.some(hasCents) && inRange.length > 0 && inRange.every(hasCents);
  const describeRange = (low: number, high: number): string =>
    `an amount between ${groupDigits(roundDownToPower(low))} and ${groupDigits(roundUpToPower(high))}`;
  const parts = [
    ...(tooLow.length > 0 ? [`none below ${describeRange(max(tooLow.map(readAmount)), lowest)}`] : []),
    ...(tooHigh.length > 0 ? [`none above ${describeRange(highest, min(tooHigh.map(readAmount)))}`] : []),
    ...(refusesCents ? ['whole amounts only'] : []),
  ];
  const evidence = [...tooHigh, ...tooLow, ...(refusesCents ? inRange : []), ...accepted];
  return [{ about: 'amounts', value: parts.length === 0 ? 'no limit was seen' : parts.join('; '), evidence }];
}

const MAX_LISTED_VALUES = 12;

/** Lists each value of an input with its result. If the bank refused no value, returns one sentence for all values. */
function inferValues(answers: Answers, input: string, about: string): readonly Bound[] {
  const comparable = selectComparableAnswers(answers, input).filter(({ asked }) => input in asked);
  const readValue = ({ asked }: Answer): string => String(asked[input]);
  const accepted = comparable.filter(isAccepted);
  if (accepted.length === 0) return [];
  const acceptedValues = new Set(accepted.map(readValue));
  const acceptedAmounts = new Set(accepted.map(({ asked }) => asked['amount']));
  const refused = comparable.filter(
    (answer) =>
      isRefused(answer) && !acceptedValues.has(readValue(answer)) && acceptedAmounts.has(answer.asked['amount']),
  );
  if (refused.length === 0) return [{ about, value: 'none was refused', evidence: accepted }];
  const listEach = (answersToList: Answers, result: string): readonly Bound[] =>
    [...groupBy(answersToList, readValue)]
      .slice(0, MAX_LISTED_VALUES)
      .map(([value, evidence]) => ({ about: `${about}: ${value}`, value: result, evidence }));
  return [
    { about, value: 'some are refused', evidence: refused },
    ...listEach(accepted, 'taken'),
    ...listEach(refused, 'refused'),
  ];
}

function inferLengths(answers: Answers): readonly Bound[] {
  const comparable = selectComparableAnswers(answers, DESCRIPTION_LENGTH).filter(
    ({ asked }) => DESCRIPTION_LENGTH in asked,
  );
  const readLength = readNumber(DESCRIPTION_LENGTH);
  const accepted = comparable.filter(isAccepted);
  const longest = Math.max(0, ...accepted.map(readLength));
  if (longest === 0) return [];
  const acceptedAmounts = new Set(accepted.map(({ asked }) => asked['amount']));
  const tooLong = comparable.filter(
    (answer) => isRefused(answer) && readLength(answer) > longest && acceptedAmounts.has(answer.asked['amount']),
  );
  const [low, high] = [Math.floor(longest / 10) * 10, Math.ceil(min(tooLong.map(readLength)) / 10) * 10];
  const value = tooLong.length === 0 ? 'no limit was seen' : `none above a length between ${low} and ${high}`;
  return [{ about: 'descriptions', value, evidence: [...tooLong, ...comparable] }];
}

function inferAnswerAboveQrMaximum({ answers, highestAmounts }: Run): readonly Inference[] {
  const qrMaximum = highestAmounts[0]?.amount;
  if (qrMaximum === undefined) return [];
  const answersAboveMaximum = answers.filter(
    ({ operation, asked }) => operation === 'createPaymentLink' && Number(asked['amount']) > qrMaximum,
  );
  const accepted = answersAboveMaximum.filter(isAccepted);
  const evidence = accepted.length > 0 ? accepted : answersAboveMaximum.filter(isRefused);
  const [firstAnswer] = evidence;
  const descriptionByOutcome = { accepted: 'created', declined: 'is_success false' } as const;
  const describeAnswer = ({ outcome, status }: Answer): ObservedAnswer =>
    outcome === 'accepted' || outcome === 'declined' ? descriptionByOutcome[outcome] : { reply: outcome, status };
  const answer = firstAnswer === undefined ? 'not tried' : describeAnswer(firstAnswer);
  return [makeInference({ point: 'links.amount-above-maximum', operation: 'createPaymentLink', answer }, evidence)];
}

export function inferBounds(run: Run): readonly Inference[] {
  const bounds = operationIds.flatMap((operation) => {
    const point = operations[operation].boundsPoint;
    if (point === null) return [];
    const answers = run.answers.filter((answer) => answer.operation === operation);
    const boundsOfOperation = [
      ...inferAmounts(answers),
      ...Object.entries(nameByListedInput).flatMap(([input, about]) => inferValues(answers, input, about)),
      ...inferLengths(answers),
    ];
    return boundsOfOperation.map(({ about, value, evidence }) =>
      makeInference({ point, operation, question: about, answer: value }, evidence),
    );
  });
  return [...bounds, ...inferAnswerAboveQrMaximum(run)];
}

const nameByInput = { currency: 'currency', currency_code: 'currency', language_code: 'language' } as const;
const REASON_BY_STATUS: Readonly<Record<number, string>> = {
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

const NOT_EXPLAINED_TEXT = 'no explanation found';

/** True for every refusal except a temporary failure. */
const isFinalRefusal = (answer: Answer): boolean =>
  answer.outcome === 'declined' || (isRejection(answer) && answer.isRetryable !== true);

/** Makes a function that explains a refusal: by a value that no accepted request has; if there is none, by the status. */
function makeRefusalExplainer(accepted: Answers): (answer: Answer) => string {
  const readAmount = ({ asked }: Answer): number => Number(asked['amount']);
  const amounts = accepted.map(readAmount).filter((amount) => amount > 0);
  const [lowest, highest] = [min(amounts), max(amounts)];
  return (answer) => {
    const { asked, status } = answer;
    const amount = readAmount(answer);
    if (amount <= 0) return 'amounts of zero and below';
    if (amounts.length > 0 && amount < lowest) return `amounts below ${lowest}`;
    if (amounts.length > 0 && amount > highest) return `amounts above ${highest}`;
    const isValueAccepted = (name: string): boolean =>
      accepted.some((acceptedAnswer) => acceptedAnswer.asked[name] === asked[name]);
    for (const [name, label] of Object.entries(nameByInput))
      if (asked[name] !== undefined && !isValueAccepted(name)) return `the ${label} ${asked[name]}`;
    if (asked['contract_approved'] === 'false' && !isValueAccepted('contract_approved'))
      return 'contract_approved false';
    return REASON_BY_STATUS[status ?? 0] ?? NOT_EXPLAINED_TEXT;
  };
}

function inferForOperation(operation: OperationId, answers: Answers): readonly Inference[] {
  const { refusalsPoint: point } = operations[operation];
  if (point === null) return [];
  const answersByExplanation = groupBy(
    answers,
    makeRefusalExplainer(answers.filter(({ outcome }) => outcome === 'accepted')),
  );
  return [...answersByExplanation].flatMap(([question, group]) => {
    const refused = group.filter(isFinalRefusal);
    const answer = `refused: ${refused.length} of ${question === NOT_EXPLAINED_TEXT ? answers.length : group.length}`;
    return refused.length === 0 ? [] : [makeInference({ point, operation, question, answer }, refused)];
  });
}

/** Groups the refused documented requests by their most likely explanation. Requests without an explanation come first. */
export function inferRefusals(run: Run): readonly Inference[] {
  const inferences = [...groupBy(run.answers, ({ operation }) => operation)].flatMap(([operation, answers]) =>
    inferForOperation(operation, answers),
  );
  return inferences.toSorted(
    (a, b) => Number(b.question === NOT_EXPLAINED_TEXT) - Number(a.question === NOT_EXPLAINED_TEXT),
  );
}
