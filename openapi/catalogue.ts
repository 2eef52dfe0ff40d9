/** Collects all clauses: the promises of the document, further expectations, and open points. */
import { behaviours, type Behaviour } from './behaviours/index.ts';
import type { Clause } from './clauses/clause.ts';
import {
  addClauses,
  documentedFieldClauses,
  fieldClauses,
  type ClauseId,
  type FieldClauseId,
} from './clauses/index.ts';
import { groupBy } from './util/group-by.ts';
import { hashValue } from './util/hash.ts';

/** The id of any clause of the document. A misspelt id does not compile. */
export type CatalogueId = FieldClauseId | Behaviour['id'];

const behaviourClauses: Readonly<Record<string, Clause>> = Object.fromEntries(
  behaviours.flatMap(({ id, clause }) => (clause === undefined ? [] : [[id, clause]])),
);
addClauses(behaviourClauses);

export const clauses: Readonly<Record<CatalogueId, Clause>> = fieldClauses;

export const getClause = (id: ClauseId): Clause => clauses[id as CatalogueId];

export const clauseIds = Object.keys(clauses) as readonly CatalogueId[];

export function isClauseId(text: string): text is CatalogueId {
  return Object.hasOwn(clauses, text);
}

/** Returns the SHA-256 of the catalogue. It is the same with any overlay. */
export const digestCatalogue = (): string => hashValue({ ...documentedFieldClauses, ...behaviourClauses });

const controls = groupBy(behaviours, ({ id }): string => id);

/** Writes all clauses as a Markdown table. A clause that a single answer shows needs no positive control. */
export function renderCatalogue(): string {
  const rows = Object.entries(clauses).map(([id, { level, statement }]) => {
    const sentences = new Set((controls.get(id) ?? []).map(({ control }) => control));
    return `| ${[id, level, statement, [...sentences].join(' ')].join(' | ')} |\n`;
  });
  return `| Clause | Level | Statement | Control |\n| --- | --- | --- | --- |\n${rows.join('')}`;
}
