/** Shorthands in which the ledger is written. */
import type { Clause, Section } from './clause.ts';

type Write = (section: Section, statement: string) => Clause;

/** A `must` that every run has to exercise. */
export const always =
  (area: Clause['area']): Write =>
  (section, statement) => ({ level: 'must', statement, section, area, exercise: 'always' });

/** A `must` about things that a conforming target may rightly not show. */
export const conditional =
  (area: Clause['area']): Write =>
  (section, statement) => ({ level: 'must', statement, section, area, exercise: 'conditional' });

/** What every reasonable reader expects although the document does not state it. */
export const should =
  (area: Clause['area']): Write =>
  (section, statement) => ({ level: 'should', statement, section, area, exercise: 'conditional' });

/** What the document leaves open. */
export const open =
  (area: Clause['area']): Write =>
  (section, statement) => ({ level: 'open', statement, section, area, exercise: 'conditional' });
