import { credentialsRefused } from '../../../../openapi/behaviours/service/credentials.ts';
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
    'a request with a wrong credential is accepted': broken({ probe: control, control }),
    'an altered credential is accepted': broken(
      { probe: control, control, altered: 'with a further character' },
      { expected: 'a refusal of a credential with a further character' },
    ),
    'the refusal has the data of the right client': broken({ probe: refuse(401, body('requestLoan')), control }),
    'accepted on a fresh connection too': broken({ probe: control, control, fresh: control }),
    'refused on a fresh connection, or not answered there': [refuse(401), refuse(500)].map((fresh) =>
      notTested({ probe: control, control, fresh }, 'the wrong credential is not accepted on a fresh connection'),
    ),
    'the request is refused': kept({ probe: refuse(401), control }),
    'the right credentials are refused too': notTested(
      { probe: refuse(401), control: refuse(403) },
      'the bank did not accept the same request with the right credentials',
    ),
    'no answer comes': notTested(
      { probe: exchange('requestLoan', null, { kind: 'probe' }), control },
      'the request with the wrong credential got no answer',
    ),
    'the bank asks to wait': notTested(
      { probe: refuse(503, { message: 'No' }, [['retry-after', '1']]), control },
      'the bank asked to wait',
    ),
  });

const header = 'X-GW-client-secret';
rows(ownCredentials, {
  'accepted only on a connection that carried the right credential': broken(
    { probe: control, control, fresh: refuse(401), header },
    {
      pointer: `request/header/${header}`,
      received: 'status 200 with data on a connection that carried the right one',
    },
  ),
  'the request is refused': kept({ probe: refuse(401), control, header }),
  'accepted on a fresh connection too': notTested(
    { probe: control, control, fresh: control, header },
    'a wrong credential is accepted on a fresh connection too',
  ),
  'no answer on the fresh connection': [refuse(500), refuse(429)].map((fresh) =>
    notTested({ probe: control, control, fresh, header }, 'the request on a fresh connection was not answered'),
  ),
  'not sent again': notTested(
    { probe: control, control, header },
    'the wrong credential was not sent again on a fresh connection',
  ),
  'the right credentials are refused too': notTested(
    { probe: refuse(401), control: refuse(403), header },
    'the bank did not accept the same request with the right credentials',
  ),
  'the request with the wrong credential is answered 500': notTested(
    { probe: refuse(500), control, header },
    'the request with the wrong credential was not answered',
  ),
});
