/** Infers what the bank accepts, with amounts as powers of ten: two runs with different amounts get the same result. */
import type { Run, RunRecord } from '../model/record.ts';
import { makeInference, type Inference } from '../model/finding.ts';
import { operationIds, type OperationId } from '../api.ts';
import { isRejection } from '../model/outcome.ts';
import { operations } from '../contract/operations.ts';
import { groupDigits } from '../util/counted.ts';
import { max, min } from '../util/min-max.ts';
import { getOrSet, groupBy } from '../util/group-by.ts';

type Answer = RunRecord<'answers'>;
type Answers = readonly Answer[];

interface Found {
  readonly about: string;
  readonly value: string;
  readonly shown: Answers;
}

const settingByInput = { currency: 'currencies', language_code: 'languages' } as const;
const DESCRIPTION_LENGTH = 'length of personal_description';

const isAccepted = ({ outcome }: Answer): boolean => outcome === 'accepted';
const isRefused = ({ outcome, status, isRetryable }: Answer): boolean =>
  outcome === 'declined' || (outcome === 'refused' && status !== 404 && isRetryable !== true);
const readNumber =
  (input: string) =>
  ({ asked }: Answer): number =>
    Number(asked[input]);

/** Returns answers in which all other inputs have accepted values: `input` or the amount then explains a refusal. */
function selectUsualAnswers(answers: Answers, input: string): Answers {
  const usual = new Map<string, Set<string>>();
  for (const answer of answers.filter(isAccepted))
    for (const [name, value] of Object.entries(answer.asked)) getOrSet(usual, name, () => new Set()).add(value);
  const free = new Set([input, 'amount', DESCRIPTION_LENGTH]);
  return answers.filter(({ asked }) =>
    Object.entries(asked).every(([name, value]) => free.has(name) || usual.get(name)?.has(value) === true),
  );
}

const roundDownToPower = (amount: number): number => (amount <= 0 ? 0 : 10 ** Math.floor(Math.log10(amount) + 1e-12));
const roundUpToPower = (amount: number): number => (amount <= 0 ? 0 : 10 ** Math.ceil(Math.log10(amount) - 1e-12));

function inferAmounts(answers: Answers): readonly Found[] {
  const readAmount = readNumber('amount');
  const known = selectUsualAnswers(answers, 'amount').filter((answer) => readAmount(answer) > 0);
  const accepted = known.filter(isAccepted);
  if (accepted.length === 0) return [];
  const acceptedAmounts = new Set(accepted.map(readAmount));
  const refused = known.filter((answer) => isRefused(answer) && !acceptedAmounts.has(readAmount(answer)));
  const [lowest, highest] = [min([...acceptedAmounts]), max([...acceptedAmounts])];
  const over = refused.filter((answer) => readAmount(answer) > highest);
  const under = refused.filter((answer) => readAmount(answer) < lowest);
  const within = refused.filter((answer) => readAmount(answer) >= lowest && readAmount(answer) <= highest);
  const hasCents = (answer: Answer): boolean => !Number.isInteger(readAmount(answer));
  const noCents = !accepted.some(hasCents) && within.length > 0 && within.every(hasCents);
  const describeRange = (low: number, high: number): string =>
    `an amount between ${groupDigits(roundDownToPower(low))} and ${groupDigits(roundUpToPower(high))}`;
  const parts = [
    ...(under.length > 0 ? [`none below ${describeRange(max(under.map(readAmount)), lowest)}`] : []),
    ...(over.length > 0 ? [`none above ${describeRange(highest, min(over.map(readAmount)))}`] : []),
    ...(noCents ? ['whole amounts only'] : []),
  ];
  const shown = [...over, ...under, ...(noCents ? within : []), ...accepted];
  return [{ about: 'amounts', value: parts.length === 0 ? 'no limit was seen' : parts.join('; '), shown }];
}

/** Lists the values of an input: as one list if the bank refused no value, else each value with its result. */
function inferValues(answers: Answers, input: string, about: string): readonly Found[] {
  const known = selectUsualAnswers(answers, input).filter(({ asked }) => input in asked);
  const readValue = ({ asked }: Answer): string => String(asked[input]);
  const accepted = known.filter(isAccepted);
  if (accepted.length === 0) return [];
  const acceptedValues = new Set(accepted.map(readValue));
  const acceptedAmounts = new Set(accepted.map(({ asked }) => asked['amount']));
  const refused = known.filter(
    (answer) =>
      isRefused(answer) && !acceptedValues.has(readValue(answer)) && acceptedAmounts.has(answer.asked['amount']),
  );
  if (refused.length === 0) return [{ about, value: 'none was refused', shown: accepted }];
  const listEach = (of: Answers, value: string): readonly Found[] =>
    [...groupBy(of, readValue)].slice(0, 12).map(([one, shown]) => ({ about: `${about}: ${one}`, value, shown }));
  return [
    { about, value: 'some are refused', shown: refused },
    ...listEach(accepted, 'taken'),
    ...listEach(refused, 'refused'),
  ];
}

