/** `npm run pins`: turns answers to open points into requirements of later runs. */
import path from 'node:path';
import { overwriteFile } from '../../openapi/files/own-files.ts';
import { findSchemaFault } from '../../openapi/files/json-schema.ts';
import { parseJson } from '../../openapi/files/parse.ts';
import { readNamed, readUserText } from '../../openapi/files/user-file.ts';
import { defineCommand, runIfMain } from '../../openapi/util/command.ts';
import { PROFILE_FORMAT, type BehaviourProfile } from '../model/description.ts';
import { counted } from '../text/phrases.ts';
import { toJson } from '../text/sanitize.ts';

const usage = `Pins answers to open points: a later run with PINS reports each answer that has changed.

  npm run pins -- <dialect.json> <point> … [options]

  <point>            an open point such as atms.ordering, or the beginning of several, such as atms.
  --out <file>       where to (default: the same file)
  --help             this text
`;

/** Pins the answers of the bank to these open points. Throws if a point is unknown, or if the run has no answer for it. */
function pinAnswers(profile: BehaviourProfile, names: readonly string[]): BehaviourProfile {
  const isOf = (name: string, point: string): boolean =>
    point === name || (name.endsWith('.') && point.startsWith(name));
  for (const name of names) {
    const mine = profile.points.filter(({ point }) => isOf(name, point));
    if (mine.length === 0) throw new Error(`There is no open point ${name}.`);
    if (mine.every(({ questions }) => questions.length === 0)) throw new Error(`The run did not observe ${name}.`);
  }
  return {
    ...profile,
    points: profile.points.map((one) =>
      names.some((name) => isOf(name, one.point))
        ? { ...one, questions: one.questions.map((question) => ({ ...question, pinned: true })) }
        : one,
    ),
  };
}

const SCHEMA_FILE = path.join(__dirname, '../baseline/dialect.schema.json');

export const pinsCommand = defineCommand({
  usage,
  options: { out: { type: 'string' } },
  positionals: [2, Infinity],
  run({ values, positionals: [file = '', ...points] }, print) {
    const profile = readNamed(file, () => parseJson(readUserText(file, 'profile'))) as BehaviourProfile;
    const fault = findSchemaFault(profile, SCHEMA_FILE);
    if (fault !== null)
      throw new Error(`${file} is not a behaviour profile of the format ${PROFILE_FORMAT}: ${fault}.`);
    const pinned = pinAnswers(profile, points);
    const written = values.out ?? file;
    overwriteFile(written, toJson(pinned));
    const count = pinned.points.flatMap(({ questions }) => questions.filter((one) => one.pinned)).length;
    print(
      `${counted(count, 'answer')} pinned in ${written}. A run with PINS=${written} reports each that has changed.\n`,
    );
    return 0;
  },
});

void runIfMain(__filename, pinsCommand);
