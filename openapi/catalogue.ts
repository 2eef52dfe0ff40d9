/** Collects all clauses: the promises of the document, further expectations, and open points. */
import { behaviourClauses, comparedBehaviours, runBehaviours } from '#bank/behaviours';
import type { Clause } from './clauses/clause.ts';
import { addClauses, documentedFieldClauses, fieldClauses, type ClauseId } from './clauses/index.ts';
import { groupBy } from './util/group-by.ts';
import { hashValue } from './util/hash.ts';

addClauses(behaviourClauses);

export const clauses: Readonly<Record<ClauseId, Clause>> = fieldClauses;

export const clauseIds = Object.keys(clauses) as readonly ClauseId[];

export function isClauseId(text: string): text is ClauseId {
  return Object.hasOwn(clauses, text);
}

/** Returns the SHA-256 of the catalogue. It is the same with any overlay. */
export const digestCatalogue = (): string => hashValue({ ...documentedFieldClauses, ...behaviourClauses });

const controls = groupBy([...comparedBehaviours, ...runBehaviours], ({ id }): string => id);

/** Writes all clauses as a Markdown table. A clause that a single answer shows needs no positive control. */
export function renderCatalogue(): string {
  const rows = Object.entries(clauses).map(([id, { level, statement }]) => {
    const sentences = new Set((controls.get(id) ?? []).map(({ control }) => control));
    return `| ${[id, level, statement, [...sentences].join(' ')].join(' | ')} |\n`;
  });
  return `| Clause | Level | Statement | Control |\n| --- | --- | --- | --- |\n${rows.join('')}`;
}
