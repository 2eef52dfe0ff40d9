/** Tells the files of the bank from those of the engine, which could judge any API. The bank imports the engine, never back. */

/** The files that know the bank: the folder `bank` of each part, and files that stand among those of the engine. */
const BANK_FILES: readonly RegExp[] = [
  /\/bank\//,
  /^openapi\/clauses\/(?:atms|loans|payment-links)\.ts$/,
  /^openapi\/behaviours\/(?:atms|loans|payment-links|races)\//,
  /^openapi\/behaviours\/(?:index|service\/(?:credentials|lists|missing-fields|padding|refused))\.ts$/,
  /^openapi\/history\/(?:outcome-stages|outcome-texts|replaced-contracts)\.ts$/,
  /^openapi\/inference\//,
  /^fixtures\/arbitraries\/(?:loans|made-up|order-ids|payment-links|positions|province-codes)\.ts$/,
  /^fixtures\/(?:banks|reference-bank)\//,
  /^fixtures\/probes\/(?:awaited-outcomes|follow-outcomes|learn-requests|learn-steps|open-points|order-id-forms|request-factory|unsteady)\.ts$/,
  /^fixtures\/run\/client\/(?:atms|loan-requests|loans|payment-links|planned-links|planned-loans)\.ts$/,
  /^tests\/(?!self\/|index\.ts$)/,
];

export const isBankFile = (file: string): boolean => BANK_FILES.some((files) => files.test(file));

/** Files that import the bank by path: of the learner, the probes, the runner and the embedded bank. The list only shrinks. */
const IMPORTERS_BY_PATH: readonly RegExp[] = [
  /^fixtures\/(?:learn|probes)\//,
  /^fixtures\/run\/session\/(?:session|unknown-paths)\.ts$/,
  /^fixtures\/runner\/(?:cli\/|global-setup\.ts$|index\.ts$|run-identity\.ts$)/,
];

export const importsBankByPath = (file: string): boolean => IMPORTERS_BY_PATH.some((files) => files.test(file));
