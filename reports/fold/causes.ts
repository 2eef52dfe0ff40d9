/**
 * Finds the findings that are probably a consequence of another finding (the same answers, the same values, or ids from a faulty
 * answer prove it), and groups findings by cause.
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

interface Suspect extends LocatedFinding {
  /** True if each answer alone shows the finding. */
  readonly isAlone: boolean;
  readonly answers: ReadonlySet<string>;
  readonly share: number;
  readonly ids: Set<string>;
}

const isIdName = (name: string): boolean => /(?:^|_)(?:id|no|token)$/.test(name);

/** Collects a faulty value, and the ids beside it: those in the same array entry, or in `data`. */
function collectIdsOfFaultyEntries(body: string, instance: string): string[] {
  try {
    let here = JSON.parse(body) as unknown;
    const path = (getListPointer(instance.replace(/\/\d+(?=\/|$)/g, '/*')) === null ? '/data' : instance).split('/');
    const steps = path.slice(1, /^\d+$/.test(path.at(-2) ?? '') ? -1 : undefined);
    for (const step of steps) here = (here as Readonly<Record<string, unknown>>)[step];
    const isGiven = (name: string): boolean => isIdName(name) || instance.endsWith(`/${name}`);
    return Object.entries(here as object).flatMap(([name, id]) => (isGiven(name) ? String(id) : []));
  } catch {
    return [];
  }
}

/** Returns the name of the input in a pointer to the request, or an empty text. */
const readInputName = (pointer: string): string => /^request\/\w+\/(.+)$/.exec(pointer)?.[1] ?? '';

const isPointerWithin = (pointer: string, outer: string): boolean =>
  outer.startsWith('/') && (pointer === outer || pointer.startsWith(`${outer}/`));

/** Returns the cause of each finding that is probably a consequence: by the id of the finding, the id of its cause. */
export function findConsequences(
  found: readonly LocatedFinding[],
  lines: RunLines,
  tallies: RunTallies,
): ReadonlyMap<string, string> {
  const causeOf = new Map<string, string>();
  if (found.length < 2) return causeOf;
  const suspects = found.map((one) => makeSuspect(one, tallies));
  collectFaultyIds(suspects, lines, tallies);
  for (const [rank, effect] of suspects.entries()) {
    const cause = suspects.find(
      (suspect, index) =>
        suspect !== effect && !causeOf.has(suspect.finding.id) && isConsequence(suspect, effect, index < rank, tallies),
    );
    if (cause !== undefined) causeOf.set(effect.finding.id, cause.finding.id);
  }
  return causeOf;
}

const breaksClause = ({ judgedBreaks }: RunTallies, exchange: string, clause: string): boolean =>
  judgedBreaks.get(exchange)?.some((broken) => broken.clause === clause) === true;

function makeSuspect(found: LocatedFinding, tallies: RunTallies): Suspect {
  const { id, clause, exchange, answers, exercised } = found.finding;
  return {
    ...found,
    isAlone: breaksClause(tallies, exchange, clause),
    answers: tallies.breaks.get(id)?.answers ?? new Set(),
    share: answers / exercised,
    ids: new Set(),
  };
}

function collectFaultyIds(suspects: readonly Suspect[], lines: RunLines, { judgedBreaks }: RunTallies): void {
  const alone = suspects.filter(({ isAlone }) => isAlone);
  for (const exchange of new Set(alone.flatMap(({ answers }) => [...answers]))) {
    const body = lines.findEntry(exchange)?.response?.body ?? '';
    for (const { finding, ids } of alone.filter(({ answers }) => answers.has(exchange)))
      (judgedBreaks.get(exchange) ?? [])
        .filter(({ clause }) => clause === finding.clause)
        .flatMap(({ instance, pointer }) => [...collectIdsOfFaultyEntries(body, instance ?? pointer)])
        .forEach((id) => ids.add(id));
  }
}

function isConsequence(cause: Suspect, effect: Suspect, isEarlier: boolean, tallies: RunTallies): boolean {
  if (cause.finding.verdict === 'warning' && effect.finding.verdict === 'fail') return false;
  if (cause.isAlone && effect.isAlone)
    return (isEarlier || cause.answers.size > effect.answers.size) && isInSameAnswers(cause, effect, tallies);
  return cause.isAlone ? isFromFaultyAnswers(cause, effect, tallies) : isEarlier && isSameEvent(cause, effect);
}

/** True if exactly the same answers have both findings. */
function isInSameAnswers(cause: Suspect, effect: Suspect, tallies: RunTallies): boolean {
  if (cause.operation !== effect.operation || ![...effect.answers].every((id) => cause.answers.has(id))) return false;
  const { clause } = effect.finding;
  const kept = [...tallies.positives].flatMap(([id, { operation }]) =>
    operation === effect.operation &&
    tallies.exercisedBy.get(id)?.some((one) => one === clause) === true &&
    !breaksClause(tallies, id, clause)
      ? id
      : [],
  );
  return (
    kept.length > 0 &&
    !kept.some((id) => cause.answers.has(id)) &&
    countWaysToChoose(effect.answers.size, effect.answers.size + kept.length) * MAX_CHANCE_PROBABILITY >= 1
  );
}

