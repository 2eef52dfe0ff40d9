/** Overlays that cannot be used: each ends the run before the first request, with what is wrong in the sentence. */
import { conformance } from '../../support/command.ts';
import { overlayWith } from '../../support/configuration.ts';
import { tempFile } from '../../support/temp-dir.ts';
import type { GateCase } from './case.ts';

const unusable = (what: string, change: object, says: RegExp, isInTests?: false): GateCase => ({
  name: `An overlay with ${what}`,
  status: 2,
  verdict: 'inconclusive',
  says,
  ...(isInTests === false ? { isInTests } : {}),
  async run() {
    const update = { properties: { atm_name: change } };
    const overlay = overlayWith({ target: '$.components.schemas.Atm', update });
    const ran = await conformance({ OVERLAY: tempFile('overlay.json', overlay), AREAS: 'atms', RUNS: '1' });
    return ran.report?.requests === 0 ? ran : { ...ran, status: null };
  },
});

export const overlayCases: readonly GateCase[] = [
  unusable('a pattern that is none', { pattern: '(' }, /Invalid regular expression: \/\(\//),
  unusable('a type that is none', { type: 'strng' }, /type must be JSONType.*: strng/, false),
  unusable(
    'a reference to nowhere',
    { $ref: '#/components/schemas/Nowhere' },
    /has no #\/components\/schemas\/Nowhere/,
    false,
  ),
  unusable('a length that is no number', { maxLength: 'long' }, /maxLength value must be/, false),
  unusable('a word that JSON Schema does not know', { maxLenght: 3 }, /unknown keyword: "maxLenght"/, false),
  unusable(
    'a clause that the catalogue does not have',
    { 'x-clause': 'atms.nam' },
    /names the clause atms\.nam, which is not known/,
    false,
  ),
];
