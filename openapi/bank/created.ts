/** Lists what requests create at the bank, with the variable that limits how many the run may create. */
interface CreatedResource {
  readonly name: string;
  readonly variable: `MAX_${string}`;
  /** The default of the variable: the smallest cap with which the suite finds every fault in its test banks. */
  readonly unset: number;
  /** With a smaller cap, the verdict is inconclusive. */
  readonly smallest: number;
  /** True if the bank pays, or asks somebody to pay, the amount of the request. */
  readonly movesMoney: boolean;
}

export const createdResources = {
  applications: {
    name: 'loan application',
    variable: 'MAX_APPLICATIONS',
    unset: 105,
    smallest: 2,
    movesMoney: false,
  },
  disbursements: { name: 'disbursement', variable: 'MAX_DISBURSEMENTS', unset: 75, smallest: 1, movesMoney: true },
  links: { name: 'payment link', variable: 'MAX_LINKS', unset: 90, smallest: 1, movesMoney: true },
} as const satisfies Readonly<Record<string, CreatedResource>>;
