/** `npm run verify`: judges the history of a report again, or the exchanges in the report, and checks digests and verdicts. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setOverlay } from '../../openapi/contract/overlay.ts';
import { defineCommand, runIfMain, describeError } from '../../openapi/util/command.ts';
import { hashFile, hashText } from '../../openapi/util/hash.ts';
import { fileNames } from '../formats/paths.ts';
import { readOverlay, readReportFile } from '../journal/read-report.ts';
import { listFailingClasses, type Report } from '../model/report.ts';
import { counted, formatDuration, formatTargetName, joinWithAnd, takeFirstItems } from '../text/phrases.ts';
import { shortenText, toJson, toOneLine } from '../text/sanitize.ts';

const usage = `Verifies a report: judges all exchanges in history.jsonl.gz beside it again, and compares every clause, finding, observation
and digest. Without that file only the exchanges in the report are judged again.

  npm run verify -- <conformance.json> [options]

  --require passed      fails unless the gate passed and the history was judged again; the gate names its settings
  --require conformant  fails unless the verdict is conformant and the history was judged again
  --overlay <file>      the overlay of the run, if it had one
  --json                prints one JSON object: agrees, verdict, bank, digests, differences, counts, what was not judged again
  --help                this text

Exit status: 0 all agrees, 1 something differs (one line each) or is not as required, 2 the report cannot be verified.
Only a signature says who made the files: check the signature of conformance.json and of history.jsonl.gz first.
`;

const MAX_SHOWN_LINES = 200;

/** Throws an error of one sentence if the report was judged by other clauses. */
function checkCatalogue({ suite: { version, catalogueDigest } }: Report): void {
  // Loading the catalogue loads the contract, so the overlay must be set before.
  const { digestCatalogue }: typeof import('../../openapi/catalogue.ts') = require('../../openapi/catalogue.ts');
  if (catalogueDigest !== digestCatalogue())
    throw new Error(
      `The clauses of this suite are not those that the report was judged by: verify it with version ${shortenText(version, 40)} of the suite, as it was then.`,
    );
}

type VerifyOptions = Readonly<Partial<Record<'overlay' | 'require', string>>>;

/** Returns what the user must compare with their expectations: verdict, gate, bank, time and digests. */
async function describeReport(file: string, history: string | null, report: Report) {
  const { target, headline, startedAt, durationMs, recording, gate, suite } = report;
  const files = [file, ...(history === null ? [] : [history])];
  return {
    verdict: report.verdict,
    headline: recording === undefined ? headline : `${headline}, from recorded traffic`,
    gate: { pass: gate.pass, reasons: gate.reasons, failOn: listFailingClasses(suite) },
    bank: {
      name: formatTargetName(target),
      address: target.baseUrl,
      build: target.build,
    },
    startedAt,
    durationMs,
    digests: Object.fromEntries(
      await Promise.all(files.map(async (name) => [path.basename(name), await hashFile(name)] as const)),
    ),
  };
}

/** Verifies the report in a file. Throws an error of one sentence if this is impossible. */
async function verifyFile(file: string, options: VerifyOptions) {
  if (options.require !== undefined && !Object.hasOwn(requirements, options.require))
    throw new Error(
      `--require names ${JSON.stringify(options.require)}: give ${Object.keys(requirements).join(' or ')}.`,
    );
  const report = readReportFile(file);
  const overlay = readOverlay(report, options.overlay ?? null);
  // The overlay must be set before the contract is read.
  if (overlay !== null) setOverlay(overlay);
  checkCatalogue(report);
  const contract: typeof import('../../openapi/contract/load.ts') = require('../../openapi/contract/load.ts');
  if (contract.overlayRefused !== null) throw new Error(contract.overlayRefused);
  const { readHistoryFile }: typeof import('../journal/history.ts') = require('../journal/history.ts');
  const { verifyReport }: typeof import('../verify/verify.ts') = require('../verify/verify.ts');
  const historyFile = path.join(path.dirname(file), fileNames.history);
  const existingHistoryFile = existsSync(historyFile) ? historyFile : null;
  const runHistory = existingHistoryFile === null ? undefined : await readHistoryFile(existingHistoryFile);
  const description = await describeReport(file, existingHistoryFile, report);
  const isSameContract = hashText(contract.contractText) === report.suite.contractDigest;
  try {
    // These violations are not judged again: the report takes them from the run.
    const { violationsTakenFromRun, ...verification } = verifyReport(report, runHistory);
    const places = new Set(
      violationsTakenFromRun.map(({ clause, pointer }) => `${clause}${pointer && ` at ${pointer}`}`),
    );
    return {
      ...description,
      ...verification,
      taken: violationsTakenFromRun.length,
      takenAt: [...places],
      history: existingHistoryFile,
      isSameContract,
    };
  } catch (error) {
    throw new Error(`${file} is not a whole report: ${(error as Error).message}`, { cause: error });
  }
}

