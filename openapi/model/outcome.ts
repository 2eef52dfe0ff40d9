/** What came of a request: the one vocabulary of the judge, the rules over a run, the client, the scenarios and the report. */
import { header, type Answer } from './exchange.ts';

/**
 * `accepted`: 2xx with `data` as documented. `declined`: the same, but the answer itself says false. `malformed`: a 2xx without
 * readable `data`. `refused`: a no to what was asked, also in a 2xx. `conflict`: a no to the state that it is in. `forbidden`,
 * `unauthorized`: a no to the client. `throttled`: a no for the moment. `crashed`: a server error. `lost`: no final answer.
 */
export type Outcome =
  | 'accepted'
  | 'declined'
  | 'refused'
  | 'conflict'
  | 'forbidden'
  | 'unauthorized'
  | 'throttled'
  | 'crashed'
  | 'malformed'
  | 'lost';

/** What has an outcome; a request of the client may not have been sent, which is none of the target. */
interface WithOutcome {
  readonly outcome: Outcome | 'not-sent';
}

/** Statuses that speak of the client, its rights, the state or the moment (RFC 9110, 15.5; 407 is of a proxy); any other 4xx is a refusal. */
const ofStatus: Readonly<Record<number, Outcome>> = {
  401: 'unauthorized',
  402: 'forbidden',
  403: 'forbidden',
  407: 'unauthorized',
  408: 'throttled',
  409: 'conflict',
  423: 'conflict',
  425: 'throttled',
  429: 'throttled',
  451: 'forbidden',
};

/** True of an answer that says when to come again (RFC 9110, 10.2.3). */
export const comesAgain = (answer: Answer | null): boolean =>
  answer !== null && header(answer, 'retry-after') !== undefined;

/** The outcome of an answer, null where there is none; `ofBody` is what the body of a 2xx makes of it. */
export function outcomeOf(answer: Answer | null, ofBody: Outcome = 'accepted'): Outcome {
  if (answer === null || answer.status < 200 || answer.status >= 600) return 'lost';
  const { status } = answer;
  if (status < 300) return ofBody;
  // Redirects are never followed.
  if (status < 400) return 'lost';
  // With Retry-After a 4xx speaks of the moment, and a 503 of the load alone (RFC 9110, 15.6.4).
  if (comesAgain(answer) && (status < 500 || status === 503)) return 'throttled';
  return ofStatus[status] ?? (status < 500 ? 'refused' : 'crashed');
}

/** True of an answer in the documented form, whether or not it says false of itself. */
export const isAnswered = ({ outcome }: WithOutcome): boolean => outcome === 'accepted' || outcome === 'declined';

/** True of a refusal of what was asked, or for the state it is in; not for the client, its rights, the load or the moment. */
export const isRefusal = ({ outcome }: WithOutcome): boolean => outcome === 'refused' || outcome === 'conflict';

/** True of a no for whatever reason: nothing was done. */
export const isRejection = (one: WithOutcome): boolean =>
  isRefusal(one) || one.outcome === 'unauthorized' || one.outcome === 'forbidden' || one.outcome === 'throttled';

/** True of an answer that only asks to come again: 429, or one that says when. 408 and 425 may be about how it was sent. */
export const isThrottled = (answer: Answer | null): boolean =>
  outcomeOf(answer) === 'throttled' && (answer?.status === 429 || comesAgain(answer));
