/** Finds out what the requests of some answers have in common that no other tested request has. */
import { findApplication, isForm, isFreshInput, operationFacts, type OperationId } from '../../openapi/api.ts';
import type { Asked } from '../../openapi/model/exchange.ts';
import type { Outcome } from '../../openapi/model/outcome.ts';
import type { Violation } from '../../openapi/model/finding.ts';
import { countWaysToChoose, MAX_CHANCE_PROBABILITY } from '../../openapi/util/chance.ts';
import { groupBy } from '../../openapi/util/group-by.ts';
import type { RunTallies } from '../model/tallies.ts';

/** A property of requests: its description, and a test whether a request has it. */
interface Aspect {
  readonly input: string;
  readonly words: string;
  readonly holds: (inputs: Inputs) => boolean;
  /** True if the property cannot be combined with another one: ids, for example, grow longer during a run. */
  readonly isAlone: boolean;
}

/** The inputs of a request, and those of earlier requests about the same application. */
type Inputs = ReadonlyMap<string, InputValue>;
type InputValue = string | number | boolean;

const textContents: readonly { readonly words: string; readonly shape: RegExp }[] = [
  { words: 'a character beyond 16 bits', shape: /[\u{10000}-\u{10FFFF}]/u },
  { words: 'a character beyond ASCII', shape: /[^\0-\x7F]/ },
  { words: 'a tab or a line break', shape: /[\t\r\n]/ },
  { words: 'a colon', shape: /:/ },
  { words: 'an apostrophe', shape: /'/ },
  { words: 'a quotation mark', shape: /"/ },
  { words: 'a hyphen', shape: /-/ },
  { words: 'a blank', shape: / / },
  { words: 'a letter', shape: /[A-Za-z]/ },
];

const isGiven = (value: InputValue): boolean => value !== '';

function listProperties(some: readonly Inputs[]): Aspect[] {
  const [example = new Map() as Inputs] = some;
  return [...example].flatMap(([name, value]): Aspect[] => {
    const has = (words: string, test: (value: InputValue) => boolean, isAlone = false): Aspect => ({
      input: name,
      words: `${name} ${words}`,
      holds: (inputs) => test(inputs.get(name) ?? ''),
      isAlone,
    });
    const equal = has(`is ${JSON.stringify(value)}`, (one) => one === value);
    if (typeof value === 'boolean' || isForm(name)) return [equal];
    const values = some.map((inputs) => inputs.get(name) ?? '');
    const isFresh = isFreshInput(name);
    const isNumber = values.every((one) => isGiven(one) && Number.isFinite(Number(one)));
    if (isNumber && !isFresh) return [equal, ...listNumberProperties(values.map(Number), has)];
    return [...(isFresh ? [] : [equal]), ...listTextProperties(values.map(String), isFresh, has)];
  });
}

const WHOLE_NUMBER = 'is a whole number';
const WITH_DECIMALS = 'has decimals';

type MakeAspect = (words: string, test: (value: InputValue) => boolean, isAlone?: boolean) => Aspect;

function listNumberProperties(numbers: readonly number[], has: MakeAspect): Aspect[] {
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  const nearest = Math.min(...numbers.map(Math.abs));
  const isOnBothSides = least < 0 && most > 0 && nearest > 0;
  const isFar = (one: InputValue): boolean => isGiven(one) && Math.abs(Number(one)) >= nearest;
  return [
    ...(isOnBothSides ? [has(`is ${nearest} or more from zero`, isFar)] : []),
    has(WHOLE_NUMBER, (one) => Number.isInteger(Number(one))),
    has(WITH_DECIMALS, (one) => !Number.isInteger(Number(one))),
    has(`is ${least} or more`, (one) => isGiven(one) && Number(one) >= least),
    has(`is ${most} or less`, (one) => isGiven(one) && Number(one) <= most),
  ];
}

function listTextProperties(texts: readonly string[], isFresh: boolean, has: MakeAspect): Aspect[] {
  const lengths = texts.map((text) => text.length);
  const [shortest, longest] = [Math.min(...lengths), Math.max(...lengths)];
  return [
    ...textContents.map(({ words, shape }) => has(`has ${words}`, (one) => shape.test(String(one)))),
    has(`has ${shortest} characters or more`, (one) => String(one).length >= shortest, isFresh),
    has(`has ${longest} characters or fewer`, (one) => isGiven(one) && String(one).length <= longest, isFresh),
  ];
}

/** Lists what can be said about one request without others: no bounds and no lengths, which come from the values of a run. */
const listOwnProperties = (inputs: Inputs): ReadonlySet<string> =>
  new Set(
    [...inputs].flatMap(([name, value]) => {
      const number = isGiven(value) && Number.isFinite(Number(value)) ? Number(value) : null;
      return [
        `${name} is ${JSON.stringify(value)}`,
        ...(isGiven(value) ? [`${name} is given`] : []),
        ...(number === null ? [] : [`${name} ${Number.isInteger(number) ? WHOLE_NUMBER : WITH_DECIMALS}`]),
        ...textContents.flatMap(({ words, shape }) => (shape.test(String(value)) ? `${name} has ${words}` : [])),
      ];
    }),
  );

/** True if a condition of an earlier run, one property or two together, holds for a request. */
function holdsFor(condition: string, inputs: Inputs): boolean {
  const properties = listOwnProperties(inputs);
  return (
    properties.has(condition) ||
    [...properties].some(
      (first) => condition.startsWith(`${first} and `) && properties.has(condition.slice(`${first} and `.length)),
    )
  );
}

const MAX_ASPECT_REQUESTS = 2_000;

/**
 * Describes what all of `some` have and none of `others` have: one property, or two together. Null if there is nothing, or if
 * chance explains it: a random property distinguishes them in one of `countWaysToChoose` cases.
 */
export function findDistinguishingProperty(some: readonly Inputs[], others: readonly Inputs[]): string | null {
  if (some.length === 0 || others.length === 0) return null;
  const tried = listProperties(some);
  const isChance = (tries: number, count: number): boolean =>
    tries > MAX_CHANCE_PROBABILITY * countWaysToChoose(count, count + others.length);
  const common = tried.filter(({ holds }) => some.every(holds) && !others.every(holds));
  const alone = common.find(({ holds }) => !others.some(holds));
  if (alone !== undefined) {
    if (isChance(tried.length, some.length)) return null;
    return others.some((inputs) => isGiven(inputs.get(alone.input) ?? '')) ? alone.words : `${alone.input} is given`;
  }
  if (isChance(tried.length ** 2, some.length)) return null;
  const pairs = common.filter(({ isAlone }) => !isAlone);
  for (const [index, first] of pairs.entries())
    for (const second of pairs.slice(index + 1))
      if (!others.some((inputs) => first.holds(inputs) && second.holds(inputs)))
        return `${first.words} and ${second.words}`;
  return null;
}

const nameInputs = (inputs: Asked, step: string) =>
  Object.entries(inputs).map(([name, value]) => [`${name}${step}`, value] as const);

/** Describes what the requests of some answers have in common that no other request has. */
export function findConditions({ positives, exercisedBy, judgedBreaks }: RunTallies) {
  const accepted = [...positives].filter(([, { outcome }]) => outcome === 'accepted');
  const stepsOf = groupBy(accepted, ([, { application }]) => String(application));
  const inputsOf = (exchange: string): Inputs => {
    const { inputs = {} } = positives.get(exchange) ?? {};
    const earlier = (stepsOf.get(String(findApplication([], inputs))) ?? []).flatMap(([id, { operation, inputs }]) => {
      const step = id === exchange ? null : operationFacts[operation].asEarlierStep;
      return step === null ? [] : nameInputs(inputs, step);
    });
    return new Map([...earlier, ...nameInputs(inputs, '')]);
  };
  const allOf = (operation: OperationId): string[] =>
    [...positives].flatMap(([id, one]) => (one.operation === operation ? id : []));
  const separate = (...sides: readonly [some: readonly string[], others: readonly string[]]): string | null => {
    const [some, others] = sides.map((ids) => ids.slice(0, MAX_ASPECT_REQUESTS).map(inputsOf));
    return findDistinguishingProperty(some!, others!);
  };
  return {
    /** Describes the condition of a violation that single answers show. */
    describe({ clause, operation, exchange }: Violation, answers: ReadonlySet<string>): string | null {
      const breaks = (id: string): boolean => judgedBreaks.get(id)?.some((one) => one.clause === clause) === true;
      const tested = breaks(exchange) ? allOf(operation).filter((id) => exercisedBy.get(id)?.includes(clause)) : [];
      const some = tested.filter((id) => answers.has(id));
      // Another violation of the same clause may hide this one.
      return some.length < answers.size
        ? null
        : separate(
            some,
            tested.filter((id) => !breaks(id)),
          );
    },
    /**
     * True if some of these answers are to requests for which a condition of an earlier run does not hold. False if no request of
     * this run can tell.
     */
    exceeds(condition: string, operation: OperationId, answers: readonly string[]): boolean {
      const holds = (id: string): boolean => holdsFor(condition, inputsOf(id));
      return allOf(operation).some(holds) && answers.some((id) => positives.has(id) && !holds(id));
    },
    describeCrashes(operation: OperationId): string | null {
      const withOutcome = (outcome: Outcome) => allOf(operation).filter((id) => positives.get(id)?.outcome === outcome);
      return separate(withOutcome('crashed'), withOutcome('accepted'));
    },
  };
}

export type Conditions = ReturnType<typeof findConditions>;
