/**
 * Finds which findings are probably the consequence of another finding, and groups findings with the same cause.
 *
 * Finding B is a consequence of finding A in one of these cases:
 *
 * - A and B are each visible in one answer, and exactly the answers with B also have A;
 * - B compares answers, and the difference is a value that A calls faulty;
 * - B is about a request that sent an id from an answer with A;
 * - B and A both need several answers, and were found in the same exchange.
 */
import { getListPointer } from '../../openapi/model/finding.ts';
import { countWaysToChoose, isExplainedByChance, MAX_CHANCE_PROBABILITY } from '../../openapi/util/chance.ts';
import { partition } from '../../openapi/util/group-by.ts';
import { memoizeByObject } from '../../openapi/util/memoize.ts';
import type { RunLines } from '../../openapi/model/journal.ts';
import { getAnswersWith, type RunTallies } from '../model/tallies.ts';
import { findDifferences } from '../text/difference.ts';
import type { Finding } from '../model/report.ts';

/** The counts of a run, and for each finding that is visible in one answer: faulty values, and ids beside them. */
interface CauseContext {
  readonly tallies: RunTallies;
  readonly faultyIdsByFinding: ReadonlyMap<Finding, ReadonlySet<string>>;
}

const isIdName = (name: string): boolean => /(?:^|_)(?:id|no|token)$/.test(name);

/**
 * Returns the faulty value at `instance` and the ids beside it: those in the same array entry, or in `data`.
 * Example: for `/data/branches/3/name`, returns the `name` and the `no` of the fourth branch.
 */
function collectIdsBesideFault(body: string, instance: string): string[] {
  try {
    let parent = JSON.parse(body) as unknown;
    const pointerOfFault = instance.replace(/\/\d+(?=\/|$)/g, '/*');
    const isInList = getListPointer(pointerOfFault) !== null;
    const path = (isInList ? instance : '/data').split('/');
    const isMemberOfEntry = /^\d+$/.test(path.at(-2) ?? '');
    const namesOfParents = path.slice(1, isMemberOfEntry ? -1 : undefined);
    for (const name of namesOfParents) parent = (parent as Readonly<Record<string, unknown>>)[name];
    const isCollected = (name: string): boolean => isIdName(name) || instance.endsWith(`/${name}`);
    return Object.entries(parent as object).flatMap(([name, value]) => (isCollected(name) ? String(value) : []));
  } catch {
    return [];
  }
}

/** Returns the name of the input in a pointer to the request, or an empty text. */
const readInputName = (pointer: string): string => /^request\/\w+\/(.+)$/.exec(pointer)?.[1] ?? '';

/** True if `pointer` is the place `container`, or a place inside it. */
const isPointerWithin = (pointer: string, container: string): boolean =>
  container.startsWith('/') && (pointer === container || pointer.startsWith(`${container}/`));

/** Returns a map: the id of each finding that is probably a consequence, and the id of its cause. */
export function findConsequences(
  findings: readonly Finding[],
  lines: RunLines,
  tallies: RunTallies,
): ReadonlyMap<string, string> {
  const causeIdByEffect = new Map<string, string>();
  if (findings.length < 2) return causeIdByEffect;
  const context = { tallies, faultyIdsByFinding: collectFaultyIds(findings, lines, tallies) };
  for (const [effectIndex, effect] of findings.entries()) {
    const mayBeCause = (candidate: Finding): boolean => candidate !== effect && !causeIdByEffect.has(candidate.id);
    const cause = findings.find(
      (candidate, index) => mayBeCause(candidate) && isConsequence(candidate, effect, index < effectIndex, context),
    );
    if (cause !== undefined) causeIdByEffect.set(effect.id, cause.id);
  }
  return causeIdByEffect;
}

const breaksClause = ({ violationsByExchange }: RunTallies, exchange: string, clause: string): boolean =>
  violationsByExchange.get(exchange)?.some((violation) => violation.clause === clause) === true;

/** True if one answer is enough to see the finding. False if answers must be compared. */
const isVisibleInOneAnswer = ({ exchange, clause }: Finding, tallies: RunTallies): boolean =>
  breaksClause(tallies, exchange, clause);

/** Returns faulty values, and ids beside them, in the answers with each finding that is visible in one answer. */
function collectFaultyIds(
  findings: readonly Finding[],
  lines: RunLines,
  tallies: RunTallies,
): ReadonlyMap<Finding, ReadonlySet<string>> {
  const visibleFindings = findings.filter((finding) => isVisibleInOneAnswer(finding, tallies));
  const faultyIdsByFinding = new Map(visibleFindings.map((finding) => [finding, new Set<string>()]));
  const faultyExchanges = new Set(visibleFindings.flatMap((finding) => [...getAnswersWith(finding, tallies)]));
  for (const exchange of faultyExchanges) {
    const body = lines.findEntry(exchange)?.response?.body ?? '';
    const violations = tallies.violationsByExchange.get(exchange) ?? [];
    for (const [finding, ids] of faultyIdsByFinding) {
      if (!getAnswersWith(finding, tallies).has(exchange)) continue;
      for (const { instance, pointer } of violations.filter(({ clause }) => clause === finding.clause))
        for (const id of collectIdsBesideFault(body, instance ?? pointer)) ids.add(id);
    }
  }
  return faultyIdsByFinding;
}

