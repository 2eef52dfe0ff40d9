/** The service keeps answering, and its compressed answers are readable. */
import { defineLevels, jsonBodySource } from '../../clauses/levels.ts';
import { refusalsSource } from '../../clauses/service.ts';
import { broken, compared, kept, notTested, ofRun } from '../behaviour.ts';
import { list, reply } from '../evidence.ts';
import { listWorkingOperations } from './answers.ts';

const { robust } = defineLevels('service');

/** This many compressed answers in a row must be unreadable: a single one may be an accident. */
export const MIN_UNREADABLE_ANSWERS = 3;

export const compressedReadable = compared({
  id: 'service.content-coding',
  clause: robust(jsonBodySource, 'If a request accepts gzip, the client can decode the answer to JSON.'),
  /** `probe` accepts gzip, `control` does not. */
  evidence: { answers: list({ probe: reply(), control: reply() }) },
  judge({ answers }) {
    const last = answers.at(-1);
    if (last === undefined || !answers.every(({ control }) => control.accepted))
      return notTested('the bank did not accept the request without gzip');
    if (last.probe.accepted) return kept(last.probe, { contrast: last.control });
    if (answers.length < MIN_UNREADABLE_ANSWERS) return notTested('too few compressed answers were requested');
    return broken(last.probe, {
      pointer: 'response/body',
      expected: 'the same content as without Accept-Encoding: gzip',
      received: last.probe.exchange.failure?.message ?? 'a body that is no JSON once its Content-Encoding is undone',
      contrast: last.control,
    });
  },
});

/**
 * A request that is sent alone must stop the service this many times: a single time, the service may have stopped for another
 * reason.
 */
export const MIN_SERVICE_STOPS = 2;

const staysUpClause = robust(refusalsSource, 'No request makes the service stop answering.');

/** `fatal`: those requests of `alone` after which the service did not answer for a while. */
export const serviceStopped = compared({
  id: 'service.stays-up',
  clause: staysUpClause,
  evidence: { alone: list(reply()), fatal: list(reply()) },
  judge({ alone, fatal }) {
    const by = fatal.at(-1) ?? alone.at(-1);
    if (by === undefined) return notTested('no request was sent alone');
    if (fatal.length < MIN_SERVICE_STOPS) return kept(by);
    return broken(by, {
      expected: 'the service goes on answering others after this request',
      received: 'nobody answered after it for a while, in the run and both times that it was sent alone',
    });
  },
});

export const serviceAnswers = ofRun({
  id: 'service.stays-up',
  clause: staysUpClause,
  unit: 'requests',
  judge({ answers }) {
    const working = listWorkingOperations(answers);
    if (working.length === 0) return [notTested('the bank accepted no documented request')];
    return working.map(({ requests, accepted }) => kept(accepted, { count: requests.length }));
  },
});