function inferLengths(answers: Answers): readonly Found[] {
  const known = selectUsualAnswers(answers, DESCRIPTION_LENGTH).filter(({ asked }) => DESCRIPTION_LENGTH in asked);
  const readLength = readNumber(DESCRIPTION_LENGTH);
  const accepted = known.filter(isAccepted);
  const longest = Math.max(0, ...accepted.map(readLength));
  if (longest === 0) return [];
  const acceptedAmounts = new Set(accepted.map(({ asked }) => asked['amount']));
  const tooLong = known.filter(
    (answer) => isRefused(answer) && readLength(answer) > longest && acceptedAmounts.has(answer.asked['amount']),
  );
  const [low, high] = [Math.floor(longest / 10) * 10, Math.ceil(min(tooLong.map(readLength)) / 10) * 10];
  const value = tooLong.length === 0 ? 'no limit was seen' : `none above a length between ${low} and ${high}`;
  return [{ about: 'descriptions', value, shown: [...tooLong, ...known] }];
}

function inferAnswerAboveQrMaximum({ answers, highestAmounts }: Run): readonly Inference[] {
  const highest = highestAmounts[0]?.amount;
  if (highest === undefined) return [];
  const over = answers.filter(
    ({ operation, asked }) => operation === 'createPaymentLink' && Number(asked['amount']) > highest,
  );
  const accepted = over.filter(isAccepted);
  const shown = accepted.length > 0 ? accepted : over.filter(isRefused);
  const [first] = shown;
  const words = { accepted: 'created', declined: 'is_success false' } as const;
  const answer =
    first === undefined
      ? 'not tried'
      : first.outcome === 'accepted' || first.outcome === 'declined'
        ? words[first.outcome]
        : { reply: first.outcome, status: first.status };
  return [makeInference({ point: 'links.amount-above-maximum', operation: 'createPaymentLink', answer }, shown)];
}

export function inferBounds(run: Run): readonly Inference[] {
  const bounds = operationIds.flatMap((operation) => {
    const point = operations[operation].boundsPoint;
    if (point === null) return [];
    const answers = run.answers.filter((one) => one.operation === operation);
    const found = [
      ...inferAmounts(answers),
      ...Object.entries(settingByInput).flatMap(([input, about]) => inferValues(answers, input, about)),
      ...inferLengths(answers),
    ];
    return found.map(({ about, value, shown }) =>
      makeInference({ point, operation, question: about, answer: value }, shown),
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

const isRefusedAtAll = (answer: Answer): boolean =>
  answer.outcome === 'declined' || (isRejection(answer) && answer.isRetryable !== true);

/** Returns a function that explains a refusal: by a value that no accepted request has, or else by its status. */
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
    const isAccepted = (name: string): boolean => accepted.some((other) => other.asked[name] === asked[name]);
    for (const [name, called] of Object.entries(nameByInput))
      if (asked[name] !== undefined && !isAccepted(name)) return `the ${called} ${asked[name]}`;
    if (asked['contract_approved'] === 'false' && !isAccepted('contract_approved')) return 'contract_approved false';
    return REASON_BY_STATUS[status ?? 0] ?? NOT_EXPLAINED_TEXT;
  };
}

function inferForOperation(operation: OperationId, answers: Answers): readonly Inference[] {
  const { refusalsPoint: point } = operations[operation];
  if (point === null) return [];
  const alike = groupBy(answers, makeRefusalExplainer(answers.filter(({ outcome }) => outcome === 'accepted')));
  return [...alike].flatMap(([question, all]) => {
    const refused = all.filter(isRefusedAtAll);
    const answer = `refused: ${refused.length} of ${question === NOT_EXPLAINED_TEXT ? answers.length : all.length}`;
    return refused.length === 0 ? [] : [makeInference({ point, operation, question, answer }, refused)];
  });
}

/** Groups the refused documented requests by their most likely explanation. Requests without an explanation come first. */
export function inferRefusals({ answers: all }: Run): readonly Inference[] {
  const inferences = [...groupBy(all, ({ operation }) => operation)].flatMap(([operation, answers]) =>
    inferForOperation(operation, answers),
  );
  return inferences.toSorted(
    (a, b) => Number(b.question === NOT_EXPLAINED_TEXT) - Number(a.question === NOT_EXPLAINED_TEXT),
  );
}