type VerificationResult = Awaited<ReturnType<typeof verifyFile>>;

/** The values of `--require`. Each function returns why a report does not meet the requirement; null if it does. */
const requirements: Readonly<Record<string, (result: VerificationResult) => string | null>> = {
  passed: ({ gate }) => (gate.pass ? null : `the gate failed: ${gate.reasons.join('; ')}`),
  conformant: ({ verdict, headline }) => (verdict === 'conformant' ? null : `the verdict is “${headline}”`),
};

/** Returns why a report does not meet `--require`, one sentence each. */
const listUnmetRequirements = (requirement: string, result: VerificationResult): string[] =>
  [
    requirements[requirement]?.(result) ?? null,
    result.history === null ? 'without the history not every verdict is judged again' : null,
  ].flatMap((why) => (why === null ? [] : `--require ${requirement} is not met: ${why}.`));

/** Writes the verdict, the gate, the bank, the time and the digests, one line each. */
function writeJudgement({ headline, gate, bank, startedAt, durationMs, digests }: VerificationResult): string[] {
  const { name, address, build } = bank;
  const parts = [
    name === address || address === '' ? name : `${name} at ${address}`,
    build !== null && `build ${build}`,
  ];
  return [
    `Verdict: ${headline}`,
    `Gate: ${gate.pass ? 'passed' : 'failed'}, warnings that fail it: ${gate.failOn.join(', ') || 'none'}`,
    `Bank: ${parts.filter((part) => part !== false).join(', ')}`,
    `Time: ${startedAt}, for ${formatDuration(durationMs)}`,
    ...Object.entries(digests).map(([name, sha256]) => `SHA-256 of ${name}: ${sha256}`),
  ];
}

function writeComparison(file: string, result: VerificationResult): string[] {
  const { differences, exchanges, verdicts, clauses, findings, notRecomputed, taken, takenAt, history } = result;
  const comparedParts = joinWithAnd([
    counted(exchanges, 'exchange'),
    counted(verdicts, 'verdict'),
    counted(exchanges, 'SHA-256 digest'),
    counted(clauses, 'clause'),
    counted(findings, 'finding'),
  ]);
  const partsNotJudged = [
    notRecomputed > 0 && `${counted(notRecomputed, 'clause')} whose verdict needs more than the kept exchanges`,
    taken > 0 && `${counted(taken, 'verdict')} taken from the run, because the deciding text is masked or cut off`,
  ].filter((part) => part !== false);
  const agreement = `The report agrees with its ${history === null ? 'evidence' : 'history'}`;
  const historyFile = path.join(path.dirname(file), fileNames.history);
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
    ...(history === null ? [`${historyFile} is not there: only the exchanges in the report are judged again.`] : []),
    `${differences.length === 0 ? agreement : counted(differences.length, 'difference')}: ${comparedParts} compared.` +
      (partsNotJudged.length === 0 ? '' : ` Not judged again: ${joinWithAnd(partsNotJudged)}.`),
  ];
}

const SIGNATURE_NOTE =
  'Only a signature proves that these are the files of that run: check the signature of each file.';

export const verifyCommand = defineCommand({
  usage,
  options: {
    require: { type: 'string' },
    overlay: { type: 'string' },
    json: { type: 'boolean' },
  },
  positionals: [1, 1],
  async run({ values, positionals: [file = ''] }, print) {
    const { json = false } = values;
    try {
      const result = await verifyFile(file, values);
      const agrees = result.differences.length === 0;
      const unmetRequirements = values.require === undefined ? [] : listUnmetRequirements(values.require, result);
      const lines = [...writeJudgement(result), ...writeComparison(file, result), ...unmetRequirements, SIGNATURE_NOTE];
      print(
        json
          ? toJson({ agrees, unmet: unmetRequirements, ...result })
          : lines.map((line) => `${toOneLine(line)}\n`).join(''),
      );
      return agrees && unmetRequirements.length === 0 ? 0 : 1;
    } catch (error) {
      if (!json) throw error;
      print(toJson({ agrees: false, error: describeError(error) }));
      return 2;
    }
  },
});

void runIfMain(__filename, verifyCommand);
