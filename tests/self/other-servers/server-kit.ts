/** Starts the servers of this folder, and switches on their bugs. */

/** A description of each bug, by its name and by the level that it breaks. */
export type Bugs = Readonly<Record<'must' | 'should', Readonly<Record<string, string>>>>;

type NameOf<Known extends Bugs> = { [Level in keyof Known]: keyof Known[Level] }[keyof Bugs];

/** A running server: what a client needs, and how to stop the server. */
export interface RunningServer {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly accessToken: string;
  close(): Promise<void>;
}

/** Makes the function that returns whether a bug is switched on; refuses an unknown name. */
export function createBugSwitch<Known extends Bugs>(bugs: Known, chosen?: string): (name: NameOf<Known>) => boolean {
  if (chosen !== undefined && !(chosen in bugs.must) && !(chosen in bugs.should))
    throw new Error(`unknown bug ${chosen}`);
  return (name) => name === chosen;
}

/** Returns the great-circle distance in metres between two positions in degrees. */
export function measureMetres([a, b]: readonly [number, number], [c, d]: readonly [number, number]): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const [rise, turn] = [Math.sin(radians(a - c) / 2) ** 2, Math.sin(radians(b - d) / 2) ** 2];
  const chord = rise + Math.cos(radians(a)) * Math.cos(radians(c)) * turn;
  return 2 * 6_371_000 * Math.asin(Math.min(1, Math.sqrt(chord)));
}
