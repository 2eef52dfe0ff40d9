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

const listLines = (banks: readonly BankRecord[]): readonly string[] =>
  banks.flatMap(({ name, verdict, findings, card }) =>
    [verdict, ...findings, ...card].map((line) => `${name}: ${line}`),
  );

/** Lists the differences, one per line, after `-` what `before` alone has and after `+` what `after` alone has. */
export function differences(before: readonly BankRecord[], after: readonly BankRecord[]): readonly string[] {
  const [then, now] = [new Set(listLines(before)), new Set(listLines(after))];
  return [
    ...[...then].filter((line) => !now.has(line)).map((line) => `- ${line}`),
    ...[...now].filter((line) => !then.has(line)).map((line) => `+ ${line}`),
  ];
}
