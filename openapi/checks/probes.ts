/** Checks the answer to every probe. */
import type { Came, Check, History } from '../model/check.ts';
import { operations } from '../contract/operations.ts';
import { isErrorWith2xx } from '../judge.ts';
import { getBodyText } from '../model/exchange.ts';
import { isRetryable } from '../model/outcome.ts';
import { findInformationLeak } from '../validation/information-leaks.ts';

/** This many server errors in a row are no accident: some gateways lose one request in thirty (1 in 27,000 for three). */
export const TIMES_THAT_TELL = 3;

/** True for a 501 if the request had an undocumented method (RFC 9110, 15.6.2). */
const isOtherMethod = ({ status, operation, exchange }: Came): boolean =>
  status === 501 && exchange.request.method !== operations[operation].method;

/** True for a 5xx that is a fault of the server. */
export const isServerError = (reply: Came): boolean =>
  reply.status !== null && reply.status >= 500 && reply.status <= 599 && !isOtherMethod(reply);

const listAnsweredProbes = ({ probes }: History) => probes.filter(({ probe }) => probe.exchange.answer !== null);

export const probeChecks: readonly Check[] = [
  {
    clause: 'service.odd-input',
    *of(history, tested) {
      for (const { probe, control, again } of listAnsweredProbes(history)) {
        const all = [probe, ...again];
        const isCrash = all.every(isServerError);
        // A server error that was not repeated, or could not be sent again, proves nothing.
        if ((isServerError(probe) && isRetryable(probe.exchange.answer)) || (isCrash && all.length < TIMES_THAT_TELL))
          continue;
        tested(probe, { control });
        if (isCrash) yield { by: probe, contrast: control, expected: 'a status below 500' };
      }
    },
  },
  {
    clause: 'service.refusal-status',
    *of(history, tested) {
      for (const { probe, control } of listAnsweredProbes(history)) {
        if (probe.status === null || probe.status >= 300) continue;
        tested(probe, { control });
        if (isErrorWith2xx(probe.exchange, probe.body))
          yield { by: probe, contrast: control, expected: 'a status of 4xx for a refusal', kind: 'disguised' };
      }
    },
  },
  {
    clause: 'service.no-internals',
    *of(history, tested) {
      for (const { probe, control } of listAnsweredProbes(history)) {
        tested(probe, { control });
        const leak = probe.accepted ? null : findInformationLeak(getBodyText(probe.exchange.answer));
        if (leak !== null)
          yield {
            by: probe,
            contrast: control,
            pointer: 'response/body',
            expected: 'an error body without internal details',
            received: leak,
          };
      }
    },
  },
];
