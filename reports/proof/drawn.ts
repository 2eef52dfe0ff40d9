/** The results for banks that are made at random from a seed, so that the suite cannot be written for them. */
import type { Level } from '../../openapi/clauses/clause.ts';
import { groupBy } from '../../openapi/util/group-by.ts';

/** A false finding about a bank that conforms. */
export interface Alarm {
  readonly clause: string;
  readonly level: Level;
  readonly found: string;
}

/** The result for one bank with a random bug. */
export interface DrawnBug {
  readonly name: string;
  /** The seed with which the same bug can be made again. */
  readonly seed: string;
  readonly class: string;
  readonly level: string;
  /**
   * `noticed`: a finding names the operation of the bug, or an operation where the bug is directly visible. `misblamed`: all
   * findings name other operations. `missed`: there is no finding. `broken`: the suite itself failed.
   */
  readonly outcome: 'noticed' | 'misblamed' | 'missed' | 'broken';
  readonly found: readonly string[];
}

/** The result for one random bank that conforms. */
export interface DrawnBank {
  readonly name: string;
  readonly seed: string;
  readonly families: readonly string[];
  readonly alarms: readonly Alarm[];
  readonly isBroken: boolean;
}

export interface Drawn {
  /** `DRAW=<seed> npm run prove` makes the same banks again. */
  readonly seed: string;
  readonly bugs: readonly DrawnBug[];
  readonly banks: readonly DrawnBank[];
}

export const countNoticedBugs = (bugs: readonly DrawnBug[]): number =>
  bugs.filter(({ outcome }) => outcome === 'noticed').length;
export const countFalseAlarms = (banks: readonly DrawnBank[]): number =>
  banks.filter(({ alarms }) => alarms.length > 0).length;
const selectFailedBanks = (banks: readonly DrawnBank[]): readonly DrawnBank[] =>
  banks.filter(({ alarms }) => alarms.some(({ level }) => level === 'must'));

/** Returns the conforming banks for which the suite reports a broken `must` clause. */
export const listFalseAlarms = ({ banks }: Drawn): readonly DrawnBank[] => selectFailedBanks(banks);

/** Writes the two figures, one per line. */
export const describeDrawn = ({ seed, bugs, banks }: Drawn): readonly string[] => [
  `of ${bugs.length} drawn bugs, ${countNoticedBugs(bugs)} noticed (DRAW=${seed})`,
  `on ${banks.length} drawn admissible banks, ${countFalseAlarms(banks)} with an alarm (must: ${selectFailedBanks(banks).length}) (DRAW=${seed})`,
];

/** Writes the figures for each class of bugs, then for each family of conforming banks. */
export function countByClass({ bugs, banks }: Drawn): readonly (readonly [name: string, figure: string])[] {
  const families = groupBy(
    banks.flatMap((bank) => bank.families.map((family) => ({ bank, family }))),
    ({ family }) => family,
  );
  const sorted = <T>(groups: Iterable<[string, T]>): readonly [string, T][] =>
    [...groups].sort(([one], [other]) => (one < other ? -1 : 1));
  return [
    ...sorted(groupBy(bugs, (bug) => bug.class)).map(
      ([name, same]) => [`bugs: ${name}`, `${countNoticedBugs(same)} of ${same.length} noticed`] as const,
    ),
    ...sorted(families).map(
      ([name, same]) =>
        [`admissible: ${name}`, `${countFalseAlarms(same.map(({ bank }) => bank))} alarms on ${same.length}`] as const,
    ),
  ];
}

/** Lists bugs that were not noticed and false alarms, one per line. */
export const listDrawnRemarks = ({ bugs, banks }: Drawn): readonly string[] => [
  ...bugs
    .filter(({ outcome }) => outcome !== 'noticed')
    .map(
      ({ outcome, level, name, seed, found }) =>
        `${outcome} (${level}) ${name} [${seed}]${found.length > 0 ? `: ${found.join('; ')}` : ''}`,
    ),
  ...banks
    .filter(({ alarms, isBroken }) => alarms.length > 0 || isBroken)
    .map(({ name, seed, alarms }) => `alarm on ${name} [${seed}]: ${alarms.map(({ found }) => found).join('; ')}`),
];
