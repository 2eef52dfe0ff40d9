/** Shorthands in which the catalogue is written: where the document says something, and how much it binds. */
import type { Clause, ClauseClass, Section, Source } from './clause.ts';

/** A section of the document, or one point of it: `point 2` of a list, `closing paragraph`. */
export const section = (name: Section, row?: string): Source =>
  row === undefined ? { section: name } : { section: name, row };

/** The rows of a table, or of a paragraph that is written like one; without a row it is the whole table. */
export const table =
  (name: Section, title: string) =>
  (row?: string): Source => ({ ...section(name, row), table: title });

type Write = (source: Source, statement: string) => Clause;

const writer =
  (fixed: Pick<Clause, 'level' | 'exercise' | 'area' | 'class'>): Write =>
  (source, statement) => ({ ...fixed, statement, source });

/** A `must` that every run has to exercise. */
export const always = (area: Clause['area']): Write => writer({ level: 'must', area, exercise: 'always' });

/** A `must` about things that a conforming target may rightly not show. */
export const conditional = (area: Clause['area']): Write => writer({ level: 'must', area, exercise: 'conditional' });

/** What every reasonable reader expects although the document does not state it. */
export const should = (area: Clause['area'], endangers: ClauseClass = 'consistency'): Write =>
  writer({ level: 'should', area, exercise: 'conditional', class: endangers });

/** What the document leaves open. */
export const open = (area: Clause['area']): Write => writer({ level: 'open', area, exercise: 'conditional' });
