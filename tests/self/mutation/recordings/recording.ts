/** Records the judgements of the whole population, and compares two recordings: no refactoring may change a verdict. */
import type { Report } from '../../../../reports/model/report.ts';

/** The judgement of one bank of the population. */
export interface BankRecord {
  readonly name: string;
  readonly verdict: string;
  /** `level clause operation pointer`, sorted. */
  readonly findings: readonly string[];
  /** The answers at open points, `point | operation | question | value`, sorted. */
  readonly card: readonly string[];
}

export function recordBank(name: string, { verdict, findings, observations }: Report): BankRecord {
  return {
    name,
    verdict,
    findings: findings
      .map(({ level, clause, operation, pointer }) => `${level} ${clause} ${operation} ${pointer}`)
      .sort(),
    // Random values, and values measured by the clock, differ from run to run.
    card: observations
      .filter(({ point }) => !point.endsWith('latency'))
      .map(({ point, operation, about, value }) => `${point} | ${operation} | ${about ?? ''} | ${value}`)
      .sort(),
  };
}

const listMissing = (from: readonly string[], to: readonly string[]): readonly string[] =>
  from.filter((text) => !to.includes(text));

/** Lists the differences, one per line; empty if the recordings agree. */
export function differences(before: readonly BankRecord[], after: readonly BankRecord[]): readonly string[] {
  const then = new Map(before.map((bank) => [bank.name, bank]));
  const now = new Map(after.map((bank) => [bank.name, bank]));
  const lines: string[] = [];
  for (const { name } of before) if (!now.has(name)) lines.push(`${name}: is gone`);
  for (const { name } of after) if (!then.has(name)) lines.push(`${name}: is new`);
  for (const [name, old] of then) {
    const bank = now.get(name);
    if (bank === undefined) continue;
    if (old.verdict !== bank.verdict) lines.push(`${name}: ${old.verdict} became ${bank.verdict}`);
    for (const part of ['findings', 'card'] as const) {
      for (const text of listMissing(old[part], bank[part])) lines.push(`${name}: - ${text}`);
      for (const text of listMissing(bank[part], old[part])) lines.push(`${name}: + ${text}`);
    }
  }
  return lines;
}
