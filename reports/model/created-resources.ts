/** What a run created at the target, and what it was allowed to create. */

export type CreatedKind = 'application' | 'contract' | 'disbursement' | 'link';

export interface Created {
  readonly what: CreatedKind;
  readonly id: string;
  readonly amount: number | null;
  readonly currency: string | null;
  readonly exchange: string;
  /** Nobody knows whether it was created; `id` is then what the request called it. */
  readonly perhaps: boolean;
}

export interface Caps {
  readonly applications: number;
  readonly disbursements: number;
  readonly links: number;
  /** The highest amount that a request may carry. */
  readonly amount: number;
}

/** What the run left behind at the target. */
export interface CreatedResources {
  /** Without what perhaps was created. */
  readonly counts: Readonly<Record<CreatedKind, number>>;
  /** What the run was allowed to make; null where that is not known. */
  readonly caps: Caps | null;
  /** Nominal sums by kind and currency. */
  readonly amounts: readonly {
    readonly what: CreatedKind;
    readonly currency: string;
    readonly total: number;
  }[];
  readonly items: readonly Created[];
}
