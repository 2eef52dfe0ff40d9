/** Stories of the faults that a server can ship with, by their names. */
type Stories = Readonly<Record<string, string>>;

/** Faults by the level of what they break. */
export interface Bugs {
  readonly must: Stories;
  readonly should: Stories;
  /** Expectations too: whether a run notices hangs on its ids and on how fast it is. */
  readonly sometimes: Stories;
  /** Of which no run under the default caps says anything, and why. */
  readonly unseen: Stories;
}

type NameOf<Known extends Bugs> = { [Kind in keyof Known]: keyof Known[Kind] }[keyof Bugs];

/** A started server: what a client needs, and how to stop it. */
export interface RunningServer {
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  accessToken: string;
  close(): Promise<void>;
}

/** Makes the question "is this bug switched on?", and refuses a name that the list does not hold. */
export function bugSwitch<Known extends Bugs>(bugs: Known, chosen?: string): (name: NameOf<Known>) => boolean {
  const known = Object.values(bugs).flatMap(Object.keys);
  if (chosen !== undefined && !known.includes(chosen))
    throw new Error(`unknown bug ${chosen}; known: ${known.join(', ')}`);
  return (name) => name === chosen;
}
