/** Judges that the bank refuses a request with a missing or wrong credential, and that the answer has no data of the right client. */
import type { Area } from '../../../clauses/areas.ts';
import { citeTable, defineLevels } from '../../../clauses/clause.ts';
import { describeAnswer, hasSameDataAs } from '../../../history/answers.ts';
import { broken, compared, kept, notTested } from '../../../behaviours/behaviour.ts';
import { optional, reply, word } from '../../../behaviours/evidence.ts';

/** Defines that a missing or wrong `credential`, in the header field `header`, is refused. */
function defineCredentialRefused<const Id extends string>(id: Id, area: Area, header: string, credential: string) {
  const [table, request] =
    area === 'atms'
      ? ['ATM Locator', 'an ATM']
      : ['Revolving Loans and Pay-by-Link', area === 'loans' ? 'a loan' : 'a pay-by-link'];
  const { secure, expected } = defineLevels(area);
  return compared({
    id,
    // The addresses of ATMs are public: a bank may show them to everybody.
    clause: (area === 'atms' ? expected : secure)(
      citeTable('Authentication', table)(header),
      `The bank sends no data if ${request} request has a missing or wrong ${credential}.`,
    ),
    /**
     * `probe`: the request with the wrong credential. `altered`: how a right credential was changed, in words. `fresh`: the probe, sent
     * again on a fresh connection after the bank accepted it.
     */
    control: 'The same request with the right credentials is accepted.',
    evidence: { probe: reply(), control: reply(), fresh: optional(reply()), altered: optional(word) },
    judge({ probe, control, fresh, altered }) {
      const hasLeakedData = !probe.accepted && hasSameDataAs(probe.exchange, control.exchange);
      if (!probe.accepted && !hasLeakedData) {
        if (!control.accepted) return notTested('the bank did not accept the same request with the right credentials');
        if (probe.status === null) return notTested('the request with the wrong credential got no answer');
        return kept(probe, { contrast: control });
      }
      if (probe.accepted && fresh !== undefined && !fresh.accepted)
        return notTested('the wrong credential is not accepted on a fresh connection');
      return broken(probe, {
        pointer: `request/header/${header}`,
        expected:
          altered === undefined ? 'a refusal without the data of the request' : `a refusal of a credential ${altered}`,
        ...(hasLeakedData ? { received: `${describeAnswer(probe)}, with the data of the request` } : {}),
        contrast: control,
      });
    },
  });
}

const ID_HEADER = 'X-GW-client-id';
const SECRET_HEADER = 'X-GW-client-secret';
const TOKEN_HEADER = 'Authorization';

export const credentialsRefused = {
  loans: {
    clientId: defineCredentialRefused('loans.credentials.client-id', 'loans', ID_HEADER, 'client id'),
    clientSecret: defineCredentialRefused('loans.credentials.client-secret', 'loans', SECRET_HEADER, 'client secret'),
    token: defineCredentialRefused('loans.credentials.token', 'loans', TOKEN_HEADER, 'access token'),
  },
  'payment-links': {
    clientId: defineCredentialRefused('links.credentials.client-id', 'payment-links', ID_HEADER, 'client id'),
    clientSecret: defineCredentialRefused(
      'links.credentials.client-secret',
      'payment-links',
      SECRET_HEADER,
      'client secret',
    ),
    token: defineCredentialRefused('links.credentials.token', 'payment-links', TOKEN_HEADER, 'access token'),
  },
  atms: {
    clientId: defineCredentialRefused('atms.credentials.client-id', 'atms', ID_HEADER, 'client id'),
    clientSecret: defineCredentialRefused('atms.credentials.client-secret', 'atms', SECRET_HEADER, 'client secret'),
  },
};
