/** Checks the answer to every probe. */
import type { Broken, RequestResult, Check, Probed } from '../model/check.ts';
import type { ClauseId } from '../clauses/index.ts';
import { operations } from '../contract/operations.ts';
import { isErrorWith2xx } from '../judge.ts';
import { getBodyText } from '../model/exchange.ts';
import { isRetryable } from '../model/outcome.ts';
import { findInformationLeak } from '../validation/information-leaks.ts';

/**
 * This many server errors in a row are no accident: if a gateway loses one request in thirty, three in a row happen once in
 * 27,000.
 */
export const MIN_REPEATED_ERRORS = 3;

/** True for a 501 after an undocumented HTTP method (RFC 9110, 15.6.2). */
const isMethodNotImplemented = ({ status, operation, exchange }: RequestResult): boolean =>
  status === 501 && exchange.request.method !== operations[operation].method;

/** True for a 5xx that is a fault of the server. */
export const isServerError = (reply: RequestResult): boolean =>
  reply.status !== null && reply.status >= 500 && reply.status <= 599 && !isMethodNotImplemented(reply);

/** True if a probe brought server errors alone, `times` or more in a row. */
const isReliableError = ({ probe, again }: Probed, times: number): boolean =>
  again.length + 1 >= times && [probe, ...again].every(isServerError);

type Fault = Omit<Broken, 'by' | 'contrast'>;

/**
 * Makes a check for the answers to probes. `findFault` returns null for a right answer, and undefined if the answer proves
 * nothing.
 */
const makeProbeCheck = (
  clause: ClauseId,
  findFault: (probed: Probed, all: readonly Probed[]) => Fault | null | undefined,
): Check => ({
  clause,
  *of({ probes }, tested) {
    for (const probed of probes) {
      const { probe, control } = probed;
      const fault = probe.exchange.answer === null ? undefined : findFault(probed, probes);
      if (fault === undefined) continue;
      tested(probe, { control });
      if (fault !== null) yield { by: probe, contrast: control, ...fault };
    }
  },
});

export const probeChecks: readonly Check[] = [
  makeProbeCheck('service.odd-input', (probed, all) => {
    const { probe } = probed;
    if (isServerError(probe) && isRetryable(probe.exchange.answer)) return undefined;
    if (!isReliableError(probed, 1)) return null;
    // The caps may allow only two: two probes of one operation then prove as much as three in a row.
    const isAlike = (other: Probed): boolean =>
      other.probe.operation === probe.operation && other !== probed && isReliableError(other, 2);
    const isReliable =
      isReliableError(probed, MIN_REPEATED_ERRORS) || (isReliableError(probed, 2) && all.some(isAlike));
    // If a server error did not happen again, or the probe could not be sent again, the error proves nothing.
    return isReliable ? { expected: 'a status below 500' } : undefined;
  }),
  makeProbeCheck('service.refusal-status', ({ probe: { status, exchange, body } }) => {
    if (status === null || status >= 300) return undefined;
    return isErrorWith2xx(exchange, body) ? { expected: 'a status of 4xx for a refusal', kind: 'disguised' } : null;
  }),
  makeProbeCheck('service.no-internals', ({ probe: { accepted, exchange } }) => {
    const leak = accepted ? null : findInformationLeak(getBodyText(exchange.answer));
    if (leak === null) return null;
    return { pointer: 'response/body', expected: 'an error body without internal details', received: leak };
  }),
];
