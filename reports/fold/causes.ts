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
import type { RunLines } from '../../openapi/history/run-lines.ts';
import type { RunTallies } from '../model/tallies.ts';
import { findDifferences } from '../text/difference.ts';
import type { LocatedFinding } from './findings.ts';
import type { Finding } from '../model/report.ts';

/** A finding with the data that show whether it is a cause or a consequence. */
interface Candidate extends LocatedFinding {
  /** True if one answer is enough to see the finding. False if answers must be compared. */
  readonly isVisibleInOneAnswer: boolean;
  /** The ids of the exchanges with this finding. */
  readonly answers: ReadonlySet<string>;
  /** The share of the tested answers that have the finding, from 0 to 1. */
  readonly share: number;
  /** Faulty values, and ids beside them, in the answers with this finding. */
  readonly faultyIds: Set<string>;
}

const isIdName = (name: string): boolean => /(?:^|_)(?:id|no|token)$/.test(name);

/**
 * Returns the faulty value at `instance` and the ids beside it: those in the same array entry, or in `data`.
 * Example: for `/data/branches/3/name`, returns the `name` and the `no` of the fourth branch.
 */
function collectIdsBesideFault(body: string, instance: string): string[] {
  try {
    let parent = JSON.parse(body) as unknown;
    const path = (getListPointer(instance.replace(/\/\d+(?=\/|$)/g, '/*')) === null ? '/data' : instance).split('/');
    const namesOfParents = path.slice(1, /^\d+$/.test(path.at(-2) ?? '') ? -1 : undefined);
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
  findings: readonly LocatedFinding[],
  lines: RunLines,
  tallies: RunTallies,
): ReadonlyMap<string, string> {
  const causeIds = new Map<string, string>();
  if (findings.length < 2) return causeIds;
  const candidates = findings.map((finding) => makeCandidate(finding, tallies));
  collectFaultyIds(candidates, lines, tallies);
  for (const [effectIndex, effect] of candidates.entries()) {
    const cause = candidates.find(
      (candidate, index) =>
        candidate !== effect &&
        !causeIds.has(candidate.finding.id) &&
        isConsequence(candidate, effect, index < effectIndex, tallies),
    );
    if (cause !== undefined) causeIds.set(effect.finding.id, cause.finding.id);
  }
  return causeIds;
}

const breaksClause = ({ judgedBreaks }: RunTallies, exchange: string, clause: string): boolean =>
  judgedBreaks.get(exchange)?.some((violation) => violation.clause === clause) === true;

function makeCandidate(located: LocatedFinding, tallies: RunTallies): Candidate {
  const { id, clause, exchange, answers, exercised } = located.finding;
  return {
    ...located,
    isVisibleInOneAnswer: breaksClause(tallies, exchange, clause),
    answers: tallies.breaks.get(id)?.answers ?? new Set(),
    share: answers / exercised,
    faultyIds: new Set(),
  };
}

/** Fills `faultyIds` of the candidates that are visible in one answer. */
function collectFaultyIds(candidates: readonly Candidate[], lines: RunLines, { judgedBreaks }: RunTallies): void {
  const visible = candidates.filter(({ isVisibleInOneAnswer }) => isVisibleInOneAnswer);
  for (const exchange of new Set(visible.flatMap(({ answers }) => [...answers]))) {
    const body = lines.findEntry(exchange)?.response?.body ?? '';
    for (const { finding, faultyIds } of visible.filter(({ answers }) => answers.has(exchange)))
      (judgedBreaks.get(exchange) ?? [])
        .filter(({ clause }) => clause === finding.clause)
        .flatMap(({ instance, pointer }) => [...collectIdsBesideFault(body, instance ?? pointer)])
        .forEach((id) => faultyIds.add(id));
  }
}

/** `isCauseEarlier`: the cause is before the effect in the list of findings. */
function isConsequence(cause: Candidate, effect: Candidate, isCauseEarlier: boolean, tallies: RunTallies): boolean {
  if (cause.finding.verdict === 'warning' && effect.finding.verdict === 'fail') return false;
  if (!cause.isVisibleInOneAnswer) return isCauseEarlier && isSameEvent(cause, effect);
  if (!effect.isVisibleInOneAnswer) return isFromFaultyAnswers(cause, effect, tallies);
  return (isCauseEarlier || cause.answers.size > effect.answers.size) && isInSameAnswers(cause, effect, tallies);
}

/**
 * True if all answers with the effect have the cause, no answer that kept the clause of the effect has the cause, and this is no
 * chance. Example: 2 answers have the effect, 18 kept its clause, and only the 2 have the cause. There are 190 ways to choose 2 of
 * 20 answers, so the probability of chance is 1/190.
 */
function isInSameAnswers(cause: Candidate, effect: Candidate, tallies: RunTallies): boolean {
  if (cause.operation !== effect.operation || ![...effect.answers].every((id) => cause.answers.has(id))) return false;
  const { clause } = effect.finding;
  const answersThatKept = [...tallies.positives].flatMap(([id, { operation }]) =>
    operation === effect.operation &&
    tallies.exercisedBy.get(id)?.some((testedClause) => testedClause === clause) === true &&
    !breaksClause(tallies, id, clause)
      ? id
      : [],
  );
  return (
    answersThatKept.length > 0 &&
    !answersThatKept.some((id) => cause.answers.has(id)) &&
    countWaysToChoose(effect.answers.size, effect.answers.size + answersThatKept.length) * MAX_CHANCE_PROBABILITY >= 1
  );
}

/** True if the effect compares answers, and the cause explains what is wrong with these answers. */
function isFromFaultyAnswers(cause: Candidate, effect: Candidate, tallies: RunTallies): boolean {
  const { exchange, contrast, pointer } = effect.finding;
  const [record, referenceRecord] = [exchange, contrast ?? ''].map((id) => tallies.records.get(id));
  const isSameOperation = record !== undefined && record.operation === referenceRecord?.operation;
  const comparedIds = isSameOperation ? [exchange, contrast ?? ''] : [exchange];
  const faultyIds = comparedIds.filter((id) => cause.answers.has(id));
  const differences =
    isSameOperation && referenceRecord !== undefined && faultyIds.length === 1
      ? findDifferences(record, referenceRecord)
      : [];
  if (differences.length > 0 && differences.every((place) => isPointerWithin(place.pointer, cause.finding.pointer)))
    return true;
  if (cause.answers.has(exchange) && isPointerWithin(pointer, cause.finding.pointer)) return true;
  if (faultyIds.length === comparedIds.length && !isExplainedByChance(cause.share, faultyIds.length)) return true;
  return isFromFaultyIds(cause, effect, comparedIds, tallies);
}

/**
 * True if the effect is about a request with a faulty id or value, and this is no chance: either such requests are never accepted
 * while other requests are, or such requests are rare.
 */
function isFromFaultyIds(
  { faultyIds }: Candidate,
  { operation, finding }: Candidate,
  comparedExchanges: readonly string[],
  { positives }: RunTallies,
): boolean {
  const input = readInputName(finding.pointer);
  const hasFaultyId = (exchange: string): boolean =>
    Object.entries(positives.get(exchange)?.inputs ?? {}).some(
      ([name, value]) => (isIdName(name) || name === input) && faultyIds.has(String(value)),
    );
  if (!hasFaultyId(comparedExchanges[0] ?? '')) return false;
  const requests = [...positives].filter(([, request]) => request.operation === operation);
  const [faultyRequests, soundRequests] = partition(requests, ([id]) => hasFaultyId(id));
  const countAccepted = (group: typeof requests): number =>
    group.filter(([, { outcome }]) => outcome === 'accepted').length;
  const shareOfRefusals = 1 - countAccepted(soundRequests) / Math.max(1, soundRequests.length);
  if (countAccepted(faultyRequests) === 0 && !isExplainedByChance(shareOfRefusals, faultyRequests.length)) return true;
  const shareOfFaulty = faultyRequests.length / requests.length;
  return comparedExchanges.every(hasFaultyId) && !isExplainedByChance(shareOfFaulty, comparedExchanges.length);
}

/** True if one exchange has both findings. */
const isSameEvent = ({ finding: cause }: Candidate, { finding: effect, answers }: Candidate): boolean =>
  cause.exchange === effect.exchange || (cause.pointer === effect.pointer && answers.has(cause.exchange));

/** A group of findings with the same cause. */
export interface RootCause {
  /** The first finding, in the order of the report. */
  readonly worst: Finding;
  readonly findings: readonly Finding[];
  /** The finding of another group of which this group is probably a consequence; null if there is none. */
  readonly consequenceOf: Finding | null;
}

/** Every answer has these places. A fault there probably has the same cause at all operations. */
const isCommonPlace = (pointer: string): boolean =>
  pointer === '' || pointer === '/data' || pointer.startsWith('response/');

/**
 * Returns keys of a finding: findings with a common key have the same cause. A tolerated finding never shares a key with a finding
 * that nobody tolerates: the reader would not see the second below the first.
 */
function listCauseKeys({ clause, verdict, kind, pointer, expected, known }: Finding): string[] {
  const isCommon = isCommonPlace(pointer) && kind !== 'behaviour';
  const keys = isCommon ? [clause, `${verdict} ${kind} ${pointer} ${expected}`] : [clause];
  return keys.map((key) => `${known === undefined ? 'open' : 'tolerated'} ${key}`);
}

/** Returns the finding of which a finding is probably a consequence. Never a tolerated finding for one that nobody tolerates. */
export function findCauseOf(finding: Finding, findings: readonly Finding[]): Finding | undefined {
  const cause = findings.find(({ id }) => id === finding.consequenceOf);
  return cause?.known !== undefined && finding.known === undefined ? undefined : cause;
}

/** Groups findings by cause. Each group comes right after the group of which it is probably a consequence. */
export const groupCauses = memoizeByObject((findings: readonly Finding[]): readonly RootCause[] => {
  const groups = groupFindings(findings);
  const findGroup = (wanted: Finding | undefined) =>
    groups.find((group) => group.some((finding) => finding === wanted));
  const causes = groups.map((group): RootCause => {
    const [causeGroup, ...furtherGroups] = new Set(group.map((finding) => findGroup(findCauseOf(finding, findings))));
    const hasOneCause = causeGroup !== group && furtherGroups.length === 0;
    return { worst: group[0]!, findings: group, consequenceOf: hasOneCause ? (causeGroup?.[0] ?? null) : null };
  });
  const listBelow = (parent: Finding | null): RootCause[] =>
    causes
      .filter(({ consequenceOf }) => consequenceOf === parent)
      .flatMap((cause) => [cause, ...listBelow(cause.worst)]);
  return listBelow(null);
});

/** Returns the causes that are no consequence, and a function that lists the direct consequences of a cause. */
export function listRootCauses(findings: readonly Finding[]) {
  const allCauses = groupCauses(findings);
  const listConsequences = (cause: RootCause): readonly RootCause[] =>
    allCauses.filter(({ consequenceOf }) => consequenceOf !== null && cause.findings.includes(consequenceOf));
  return { causes: allCauses.filter(({ consequenceOf }) => consequenceOf === null), listConsequences };
}

/**
 * Groups the findings that share a key, directly or through other findings, and keeps the order. Example: findings with the keys
 * {a}, {b}, {a, b} are one group.
 */
function groupFindings(findings: readonly Finding[]): Finding[][] {
  let groups: { readonly keys: ReadonlySet<string>; readonly members: readonly Finding[] }[] = [];
  for (const finding of findings) {
    const keys = listCauseKeys(finding);
    const [groupsWithKey, otherGroups] = partition(groups, (group) => keys.some((key) => group.keys.has(key)));
    const joinedKeys = new Set([...groupsWithKey.flatMap((group) => [...group.keys]), ...keys]);
    const joinedMembers = [...groupsWithKey.flatMap(({ members }) => members), finding];
    groups = [...otherGroups, { keys: joinedKeys, members: joinedMembers }];
  }
  const positions = new Map(findings.map((finding, index) => [finding, index]));
  return groups
    .map(({ members }) => members.toSorted((a, b) => positions.get(a)! - positions.get(b)!))
    .toSorted(([a], [b]) => positions.get(a!)! - positions.get(b!)!);
}
