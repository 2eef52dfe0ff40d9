/** Judges that a credential counts only for the request that carries it, not for later requests on the same connection. */
import { citeSection, defineLevels } from '../../clauses/clause.ts';
import { describeAnswer } from '../../history/answers.ts';
import { isRejection } from '../../model/outcome.ts';
import { broken, compared, kept, notTested } from '../behaviour.ts';
import { optional, reply, word } from '../evidence.ts';

/**
 * `probe`: a request with a missing or wrong credential, on a connection that carried the right one. `fresh`: such a request on a
 * fresh connection, if the bank accepted the probe. `header`: the name of the header field of the credential.
 */
export const ownCredentials = compared({
  id: 'service.credentials-of-request',
  clause: defineLevels('service').expected(
    citeSection('Authentication'),
    'A missing or wrong credential is refused also on a connection that carried the right one, if a fresh connection refuses it.',
  ),
  control: 'The same request with the right credentials is accepted just before.',
  evidence: { probe: reply(), control: reply(), fresh: optional(reply()), header: word },
  judge({ probe, control, fresh, header }) {
    if (!control.accepted) return notTested('the bank did not accept the same request with the right credentials');
    if (isRejection(probe)) return kept(probe, { contrast: control });
    if (!probe.accepted) return notTested('the request with the wrong credential was not answered');
    if (fresh === undefined) return notTested('the wrong credential was not sent again on a fresh connection');
    if (fresh.accepted) return notTested('a wrong credential is accepted on a fresh connection too');
    if (!isRejection(fresh) || fresh.outcome === 'throttled')
      return notTested('the request on a fresh connection was not answered');
    return broken(probe, {
      pointer: `request/header/${header}`,
      expected: 'a refusal, as on a fresh connection',
      received: `${describeAnswer(probe)} on a connection that carried the right credential before`,
      contrast: fresh,
    });
  },
});