/** True if the second finding compares answers, and these answers have the first finding. */
function isFromFaultyAnswers(cause: Suspect, effect: Suspect, tallies: RunTallies): boolean {
  const { exchange, contrast, pointer } = effect.finding;
  const [shown, compared] = [exchange, contrast ?? ''].map((id) => tallies.records.get(id));
  const isSame = shown !== undefined && shown.operation === compared?.operation;
  const ids = isSame ? [exchange, contrast ?? ''] : [exchange];
  const faulty = ids.filter((id) => cause.answers.has(id));
  const differing = isSame && compared !== undefined && faulty.length === 1 ? findDifferences(shown, compared) : [];
  if (differing.length > 0 && differing.every((place) => isPointerWithin(place.pointer, cause.finding.pointer)))
    return true;
  if (cause.answers.has(exchange) && isPointerWithin(pointer, cause.finding.pointer)) return true;
  if (faulty.length === ids.length && !isExplainedByChance(cause.share, faulty.length)) return true;
  return isFromFaultyIds(cause, effect, ids, tallies);
}

/** True if requests with an id or value of a faulty entry are few, or if only such requests are never accepted. */
function isFromFaultyIds(
  { ids }: Suspect,
  { operation, finding }: Suspect,
  compared: readonly string[],
  { positives }: RunTallies,
): boolean {
  const input = readInputName(finding.pointer);
  const isCarrying = (exchange: string): boolean =>
    Object.entries(positives.get(exchange)?.inputs ?? {}).some(
      ([name, id]) => (isIdName(name) || name === input) && ids.has(String(id)),
    );
  if (!isCarrying(compared[0] ?? '')) return false;
  const asking = [...positives].filter(([, one]) => one.operation === operation);
  const [carrying, others] = partition(asking, ([id]) => isCarrying(id));
  const accepted = (some: typeof asking): number => some.filter(([, { outcome }]) => outcome === 'accepted').length;
  const refused = 1 - accepted(others) / Math.max(1, others.length);
  if (accepted(carrying) === 0 && !isExplainedByChance(refused, carrying.length)) return true;
  return compared.every(isCarrying) && !isExplainedByChance(carrying.length / asking.length, compared.length);
}

/** True if one exchange has both findings. */
const isSameEvent = ({ finding: cause }: Suspect, { finding: effect, answers }: Suspect): boolean =>
  cause.exchange === effect.exchange || (cause.pointer === effect.pointer && answers.has(cause.exchange));

export interface RootCause {
  readonly worst: Finding;
  readonly findings: readonly Finding[];
  readonly consequenceOf: Finding | null;
}

/** A fault at a place that every answer has, has the same cause at all operations. */
const isCommonPlace = (pointer: string): boolean =>
  pointer === '' || pointer === '/data' || pointer.startsWith('response/');

/** A tolerated finding and an open one never share a key: the open one would not be seen below the tolerated one. */
function listCauseKeys({ clause, verdict, kind, pointer, expected, known }: Finding): string[] {
  const isCommon = isCommonPlace(pointer) && kind !== 'behaviour';
  const keys = isCommon ? [clause, `${verdict} ${kind} ${pointer} ${expected}`] : [clause];
  return keys.map((key) => `${known === undefined ? 'open' : 'tolerated'} ${key}`);
}

/** Returns the finding of which a finding is probably a consequence. An open finding is never shown below a tolerated one. */
export function findCauseOf(finding: Finding, findings: readonly Finding[]): Finding | undefined {
  const cause = findings.find(({ id }) => id === finding.consequenceOf);
  return cause?.known !== undefined && finding.known === undefined ? undefined : cause;
}

/** Probable consequences come right after their cause. */
export const groupCauses = memoizeByObject((findings: readonly Finding[]): readonly RootCause[] => {
  const groups = groupFindings(findings);
  const groupWith = (finding: Finding | undefined) => groups.find((group) => group.some((one) => one === finding));
  const causes = groups.map((group): RootCause => {
    const [cause, ...others] = new Set(group.map((finding) => groupWith(findCauseOf(finding, findings))));
    const isFromOther = cause !== group && others.length === 0;
    return { worst: group[0]!, findings: group, consequenceOf: isFromOther ? (cause?.[0] ?? null) : null };
  });
  const inOrder = (parent: Finding | null): RootCause[] =>
    causes.filter(({ consequenceOf }) => consequenceOf === parent).flatMap((cause) => [cause, ...inOrder(cause.worst)]);
  return inOrder(null);
});

/** The causes that are no consequence, each with its probable consequences. */
export function listRootCauses(findings: readonly Finding[]) {
  const all = groupCauses(findings);
  const followersOf = ({ findings: own }: RootCause): readonly RootCause[] =>
    all.filter(({ consequenceOf }) => consequenceOf !== null && own.includes(consequenceOf));
  return { causes: all.filter(({ consequenceOf }) => consequenceOf === null), followersOf };
}

/** Findings that share a key, directly or through others, are one group. Groups and their findings keep the order. */
function groupFindings(findings: readonly Finding[]): Finding[][] {
  let groups: { readonly keys: ReadonlySet<string>; readonly members: readonly Finding[] }[] = [];
  for (const finding of findings) {
    const keys = listCauseKeys(finding);
    const [joined, others] = partition(groups, (group) => keys.some((key) => group.keys.has(key)));
    const all = new Set([...joined.flatMap((group) => [...group.keys]), ...keys]);
    groups = [...others, { keys: all, members: [...joined.flatMap(({ members }) => members), finding] }];
  }
  const rank = new Map(findings.map((finding, index) => [finding, index]));
  return groups
    .map(({ members }) => members.toSorted((a, b) => rank.get(a)! - rank.get(b)!))
    .toSorted(([a], [b]) => rank.get(a!)! - rank.get(b!)!);
}
