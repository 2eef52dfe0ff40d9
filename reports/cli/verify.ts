/** `npm run verify`: judges the history of a report again, or the exchanges in the report, and checks digests and verdicts. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readRequirementSet } from '../../openapi/clauses/requirement-sets.ts';
import { setOverlay } from '../../openapi/contract/overlay.ts';
import { defineCommand, runIfMain, describeError } from '../../openapi/util/command.ts';
import { hashText } from '../../openapi/util/hash.ts';
import { fileNames } from '../formats/paths.ts';
import { readOverlay, readReport } from '../journal/read-report.ts';
import type { Report } from '../model/report.ts';
import { counted, takeFirstItems, joinWithAnd, formatRequirementSetName } from '../text/phrases.ts';
import { checkAttestation } from '../verify/attestation.ts';
import { toJson, escapeHarmful } from '../text/sanitize.ts';

const usage = `Verifies a report: judges all exchanges in history.jsonl.gz beside it again, and compares every clause, finding, observation
and digest. Without that file only the exchanges in the report are judged again.

  npm run verify -- <conformance.json> [options]

  --overlay <file>      the overlay of the run, if it had one
  --key <file>          the public key (Ed25519, PEM): the signature of the attestation is checked too
  --attestation <file>  the attestation (default: conformance.intoto.jsonl beside the report)
  --json                prints one JSON object: agrees, differences, counts, what was not judged again
  --help                this text

Exit status: 0 all agrees, 1 something differs (one line each), 2 the report cannot be verified.
Without --key it detects damage and accidental changes, but not forgery: a forger can compute the digests too.
`;

const MAX_SHOWN_LINES = 200;

/** Returns a sentence if this suite has another requirement set with the same name, else null. */
function checkRequirementSet({ suite: { requirements: named } }: Report): string | null {
  if (named === undefined || readRequirementSet(named.set).digest === named.digest) return null;
  return `The requirement set ${formatRequirementSetName(named)} of this suite is not the one that the report was judged by: verify it with the version of the suite that made it.`;
}

/** Returns why the attestation does not confirm the report, in one sentence, or null. Throws if a file is missing or wrong. */
function findAttestationFault(
  file: string,
  report: Report,
  { key, attestation }: { readonly key?: string; readonly attestation?: string },
): string | null {
  if (key === undefined && attestation !== undefined)
    throw new Error('--attestation needs --key, the public key that should have signed it.');
  if (key === undefined) return null;
  const envelope = attestation ?? path.join(path.dirname(file), fileNames.attestation);
  const read = (name: string): string => readFileSync(name, 'utf8');
  return checkAttestation(
    {
      names: { report: file, envelope, key },
      report: readFileSync(file),
      envelope: read(envelope),
      key: read(key),
    },
    report,
  );
}

type Values = Readonly<Partial<Record<'overlay' | 'key' | 'attestation', string>>>;

/** Verifies the report in a file. Throws an error of one sentence if this is impossible. */
function verifyFile(file: string, values: Values) {
  const report = readReport(file, { isOlderUsable: false });
  const refused = checkRequirementSet(report) ?? findAttestationFault(file, report, values);
  if (refused !== null) return { refused };
  const overlay = readOverlay(report, values.overlay ?? null);
  // The overlay must be set before the contract is read.
  if (overlay !== null) setOverlay(overlay);
  const contract: typeof import('../../openapi/contract/load.ts') = require('../../openapi/contract/load.ts');
  if (contract.overlayRefused !== null) throw new Error(contract.overlayRefused);
  const { readPackedHistory }: typeof import('../journal/history.ts') = require('../journal/history.ts');
  const { verifyReport }: typeof import('../verify/verify.ts') = require('../verify/verify.ts');
  const beside = path.join(path.dirname(file), fileNames.history);
  const history = existsSync(beside) ? beside : null;
  const isSameContract = hashText(contract.contractText) === report.suite.contractDigest;
  try {
    const { taken, ...found } = verifyReport(
      report,
      history === null ? undefined : readPackedHistory(readFileSync(history)),
    );
    const places = new Set(taken.map(({ clause, pointer }) => `${clause}${pointer && ` at ${pointer}`}`));
    return { refused, ...found, taken: taken.length, takenAt: [...places], history, isSameContract };
  } catch (error) {
    throw new Error(`${file} is not a whole report: ${(error as Error).message}`, { cause: error });
  }
}

function writeLines(file: string, result: ReturnType<typeof verifyFile>): string[] {
  if (result.refused !== null) return [result.refused];
  const { differences, exchanges, verdicts, clauses, findings, notRecomputed, taken, takenAt, history } = result;
  const compared = joinWithAnd([
    counted(exchanges, 'exchange'),
    counted(verdicts, 'verdict'),
    counted(exchanges, 'SHA-256 digest'),
    counted(clauses, 'clause'),
    counted(findings, 'finding'),
  ]);
  const notJudged = [
    notRecomputed > 0 && `${counted(notRecomputed, 'clause')} whose verdict rests on more than the kept exchanges`,
    taken > 0 && `${counted(taken, 'verdict')} taken from the run, since what decides is masked or cut off`,
  ].filter((part) => part !== false);
  const agrees = `The report agrees with its ${history === null ? 'evidence' : 'history'}`;
  const beside = path.join(path.dirname(file), fileNames.history);
  return [
    ...(result.isSameContract
      ? []
      : ['Note: the report was made with another version of the contract; that alone can cause differences.']),
    ...takeFirstItems(
      differences.map(({ at, what }) => `${at}: ${what}`),
      MAX_SHOWN_LINES,
      (more) => `and ${more} more`,
    ),
    ...takenAt.slice(0, MAX_SHOWN_LINES).map((place) => `Taken from the run: ${place}`),
    ...(history === null ? [`${beside} is not there: only the exchanges in the report are judged again.`] : []),
    `${differences.length === 0 ? agrees : counted(differences.length, 'difference')}: ${compared} compared.` +
      (notJudged.length === 0 ? '' : ` Not judged again: ${joinWithAnd(notJudged)}.`),
  ];
}

export const verifyCommand = defineCommand({
  usage,
  options: {
    overlay: { type: 'string' },
    key: { type: 'string' },
    attestation: { type: 'string' },
    json: { type: 'boolean' },
  },
  positionals: [1, 1],
  run({ values, positionals: [file = ''] }, print) {
    const { key, json = false } = values;
    try {
      const result = verifyFile(file, values);
      const agrees = result.refused === null && result.differences.length === 0;
      const lines = writeLines(file, result);
      if (key !== undefined && result.refused === null)
        lines.push(`Its attestation was signed with the key in ${key}.`);
      print(json ? toJson({ agrees, ...result }) : lines.map((line) => `${escapeHarmful(line)}\n`).join(''));
      return agrees ? 0 : 1;
    } catch (error) {
      if (!json) throw error;
      print(toJson({ agrees: false, error: describeError(error) }));
      return 2;
    }
  },
});

void runIfMain(__filename, verifyCommand);
