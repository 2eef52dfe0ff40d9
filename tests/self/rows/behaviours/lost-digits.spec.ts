import { contractWithAnyDigits } from '../../../../openapi/behaviours/loans/lost-digits.ts';
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

const [lossy, taken, again] = [makeContracts(8, 19, 404), makeContracts(4, 12), makeContract(0, 19, 404)];
const [OTHER_REASON, CHANGED] = [
  'the digits of the ids do not decide which contracts are refused',
  'the contracts were not refused and accepted as before',
];

rows(contractWithAnyDigits, {
  'contracts are refused exactly where a double changes an id': broken({ lossy, taken, again }),
  'there are too few refusals': notTested({ lossy: lossy.slice(1), taken, again }, OTHER_REASON),
  'the accepted ones may be accepted by chance': notTested({ lossy, taken: taken.slice(1), again }, OTHER_REASON),
  'an id that a double changes is accepted': notTested(
    { lossy, taken: [...taken, makeContract(0, 19)], again },
    OTHER_REASON,
  ),
  'an id that a double keeps is refused': notTested(
    { lossy: [...lossy, makeContract(0, 12, 404)], taken, again },
    OTHER_REASON,
  ),
  'the last contract is accepted, or fails, when it is repeated': [
    notTested({ lossy, taken, again: makeContract(0, 19) }, CHANGED),
    notTested({ lossy, taken, again: makeContract(0, 19, 500) }, CHANGED),
  ],
});
