/** Short functions to write the catalogue: each gives a clause its level and its source in the document. */
import type { Clause, Section, Source } from './clause.ts';

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

export function defineLevels(area: Clause['area']) {
  const write =
    (fixed: Pick<Clause, 'level' | 'class'>, exercise: Clause['exercise'] = 'conditional') =>
    (source: Source, statement: string): Clause => ({ ...fixed, exercise, area, statement, source });
  return {
    /** A promise of the document that every run must test. */
    must: write({ level: 'must' }, 'always'),
    /** A promise of the document about things that a conforming bank may not have. */
    mustIfShown: write({ level: 'must' }),
    /** What every reasonable reader expects, although the document does not state it. */
    expected: write({ level: 'should' }),
    /** An expectation; if the bank does not meet it, somebody loses money. */
    money: write({ level: 'should', class: 'money' }),
    /** An expectation; if the bank does not meet it, requests fail or are refused without a reason. */
    robust: write({ level: 'should', class: 'robustness' }),
    /** An expectation; if the bank does not meet it, strangers see data or get access. */
    secure: write({ level: 'should', class: 'security' }),
    /** A point that the document does not define. It is recorded, not judged. */
    observed: write({ level: 'open' }),
  };
}
