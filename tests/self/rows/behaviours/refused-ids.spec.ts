/** Tests the clause that ids are not refused for their digits. */
import { anyDigits } from '../../../../openapi/bank/behaviours/loans/refused-ids.ts';
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

/** Makes contracts with application ids from `first` on. */
const countFrom = (first: number, count: number, status?: number) =>
  Array.from({ length: count }, (_, nth) => {
    const contract = makeContract(nth, 12, status);
    const asked = { ...contract.request.asked, application_id: String(first + nth) };
    return { ...contract, request: { ...contract.request, asked } };
  });

const [refused, accepted, again] = [makeContracts(8, 19, 404), makeContracts(4, 12), makeContract(0, 19, 404)];
const [OTHER_REASON, CHANGED] = [
  'the digits of the ids do not decide which requests are refused',
  'the requests were not refused and accepted as before',
];

rows(anyDigits.approveContract, {
  'contracts are refused exactly where a double changes an id': broken({ refused, accepted, again }),
  'contracts are refused exactly for application ids of more than 31 or 32 bits': [
    broken({ refused: countFrom(3_000_000_000, 8, 404), accepted: countFrom(1_000_000_000, 4), again }),
    broken({ refused: countFrom(5_000_000_000, 8, 404), accepted: countFrom(3_000_000_000, 4), again }),
  ],
  'there are only seven refusals': notTested({ refused: refused.slice(1), accepted, again }, OTHER_REASON),
  'only three accepted ids are exact as a double': notTested(
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
  'the refused contract is accepted, or gets 500, when it is sent again': [
    notTested({ refused, accepted, again: makeContract(0, 19) }, CHANGED),
    notTested({ refused, accepted, again: makeContract(0, 19, 500) }, CHANGED),
  ],
});
