/** All checks. */
import type { Check } from './check.ts';
import { limitLedger } from './limit-ledger.ts';
import { linkChecks } from './links.ts';
import { probeChecks } from './probes.ts';
import { noteChecks } from '../run-rules/index.ts';
import { refusedChecks } from './refused.ts';

export const checks: readonly Check[] = [...noteChecks, ...probeChecks, ...refusedChecks, ...linkChecks, limitLedger];
