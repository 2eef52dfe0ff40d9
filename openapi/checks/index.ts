/** All checks. */
import type { Check } from './check.ts';
import { linkChecks } from './links.ts';
import { probeChecks } from './probes.ts';
import { refusedChecks } from './refused.ts';

export const checks: readonly Check[] = [...probeChecks, ...refusedChecks, ...linkChecks];
