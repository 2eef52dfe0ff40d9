/** Checks the whole service: it stays up, credentials stay private, compressed answers are readable. */
import type { Check } from '../../model/check.ts';
import { REFLECTION_CLAUSE, makeReflection } from '../../history/reflection.ts';
import { checkComparison } from '../check.ts';

/** This many compressed answers in a row must be unreadable: one may be an accident. */
export const TIMES_UNREADABLE = 3;

/** A request sent alone must stop the service this many times: once, the service may have stopped by itself. */
export const MIN_FATAL_TIMES = 2;

export const serviceChecks: readonly Check[] = [
  checkComparison('service.content-coding', ({ all }) => {
    const [probes, controls] = [all('probe'), all('control')];
    const [last, contrast] = [probes.at(-1), controls.at(-1)];
    const isDecided = last?.accepted === true || probes.length >= TIMES_UNREADABLE;
    if (last === undefined || !isDecided || !controls.every(({ accepted }) => accepted)) return null;
    return {
      by: last,
      holds: probes.some(({ accepted }) => accepted),
      pointer: 'response/body',
      expected: 'the same content as without Accept-Encoding: gzip',
      received: last.exchange.failure?.message ?? 'a body that is no JSON once its Content-Encoding is undone',
      contrast,
    };
  }),
  // The role `fatal` means: after this request, nobody answered for a while.
  checkComparison('service.stays-up', ({ all }) => {
    const [alone, fatal] = [all('alone'), all('fatal')];
    const by = fatal.at(-1) ?? alone.at(-1);
    if (by === undefined) return null;
    return {
      by,
      holds: fatal.length < MIN_FATAL_TIMES,
      expected: 'the service goes on answering others after this request',
      received: 'nobody answered after it for a while, in the run and both times that it was sent alone',
    };
  }),
  // The request must be accepted: then its credential is right. A bank may repeat a wrong credential.
  checkComparison(REFLECTION_CLAUSE, ({ one, about: { pointer } }) => {
    const [probe, accepted] = [one('probe'), one('accepted')];
    const { status = null } = accepted ?? {};
    if (probe === undefined || pointer === undefined || status === null || status >= 300) return null;
    const { expected, received } = makeReflection(probe.exchange, pointer);
    return { by: probe, holds: false, pointer, expected, received };
  }),
];
