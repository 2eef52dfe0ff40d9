/**
 * Finds the condition of a finding: a property that all its requests have and no other tested request has.
 * Example: all answers to requests whose amount has decimals break a clause, and all other answers keep it. The condition is then
 * `amount has decimals`.
 */
import { findApplication, isForm, isFreshInput, operationFacts, type OperationId } from '../../openapi/api.ts';
import type { RequestInputs } from '../../openapi/model/exchange.ts';
import type { Outcome } from '../../openapi/model/outcome.ts';
import type { Violation } from '../../openapi/model/finding.ts';
import { countWaysToChoose, MAX_CHANCE_PROBABILITY } from '../../openapi/util/chance.ts';
import { groupBy } from '../../openapi/util/group-by.ts';
import type { RunTallies } from '../model/tallies.ts';

/** A property of requests, for example `amount has decimals`. */
interface Property {
  readonly input: string;
  readonly text: string;
  readonly isTrueFor: (inputs: Inputs) => boolean;
  /**
   * True if this property must not be joined with a second property. Example: ids grow longer during a run, so the length of an id and
   * a second property often explain a fault by chance.
   */
  readonly cannotBeJoined: boolean;
}

/** The inputs of a request, and the inputs of earlier requests about the same application, such as `currency of its loan request`. */
type Inputs = ReadonlyMap<string, InputValue>;
type InputValue = string | number | boolean;

