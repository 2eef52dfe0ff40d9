/** A fault that a server ships with when it is started under the fault's name. */
export interface Bug {
  /** How the fault came about, in a line. */
  readonly story: string;
  /** The level of what it breaks. */
  readonly breaks: 'must' | 'should';
  /** The sentence of the document, or the ruling on it, that no longer holds. */
  readonly sentence: string;
  /** Why no run under the default caps notices it, where none does. */
  readonly unseen?: string;
}

/** Faults by their names. */
export type Bugs = Readonly<Record<string, Bug>>;

/** How a server is started. */
export interface StartOptions {
  /** 0, the default, takes any free port. */
  port?: number;
  /** Name of one of the server's bugs; none by default. */
  bug?: string;
}

/** A started server: what a client needs, and how to stop it. */
export interface RunningServer {
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  accessToken: string;
  close(): Promise<void>;
}

/** Makes the question "is this bug switched on?", and refuses a name that the list does not hold. */
export function bugSwitch<Known extends Bugs>(bugs: Known, chosen: string | undefined): (name: keyof Known) => boolean {
  if (chosen !== undefined && !(chosen in bugs))
    throw new Error(`unknown bug ${chosen}; known: ${Object.keys(bugs).join(', ')}`);
  return (name) => name === chosen;
}
