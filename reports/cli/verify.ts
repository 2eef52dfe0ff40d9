/** `npm run verify`: judges the kept evidence of a report again and checks its digests and verdicts. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { requirementSet } from '../../openapi/clauses/requirement-sets.ts';
import { giveOverlay } from '../../openapi/contract/overlay.ts';
import { defineCommand, runIfMain } from '../../openapi/util/command.ts';
import { readReport } from '../journal/read-report.ts';
import type { Report } from '../model/report.ts';
import { counted, grouped, listed, setName } from '../text/phrases.ts';
import { visible } from '../text/sanitize.ts';

const usage = `Verifies a report: judges its evidence again and checks every digest and verdict in it.

  npm run verify -- <conformance.json> [options]

  --overlay <file>   the overlay of the run, where it had one
  --help             this text

Exit status: 0 all agrees, 1 something differs (one line each), 2 the report cannot be verified.
It finds damage and careless changes. It does not find a forger, who can compute the digests too.
`;

const MAX_LINES = 200;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Gives the judge the overlay of the run. Throws where it is missing or another one. Before the contract is read. */
function useOverlayOf({ suite: { overlay } }: Report, file: string | undefined): void {
  if (overlay === undefined) {
    if (file !== undefined) throw new Error('The run had no overlay: leave out --overlay.');
    return;
  }
  if (file === undefined)
    throw new Error(`The run was judged with the overlay “${overlay.title}”: name its file with --overlay.`);
  const text = readFileSync(file, 'utf8');
  if (sha256(text) !== overlay.digest) throw new Error(`${file} is not the overlay that the run was judged with.`);
  giveOverlay(text);
}

/** Throws where the requirement set of the run is not the one of its name in this suite. */
function checkSetOf({ suite: { requirements: named } }: Report): void {
  if (named === undefined || requirementSet(named.set).digest === named.digest) return;
  throw new Error(
    `The requirement set ${setName(named)} of this suite is not the one that the report was judged by: verify it with the version of the suite that made it.`,
  );
}

/** `npm run verify`. */
export const verifyCommand = defineCommand({
  usage,
  options: { overlay: { type: 'string' } },
  positionals: [1, 1],
  async run({ values, positionals: [file = ''] }, print) {
    const report = readReport(file);
    checkSetOf(report);
    useOverlayOf(report, values.overlay);
    const { contractText } = await import('../../openapi/contract/load.ts');
    const { verify } = await import('../verify/verify.ts');
    let found: ReturnType<typeof verify>;
    try {
      found = verify(report);
    } catch (error) {
      throw new Error(`${file} is not a whole report: ${(error as Error).message}`, { cause: error });
    }
    if (sha256(contractText) !== report.suite.contractDigest)
      print('Note: the report was made with another version of the contract; that alone can cause differences.\n');
    const { differences, exchanges, verdicts, digests, clauses, findings, notRecomputed, cut } = found;
    for (const { at, what } of differences.slice(0, MAX_LINES)) print(`${visible(`${at}: ${what}`)}\n`);
    if (differences.length > MAX_LINES) print(`and ${grouped(differences.length - MAX_LINES)} more\n`);
    const compared = listed([
      counted(exchanges, 'exchange'),
      counted(verdicts, 'verdict'),
      counted(digests, 'SHA-256 digest'),
      counted(clauses, 'clause'),
      counted(findings, 'finding'),
    ]);
    const outside = [
      `${counted(notRecomputed, 'clause')} whose verdict rests on several exchanges, on a scenario or on exchanges that are not kept`,
      ...(cut > 0 ? [`${counted(cut, 'exchange')} whose body was cut`] : []),
    ];
    print(
      `${differences.length === 0 ? 'The report agrees with its evidence' : counted(differences.length, 'difference')}: ` +
        `${compared} compared. Not judged again: ${listed(outside)}.\n`,
    );
    return differences.length === 0 ? 0 : 1;
  },
});

await runIfMain(import.meta.url, verifyCommand);
