/** `npm run requirements`: lists the requirement sets, and freezes the current draft. */
import path from 'node:path';
import {
  findContradictions,
  freezeCurrentSet,
  readRequirementSet,
  listSetNames,
} from '../../openapi/clauses/requirement-sets.ts';
import { defineCommand, runIfMain } from '../../openapi/util/command.ts';
import { counted, formatRequirementSetName } from '../text/phrases.ts';

const usage = `Lists the requirement sets: each says which clauses count for the verdict. REQUIREMENTS=<set> selects one.

  npm run requirements -- [options]

  --freeze           freezes the draft set: it can never change after that
  --help             this text
`;

const requirementsCommand = defineCommand({
  usage,
  options: { freeze: { type: 'boolean' } },
  positionals: [0, 0],
  run({ values }, print) {
    if (values.freeze === true) print(`Frozen in ${path.relative(process.cwd(), freezeCurrentSet())}.\n`);
    for (const set of listSetNames().map(readRequirementSet))
      print(
        `${formatRequirementSetName(set)}  ${counted(Object.keys(set.requirements).length, 'clause')}  ${set.digest}\n`,
      );
    const wrong = findContradictions();
    for (const sentence of wrong) print(`${sentence}\n`);
    return wrong.length === 0 ? 0 : 1;
  },
});

void runIfMain(__filename, requirementsCommand);
