/** Short functions for the catalogue: they give a clause its place in the document and its level. */
import type { Clause, Section, Source } from './clause.ts';

/** Names a section of the document, or one point in it: `point 2` of a list, `closing paragraph`. */
export const citeSection = (name: Section, row?: string): Source =>
  row === undefined ? { section: name } : { section: name, row };

/** Names a row of a table, or of a paragraph that is written like a table. Without a row, names the whole table. */
export const citeTable =
  (name: Section, title: string) =>
  (row?: string): Source => ({ ...citeSection(name, row), table: title });

/** The names of sections and places that several areas cite. */
export const FIELDS_SECTION = 'Resources and their fields';
export const jsonBodySource = citeSection('What the service does', 'point 4');
export const requiredFieldsGap = citeSection('Endpoints', 'gap 2');

/** Returns functions that make clauses of an area, one for each level. */
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
    /** An expectation whose breach costs somebody money. */
    money: write({ level: 'should', class: 'money' }),
    /** An expectation whose breach makes the service fail, or refuse without a reason. */
    robust: write({ level: 'should', class: 'robustness' }),
    /** An expectation whose breach shows data to strangers, or gives them access. */
    secure: write({ level: 'should', class: 'security' }),
    /** A point that the document leaves open. */
    observed: write({ level: 'open' }),
  };
}
