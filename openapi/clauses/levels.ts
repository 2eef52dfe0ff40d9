/** Shorthands for the catalogue: where the document says something, and at which level. */
import type { Clause, Section, Source } from './clause.ts';

/** A section of the document, or one point of it: `point 2` of a list, `closing paragraph`. */
export const section = (name: Section, row?: string): Source =>
  row === undefined ? { section: name } : { section: name, row };

/** The rows of a table, or of a paragraph that is written like one. Without a row it is the whole table. */
export const table =
  (name: Section, title: string) =>
  (row?: string): Source => ({ ...section(name, row), table: title });

/** The levels of the clauses of an area. */
export function defineLevels(area: Clause['area']) {
  const write =
    (fixed: Pick<Clause, 'level' | 'class'>, exercise: Clause['exercise'] = 'conditional') =>
    (source: Source, statement: string): Clause => ({ ...fixed, exercise, area, statement, source });
  return {
    /** A promise that every run must test. */
    must: write({ level: 'must' }, 'always'),
    /** A promise about things that a conforming bank may not have. */
    mustIfShown: write({ level: 'must' }),
    /** What every reasonable reader expects although the document does not state it. */
    expected: write({ level: 'should' }),
    /** The same, where breaking it costs somebody money. */
    money: write({ level: 'should', class: 'money' }),
    /** The same, where breaking it makes a service fail or refuse without a reason. */
    robust: write({ level: 'should', class: 'robustness' }),
    /** The same, where breaking it shows data to strangers or lets them in. */
    secure: write({ level: 'should', class: 'security' }),
    /** What the document leaves open. */
    observed: write({ level: 'open' }),
  };
}
