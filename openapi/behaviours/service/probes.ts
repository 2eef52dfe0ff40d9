/** Judges that invalid requests are refused: not with a server error, not with a 2xx, and without internal details. */
import { isCrash } from '../../history/answers.ts';
import type { FaultWords } from '../../model/finding.ts';
import type { Run, RunRecord } from '../../model/record.ts';
import { broken, compared, kept, notTested, ofRun, type Verdict } from '../behaviour.ts';
import { list, optional, reply } from '../evidence.ts';

type Probe = RunRecord<'probes'>;

/** Judges each answered invalid request. `findFault` returns null for a right answer, or the reason if the answer proves nothing. */
const judgeProbes =
  (findFault: (probe: Probe, run: Run) => FaultWords | string | null) =>
  (run: Run): readonly Verdict[] =>
    run.probes.flatMap((probe): readonly Verdict[] => {
      const { control, status, isThrottled } = probe;
      if (control === undefined || status === null) return [];
      const contrast = { exchange: control };
      const fault = findFault(probe, run);
      if (typeof fault === 'string') return [notTested(fault)];
      if (fault !== null) return [broken(probe, { contrast, ...fault })];
      return [isThrottled ? notTested('the bank asked to wait') : kept(probe, { contrast })];
    });

/**
 * At least this many server errors in a row are a fault of the bank. If a gateway loses one request in thirty, three errors in a row
 * happen once in 27,000.
 */
export const MIN_REPEATED_ERRORS = 3;

const BELOW_500 = 'a status below 500';

export const probesWithoutServerError = ofRun({
  id: 'service.odd-input',
  unit: 'answers',
  control: 'The same request without the fault is accepted.',
  judge: judgeProbes((probe, { probes }) => {
    /** Counts the server errors in a row; zero if a repetition brought another answer. */
    const countErrors = (first: Probe): number => {
      const sameProbes = [first, ...probes.filter(({ repeats }) => repeats === first.exchange)];
      return sameProbes.every(({ isServerError }) => isServerError) ? sameProbes.length : 0;
    };
    if (probe.isServerError && probe.isRetryable) return 'the bank asked to wait';
    const errorCount = countErrors(probe);
    if (errorCount === 0) return null;
    // The caps may allow only two requests. Two probes of one operation then prove as much as three errors in a row.
    const isSecondProbe = (otherProbe: Probe): boolean =>
      otherProbe !== probe &&
      otherProbe.control !== undefined &&
      otherProbe.operation === probe.operation &&
      countErrors(otherProbe) >= 2;
    // If a server error did not happen again, or the probe could not be sent again, the error proves nothing.
    const isReliable = errorCount >= MIN_REPEATED_ERRORS || (errorCount >= 2 && probes.some(isSecondProbe));
    return isReliable
      ? { expected: BELOW_500, received: probe.what }
      : 'no server error came often enough in succession';
  }),
});

export const probesRefusedByStatus = ofRun({
  id: 'service.refusal-status',
  unit: 'answers',
  control: 'The same request without the fault is accepted.',
  judge: judgeProbes(({ status, isDisguised, what }) => {
    if (isDisguised) return { expected: 'a status of 4xx for a refusal', received: what, kind: 'disguised' };
    return status !== null && status >= 400 && status < 500 ? null : 'the bank refused no faulty request';
  }),
});

export const probesWithoutInternals = ofRun({
  id: 'service.no-internals',
  unit: 'answers',
  control: 'The same request without the fault is accepted.',
  judge: judgeProbes(({ leak }) =>
    leak === null
      ? null
      : { pointer: 'response/body', expected: 'an error body without internal details', received: leak },
  ),
});

/** At least this many answers must be crashes: two repetitions, each sent twice. */
const MIN_CRASHED_REPEATS = 4;

/** A repeated request may be a mistake of the client, but the bank must not crash. */
export const repeatedWithoutCrash = compared({
  id: 'service.odd-input',
  control: 'The first of two identical requests is accepted.',
  evidence: { repeated: list(reply()), first: optional(reply()) },
  judge({ repeated, first: contrast }) {
    const [answer] = repeated;
    if (answer === undefined || repeated.length < MIN_CRASHED_REPEATS || !repeated.every(isCrash))
      return notTested('no repeated request ended in a server error each time');
    return broken(answer, { expected: BELOW_500, contrast });
  },
});
