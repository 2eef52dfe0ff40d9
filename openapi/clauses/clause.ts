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

export interface Clause {
  readonly level: Level;
  /** One sentence that is true of a conforming bank. */
  readonly statement: string;
  readonly section: Section;
  /** `service` where it concerns all areas alike. */
  readonly area: Area | 'service';
  /**
   * Of a `must`: `always` makes a run inconclusive when it was never exercised in a selected area;
   * `conditional` hangs on things that a conforming target may rightly not show.
   */
  readonly exercise: 'always' | 'conditional';
}
