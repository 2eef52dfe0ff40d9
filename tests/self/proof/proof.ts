/**
 * Writes the proof of the suite: which mutants it catches, and for which conforming banks it has no findings. `npm run prove` writes
 * the page (`proof.md`) and the scores; nothing in them is typed by hand.
 */
import { sections, type Level } from '../../../openapi/clauses/clause.ts';
import { clauseIds, clauses, type CatalogueId } from '../../../openapi/catalogue.ts';
import { areas } from '../../../openapi/model/exchange.ts';
import { groupBy, partition } from '../../../openapi/util/group-by.ts';
import { areaTitles, counted, grouped } from '../../../reports/text/phrases.ts';

/**
 * The result for one mutant. `caught`: the verdict is right, the finding names the clause, the operation and the place, and no
 * other clause is reported as broken. `misblamed`: only the verdict is right. `missed`: the verdict is wrong.
 */
export interface MutantOutcome {
  readonly name: string;
  readonly description: string;
  readonly clause: string;
  readonly outcome: 'caught' | 'misblamed' | 'missed';
  readonly expected: string;
  readonly found: readonly string[];
  /** Why the mutant does not count as caught, or null. */
  readonly why: string | null;
}

export interface Alarm {
  readonly clause: string;
  readonly level: Level;
  readonly found: string;
}

/** The beginning of the complaint that the suite did not give expected warnings. */
export const MISSED_WARNINGS = 'It was to be warned of: ';

export interface ConformantOutcome {
  readonly name: string;
  readonly description: string;
  /** The number of answers to open points that were compared with the design of the bank. */
  readonly choices: number;
  readonly alarms: readonly Alarm[];
  /** Other differences from the description of the bank. */
  readonly complaints: readonly string[];
}

/**
 * The result for one realistic fault. `failed`: the verdict is non-conformant. `warned`: there is a finding.
 * `inconclusive` and `silent`: there is no finding, and the verdict is inconclusive or conformant. `broken`: the suite failed.
 */
export interface RealisticFaultOutcome {
  readonly name: string;
  readonly description: string;
  readonly breaks: 'must' | 'should';
  readonly clause: string | null;
  /** Whether a normal run can show the bug, or only a run with SOAK. */
  readonly visible: 'run' | 'soak';
  readonly outcome: 'failed' | 'warned' | 'inconclusive' | 'silent' | 'broken';
  readonly found: readonly string[];
}

/**
 * The result for one generated bank with a bug. `noticed`: a finding names an operation where the bug is visible. `misblamed`: all
 * findings name other operations. `missed`: there is no finding. `broken`: the suite itself broke.
 */
export interface DrawnBug {
  readonly name: string;
  readonly seed: string;
  readonly class: string;
  readonly level: string;
  readonly outcome: 'noticed' | 'misblamed' | 'missed' | 'broken';
  readonly found: readonly string[];
}

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

export interface Outcomes {
  readonly mutants: readonly MutantOutcome[];
  readonly banks: readonly ConformantOutcome[];
  readonly realisticFaults: readonly RealisticFaultOutcome[];
  readonly drawn: Drawn;
  readonly from: number;
  readonly to: number;
}

export interface Proof extends Outcomes {
  readonly suite: { readonly version: string };
  /** The digest of the contract, the fixtures and the tests, and the number of cases per property. */
  readonly measure: { readonly digest: string; readonly runs: number };
  /** The number of existing banks of each kind. A proof may examine only some of them. */
  readonly population: Readonly<Record<'mutants' | 'conformingBanks' | 'realisticFaults', number>>;
}

const provenIds = clauseIds.filter((id) => clauses[id].level !== 'open');

/** Returns the clauses without an examined mutant: there is no proof that the suite notices a violation. */
const listUnproven = ({ mutants }: Proof): readonly CatalogueId[] =>
  provenIds.filter((id) => !mutants.some(({ clause }) => clause === id));

export function describeMiss({ name, description, expected, found, outcome, why }: MutantOutcome): string {
  const seen = (found.length === 0 ? ['nothing'] : found).map((finding) => `  found:    ${finding}`);
  return [
    `${outcome.toUpperCase()} ${name}: ${description}`,
    `  expected: ${expected}`,
    ...seen,
    `  ${why ?? ''}`,
  ].join('\n');
}

export function describeAlarm({ name, description, alarms, complaints }: ConformantOutcome): string {
  const found = [...alarms.map((alarm) => `${alarm.level}: ${alarm.found}`), ...complaints].map((line) => `  ${line}`);
  return [`${alarms.length > 0 ? 'FALSE ALARM' : 'NOT AS DESCRIBED'} ${name}: ${description}`, ...found].join('\n');
}

export const isBlameless = ({ alarms, complaints }: ConformantOutcome): boolean =>
  alarms.length === 0 && complaints.length === 0;

const isSilent = ({ outcome }: RealisticFaultOutcome): boolean => outcome !== 'failed' && outcome !== 'warned';

