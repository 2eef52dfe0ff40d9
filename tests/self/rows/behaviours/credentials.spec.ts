import { credentialsRefused } from '../../../../openapi/behaviours/service/credentials.ts';
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
