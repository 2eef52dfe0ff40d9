/** Reads the figure beside a clause from the proof. Shows the figure only if the run has at least the measured size. */
import { readFileSync } from 'node:fs';
import { counted } from '../text/phrases.ts';
import { PROOF_FORMAT, type Measure, type Proof } from './proof.ts';

/** The strength of the suite at one clause: mutants, and conforming banks with a false alarm. */
type Strength = Readonly<Record<'known' | 'caught' | 'alarms' | 'banks', number>>;

/** Reads the proof in `file`; null if it cannot be read. */
export function readProof(file: string): Proof | null {
  try {
    const proof = JSON.parse(readFileSync(file, 'utf8')) as Proof;
    return proof.format === PROOF_FORMAT ? proof : null;
  } catch {
    return null;
  }
}

/** Returns the figures by clause for this run; empty if the proof is for another suite or for a larger run. */
export function getStrengths(proof: Proof | null, run: Measure): ReadonlyMap<string, Strength> {
  if (proof === null) return new Map();
  const { digest, runs, caps, areas } = proof.measure;
  const isCovered = Object.entries(caps).every(([name, cap]) => cap <= (run.caps[name] ?? 0));
  if (digest !== run.digest || runs > run.runs || !isCovered) return new Map();
  const isWhole = areas.every((area) => run.areas.includes(area));
  return new Map(
    proof.clauses
      .filter(({ area, known }) => known > 0 && (area === 'service' ? isWhole : run.areas.includes(area)))
      .map(({ id, known, caught, alarms, banks }) => [id, { known, caught, alarms: alarms.length, banks }]),
  );
}

/** Writes the figure as a sentence. */
export const describeStrength = ({ known, caught, alarms, banks }: Strength): string =>
  `this suite catches ${caught} of the ${counted(known, 'way')} we know to break it; ${counted(alarms, 'alarm')} on ${banks} conformant banks`;

/** Returns the figures for this run as sentences, by clause. */
export const describeStrengths = (proof: Proof | null, run: Measure): ReadonlyMap<string, string> =>
  new Map([...getStrengths(proof, run)].map(([id, strength]) => [id, describeStrength(strength)]));