const countNoticed = (bugs: readonly DrawnBug[]): number => bugs.filter(({ outcome }) => outcome === 'noticed').length;
const countAlarmed = (banks: readonly { readonly alarms: readonly Alarm[] }[]): number =>
  banks.filter(({ alarms }) => alarms.length > 0).length;

/** Returns the drawn banks for which the suite reports a broken `must` clause. */
export const listFalseAlarms = ({ banks }: Drawn): readonly DrawnBank[] =>
  banks.filter(({ alarms }) => alarms.some(({ level }) => level === 'must'));

export const describeDrawn = (drawn: Drawn): readonly string[] => [
  `of ${drawn.bugs.length} drawn bugs, ${countNoticed(drawn.bugs)} noticed (DRAW=${drawn.seed})`,
  `on ${drawn.banks.length} drawn admissible banks, ${countAlarmed(drawn.banks)} with an alarm (must: ${listFalseAlarms(drawn).length}) (DRAW=${drawn.seed})`,
];

/** Writes the figures for each class of bugs, then for each family of conforming banks. */
export function countByClass({ bugs, banks }: Drawn): readonly (readonly [name: string, figure: string])[] {
  const families = banks.flatMap((bank) => bank.families.map((family) => ({ family, alarms: bank.alarms })));
  const figures = (groups: Iterable<readonly [string, string]>) => [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    ...figures(
      [...groupBy(bugs, (bug) => bug.class)].map(([name, same]) => [
        `bugs: ${name}`,
        `${countNoticed(same)} of ${same.length} noticed`,
      ]),
    ),
    ...figures(
      [...groupBy(families, ({ family }) => family)].map(([name, same]) => [
        `admissible: ${name}`,
        `${countAlarmed(same)} alarms on ${same.length}`,
      ]),
    ),
  ];
}

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

function describePopulation({ population, mutants, banks, realisticFaults }: Proof): string {
  const share = ({ length }: readonly unknown[], kind: keyof Proof['population'], name: string = kind): string =>
    `${length === population[kind] ? 'all' : `${grouped(length)} of`} ${grouped(population[kind])} ${name}`;
  return [
    share(mutants, 'mutants'),
    share(banks, 'conformingBanks', 'conforming banks'),
    share(realisticFaults, 'realisticFaults', 'realistic faults'),
  ].join(', ');
}

/** Counts realistic faults by outcome. The last two outcomes are left out if their count is zero. */
const countRealisticFaults = (realisticFaults: readonly RealisticFaultOutcome[]): string =>
  (['failed', 'warned', 'silent', 'inconclusive', 'broken'] as const)
    .map((outcome, index) => ({
      outcome,
      index,
      count: realisticFaults.filter((realisticFault) => realisticFault.outcome === outcome).length,
    }))
    .flatMap(({ outcome, index, count }) => (index > 2 && count === 0 ? [] : `${count} ${outcome}`))
    .join(', ');

export function renderProof(proof: Proof): string {
  const { mutants, banks, realisticFaults, drawn } = proof;
  const countFor = (level: Level): string => {
    const mutantsOfLevel = mutants.filter(({ clause }) => clauses[clause as CatalogueId].level === level);
    const share = (isCounted: (outcome: MutantOutcome['outcome']) => boolean): string => {
      const some = mutantsOfLevel.filter(({ outcome }) => isCounted(outcome)).length;
      return `${some} (${((100 * some) / Math.max(1, mutantsOfLevel.length)).toFixed(some === mutantsOfLevel.length ? 0 : 1)} %)`;
    };
    return `${mutantsOfLevel.length} mutants of ${level} clauses: ${share((one) => one !== 'missed')} seen, ${share((one) => one === 'caught')} with the right blame`;
  };
  const [inRun, overTime] = partition(realisticFaults, ({ visible }) => visible === 'run');
  return [
    `Examined: ${describePopulation(proof)}.`,
    countFor('must'),
    countFor('should'),
    `${countAlarmed(banks)} of ${banks.length} conforming banks with a false alarm`,
    `${listUnproven(proof).length} clauses without an examined mutant`,
    `realistic faults: ${countRealisticFaults(inRun)}; of those that break the document: ${countRealisticFaults(inRun.filter(({ breaks }) => breaks === 'must'))}`,
    `realistic faults over time: ${countRealisticFaults(overTime)}`,
    ...describeDrawn(drawn),
    ...listDrawnRemarks(drawn).map((line) => `  ${line}`),
    `${mutants.length + banks.length + realisticFaults.length + drawn.bugs.length + drawn.banks.length} banks in ${((proof.to - proof.from) / 1000).toFixed(0)} s`,
  ].join('\n');
}

export const makeScore = ({ from, measure, drawn, mutants, banks }: Proof) => ({
  date: new Date(from).toISOString().slice(0, 10),
  seed: drawn.seed,
  digest: measure.digest.slice(0, 12),
  bugs: drawn.bugs.length,
  noticed: countNoticed(drawn.bugs),
  banks: drawn.banks.length,
  alarmed: countAlarmed(drawn.banks),
  failed: listFalseAlarms(drawn).length,
  mutants: mutants.length,
  caught: mutants.filter(({ outcome }) => outcome === 'caught').length,
  conformant: banks.length,
  conformantAlarmed: countAlarmed(banks),
});

