/** Defines what a clause is: one sentence about the bank, with its level, its source in the document and its class. */
import type { Area } from './areas.ts';

/**
 * `must`: the document requires it; if a clause is broken, the bank does not conform. `should`: every reasonable reader expects
 * it; a broken clause is a warning. `open`: the document does not define it; the report only records the answers of the bank.
 */
export type Level = 'must' | 'should' | 'open';

export const sections = [
  'What the service does',
  'Resources and their fields',
  'States and transitions',
  'Endpoints',
  'Authentication',
  'Events',
  'Errors',
  'Limits',
  'Versioning',
] as const;
export type Section = (typeof sections)[number];

export interface Source {
  readonly section: Section;
  readonly table?: string;
  /** The first cell of the table row, or the number of the list entry: `point 2`, `rule 1`, `gap 3`. */
  readonly row?: string;
}

/**
 * What a broken clause puts at risk. `security`: credentials or data of customers. `money`: amounts, limits, double payments.
 * `robustness`: requests are accepted and answered. `consistency`: answers agree with the document and with each other.
 */
export const clauseClasses = ['security', 'money', 'consistency', 'robustness'] as const;
export type ClauseClass = (typeof clauseClasses)[number];

export interface Clause {
  readonly level: Level;
  /** One sentence. A statement of a `must` or `should` clause is true for a bank that conforms. */
  readonly statement: string;
  readonly source: Source;
  readonly class?: ClauseClass;
  /** `service` for a clause about all areas. */
  readonly area: Area | 'service';
  /** `always`: every run must test the clause, or is inconclusive. `conditional`: its subject may be missing at a bank. */
  readonly exercise: 'always' | 'conditional';
  /** The title of the overlay that replaces this clause everywhere. */
  readonly replacedBy?: string;
}

export const getClauseClass = ({ class: clauseClass = 'consistency' }: Pick<Clause, 'class'>): ClauseClass =>
  clauseClass;

/** Cites a section of the document, or one point in a section: `point 2` of a list, `closing paragraph`. */
export const citeSection = (name: Section, row?: string): Source =>
  row === undefined ? { section: name } : { section: name, row };

/** Cites a table row, or a row of a paragraph that is written like a table. Without a row, cites the whole table. */
export const citeTable =
  (name: Section, title: string) =>
  (row?: string): Source => ({ ...citeSection(name, row), table: title });

export const FIELDS_SECTION = 'Resources and their fields';
export const jsonBodySource = citeSection('What the service does', 'point 4');
export const requiredFieldsGap = citeSection('Endpoints', 'gap 2');

/** Returns a function for each level and class. Each function makes a clause of `area` from its source and its statement. */
export function defineLevels(area: Clause['area']) {
  const makeDefiner =
    (fixed: Pick<Clause, 'level' | 'class'>, exercise: Clause['exercise'] = 'conditional') =>
    (source: Source, statement: string): Clause => ({ ...fixed, exercise, area, statement, source });
  return {
    /** A promise of the document that every run must test. */
    must: makeDefiner({ level: 'must' }, 'always'),
    /** A promise of the document about things that a conforming bank may not have. */
    mustIfShown: makeDefiner({ level: 'must' }),
    /** What every reasonable reader expects, although the document does not state it. */
    expected: makeDefiner({ level: 'should' }),
    /** An expectation about money: if the bank does not meet it, somebody may lose money. */
    money: makeDefiner({ level: 'should', class: 'money' }),
    /** An expectation about robustness: if the bank does not meet it, requests fail or are refused without a reason. */
    robust: makeDefiner({ level: 'should', class: 'robustness' }),
    /** An expectation about security: if the bank does not meet it, strangers see data or get access. */
    secure: makeDefiner({ level: 'should', class: 'security' }),
    /** A point that the document does not define. It is recorded, not judged. */
    observed: makeDefiner({ level: 'open' }),
  };
}
