/**
 * Judges that the bank goes on accepting a value that it accepted before. Example: the currency EUR is accepted 3 times, and then
 * refused 3 times, while equal requests with USD are accepted in turn with the refused ones. Then the clause is broken.
 */
import { FREE_INPUTS, isRepeatable, readClass, SUMMED_INPUTS, type OperationId } from '../../api.ts';
import { citeSection, defineLevels, FIELDS_SECTION } from '../../clauses/clause.ts';
import { isAnswered } from '../../model/outcome.ts';
import type { RunRecord } from '../../model/record.ts';
import { groupBy } from '../../util/group-by.ts';
import { countTurns } from '../agreement.ts';
import { broken, kept, notTested, ofRun, type Verdict } from '../behaviour.ts';

/** The value must be accepted at least this many times, and then refused at least this many times. Fewer may be accidents. */
export const MIN_TIMES = 3;
/** Refused requests, and accepted requests that differ only in the value, must alternate this many times: A-B-A-B. */
const MIN_TURNS = 4;

/** True for an input whose values are classes, such as a flag, a currency, or the form of an id. */
export const hasClasses = (operation: OperationId, name: string): boolean =>
  !FREE_INPUTS.has(name) && !name.startsWith('length of ') && (isRepeatable(operation) || !SUMMED_INPUTS.has(name));

type Request = RunRecord<'answers'>;

/** Returns all inputs of a request but one, as a text. */
const joinOtherInputs = ({ asked }: Request, name: string): string =>
  JSON.stringify(
    Object.entries(asked)
      .filter(([otherName]) => otherName !== name)
      .sort(),
  );

const isRefused = ({ outcome, status }: Request): boolean => outcome === 'refused' && (status ?? 0) >= 400;

/** Returns the first request about each application or order: the bank may refuse a repetition because it is a repetition. */
function listFirstRequests(requests: readonly Request[]): readonly Request[] {
  const subjects = new Set<string>();
  return requests
    .toSorted((a, b) => a.at - b.at)
    .filter(({ subject }) => subject === undefined || (!subjects.has(subject) && subjects.add(subject)));
}

const makeUncertainVerdict = (name: string, value: string): Verdict =>
  notTested(`${name} ${value} was accepted and later refused, and too few further requests had this value`);

/**
 * Judges one value of an input. `requests` have this value, `others` have another value. Null if the value was accepted too seldom.
 */
function judgeClass(
  name: string,
  requests: readonly [Request, ...Request[]],
  others: readonly Request[],
): Verdict | null {
  const accepted = requests.filter(isAnswered);
  const value = readClass(name, requests[0].asked[name]);
  // Counts only requests that the bank accepted before with the same other inputs: else another input may be the reason.
  const wasAcceptedBefore = (request: Request): boolean =>
    accepted.some(
      (earlier) => earlier.at < request.at && joinOtherInputs(earlier, name) === joinOtherInputs(request, name),
    );
  const refusedAfterAcceptance = requests.filter((request) => isRefused(request) && wasAcceptedBefore(request));
  const [firstRefused] = refusedAfterAcceptance;
  const lastAccepted = accepted.at(-1);
  if (lastAccepted === undefined || accepted.length < MIN_TIMES) return null;
  if (firstRefused === undefined || lastAccepted.at > firstRefused.at) {
    const isAcceptedOften = accepted.length >= 2 * MIN_TIMES && others.some(isAnswered);
    return isAcceptedOften ? kept(lastAccepted, { count: accepted.length }) : null;
  }
  const otherInputs = new Set(refusedAfterAcceptance.map((request) => joinOtherInputs(request, name)));
  const acceptedTwins = others.filter(
    (other) => isAnswered(other) && other.at > firstRefused.at && otherInputs.has(joinOtherInputs(other, name)),
  );
  const isRefusedOften =
    refusedAfterAcceptance.length >= MIN_TIMES && countTurns(refusedAfterAcceptance, acceptedTwins) >= MIN_TURNS;
  if (!isRefusedOften) return makeUncertainVerdict(name, value);
  return broken(firstRefused, {
    contrast: lastAccepted,
    expected: `${name} ${value} to be accepted, as ${accepted.length} times before`,
    received: `${firstRefused.what} from one moment on, ${refusedAfterAcceptance.length} times, while the bank accepts requests that differ only in this value`,
    count: refusedAfterAcceptance.length,
  });
}

function judgeOperation(requests: readonly Request[]): readonly Verdict[] {
  const firstRequests = listFirstRequests(requests);
  const names = new Set(
    firstRequests.flatMap(({ operation, asked }) => Object.keys(asked).filter((name) => hasClasses(operation, name))),
  );
  return [...names].flatMap((name) => {
    const requestsByValue = groupBy(
      firstRequests.filter(({ asked }) => name in asked),
      ({ asked }) => readClass(name, asked[name]),
    );
    return [...requestsByValue].flatMap(([value, requestsWithValue]) => {
      const requestsWithOtherValues = [...requestsByValue]
        .filter(([otherValue]) => otherValue !== value)
        .flatMap(([, group]) => group);
      return judgeClass(name, requestsWithValue, requestsWithOtherValues) ?? [];
    });
  });
}

export const staysAccepted = ofRun({
  id: 'service.stays-accepted',
  clause: defineLevels('service').robust(
    citeSection(FIELDS_SECTION),
    'The bank goes on accepting a form, a flag or another value that it accepted before, while it accepts other values.',
  ),
  unit: 'requests',
  control: 'The bank accepts one value of an input at least six times, and answers a request with another value.',
  judge({ answers }) {
    const verdicts = [...groupBy(answers, ({ operation }) => operation).values()].flatMap(judgeOperation);
    const isDoubtful = verdicts.some(({ is }) => is === 'not tested');
    if (verdicts.length === 0) return [notTested('no value was accepted often enough')];
    return isDoubtful ? verdicts.filter(({ is }) => is !== 'kept') : verdicts;
  },
});
