/** Tells the files of the bank from those of the engine, which could judge any API. The bank imports the engine, never back. */

/** The files that know the bank: folders named for it, and the scenarios. */
const BANK_FILES: readonly RegExp[] = [
  /\/bank\//,
  /^fixtures\/(?:banks|reference-bank)\//,
  /^tests\/(?:atms|loans|open-points|payment-links|service)\//,
];

export const isBankFile = (file: string): boolean => BANK_FILES.some((files) => files.test(file));

/** Files that import the bank by path: of the learner, the probes, the runner and the embedded bank. The list only shrinks. */
const IMPORTERS_BY_PATH: readonly RegExp[] = [
  /^fixtures\/(?:learn|probes)\//,
  /^fixtures\/run\/session\/(?:session|unknown-paths)\.ts$/,
  /^fixtures\/runner\/(?:cli\/|global-setup\.ts$|index\.ts$|run-identity\.ts$)/,
];

export const importsBankByPath = (file: string): boolean => IMPORTERS_BY_PATH.some((files) => files.test(file));
