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

type AnswerRecord = RunRecord<'answers'>;
type AnswerRecords = readonly AnswerRecord[];

/** What was inferred about an input: for example `inputText` "amounts", with the value "whole amounts only". */
interface InferredBound {
  readonly inputText: string;
  readonly value: string;
  readonly evidence: AnswerRecords;
}

/** For each input with a list of values: its name in reports. */
const nameByListedInput = { currency: 'currencies', language_code: 'languages' } as const;
const DESCRIPTION_LENGTH = 'length of personal_description';

const isAccepted = ({ outcome }: AnswerRecord): boolean => outcome === 'accepted';
const isRefused = ({ outcome, status, isRetryable }: AnswerRecord): boolean =>
  outcome === 'declined' || (outcome === 'refused' && status !== 404 && isRetryable !== true);
const makeNumberReader =
  (input: string) =>
  ({ asked }: AnswerRecord): number =>
    Number(asked[input]);

/**
 * Returns the answers in which each input has a value that was accepted in another request. `input` and the amount may have any
 * value: only they can then explain a refusal.
 */
function selectComparableAnswers(answers: AnswerRecords, input: string): AnswerRecords {
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

function inferAmounts(answers: AnswerRecords): readonly InferredBound[] {
  const readAmount = makeNumberReader('amount');
  const comparableAnswers = selectComparableAnswers(answers, 'amount').filter((answer) => readAmount(answer) > 0);
  const acceptedAnswers = comparableAnswers.filter(isAccepted);
  if (acceptedAnswers.length === 0) return [];
  const acceptedAmounts = new Set(acceptedAnswers.map(readAmount));
  const refusedAnswers = comparableAnswers.filter(
    (answer) => isRefused(answer) && !acceptedAmounts.has(readAmount(answer)),
  );
  const [lowestAccepted, highestAccepted] = [min([...acceptedAmounts]), max([...acceptedAmounts])];
  const tooHighAnswers = refusedAnswers.filter((answer) => readAmount(answer) > highestAccepted);
  const tooLowAnswers = refusedAnswers.filter((answer) => readAmount(answer) < lowestAccepted);
  const refusedInRange = refusedAnswers.filter(
    (answer) => readAmount(answer) >= lowestAccepted && readAmount(answer) <= highestAccepted,
  );
  const hasCents = (answer: AnswerRecord): boolean => !Number.isInteger(readAmount(answer));
  const refusesCents = !acceptedAnswers.some(hasCents) && refusedInRange.length > 0 && refusedInRange.every(hasCents);
  const describeRange = (low: number, high: number): string =>
    `an amount between ${groupDigits(roundDownToPower(low))} and ${groupDigits(roundUpToPower(high))}`;
  const boundTexts = [
    ...(tooLowAnswers.length > 0
      ? [`none below ${describeRange(max(tooLowAnswers.map(readAmount)), lowestAccepted)}`]
      : []),
    ...(tooHighAnswers.length > 0
      ? [`none above ${describeRange(highestAccepted, min(tooHighAnswers.map(readAmount)))}`]
      : []),
    ...(refusesCents ? ['whole amounts only'] : []),
  ];
  const evidence = [...tooHighAnswers, ...tooLowAnswers, ...(refusesCents ? refusedInRange : []), ...acceptedAnswers];
  return [
    { inputText: 'amounts', value: boundTexts.length === 0 ? 'no limit was seen' : boundTexts.join('; '), evidence },
  ];
}

const MAX_LISTED_VALUES = 12;

/** Lists each value of an input with its result. If the bank refused no value, returns one sentence for all values. */
function inferValues(answers: AnswerRecords, input: string, inputText: string): readonly InferredBound[] {
  const comparableAnswers = selectComparableAnswers(answers, input).filter(({ asked }) => input in asked);
  const readValue = ({ asked }: AnswerRecord): string => String(asked[input]);
  const acceptedAnswers = comparableAnswers.filter(isAccepted);
  if (acceptedAnswers.length === 0) return [];
  const acceptedValues = new Set(acceptedAnswers.map(readValue));
  const acceptedAmounts = new Set(acceptedAnswers.map(({ asked }) => asked['amount']));
  const refusedAnswers = comparableAnswers.filter(
    (answer) =>
      isRefused(answer) && !acceptedValues.has(readValue(answer)) && acceptedAmounts.has(answer.asked['amount']),
  );
  if (refusedAnswers.length === 0) return [{ inputText, value: 'none was refused', evidence: acceptedAnswers }];
  const listEachValue = (answersToList: AnswerRecords, result: string): readonly InferredBound[] =>
    [...groupBy(answersToList, readValue)]
      .slice(0, MAX_LISTED_VALUES)
      .map(([value, evidence]) => ({ inputText: `${inputText}: ${value}`, value: result, evidence }));
  return [
    { inputText, value: 'some are refused', evidence: refusedAnswers },
    ...listEachValue(acceptedAnswers, 'taken'),
    ...listEachValue(refusedAnswers, 'refused'),
  ];
}

function inferLengths(answers: AnswerRecords): readonly InferredBound[] {
  const comparableAnswers = selectComparableAnswers(answers, DESCRIPTION_LENGTH).filter(
    ({ asked }) => DESCRIPTION_LENGTH in asked,
  );
  const readLength = makeNumberReader(DESCRIPTION_LENGTH);
  const acceptedAnswers = comparableAnswers.filter(isAccepted);
  const longestAccepted = Math.max(0, ...acceptedAnswers.map(readLength));
  if (longestAccepted === 0) return [];
  const acceptedAmounts = new Set(acceptedAnswers.map(({ asked }) => asked['amount']));
  const tooLongAnswers = comparableAnswers.filter(
    (answer) =>
      isRefused(answer) && readLength(answer) > longestAccepted && acceptedAmounts.has(answer.asked['amount']),
  );
  const [lowLength, highLength] = [
    Math.floor(longestAccepted / 10) * 10,
    Math.ceil(min(tooLongAnswers.map(readLength)) / 10) * 10,
  ];
  const value =
    tooLongAnswers.length === 0 ? 'no limit was seen' : `none above a length between ${lowLength} and ${highLength}`;
  return [{ inputText: 'descriptions', value, evidence: [...tooLongAnswers, ...comparableAnswers] }];
}

function inferAnswerAboveQrMaximum({ answers, highestAmounts }: Run): readonly Inference[] {
  const qrMaximum = highestAmounts[0]?.amount;
  if (qrMaximum === undefined) return [];
  const answersAboveMaximum = answers.filter(
    ({ operation, asked }) => operation === 'createPaymentLink' && Number(asked['amount']) > qrMaximum,
  );
  const acceptedAnswers = answersAboveMaximum.filter(isAccepted);
  const evidence = acceptedAnswers.length > 0 ? acceptedAnswers : answersAboveMaximum.filter(isRefused);
  const [firstAnswer] = evidence;
  const descriptionByOutcome = { accepted: 'created', declined: 'is_success false' } as const;
  const describeAnswer = ({ outcome, status }: AnswerRecord): ObservedAnswer =>
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
      ...Object.entries(nameByListedInput).flatMap(([input, inputText]) => inferValues(answers, input, inputText)),
      ...inferLengths(answers),
    ];
    return boundsOfOperation.map(({ inputText, value, evidence }) =>
      makeInference({ point, operation, question: inputText, answer: value }, evidence),
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
const isFinalRefusal = (answer: AnswerRecord): boolean =>
  answer.outcome === 'declined' || (isRejection(answer) && answer.isRetryable !== true);

/** Makes a function that explains a refusal: by a value that no accepted request has; if there is none, by the status. */
function makeRefusalExplainer(acceptedAnswers: AnswerRecords): (answer: AnswerRecord) => string {
  const readAmount = ({ asked }: AnswerRecord): number => Number(asked['amount']);
  const acceptedAmounts = acceptedAnswers.map(readAmount).filter((amount) => amount > 0);
  const [lowestAmount, highestAmount] = [min(acceptedAmounts), max(acceptedAmounts)];
  return (answer) => {
    const { asked, status } = answer;
    const amount = readAmount(answer);
    if (amount <= 0) return 'amounts of zero and below';
    if (acceptedAmounts.length > 0 && amount < lowestAmount) return `amounts below ${lowestAmount}`;
    if (acceptedAmounts.length > 0 && amount > highestAmount) return `amounts above ${highestAmount}`;
    const isValueAccepted = (name: string): boolean =>
      acceptedAnswers.some((acceptedAnswer) => acceptedAnswer.asked[name] === asked[name]);
    for (const [name, label] of Object.entries(nameByInput))
      if (asked[name] !== undefined && !isValueAccepted(name)) return `the ${label} ${asked[name]}`;
    if (asked['contract_approved'] === 'false' && !isValueAccepted('contract_approved'))
      return 'contract_approved false';
    return REASON_BY_STATUS[status ?? 0] ?? NOT_EXPLAINED_TEXT;
  };
}

function inferForOperation(operation: OperationId, answers: AnswerRecords): readonly Inference[] {
  const { refusalsPoint: point } = operations[operation];
  if (point === null) return [];
  const answersByExplanation = groupBy(
    answers,
    makeRefusalExplainer(answers.filter(({ outcome }) => outcome === 'accepted')),
  );
  return [...answersByExplanation].flatMap(([question, answersOfQuestion]) => {
    const refusedAnswers = answersOfQuestion.filter(isFinalRefusal);
    const answer = `refused: ${refusedAnswers.length} of ${question === NOT_EXPLAINED_TEXT ? answers.length : answersOfQuestion.length}`;
    return refusedAnswers.length === 0 ? [] : [makeInference({ point, operation, question, answer }, refusedAnswers)];
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
