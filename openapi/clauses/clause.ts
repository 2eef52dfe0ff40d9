/** What a clause is. All clauses stand in `index.ts`. */
import type { Area } from './areas.ts';

/**
 * `must`: the document states it; broken means the target does not conform.
 * `should`: every reasonable reader expects it; broken means a warning.
 * `open`: the document leaves it open; it is observed and never broken.
 */
export type Level = 'must' | 'should' | 'open';

/** The parts of the document, in its own order. */
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

/** Where the document states it, or leaves it open. */
export interface Source {
  readonly section: Section;
  /** The table or the titled paragraph. */
  readonly table?: string;
  /** The first cell of the row, or the entry of a list: `point 2`, `rule 1`, `gap 3`. */
  readonly row?: string;
}

/**
 * What breaking a clause endangers. `security`: credentials or data of customers. `money`: amounts, limits, double payments.
 * `robustness`: that requests are taken and answered. `consistency`: that answers agree with the document and each other.
 */
export const clauseClasses = ['security', 'money', 'consistency', 'robustness'] as const;
export type ClauseClass = (typeof clauseClasses)[number];

export interface Clause {
  readonly level: Level;
  /** One sentence that is true of a conforming bank. */
  readonly statement: string;
  readonly source: Source;
  /** Left out: consistency. It is for reporting only, and no part of a requirement set. */
  readonly class?: ClauseClass;
  /** `service` where it concerns all areas alike. */
  readonly area: Area | 'service';
  /**
   * A `must` with `always` makes a run inconclusive if it was not exercised in a selected area. `conditional` is for things that a
   * conforming bank may not have.
   */
  readonly exercise: 'always' | 'conditional';
  /** Title of the overlay that replaces this promise everywhere. */
  readonly replacedBy?: string;
}

/** What breaking a clause endangers. */
export const classOf = ({ class: of = 'consistency' }: Pick<Clause, 'class'>): ClauseClass => of;