/** `isCauseEarlier`: the cause is before the effect in the list of findings. */
function isConsequence(cause: Finding, effect: Finding, isCauseEarlier: boolean, context: CauseContext): boolean {
  const { tallies } = context;
  if (cause.verdict === 'warning' && effect.verdict === 'fail') return false;
  if (!isVisibleInOneAnswer(cause, tallies)) return isCauseEarlier && areInSameExchange(cause, effect, tallies);
  if (!isVisibleInOneAnswer(effect, tallies)) return isFromFaultyAnswers(cause, effect, context);
  const isCauseMoreFrequent = getAnswersWith(cause, tallies).size > getAnswersWith(effect, tallies).size;
  return (isCauseEarlier || isCauseMoreFrequent) && isInSameAnswers(cause, effect, tallies);
}

/**
 * True if all answers with the effect have the cause, no answer that kept the clause of the effect has the cause, and this is no
 * chance. Example: 2 answers have the effect, 18 kept its clause, and only the 2 have the cause. There are 190 ways to choose 2 of
 * 20 answers, so the probability of chance is 1/190.
 */
function isInSameAnswers(cause: Finding, effect: Finding, tallies: RunTallies): boolean {
  const [answersWithCause, answersWithEffect] = [getAnswersWith(cause, tallies), getAnswersWith(effect, tallies)];
  if (cause.operation !== effect.operation) return false;
  const isCauseInAllEffects = [...answersWithEffect].every((id) => answersWithCause.has(id));
  if (!isCauseInAllEffects) return false;
  const { clause } = effect;
  const operationOfEffect = tallies.tallyByFinding.get(effect.id)?.first.operation;
  const keepsClause = (id: string): boolean => {
    const testedClauses: readonly string[] = tallies.clausesByExchange.get(id) ?? [];
    return testedClauses.includes(clause) && !breaksClause(tallies, id, clause);
  };
  const answersThatKept = [...tallies.documentedRequests].flatMap(([id, { operation }]) =>
    operation === operationOfEffect && keepsClause(id) ? id : [],
  );
  if (answersThatKept.length === 0 || answersThatKept.some((id) => answersWithCause.has(id))) return false;
  const answerCount = answersWithEffect.size + answersThatKept.length;
  const probabilityOfChance = 1 / countWaysToChoose(answersWithEffect.size, answerCount);
  return probabilityOfChance <= MAX_CHANCE_PROBABILITY;
}

/** True if the effect compares answers, and the cause explains what is wrong with these answers. */
function isFromFaultyAnswers(cause: Finding, effect: Finding, context: CauseContext): boolean {
  const { tallies } = context;
  const { exchange, contrast, pointer } = effect;
  const answersWithCause = getAnswersWith(cause, tallies);
  const record = tallies.records.get(exchange);
  const referenceRecord = tallies.records.get(contrast ?? '');
  const isSameOperation = record !== undefined && record.operation === referenceRecord?.operation;
  const comparedIds = isSameOperation ? [exchange, contrast ?? ''] : [exchange];
  const faultyAnswers = comparedIds.filter((id) => answersWithCause.has(id));
  const differences =
    isSameOperation && referenceRecord !== undefined && faultyAnswers.length === 1
      ? findDifferences(record, referenceRecord)
      : [];
  if (differences.length > 0 && differences.every((difference) => isPointerWithin(difference.pointer, cause.pointer)))
    return true;
  if (answersWithCause.has(exchange) && isPointerWithin(pointer, cause.pointer)) return true;
  const shareOfAnswers = cause.answers / cause.exercised;
  if (faultyAnswers.length === comparedIds.length && !isExplainedByChance(shareOfAnswers, faultyAnswers.length))
    return true;
  return isFromFaultyIds(cause, effect, comparedIds, context);
}

/**
 * True if the effect is about a request with a faulty id or value, and this is no chance: either such requests are never accepted
 * while other requests are, or such requests are rare.
 */
function isFromFaultyIds(
  cause: Finding,
  effect: Finding,
  comparedExchanges: readonly string[],
  { tallies: { documentedRequests, tallyByFinding }, faultyIdsByFinding }: CauseContext,
): boolean {
  const input = readInputName(effect.pointer);
  const hasFaultyId = (exchange: string): boolean =>
    Object.entries(documentedRequests.get(exchange)?.inputs ?? {}).some(
      ([name, value]) =>
        (isIdName(name) || name === input) && faultyIdsByFinding.get(cause)?.has(String(value)) === true,
    );
  if (!hasFaultyId(comparedExchanges[0] ?? '')) return false;
  const operationOfEffect = tallyByFinding.get(effect.id)?.first.operation;
  const requests = [...documentedRequests].filter(([, { operation }]) => operation === operationOfEffect);
  const [faultyRequests, soundRequests] = partition(requests, ([id]) => hasFaultyId(id));
  const countAccepted = (group: typeof requests): number =>
    group.filter(([, { outcome }]) => outcome === 'accepted').length;
  const shareOfRefusals = 1 - countAccepted(soundRequests) / Math.max(1, soundRequests.length);
  if (countAccepted(faultyRequests) === 0 && !isExplainedByChance(shareOfRefusals, faultyRequests.length)) return true;
  const shareOfFaulty = faultyRequests.length / requests.length;
  return comparedExchanges.every(hasFaultyId) && !isExplainedByChance(shareOfFaulty, comparedExchanges.length);
}

