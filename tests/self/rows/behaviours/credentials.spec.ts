/** Tests the clauses that wrong credentials are refused, also on a connection that carried the right ones. */
import { credentialsRefused } from '../../../../openapi/bank/behaviours/service/credentials.ts';
import { ownCredentials } from '../../../../openapi/behaviours/service/own-credentials.ts';
import { body, exchange } from '../../support/judge-harness.ts';
import { broken, kept, notTested, rows } from './rows.ts';

const control = exchange('requestLoan');
const refuse = (
  status: number,
  answer: unknown = { message: 'No' },
  labels: readonly (readonly [string, string])[] = [],
) => exchange('requestLoan', answer, { status, kind: 'probe', labels });

for (const refused of [credentialsRefused.loans.token, credentialsRefused['payment-links'].clientId])
  rows(refused, {
    'the bank accepts a request with a wrong credential': broken({ probe: control, control }),
    'the bank accepts a credential with one more character': broken(
      { probe: control, control, altered: 'with a further character' },
      { expected: 'a refusal of a credential with a further character' },
    ),
    'the refusal holds the data that the right client gets': broken({
      probe: refuse(401, body('requestLoan')),
      control,
    }),
    'the bank accepts the wrong credential on a fresh connection too': broken({
      probe: control,
      control,
      fresh: control,
    }),
    'the bank refuses the wrong credential on a fresh connection, or answers 500 there': [refuse(401), refuse(500)].map(
      (fresh) =>
        notTested({ probe: control, control, fresh }, 'the wrong credential is not accepted on a fresh connection'),
    ),
    'the bank refuses the wrong credential': kept({ probe: refuse(401), control }),
    'the bank refuses the right credentials too': notTested(
      { probe: refuse(401), control: refuse(403) },
      'the bank did not accept the same request with the right credentials',
    ),
    'the request with the wrong credential gets no answer': notTested(
      { probe: exchange('requestLoan', null, { kind: 'probe' }), control },
      'the request with the wrong credential got no answer',
    ),
    'the bank answers the wrong credential with Retry-After': notTested(
      { probe: refuse(503, { message: 'No' }, [['retry-after', '1']]), control },
      'the bank asked to wait',
    ),
  });

const header = 'X-GW-client-secret';
rows(ownCredentials, {
  'the bank accepts the wrong credential only on a connection that carried the right one': broken(
    { probe: control, control, fresh: refuse(401), header },
    {
      pointer: `request/header/${header}`,
      received: 'status 200 with data on a connection that carried the right credential before',
    },
  ),
  'the bank refuses the wrong credential': kept({ probe: refuse(401), control, header }),
  'the bank accepts the wrong credential on a fresh connection too': notTested(
    { probe: control, control, fresh: control, header },
    'a wrong credential is accepted on a fresh connection too',
  ),
  'the request on a fresh connection is answered 500 or 429': [refuse(500), refuse(429)].map((fresh) =>
    notTested({ probe: control, control, fresh, header }, 'the request on a fresh connection was not answered'),
  ),
  'the wrong credential was not sent again on a fresh connection': notTested(
    { probe: control, control, header },
    'the wrong credential was not sent again on a fresh connection',
  ),
  'the bank refuses the right credentials too': notTested(
    { probe: refuse(401), control: refuse(403), header },
    'the bank did not accept the same request with the right credentials',
  ),
  'the bank answers the wrong credential with 500': notTested(
    { probe: refuse(500), control, header },
    'the request with the wrong credential was not answered',
  ),
});