const textContents: readonly { readonly text: string; readonly pattern: RegExp }[] = [
  { text: 'a character beyond 16 bits', pattern: /[\u{10000}-\u{10FFFF}]/u },
  { text: 'a character beyond ASCII', pattern: /[^\0-\x7F]/ },
  { text: 'a tab or a line break', pattern: /[\t\r\n]/ },
  { text: 'a colon', pattern: /:/ },
  { text: 'an apostrophe', pattern: /'/ },
  { text: 'a quotation mark', pattern: /"/ },
  { text: 'a hyphen', pattern: /-/ },
  { text: 'a blank', pattern: / / },
  { text: 'a letter', pattern: /[A-Za-z]/ },
];

const isSent = (value: InputValue): boolean => value !== '';

/** Lists properties that the first request has. The bounds of numbers and lengths come from all requests. */
function listProperties(requests: readonly Inputs[]): Property[] {
  const [firstRequest = new Map() as Inputs] = requests;
  return [...firstRequest].flatMap(([name, value]): Property[] => {
    const makeProperty = (text: string, test: (value: InputValue) => boolean, cannotBeJoined = false): Property => ({
      input: name,
      text: `${name} ${text}`,
      isTrueFor: (inputs) => test(inputs.get(name) ?? ''),
      cannotBeJoined,
    });
    const equality = makeProperty(`is ${JSON.stringify(value)}`, (otherValue) => otherValue === value);
    if (typeof value === 'boolean' || isForm(name)) return [equality];
    const values = requests.map((inputs) => inputs.get(name) ?? '');
    const isFresh = isFreshInput(name);
    const isNumber = values.every((number) => isSent(number) && Number.isFinite(Number(number)));
    if (isNumber && !isFresh) return [equality, ...listNumberProperties(values.map(Number), makeProperty)];
    return [...(isFresh ? [] : [equality]), ...listTextProperties(values.map(String), isFresh, makeProperty)];
  });
}

const WHOLE_NUMBER = 'is a whole number';
const WITH_DECIMALS = 'has decimals';

type MakeProperty = (text: string, test: (value: InputValue) => boolean, cannotBeJoined?: boolean) => Property;

function listNumberProperties(numbers: readonly number[], makeProperty: MakeProperty): Property[] {
  const [lowest, highest] = [Math.min(...numbers), Math.max(...numbers)];
  const nearestToZero = Math.min(...numbers.map(Math.abs));
  const hasBothSigns = lowest < 0 && highest > 0 && nearestToZero > 0;
  const isFarFromZero = (value: InputValue): boolean => isSent(value) && Math.abs(Number(value)) >= nearestToZero;
  return [
    ...(hasBothSigns ? [makeProperty(`is ${nearestToZero} or more from zero`, isFarFromZero)] : []),
    makeProperty(WHOLE_NUMBER, (value) => Number.isInteger(Number(value))),
    makeProperty(WITH_DECIMALS, (value) => !Number.isInteger(Number(value))),
    makeProperty(`is ${lowest} or more`, (value) => isSent(value) && Number(value) >= lowest),
    makeProperty(`is ${highest} or less`, (value) => isSent(value) && Number(value) <= highest),
  ];
}

function listTextProperties(texts: readonly string[], isFresh: boolean, makeProperty: MakeProperty): Property[] {
  const lengths = texts.map((text) => text.length);
  const [shortest, longest] = [Math.min(...lengths), Math.max(...lengths)];
  return [
    ...textContents.map(({ text, pattern }) => makeProperty(`has ${text}`, (value) => pattern.test(String(value)))),
    makeProperty(`has ${shortest} characters or more`, (value) => String(value).length >= shortest, isFresh),
    makeProperty(
      `has ${longest} characters or fewer`,
      (value) => isSent(value) && String(value).length <= longest,
      isFresh,
    ),
  ];
}

/** Lists the properties of one request. Leaves out bounds and lengths: they come from the values of several requests. */
const listPropertiesOfRequest = (inputs: Inputs): ReadonlySet<string> =>
  new Set(
    [...inputs].flatMap(([name, value]) => {
      const number = isSent(value) && Number.isFinite(Number(value)) ? Number(value) : null;
      return [
        `${name} is ${JSON.stringify(value)}`,
        ...(isSent(value) ? [`${name} is given`] : []),
        ...(number === null ? [] : [`${name} ${Number.isInteger(number) ? WHOLE_NUMBER : WITH_DECIMALS}`]),
        ...textContents.flatMap(({ text, pattern }) => (pattern.test(String(value)) ? `${name} has ${text}` : [])),
      ];
    }),
  );

/** True if a condition of an earlier run (one property, or two joined by `and`) is true for a request. */
function isConditionTrue(condition: string, inputs: Inputs): boolean {
  const properties = listPropertiesOfRequest(inputs);
  if (properties.has(condition)) return true;
  for (const property of properties) {
    const prefix = `${property} and `;
    if (condition.startsWith(prefix) && properties.has(condition.slice(prefix.length))) return true;
  }
  return false;
}

/** At most this many requests with a finding, and as many without, are compared. */
const MAX_COMPARED_REQUESTS = 2_000;

/**
 * Describes a property that all `requests` have and no other request has: one property, or two joined by `and`. Null if there is no
 * such property, or if it can be chance. Example: there are 1140 ways to choose 3 of 20 requests. If 20 properties are tried, one of
 * them may belong to exactly 3 requests by chance with a probability of 20/1140, which is more than the accepted 1 %.
 */
export function findDistinguishingProperty(
  requests: readonly Inputs[],
  otherRequests: readonly Inputs[],
): string | null {
  if (requests.length === 0 || otherRequests.length === 0) return null;
  const properties = listProperties(requests);
  const canMatchByChance = (triedConditionCount: number): boolean =>
    triedConditionCount >
    MAX_CHANCE_PROBABILITY * countWaysToChoose(requests.length, requests.length + otherRequests.length);
  const commonProperties = properties.filter(
    ({ isTrueFor }) => requests.every(isTrueFor) && !otherRequests.every(isTrueFor),
  );
  const singleProperty = commonProperties.find(({ isTrueFor }) => !otherRequests.some(isTrueFor));
  if (singleProperty !== undefined) {
    if (canMatchByChance(properties.length)) return null;
    const isSentInOtherRequests = otherRequests.some((inputs) => isSent(inputs.get(singleProperty.input) ?? ''));
    return isSentInOtherRequests ? singleProperty.text : `${singleProperty.input} is given`;
  }
  const pairCount = properties.length ** 2;
  if (canMatchByChance(pairCount)) return null;
  const combinableProperties = commonProperties.filter(({ cannotBeJoined }) => !cannotBeJoined);
  for (const [index, propertyA] of combinableProperties.entries())
    for (const propertyB of combinableProperties.slice(index + 1))
      if (!otherRequests.some((inputs) => propertyA.isTrueFor(inputs) && propertyB.isTrueFor(inputs)))
        return `${propertyA.text} and ${propertyB.text}`;
  return null;
}

const nameInputs = (inputs: RequestInputs, stepSuffix: string) =>
  Object.entries(inputs).map(([name, value]) => [`${name}${stepSuffix}`, value] as const);

/** Describes what the requests of some answers have in common that no other request has. */
export function findConditions({ documentedRequests, clausesByExchange, violationsByExchange }: RunTallies) {
  const acceptedRequests = [...documentedRequests].filter(([, { outcome }]) => outcome === 'accepted');
  const stepsByApplication = groupBy(acceptedRequests, ([, { application }]) => String(application));
  const readInputs = (exchange: string): Inputs => {
    const { inputs = {} } = documentedRequests.get(exchange) ?? {};
    const earlierInputs = (stepsByApplication.get(String(findApplication([], inputs))) ?? []).flatMap(
      ([id, { operation, inputs }]) => {
        const stepSuffix = id === exchange ? null : operationFacts[operation].asEarlierStep;
        return stepSuffix === null ? [] : nameInputs(inputs, stepSuffix);
      },
    );
    return new Map([...earlierInputs, ...nameInputs(inputs, '')]);
  };
  const listRequests = (operation: OperationId): string[] =>
    [...documentedRequests].flatMap(([id, request]) => (request.operation === operation ? id : []));
  const readInputsOfAll = (ids: readonly string[]): Inputs[] => ids.slice(0, MAX_COMPARED_REQUESTS).map(readInputs);
  const describeDifference = (ids: readonly string[], otherIds: readonly string[]): string | null =>
    findDistinguishingProperty(readInputsOfAll(ids), readInputsOfAll(otherIds));
  return {
    /**
     * Describes which requests get an answer with this violation. One answer must be enough to see the violation. Null if no property
     * of the requests explains the violation.
     */
    describe({ clause, operation, exchange }: Violation, answers: ReadonlySet<string>): string | null {
      const breaksClause = (id: string): boolean =>
        violationsByExchange.get(id)?.some((violation) => violation.clause === clause) === true;
      const testedRequests = breaksClause(exchange)
        ? listRequests(operation).filter((id) => clausesByExchange.get(id)?.includes(clause))
        : [];
      const requestsWithViolation = testedRequests.filter((id) => answers.has(id));
      // Another violation of the same clause may hide this violation.
      if (requestsWithViolation.length < answers.size) return null;
      const requestsWithoutViolation = testedRequests.filter((id) => !breaksClause(id));
      return describeDifference(requestsWithViolation, requestsWithoutViolation);
    },
    /**
     * True if one of these answers is to a request for which a condition of an earlier run is not true. False if the condition is
     * true for no request of this run.
     */
    exceeds(condition: string, operation: OperationId, answers: readonly string[]): boolean {
      const isTrueFor = (id: string): boolean => isConditionTrue(condition, readInputs(id));
      return (
        listRequests(operation).some(isTrueFor) && answers.some((id) => documentedRequests.has(id) && !isTrueFor(id))
      );
    },
    /** Describes the condition under which an operation answers with a server error; null if there is none. */
    describeCrashes(operation: OperationId): string | null {
      const listRequestsWithOutcome = (outcome: Outcome) =>
        listRequests(operation).filter((id) => documentedRequests.get(id)?.outcome === outcome);
      return describeDifference(listRequestsWithOutcome('crashed'), listRequestsWithOutcome('accepted'));
    },
  };
}

export type Conditions = ReturnType<typeof findConditions>;
