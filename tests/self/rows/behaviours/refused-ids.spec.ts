import { anyDigits } from '../../../../openapi/behaviours/loans/refused-ids.ts';
import { exchange } from '../../support/judge-harness.ts';
import { broken, notTested, rows } from './rows.ts';

/** Makes a contract with ids of `digits` digits. A floating-point number of 64 bits keeps only about sixteen digits. */
const makeContract = (nth: number, digits: number, status = 200) => {
  const id = `1${String(nth + 1).padStart(digits - 1, '0')}`;
  const asked = { application_id: id, account_id: id };
  return exchange('approveContract', status < 300 ? undefined : { message: 'No' }, { asked, status });
};
const makeContracts = (count: number, digits: number, status?: number) =>
  Array.from({ length: count }, (_, nth) => makeContract(2 * nth, digits, status));

const [refused, accepted, again] = [makeContracts(8, 19, 404), makeContracts(4, 12), makeContract(0, 19, 404)];
const [OTHER_REASON, CHANGED] = [
  'the digits of the ids do not decide which requests are refused',
  'the requests were not refused and accepted as before',
];

rows(anyDigits.approveContract, {
  'contracts are refused exactly where a double changes an id': broken({ refused, accepted, again }),
  'contracts are refused exactly for application ids of 2^31 and above, and below 2^53': broken({
    refused: makeContracts(8, 11, 404),
    accepted: makeContracts(4, 9),
    again: makeContract(0, 11, 404),
  }),
  'there are too few refusals': notTested({ refused: refused.slice(1), accepted, again }, OTHER_REASON),
  'the accepted ones may be accepted by chance': notTested(
    { refused, accepted: accepted.slice(1), again },
    OTHER_REASON,
  ),
  'an id that a double changes is accepted': notTested(
    { refused, accepted: [...accepted, makeContract(0, 19)], again },
    OTHER_REASON,
  ),
  'an id that a double keeps is refused': notTested(
    { refused: [...refused, makeContract(0, 12, 404)], accepted, again },
    OTHER_REASON,
  ),
  'the last contract is accepted, or fails, when it is repeated': [
    notTested({ refused, accepted, again: makeContract(0, 19) }, CHANGED),
    notTested({ refused, accepted, again: makeContract(0, 19, 500) }, CHANGED),
  ],
});
