/** Defines a clause. `index.ts` has all clauses. */
import type { Area } from './areas.ts';

/**
 * `must`: the document promises it; a broken clause means that the target does not conform. `should`: every reasonable reader
 * expects it; a broken clause is a warning. `open`: the document leaves it open; it is observed and never broken.
 */
export type Level = 'must' | 'should' | 'open';

/** The sections of the document, in their order. */
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

/** The place where the document states a clause, or leaves it open. */
export interface Source {
  readonly section: Section;
  /** The title of the table or paragraph. */
  readonly table?: string;
  /** The first cell of the row, or the entry of a list: `point 2`, `rule 1`, `gap 3`. */
  readonly row?: string;
}

/**
 * What a broken clause endangers. `security`: credentials or data of customers. `money`: amounts, limits, double payments.
 * `robustness`: requests are accepted and answered. `consistency`: answers agree with the document and each other.
 */
export const clauseClasses = ['security', 'money', 'consistency', 'robustness'] as const;
export type ClauseClass = (typeof clauseClasses)[number];

export interface Clause {
  readonly level: Level;
  /** One sentence that is true of a conforming bank. */
  readonly statement: string;
  readonly source: Source;
  /** The default is consistency. The class is only for reports; requirement sets do not contain it. */
  readonly class?: ClauseClass;
  /** `service` for a clause about all areas. */
  readonly area: Area | 'service';
  /**
   * A `must` with `always` makes a run inconclusive if it was not exercised in a selected area. `conditional` is for things that a
   * conforming bank may not have.
   */
  readonly exercise: 'always' | 'conditional';
  /** Title of the overlay that replaces this promise everywhere. */
  readonly replacedBy?: string;
}

/** Returns what a broken clause endangers. */
export const getClass = ({ class: stated = 'consistency' }: Pick<Clause, 'class'>): ClauseClass => stated;
