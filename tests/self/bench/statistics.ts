/** Several measurements in one figure. */

export interface Figure {
  readonly median: number;
  readonly least: number;
  readonly most: number;
  readonly samples: number;
}

export function figure(samples: readonly number[]): Figure {
  const sorted = [...samples].sort((a, b) => a - b);
  const at = (place: number): number => sorted[place] ?? Number.NaN;
  const middle = (sorted.length - 1) / 2;
  return {
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    least: at(0),
    most: at(sorted.length - 1),
    samples: sorted.length,
  };
}

/** Measures in turn, so that whatever else the machine does meets all alike. */
export async function inTurn<T>(
  times: number,
  ...each: readonly (() => Promise<T>)[]
): Promise<readonly (readonly T[])[]> {
  const found: T[][] = each.map(() => []);
  for (let time = 0; time < times; time += 1)
    for (const [index, one] of each.entries()) found[index]?.push(await one());
  return found;
}