/** True if one exchange has both findings. */
const areInSameExchange = (cause: Finding, effect: Finding, tallies: RunTallies): boolean =>
  cause.exchange === effect.exchange ||
  (cause.pointer === effect.pointer && getAnswersWith(effect, tallies).has(cause.exchange));

/** Findings with the same cause, in the order of the report: the first is the worst. */
export type Cause = readonly [worst: Finding, ...Finding[]];

/** Every answer has these places. A fault there probably has the same cause at all operations. */
const isCommonPlace = (pointer: string): boolean =>
  pointer === '' || pointer === '/data' || pointer.startsWith('response/');

/**
 * Returns keys of a finding: findings with a common key have the same cause. A tolerated finding never shares a key with a finding
 * that nobody tolerates: the reader would not see the second below the first.
 */
function listCauseKeys({ clause, verdict, kind, pointer, expected, known }: Finding): string[] {
  const isFaultOfEveryAnswer = isCommonPlace(pointer) && kind !== 'behaviour';
  const keys = isFaultOfEveryAnswer ? [clause, `${verdict} ${kind} ${pointer} ${expected}`] : [clause];
  return keys.map((key) => `${known === undefined ? 'open' : 'tolerated'} ${key}`);
}

/** Returns the probable cause of a finding. A tolerated finding is never the cause of a finding that nobody tolerates. */
export function findCauseOf(finding: Finding, findings: readonly Finding[]): Finding | undefined {
  const cause = findings.find(({ id }) => id === finding.consequenceOf);
  return cause?.known !== undefined && finding.known === undefined ? undefined : cause;
}

/** Groups findings by cause, and links each group to the group that probably causes it; null if there is none. */
const linkCauses = memoizeByObject((findings: readonly Finding[]): ReadonlyMap<Cause, Cause | null> => {
  const groups = groupFindings(findings);
  const findGroup = (finding: Finding | undefined) => groups.find((group) => finding && group.includes(finding));
  return new Map(
    groups.map((group) => {
      const [causeGroup, ...furtherGroups] = new Set(group.map((finding) => findGroup(findCauseOf(finding, findings))));
      const hasOneCause = causeGroup !== undefined && causeGroup !== group && furtherGroups.length === 0;
      return [group, hasOneCause ? causeGroup : null];
    }),
  );
});

/** Returns the causes that are no consequence, and a function that lists the direct consequences of a cause. */
export function listRootCauses(findings: readonly Finding[]) {
  const linkedCauses = [...linkCauses(findings)];
  const listConsequences = (parent: Cause | null): readonly Cause[] =>
    linkedCauses.flatMap(([cause, causeOfCause]) => (causeOfCause === parent ? [cause] : []));
  return { causes: listConsequences(null), listConsequences };
}

/** Returns all causes. If a cause is probably a consequence of a second cause, it comes right after this second cause. */
export const groupCauses = memoizeByObject((findings: readonly Finding[]): readonly Cause[] => {
  const { causes, listConsequences } = listRootCauses(findings);
  const listWithConsequences = (cause: Cause): Cause[] => [
    cause,
    ...listConsequences(cause).flatMap(listWithConsequences),
  ];
  return causes.flatMap(listWithConsequences);
});

/**
 * Groups the findings that share a key, directly or through other findings, and keeps the order. Example: findings with the keys
 * {a}, {b}, {a, b} are one group.
 */
function groupFindings(findings: readonly Finding[]): Cause[] {
  let groups: { readonly keys: ReadonlySet<string>; readonly members: readonly Finding[] }[] = [];
  for (const finding of findings) {
    const keys = listCauseKeys(finding);
    const [groupsWithKey, otherGroups] = partition(groups, (group) => keys.some((key) => group.keys.has(key)));
    const joinedKeys = new Set([...groupsWithKey.flatMap((group) => [...group.keys]), ...keys]);
    const joinedMembers = [...groupsWithKey.flatMap(({ members }) => members), finding];
    groups = [...otherGroups, { keys: joinedKeys, members: joinedMembers }];
  }
  const positions = new Map(findings.map((finding, index) => [finding, index]));
  const comparePositions = (findingA: Finding, findingB: Finding): number =>
    positions.get(findingA)! - positions.get(findingB)!;
  return groups
    .map(({ members }) => members.toSorted(comparePositions) as [Finding, ...Finding[]])
    .toSorted(([worstA], [worstB]) => comparePositions(worstA, worstB));
}
