/** What a run is held against besides the document: pins, known findings, an earlier run. */
import { dialectFormat, type Dialect } from './dialect.ts';
import { driftOf, type Drift } from './drift.ts';
import { judgeKnown, type JudgedEntry, type KnownEntry, type KnownJudgement } from './known.ts';
import { format, type ClauseReport, type Finding, type Report } from './report.ts';

/** The companions of a run, as the configuration hands them over. */
export interface Companions {
  readonly pins?: Dialect;
  readonly known?: readonly KnownEntry[];
  readonly baseline?: Report;
  /** By which factor latency must have risen to be named as drift. */
  readonly latencyFactor?: number;
}

/** What the report says of them. */
export interface Against {
  readonly pins?: { readonly target: string | null; readonly startedAt: string; readonly points: readonly string[] };
  readonly known?: readonly JudgedEntry[];
  readonly drift?: Drift;
}

/** The known findings of a run, judged on the day on which it began. */
export function knownOf({ known }: Companions, findings: readonly Finding[], clauses: readonly ClauseReport[], startedAt: string): KnownJudgement {
  return judgeKnown(known ?? [], findings, clauses, startedAt.slice(0, 10));
}

/** The companions as the report tells of them. */
export function againstOf(companions: Companions, report: Report, known: KnownJudgement): Against {
  const { pins, baseline } = companions;
  return {
    ...(pins === undefined
      ? {}
      : { pins: { target: pins.target.name, startedAt: pins.startedAt, points: pins.points.filter(({ questions }) => questions.some(({ pinned }) => pinned)).map(({ point }) => point) } }),
    ...(companions.known === undefined ? {} : { known: known.entries }),
    ...(baseline === undefined ? {} : { drift: driftOf(baseline, report, companions.latencyFactor ?? 3) }),
  };
}

/** What is wrong with the file of a companion, as the end of a sentence, or null. */
export function companionFault(kind: 'pins' | 'known' | 'baseline', value: unknown): string | null {
  if (kind === 'known') return knownFault(value);
  const wanted = kind === 'pins' ? dialectFormat : format;
  return (value as { format?: unknown } | null)?.format === wanted ? null : `is not of the format ${wanted}`;
}

const fields = ['clause', 'operation', 'pointer', 'reason', 'owner', 'expires'] as const;

function knownFault(value: unknown): string | null {
  if (!Array.isArray(value)) return 'holds no list under known';
  for (const [index, entry] of value.entries()) {
    const missing = fields.find((field) => typeof (entry as Record<string, unknown> | null)?.[field] !== 'string');
    if (missing !== undefined) return `has an entry (number ${index + 1}) without ${missing}`;
    const { expires } = entry as KnownEntry;
    if (!/^\d{4}-\d{2}-\d{2}$/.test(expires) || Number.isNaN(Date.parse(expires))) return `has an entry (number ${index + 1}) whose expires is no day written YYYY-MM-DD`;
  }
  return null;
}
