/**
 * Writes the page of the proof (`proof.md`): the scores on random banks, each with its seed and its date, and for each clause the
 * faults that the suite catches. `npm run prove` writes the page and the scores; nothing in them is typed by hand.
 */
import { sections } from '../../openapi/clauses/clause.ts';
import { areas } from '../../openapi/model/exchange.ts';
import { partition } from '../../openapi/util/group-by.ts';
import { areaTitles, counted, grouped } from '../text/phrases.ts';
import { countFalseAlarms, countNoticedBugs, countByClass, listFalseAlarms } from './drawn.ts';
import { MISSED_WARNINGS, type ClauseStrength, type Proof } from './proof.ts';
import { describeAlarm, describeMiss, isBlameless, describePopulation, listSilent } from './terminal.ts';

/** The figures of one complete proof. */
export interface Score {
  /** The start of the proof. */
  readonly date: string;
  /** `DRAW=<seed> npm run prove` makes the same banks again. */
  readonly seed: string;
  /** Digest of the contract, the fixtures and the tests that were measured. */
  readonly digest: string;
  readonly bugs: number;
  readonly noticed: number;
  readonly banks: number;
  /** The number of conforming banks with a false alarm, and with a false `must` alarm. */
  readonly alarmed: number;
  readonly failed: number;
  readonly mutants: number;
  readonly caught: number;
  readonly conformant: number;
  readonly conformantAlarmed: number;
}

/** The page shows at most this many proofs. */
const MAX_KEPT_SCORES = 20;

export const makeScore = ({ startedAt, measure, drawn, mutants, banks }: Proof): Score => ({
  date: startedAt.slice(0, 10),
  seed: drawn.seed,
  digest: measure.digest.slice(0, 12),
  bugs: drawn.bugs.length,
  noticed: countNoticedBugs(drawn.bugs),
  banks: drawn.banks.length,
  alarmed: countFalseAlarms(drawn.banks),
  failed: listFalseAlarms(drawn).length,
  mutants: mutants.length,
  caught: mutants.filter(({ outcome }) => outcome === 'caught').length,
  conformant: banks.length,
  conformantAlarmed: banks.filter(({ alarms }) => alarms.length > 0).length,
});

/** Adds the score of a new proof, the newest first. A seed that was used before does not count as new. */
export const withScore = (scores: readonly Score[], score: Score): readonly Score[] =>
  scores.some(({ seed }) => seed === score.seed) ? scores : [score, ...scores].slice(0, MAX_KEPT_SCORES);

const writeRow = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const writeTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [writeRow(head), writeRow(head.map(() => '---')), ...rows.map(writeRow)].join('\n');

/** Writes a section with its entries as on the terminal; nothing if there are no entries. */
const writeSection = (title: string, entries: readonly string[]): readonly string[] =>
  entries.length === 0 ? [] : [title, `\`\`\`text\n${entries.join('\n\n')}\n\`\`\``];

export const writeScores = (scores: readonly Score[]): string =>
  writeTable(
    [
      'Date',
      'Seed',
      'Digest',
      'Drawn bugs noticed',
      'Drawn banks that conform, with an alarm',
      'Mutants caught',
      'Variants with an alarm',
    ],
    scores.map((one) => [
      one.date,
      `\`${one.seed}\``,
      `\`${one.digest}\``,
      `${one.noticed} of ${one.bugs}`,
      `${one.alarmed} of ${one.banks} (broken \`must\`: ${one.failed})`,
      `${grouped(one.caught)} of ${grouped(one.mutants)}`,
      `${one.conformantAlarmed} of ${one.conformant}`,
    ]),
  );

/** Escapes a sentence for a cell of a Markdown table. */
const escapeSentence = (text: string): string => text.replaceAll(/[|<>*_`[\]]/g, (sign) => `\\${sign}`);

function makeClauseRow(
  { id, level, statement, caught, known, escaped }: ClauseStrength,
  proof: Proof,
): readonly string[] {
  const names = proof.mutants.flatMap(({ clause, name }) => (clause === id && !escaped.includes(name) ? name : []));
  const silent = new Set(listSilent(proof.incidents));
  const shipped = proof.incidents.filter((incident) => incident.clause === id);
  const noticed = shipped.flatMap((incident) => (silent.has(incident) ? [] : incident.name));
  const figure = (some: number, all: number): string => (all === 0 ? '–' : `${some} of ${all}`);
  const list = [...names, ...noticed].map((name) => `\`${name}\``);
  const missed = [...escaped, ...shipped.flatMap((one) => (silent.has(one) ? one.name : []))].map(
    (name) => `not caught: \`${name}\``,
  );
  return [
    `${escapeSentence(statement)} \`${id}\``,
    level,
    figure(caught, known),
    figure(noticed.length, shipped.length),
    [...list, ...missed].join(' '),
  ];
}

/** Writes the page. The same proof and scores always give the same page. */
export function writeProofPage(proof: Proof, scores: readonly Score[]): string {
  const { startedAt, durationMs, measure, clauses, suite, mutants, banks, incidents } = proof;
  const [alarmed, others] = partition(
    banks.filter((bank) => !isBlameless(bank)),
    ({ alarms }) => alarms.length > 0,
  );
  const [unwarned, misread] = partition(others, ({ complaints }) =>
    complaints.every((text) => text.startsWith(MISSED_WARNINGS)),
  );
  const tables = sections.flatMap((name) =>
    (['service', ...areas] as const).flatMap((area) => {
      const here = clauses.filter((clause) => clause.section === name && clause.area === area);
      if (here.length === 0) return [];
      const head = ['Clause', 'Level', 'Mutants', 'Incidents', 'Caught faults'];
      const rows = here.map((one) => makeClauseRow(one, proof));
      return [`### ${name}: ${areaTitles[area]}`, writeTable(head, rows)];
    }),
  );
  return `${[
    '# What the suite catches',
    '`npm run prove` writes this page. Nothing in it is typed by hand.',
    '## Scores',
    'Each proof draws new banks from a seed: banks with a bug, and strange banks that conform. Nobody has seen them before, so that the suite cannot be written for them. `DRAW=<seed> npm run prove` draws the same banks again. The digest names the state of the suite that was measured.',
    writeScores(scores),
    '### The latest draw by class',
    writeTable(['Class', 'Figure'], countByClass(proof.drawn)),
    ...writeSection('## Mutants that escape', mutants.filter(({ outcome }) => outcome !== 'caught').map(describeMiss)),
    ...writeSection('## False alarms', alarmed.map(describeAlarm)),
    ...writeSection('## Warnings that were expected and did not come', unwarned.map(describeAlarm)),
    ...writeSection('## Conforming banks that are not reported as described', misread.map(describeAlarm)),
    ...writeSection(
      '## Incidents that are not noticed',
      listSilent(incidents).map(
        ({ name, description, clause }) => `${name}: ${description.replace(/\.$/, '')} (${clause}).`,
      ),
    ),
    '## Clause by clause',
    `Measured on ${startedAt.slice(0, 10)} in ${(durationMs / 1000).toFixed(0)} s: suite ${suite.version}, digest \`${measure.digest.slice(0, 12)}\`, ${counted(measure.runs, 'case')} per property, ${describePopulation(proof)}. A mutant breaks one clause at one place; an incident is a bug as teams ship it. \`npm run bank -- --fault <name>\` serves a mutant.`,
    ...tables,
  ].join('\n\n')}\n`;
}
