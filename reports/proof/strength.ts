/** The figure beside a clause of a report: read from the proof, shown only where the run is at least what was measured. */
import { readFileSync } from 'node:fs';
import { proofFormat, type Measure, type Proof } from './proof.ts';

/** How strong the suite is at one clause. */
interface Strength {
  readonly known: number;
  readonly caught: number;
  /** Conformant banks on which the clause raised an alarm, of so many examined. */
  readonly alarms: number;
  readonly banks: number;
}

/** The proof in `file`, or null where there is none that can be read. */
export function readProof(file: string): Proof | null {
  try {
    const proof = JSON.parse(readFileSync(file, 'utf8')) as Proof;
    return proof.format === proofFormat ? proof : null;
  } catch {
    return null;
  }
}

/** True where the proof was measured on this suite, with no more than this run does. */
function covers({ digest, runs, caps }: Measure, run: Measure): boolean {
  return (
    digest === run.digest &&
    runs <= run.runs &&
    Object.entries(caps).every(([name, cap]) => cap <= (run.caps[name] ?? 0))
  );
}

/** The figures by clause that hold for this run; none where the proof is of another suite or of more than this run does. */
export function strengthsOf(proof: Proof | null, run: Measure): ReadonlyMap<string, Strength> {
  if (proof === null || !covers(proof.measure, run)) return new Map();
  const whole = proof.measure.areas.every((area) => run.areas.includes(area));
  return new Map(
    proof.clauses
      .filter(({ area, known }) => known > 0 && (area === 'service' ? whole : run.areas.includes(area)))
      .map(({ id, known, caught, alarms, banks }) => [id, { known, caught, alarms: alarms.length, banks }]),
  );
}

const ways = (count: number): string => (count === 1 ? '1 way' : `${count} ways`);

/** The figure in a sentence. */
export function inWords({ known, caught, alarms, banks }: Strength): string {
  return `this suite catches ${caught} of the ${ways(known)} we know to break it; ${alarms === 1 ? '1 alarm' : `${alarms} alarms`} on ${banks} conformant banks`;
}

/** The figures that hold for this run, in sentences, by clause. */
export function strengthInWords(proof: Proof | null, run: Measure): ReadonlyMap<string, string> {
  return new Map([...strengthsOf(proof, run)].map(([id, strength]) => [id, inWords(strength)]));
}
