/**
 * Finds findings that are probably a consequence of another finding: the same answers, the same values, or ids from a faulty
 * answer prove this.
 */
import { getListPointer } from '../../openapi/model/finding.ts';
import type { OperationId } from '../../openapi/model/exchange.ts';
import { partition } from '../../openapi/util/group-by.ts';
import type { JournalLine } from '../../openapi/model/journal.ts';
import type { RunTallies } from './tallies.ts';
import { findDifferences } from '../text/difference.ts';
import { countWaysToChoose, MAX_CHANCE_PROBABILITY } from './conditions.ts';
import type { Found } from './findings.ts';
import type { Finding } from '../model/report.ts';

interface Suspect extends Found {
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

/** True if chance explains that all of `count` answers have a finding with this share. */
const isExplainedByChance = (share: number, count: number): boolean =>
  count === 0 || share ** count > MAX_CHANCE_PROBABILITY;

/** Returns the cause of each finding that is probably a consequence: by the id of the finding, the id of its cause. */
export function findConsequences(
  found: readonly Found[],
  lines: Iterable<JournalLine>,
  runTallies: RunTallies,
): ReadonlyMap<string, string> {
  const { breaks, exercisedBy, judgedBreaks, positives, records } = runTallies;
  if (found.length < 2) return new Map();
  const suspects = found.map((one): Suspect => {
    const { id, clause, exchange, answers, exercised } = one.finding;
    const isAlone = judgedBreaks.get(exchange)?.some((broken) => broken.clause === clause) === true;
    return {
      ...one,
      isAlone,
      answers: breaks.get(id)?.answers ?? new Set(),
      share: answers / exercised,
      ids: new Set(),
    };
  });
  const alone = suspects.filter(({ isAlone }) => isAlone);
  const clausesOf = (exchange: string): readonly string[] => exercisedBy.get(exchange) ?? [];
  for (const line of lines)
    if (line.line === 'entry')
      for (const { finding, answers, ids } of alone.filter((one) => one.answers.has(line.entry.id)))
        for (const broken of judgedBreaks.get(line.entry.id) ?? [])
          if (broken.clause === finding.clause && answers.has(line.entry.id))
            for (const id of collectIdsOfFaultyEntries(
              line.entry.response?.body ?? '',
              broken.instance ?? broken.pointer,
            ))
              ids.add(id);

  const carries = (exchange: string, ids: ReadonlySet<string>, input: string): boolean =>
    Object.entries(positives.get(exchange)?.inputs ?? {}).some(
      ([name, id]) => (isIdName(name) || name === input) && ids.has(String(id)),
    );
  const keptBy = ({ finding, operation }: Suspect): string[] =>
    [...positives].flatMap(([id, one]) =>
      one.operation === operation &&
      clausesOf(id).includes(finding.clause) &&
      judgedBreaks.get(id)?.some(({ clause }) => clause === finding.clause) !== true
        ? id
        : [],
    );

  /** True if exactly the same answers have both findings. */
  function isInSameAnswers(cause: Suspect, effect: Suspect): boolean {
    if (cause.operation !== effect.operation || ![...effect.answers].every((id) => cause.answers.has(id))) return false;
    const kept = keptBy(effect);
    return (
      kept.length > 0 &&
      !kept.some((id) => cause.answers.has(id)) &&
      countWaysToChoose(effect.answers.size, effect.answers.size + kept.length) * MAX_CHANCE_PROBABILITY >= 1
    );
  }

  /** True if the second finding compares answers, and these answers have the first finding. */
  function isOfFaultyAnswers(cause: Suspect, { finding, operation }: Suspect): boolean {
    const { exchange, contrast, pointer } = finding;
    const [one, other] = [exchange, contrast ?? ''].map((id) => records.get(id));
    const isSame = one !== undefined && one.operation === other?.operation;
    const compared = isSame ? [exchange, contrast ?? ''] : [exchange];
    const faulty = compared.filter((id) => cause.answers.has(id));
    if (isSame && other !== undefined && faulty.length === 1) {
      const differing = findDifferences(one, other);
      if (differing.length > 0 && differing.every((place) => isPointerWithin(place.pointer, cause.finding.pointer)))
        return true;
    }
    if (cause.answers.has(exchange) && isPointerWithin(pointer, cause.finding.pointer)) return true;
    if (faulty.length === compared.length && !isExplainedByChance(cause.share, faulty.length)) return true;
    return isOfIds(cause, operation, compared, readInputName(pointer));
  }

  /** True if requests with an id or value of a faulty entry are few, or if only such requests are never accepted. */
  function isOfIds({ ids }: Suspect, operation: OperationId, compared: readonly string[], input: string): boolean {
    const asking = [...positives].filter(([, one]) => one.operation === operation);
    const [carrying, others] = partition(asking, ([id]) => carries(id, ids, input));
    const accepted = (some: typeof asking): number => some.filter(([, { outcome }]) => outcome === 'accepted').length;
    const [by = ''] = compared;
    if (!carries(by, ids, input)) return false;
    const denied = 1 - accepted(others) / Math.max(1, others.length);
    if (accepted(carrying) === 0 && !isExplainedByChance(denied, carrying.length)) return true;
    return (
      compared.every((id) => carries(id, ids, input)) &&
      !isExplainedByChance(carrying.length / asking.length, compared.length)
    );
  }

  /** True if one exchange has both findings. */
  const isSameEvent = ({ finding: cause }: Suspect, { finding: effect, answers }: Suspect): boolean =>
    cause.exchange === effect.exchange || (cause.pointer === effect.pointer && answers.has(cause.exchange));

  const follows = (cause: Suspect, effect: Suspect, isEarlier: boolean): boolean => {
    if (cause.finding.verdict === 'warning' && effect.finding.verdict === 'fail') return false;
    if (cause.isAlone && effect.isAlone)
      return (isEarlier || cause.answers.size > effect.answers.size) && isInSameAnswers(cause, effect);
    if (cause.isAlone) return isOfFaultyAnswers(cause, effect);
    return isEarlier && isSameEvent(cause, effect);
  };
  const causeOf = new Map<string, string>();
  for (const [rank, effect] of suspects.entries()) {
    const cause = suspects.find(
      (one, at) => one !== effect && !causeOf.has(one.finding.id) && follows(one, effect, at < rank),
    );
    if (cause !== undefined) causeOf.set(effect.finding.id, cause.finding.id);
  }
  return causeOf;
}

export interface Cause {
  readonly worst: Finding;
  readonly findings: readonly Finding[];
  readonly consequenceOf: Finding | null;
}

/** True for a place that every answer has. A fault there has the same cause at all operations. */
function isCommonPlace(pointer: string): boolean {
  return pointer === '' || pointer === '/data' || pointer.startsWith('response/');
}

function listCauseKeys({ clause, verdict, kind, pointer, expected }: Finding): string[] {
  return [
    clause,
    ...(isCommonPlace(pointer) && kind !== 'behaviour' ? [`${verdict} ${kind} ${pointer} ${expected}`] : []),
  ];
}

/** Probable consequences come right after their cause. */
export function groupCauses(findings: readonly Finding[]): Cause[] {
  const groups = groupFindings(findings);
  const groupWith = (id: string | undefined) => groups.find((group) => group.some((one) => one.id === id));
  const causes = groups.map((group): Cause => {
    const [cause, ...others] = new Set(group.map(({ consequenceOf }) => groupWith(consequenceOf)));
    const isOfOther = cause !== group && others.length === 0;
    return { worst: group[0]!, findings: group, consequenceOf: isOfOther ? (cause?.[0] ?? null) : null };
  });
  const inOrder = (of: Finding | null): Cause[] =>
    causes.filter(({ consequenceOf }) => consequenceOf === of).flatMap((cause) => [cause, ...inOrder(cause.worst)]);
  return inOrder(null);
}

function groupFindings(findings: readonly Finding[]): Finding[][] {
  const groups: Finding[][] = [];
  const byKey = new Map<string, Finding[]>();
  for (const finding of findings) {
    const keys = listCauseKeys(finding);
    const known = [...new Set(keys.flatMap((key) => byKey.get(key) ?? []))];
    const [into = [], ...others] = groups.filter((group) => known.some((one) => group.includes(one)));
    if (into.length === 0) groups.push(into);
    for (const other of others) into.push(...other.splice(0));
    into.push(finding);
    for (const one of into) for (const key of listCauseKeys(one)) byKey.set(key, into);
  }
  const rank = new Map(findings.map((finding, at) => [finding, at]));
  return groups
    .filter((group) => group.length > 0)
    .map((group) => group.toSorted((a, b) => rank.get(a)! - rank.get(b)!))
    .toSorted(([a], [b]) => rank.get(a!)! - rank.get(b!)!);
}
