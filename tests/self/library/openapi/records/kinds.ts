export type BankRecords = object;

export const NO_BANK_RECORDS = {};
export type StepChange = object;
