/** One way in which a run may end badly, or seem to: what is started, and how it must end. */
import type { Ran } from '../../support/command.ts';

export interface GateCase {
  /** What happens, in a few words. */
  readonly name: string;
  readonly status: number;
  /** Null where no report is made. */
  readonly verdict: 'conformant' | 'non-conformant' | 'inconclusive' | null;
  /** What the terminal must say. */
  readonly says: RegExp;
  /** False of one that differs from another in nothing that its mechanism looks at: `npm run test:all` shows it. */
  readonly isInTests?: false;
  run(): Promise<Pick<Ran, 'status' | 'out' | 'report'>>;
}
