/** Defines a clause. */
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
  /** One sentence. For `must` and `should`, it is true for a bank that conforms. */
  readonly statement: string;
  readonly source: Source;
  readonly class?: ClauseClass;
  /** `service` for a clause about all areas. */
  readonly area: Area | 'service';
  /** `always`: a run that did not test this `must` clause is inconclusive. `conditional`: a bank may not have its subject. */
  readonly exercise: 'always' | 'conditional';
  /** The title of the overlay that replaces this clause everywhere. */
  readonly replacedBy?: string;
}

export const getClauseClass = ({ class: stated = 'consistency' }: Pick<Clause, 'class'>): ClauseClass => stated;