export type Score = Readonly<ReturnType<typeof makeScore>>;

const MAX_KEPT_SCORES = 20;

/** Adds the score of a new proof, the newest first. A seed that was used before does not count as new. */
export const withScore = (scores: readonly Score[], score: Score): readonly Score[] =>
  scores.some(({ seed }) => seed === score.seed) ? scores : [score, ...scores].slice(0, MAX_KEPT_SCORES);

const writeTable = (head: string, rows: readonly (readonly string[])[]): string =>
  [head, head.replace(/[^|]+/g, ' --- '), ...rows.map((cells) => `| ${cells.join(' | ')} |`)].join('\n');

const writeSection = (title: string, entries: readonly string[]): readonly string[] =>
  entries.length === 0 ? [] : [title, `\`\`\`text\n${entries.join('\n\n')}\n\`\`\``];

export const writeScores = (scores: readonly Score[]): string =>
  writeTable(
    '| Date | Seed | Digest | Generated bugs noticed | Generated conforming banks with an alarm | Mutants caught | Conforming banks with an alarm |',
    scores.map((score) => [
      score.date,
      `\`${score.seed}\``,
      `\`${score.digest}\``,
      `${score.noticed} of ${score.bugs}`,
      `${score.alarmed} of ${score.banks} (broken \`must\`: ${score.failed})`,
      `${grouped(score.caught)} of ${grouped(score.mutants)}`,
      `${score.conformantAlarmed} of ${score.conformant}`,
    ]),
  );

/** Writes the row of a clause: its statement, its level, how many faults were caught, and their names. */
function writeClauseRow(id: CatalogueId, { mutants, realisticFaults }: Proof): readonly string[] {
  const { statement, level } = clauses[id];
  const [caught, escaped] = partition(
    mutants.filter(({ clause }) => clause === id),
    ({ outcome }) => outcome === 'caught',
  );
  const [silent, noticed] = partition(
    realisticFaults.filter(({ clause }) => clause === id),
    isSilent,
  );
  const figure = (some: readonly unknown[], others: readonly unknown[]): string =>
    some.length + others.length === 0 ? '–' : `${some.length} of ${some.length + others.length}`;
  return [
    `${statement.replaceAll(/[|<>*_`[\]]/g, (sign) => `\\${sign}`)} \`${id}\``,
    level,
    figure(caught, escaped),
    figure(noticed, silent),
    [
      ...[...caught, ...noticed].map(({ name }) => `\`${name}\``),
      ...[...escaped, ...silent].map(({ name }) => `not caught: \`${name}\``),
    ].join(' '),
  ];
}

/** Writes the page. The same proof and scores always give the same page. */
export function writeProofPage(proof: Proof, scores: readonly Score[]): string {
  const { from, to, measure, suite, mutants, banks, realisticFaults } = proof;
  const [alarmed, others] = partition(
    banks.filter((bank) => !isBlameless(bank)),
    ({ alarms }) => alarms.length > 0,
  );
  const tables = sections.flatMap((name) =>
    (['service', ...areas] as const).flatMap((area) => {
      const here = provenIds.filter((id) => clauses[id].source.section === name && clauses[id].area === area);
      const rows = here.map((id) => writeClauseRow(id, proof));
      const head = '| Clause | Level | Mutants | Realistic faults | Caught faults |';
      return here.length === 0 ? [] : [`### ${name}: ${areaTitles[area]}`, writeTable(head, rows)];
    }),
  );
  return `${[
    '# What the suite catches',
    '`npm run prove` writes this page. Nothing in it is typed by hand.',
    '## Scores',
    'Each proof draws new banks from a seed: banks with a bug, and strange banks that conform. Nobody has seen them before, so that the suite cannot be written for them. `DRAW=<seed> npm run prove` draws the same banks again. The digest names the state of the suite that was measured.',
    writeScores(scores),
    '### The latest draw by class',
    writeTable('| Class | Figure |', countByClass(proof.drawn)),
    ...writeSection('## Mutants that escape', mutants.filter(({ outcome }) => outcome !== 'caught').map(describeMiss)),
    ...writeSection('## False alarms', alarmed.map(describeAlarm)),
    ...writeSection('## Conforming banks that are not reported as described', others.map(describeAlarm)),
    ...writeSection(
      '## Realistic faults that are not noticed',
      realisticFaults
        .filter(isSilent)
        .map(({ name, description, clause }) => `${name}: ${description.replace(/\.$/, '')} (${clause}).`),
    ),
    '## Clause by clause',
    `Measured on ${new Date(from).toISOString().slice(0, 10)} in ${((to - from) / 1000).toFixed(0)} s: suite ${suite.version}, digest \`${measure.digest.slice(0, 12)}\`, ${counted(measure.runs, 'case')} per property, ${describePopulation(proof)}. A mutant breaks one clause at one place; an incident is a bug as teams ship it. \`npm run bank -- --fault <name>\` serves a mutant.`,
    ...tables,
  ].join('\n\n')}\n`;
}
