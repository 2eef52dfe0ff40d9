/** What the servers of this folder have in common: how they are started, and the faults that they can ship with. */

/** Stories of faults by their names, and by the level of what they break. */
export type Bugs = Readonly<Record<'must' | 'should', Readonly<Record<string, string>>>>;

type NameOf<Known extends Bugs> = { [Level in keyof Known]: keyof Known[Level] }[keyof Bugs];

/** A started server: what a client needs, and how to stop it. */
export interface RunningServer {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly accessToken: string;
  close(): Promise<void>;
}

/** Makes the question "is this bug switched on?", and refuses a name that the list does not hold. */
export function bugSwitch<Known extends Bugs>(bugs: Known, chosen?: string): (name: NameOf<Known>) => boolean {
  if (chosen !== undefined && !(chosen in bugs.must) && !(chosen in bugs.should))
    throw new Error(`unknown bug ${chosen}`);
  return (name) => name === chosen;
}

/** A circle around the earth in metres, as far as two positions in degrees span it. */
export function metresBetween([a, b]: readonly [number, number], [c, d]: readonly [number, number]): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const [rise, turn] = [Math.sin(radians(a - c) / 2) ** 2, Math.sin(radians(b - d) / 2) ** 2];
  const chord = rise + Math.cos(radians(a)) * Math.cos(radians(c)) * turn;
  return 2 * 6_371_000 * Math.asin(Math.min(1, Math.sqrt(chord)));
}
