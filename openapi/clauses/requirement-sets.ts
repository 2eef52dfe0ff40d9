/**
 * Requirement sets: which clauses count in a verdict, and at which level. A frozen set is a file that never changes. The current
 * set is a draft and always equals the catalogue. A new or stricter clause gets a new id, and only the draft contains it: verdicts
 * by a frozen set stay the same.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashValue } from '../util/hash.ts';
import type { Clause } from './clause.ts';
import { clauseIds, clauses, isClauseId } from './index.ts';

/** The name of the current set. After it is frozen, the next change of the catalogue needs the next name here. */
export const CURRENT_SET = '2026.4';

/** The level of one clause in a set. */
interface Requirement extends Pick<Clause, 'level' | 'exercise'> {
  /** The first 16 hexadecimal digits of the SHA-256 of the statement. */
  readonly statement: string;
}

/** A clause with other words for the same requirement: the digests of the old and the new statement. */
type Rewording = readonly [clause: string, before: string, after: string, reason: string];

const allowedRewordings = JSON.parse(readFileSync(join(__dirname, 'rewordings.json'), 'utf8')) as readonly Rewording[];

interface RequirementSet {
  readonly set: string;
  readonly frozen: boolean;
  /** SHA-256 over the requirements. */
  readonly digest: string;
  /** The requirements, by clause id. */
  readonly requirements: Readonly<Record<string, Requirement>>;
}

const requirementSetFolder = join(__dirname, 'requirement-sets/');
const locateSetFile = (set: string): string => `${requirementSetFolder}${set}.json`;

/** Lists the names of all requirement sets; the last one is the current set. */
export function listSetNames(): readonly string[] {
  const frozen = existsSync(requirementSetFolder)
    ? readdirSync(requirementSetFolder).map((file) => file.replace(/\.json$/, ''))
    : [];
  return [...frozen.filter((set) => set !== CURRENT_SET).sort(), CURRENT_SET];
}

const digestStatement = (text: string): string => hashValue(text).slice(0, 16);

/** True if a statement has this digest, or had this digest before somebody reworded it. */
export function isStatementOrRewording(
  clause: string,
  statement: string,
  digest: string,
  rewordings = allowedRewordings,
): boolean {
  if (digestStatement(statement) === digest) return true;
  const next = rewordings.find(([id, before]) => id === clause && before === digest);
  if (next === undefined) return false;
  const others = rewordings.filter((row) => row !== next);
  return isStatementOrRewording(clause, statement, next[2], others);
}

let drafted: RequirementSet | undefined;

/** Makes a set from the catalogue, without the clauses of an overlay. */
function draftCurrentSet(): RequirementSet {
  if (drafted !== undefined) return drafted;
  const requirements = Object.fromEntries(
    clauseIds.map((id): [string, Requirement] => {
      const { level, exercise, statement } = clauses[id];
      return [id, { level, exercise, statement: digestStatement(statement) }];
    }),
  );
  return (drafted = { set: CURRENT_SET, frozen: false, digest: hashValue(requirements), requirements });
}

/** Reads a set by its name. Throws if there is no such set, or if somebody changed its file. */
export function readRequirementSet(set: string = CURRENT_SET): RequirementSet {
  if (!listSetNames().includes(set))
    throw new Error(`There is no requirement set ${set}: give ${listSetNames().join(' or ')}.`);
  if (!existsSync(locateSetFile(set))) return draftCurrentSet();
  const { digest, requirements } = JSON.parse(readFileSync(locateSetFile(set), 'utf8')) as RequirementSet;
  if (hashValue(requirements) !== digest)
    throw new Error(`The requirement set ${set} was changed after it was frozen: its digest is another one.`);
  return { set, frozen: true, digest, requirements };
}

/** Returns a digest of a set that does not depend on the statements of its clauses. */
const digestWithoutStatements = ({ requirements }: RequirementSet): string =>
  hashValue(Object.fromEntries(Object.entries(requirements).map(([id, one]) => [id, { ...one, statement: '' }])));

/** Describes how the catalogue contradicts the frozen sets: one sentence for each contradiction. */
export function findContradictions(rewordings = allowedRewordings): readonly string[] {
  return listSetNames()
    .map(readRequirementSet)
    .flatMap((frozen) => {
      if (!frozen.frozen) return [];
      const { set } = frozen;
      const changed = Object.entries(frozen.requirements).flatMap(([id, { statement }]) => {
        if (!isClauseId(id)) return [`${id} is gone from the catalogue, and the requirement set ${set} holds it.`];
        if (isStatementOrRewording(id, clauses[id].statement, statement, rewordings)) return [];
        return [
          `${id} says something else than in the requirement set ${set}: give what is new an id of its own, or enter it in rewordings.json where it requires the same.`,
        ];
      });
      const isAhead =
        set === CURRENT_SET && digestWithoutStatements(frozen) !== digestWithoutStatements(draftCurrentSet());
      return isAhead && changed.length === 0
        ? [`The catalogue is no longer the frozen requirement set ${set}: name the next set.`]
        : changed;
    });
}

/** Freezes the current set in a file. Throws if it is already frozen. */
export function freezeCurrentSet(): string {
  if (existsSync(locateSetFile(CURRENT_SET))) throw new Error(`The requirement set ${CURRENT_SET} is frozen already.`);
  const { set, digest, requirements } = draftCurrentSet();
  const lines = Object.entries(requirements).map(
    ([id, one]) => `    ${JSON.stringify(id)}: ${JSON.stringify(one, null, 1).replaceAll(/\n */g, ' ')}`,
  );
  const text = `{\n  "set": "${set}",\n  "digest": "${digest}",\n  "requirements": {\n${lines.join(',\n')}\n  }\n}\n`;
  mkdirSync(requirementSetFolder, { recursive: true });
  writeFileSync(locateSetFile(set), text);
  return locateSetFile(set);
}
