/**
 * Requirement sets: which clauses count in a verdict, and how much each binds. A frozen set stands in a file and never
 * changes; the set that is being made is a draft of the catalogue as it is. A new clause, or a sharper one under an id of its
 * own, enters the draft, and a verdict by a frozen set stays what it was.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Of } from '../util/hash.ts';
import type { Clause } from './clause.ts';
import { clauseIds, clauses } from './index.ts';

/** The set that the catalogue makes. Once it is frozen, the next change of the catalogue needs the next name here. */
export const currentSet = '2026.4';

/** What a set says of one clause. */
interface Requirement extends Pick<Clause, 'level' | 'exercise'> {
  /** The first 16 hexadecimal digits of the SHA-256 of its statement. */
  readonly statement: string;
}

interface RequirementSet {
  readonly set: string;
  readonly frozen: boolean;
  /** SHA-256 over the requirements. */
  readonly digest: string;
  /** By id of the clause. */
  readonly requirements: Readonly<Record<string, Requirement>>;
}

const folder = join(__dirname, 'requirement-sets/');
const fileOf = (set: string): string => `${folder}${set}.json`;

/** The names of all sets, the current one last. */
export function setNames(): readonly string[] {
  const frozen = existsSync(folder) ? readdirSync(folder).map((file) => file.replace(/\.json$/, '')) : [];
  return [...frozen.filter((set) => set !== currentSet).sort(), currentSet];
}

const digestOf = (text: string): string => sha256Of(text).slice(0, 16);

let drafted: RequirementSet | undefined;

/** The catalogue as a set. */
function draft(): RequirementSet {
  if (drafted !== undefined) return drafted;
  const requirements = Object.fromEntries(
    // Without those that an overlay added.
    clauseIds.map((id): [string, Requirement] => {
      const { level, exercise, statement } = clauses[id];
      return [id, { level, exercise, statement: digestOf(statement) }];
    }),
  );
  return (drafted = { set: currentSet, frozen: false, digest: sha256Of(requirements), requirements });
}

/** A set by its name. Throws with one sentence where there is none of this name, or its file was changed. */
export function requirementSet(set: string = currentSet): RequirementSet {
  if (!setNames().includes(set))
    throw new Error(`There is no requirement set ${set}: give ${setNames().join(' or ')}.`);
  if (!existsSync(fileOf(set))) return draft();
  const { digest, requirements } = JSON.parse(readFileSync(fileOf(set), 'utf8')) as RequirementSet;
  if (sha256Of(requirements) !== digest)
    throw new Error(`The requirement set ${set} was changed after it was frozen: its digest is another one.`);
  return { set, frozen: true, digest, requirements };
}

/** How the catalogue contradicts the frozen sets, one sentence each. */
export function contradictions(): readonly string[] {
  const now = draft();
  return setNames().flatMap((name) => {
    const { set, frozen, digest, requirements } = requirementSet(name);
    if (!frozen) return [];
    const changed = Object.entries(requirements).flatMap(([id, { statement }]) => {
      const mine = now.requirements[id];
      if (mine === undefined) return [`${id} is gone from the catalogue, and the requirement set ${set} holds it.`];
      if (mine.statement === statement) return [];
      return [`${id} says something else than in the requirement set ${set}: give what is new an id of its own.`];
    });
    const ahead = set === currentSet && digest !== now.digest && changed.length === 0;
    return ahead ? [`The catalogue is no longer the frozen requirement set ${set}: name the next set.`] : changed;
  });
}

/** Freezes the current set. Throws where it is frozen. */
export function freeze(): string {
  if (existsSync(fileOf(currentSet))) throw new Error(`The requirement set ${currentSet} is frozen already.`);
  const { set, digest, requirements } = draft();
  const lines = Object.entries(requirements).map(([id, one]) => `    ${JSON.stringify(id)}: ${spaced(one)}`);
  const text = `{\n  "set": "${set}",\n  "digest": "${digest}",\n  "requirements": {\n${lines.join(',\n')}\n  }\n}\n`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileOf(set), text);
  return fileOf(set);
}

const spaced = (one: Requirement): string =>
  `{ ${Object.entries(one)
    .map(([name, value]) => `"${name}": "${String(value)}"`)
    .join(', ')} }`;
