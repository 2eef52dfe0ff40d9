/** The figure beside a clause of a report: read from the proof, shown only where the run is at least what was measured. */
import { readFileSync } from 'node:fs';
import { counted } from '../text/phrases.ts';
import { proofFormat, type Measure, type Proof } from './proof.ts';

/** How strong the suite is at one clause: mutants, and conformant banks on which the clause raised an alarm. */
type Strength = Readonly<Record<'known' | 'caught' | 'alarms' | 'banks', number>>;

/** The proof in `file`, or null if there is none that can be read. */
export function readProof(file: string): Proof | null {
  try {
    const proof = JSON.parse(readFileSync(file, 'utf8')) as Proof;
    return proof.format === proofFormat ? proof : null;
  } catch {
    return null;
  }
}

/** The figures by clause that hold for this run; none if the proof is of another suite or of more than this run does. */
export function strengthsOf(proof: Proof | null, run: Measure): ReadonlyMap<string, Strength> {
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

/** The figure in a sentence. */
export const inWords = ({ known, caught, alarms, banks }: Strength): string =>
  `this suite catches ${caught} of the ${counted(known, 'way')} we know to break it; ${counted(alarms, 'alarm')} on ${banks} conformant banks`;

/** The figures that hold for this run, in sentences, by clause. */
export const strengthInWords = (proof: Proof | null, run: Measure): ReadonlyMap<string, string> =>
  new Map([...strengthsOf(proof, run)].map(([id, strength]) => [id, inWords(strength)]));
