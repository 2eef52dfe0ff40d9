/** Checks the whole service: it keeps answering, it does not repeat credentials, and compressed answers are readable. */
import type { Check } from '../../model/check.ts';
import { operationIds } from '../../model/exchange.ts';
import { isAnswered } from '../../model/outcome.ts';
import { REFLECTION_CLAUSE, makeReflection } from '../../history/reflection.ts';
import { checkComparison } from '../check.ts';

/** This many compressed answers in a row must be unreadable: a single one may be an accident. */
export const MIN_UNREADABLE_ANSWERS = 3;

/**
 * A request that is sent alone must stop the service this many times: a single time, the service may have stopped for another
 * reason.
 */
export const MIN_SERVICE_STOPS = 2;

export const serviceChecks: readonly Check[] = [
  ...operationIds.map((operation): Check => ({
    clause: 'service.stays-up',
    operation,
    unit: 'requests',
    *of({ notes }, tested) {
      const own = notes('answer').filter(({ fact }) => fact.operation === operation);
      const accepted = own.find(({ fact }) => isAnswered(fact));
      if (accepted !== undefined) tested(accepted, { count: own.length });
    },
  })),
  checkComparison('service.content-coding', ({ all }) => {
    const [probes, controls] = [all('probe'), all('control')];
    const [last, contrast] = [probes.at(-1), controls.at(-1)];
    const isDecided = last?.accepted === true || probes.length >= MIN_UNREADABLE_ANSWERS;
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
  // Answers with the role `fatal`: after this request, the service did not answer for a while.
  checkComparison('service.stays-up', ({ all }) => {
    const [alone, fatal] = [all('alone'), all('fatal')];
    const by = fatal.at(-1) ?? alone.at(-1);
    if (by === undefined) return null;
    return {
      by,
      holds: fatal.length < MIN_SERVICE_STOPS,
      expected: 'the service goes on answering others after this request',
      received: 'nobody answered after it for a while, in the run and both times that it was sent alone',
    };
  }),
  // The bank must accept the request, so that its credential is right. A bank may repeat a wrong credential.
  checkComparison(REFLECTION_CLAUSE, ({ one, about: { pointer } }) => {
    const [probe, accepted] = [one('probe'), one('accepted')];
    const { status = null } = accepted ?? {};
    if (probe === undefined || pointer === undefined || status === null || status >= 300) return null;
    const { expected, received } = makeReflection(probe.exchange, pointer);
    return { by: probe, holds: false, pointer, expected, received };
  }),
];
