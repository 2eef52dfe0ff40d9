/** All cases of the gate, in the order of their table. */
import type { GateCase } from './case.ts';
import { endingCases } from './endings.ts';
import { evidenceCases } from './evidence.ts';
import { mergeCases } from './merges.ts';
import { overlayCases } from './overlays.ts';
import { reporterCases } from './reporters.ts';
import { wayInCases } from './ways-in.ts';

export const gateCases: readonly GateCase[] = [
  ...endingCases,
  ...reporterCases,
  ...mergeCases,
  ...wayInCases,
  ...evidenceCases,
  ...overlayCases,
];
