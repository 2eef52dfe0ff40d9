/** Judges that the bank refuses a request with a missing or wrong credential, and that the answer has no data of the right client. */
import type { Area } from '../../../clauses/areas.ts';
import { citeTable, defineLevels } from '../../../clauses/clause.ts';
import { describeAnswer, hasSameDataAs } from '../../../history/answers.ts';
import { broken, compared, kept, notTested } from '../../../behaviours/behaviour.ts';
import { optional, reply, word } from '../../../behaviours/evidence.ts';

/** Defines that a missing or wrong `credential`, in the header field `header`, is refused. */
function defineCredentialRefused<const Id extends string>(
  id: Id,
  area: Area,
  headerName: string,
  credentialName: string,
) {
  const [tableName, requestKind] =
    area === 'atms'
      ? ['ATM Locator', 'an ATM']
      : ['Revolving Loans and Pay-by-Link', area === 'loans' ? 'a loan' : 'a pay-by-link'];
  const { secure, expected } = defineLevels(area);
  return compared({
    id,
    // The addresses of ATMs are public: a bank may show them to everybody.
    clause: (area === 'atms' ? expected : secure)(
      citeTable('Authentication', tableName)(headerName),
      `The bank sends no data if ${requestKind} request has a missing or wrong ${credentialName}.`,
    ),
    /**
     * `probe`: the request with the wrong credential. `altered`: how a right credential was changed, in words. `fresh`: the probe, sent
     * again on a fresh connection after the bank accepted it.
     */
    control: 'The same request with the right credentials is accepted.',
    evidence: { probe: reply(), control: reply(), fresh: optional(reply()), altered: optional(word) },
    judge({ probe: answerToWrong, control: answerToRight, fresh: answerOnFreshConnection, altered: alterationText }) {
      const hasLeakedData = !answerToWrong.accepted && hasSameDataAs(answerToWrong.exchange, answerToRight.exchange);
      if (!answerToWrong.accepted && !hasLeakedData) {
        if (!answerToRight.accepted)
          return notTested('the bank did not accept the same request with the right credentials');
        if (answerToWrong.status === null) return notTested('the request with the wrong credential got no answer');
        return kept(answerToWrong, { contrast: answerToRight });
      }
      if (answerToWrong.accepted && answerOnFreshConnection !== undefined && !answerOnFreshConnection.accepted)
        return notTested('the wrong credential is not accepted on a fresh connection');
      return broken(answerToWrong, {
        pointer: `request/header/${headerName}`,
        expected:
          alterationText === undefined
            ? 'a refusal without the data of the request'
            : `a refusal of a credential ${alterationText}`,
        ...(hasLeakedData ? { received: `${describeAnswer(answerToWrong)}, with the data of the request` } : {}),
        contrast: answerToRight,
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
