import { missingOperations } from '../../../../openapi/behaviours/service/missing-operations.ts';
import { exchange } from '../../support/judge-harness.ts';
import { broken, notTested, rows } from './rows.ts';

const makeRefusal = (operation: 'listBranches' | 'listMerchants', status: number, message: string) =>
  exchange(operation, { message }, { status, kind: 'probe' });

const unknown = makeRefusal('listBranches', 404, 'No route 5');
const turnedAway = makeRefusal('listMerchants', 401, 'Who are you?');
const evidence = {
  refused: unknown,
  invented: makeRefusal('listBranches', 404, 'No route 17-xqzrt'),
  stranger: unknown,
  elsewhere: makeRefusal('listMerchants', 404, 'No route'),
  turnedAway: [turnedAway, turnedAway],
  nonsense: 'xqzrt',
};
const OTHER_ANSWER = 'the bank answers an undocumented path in another way';
const OPEN_TO_ALL = 'the bank does not refuse clients without credentials at its other operations';

rows(missingOperations.listBranches, {
  'it is answered like an invented path, by a bank that has other operations': broken(evidence),
  'an invented path is answered in another way': notTested(
    { ...evidence, invented: makeRefusal('listBranches', 404, 'Not here') },
    OTHER_ANSWER,
  ),
  'clients without credentials are refused here too: the bank may have the operation, and no data': notTested(
    { ...evidence, stranger: makeRefusal('listBranches', 401, 'Who are you?') },
    OTHER_ANSWER,
  ),
  'one refusal elsewhere may be chance': notTested({ ...evidence, turnedAway: [turnedAway] }, OPEN_TO_ALL),
  'clients without credentials are refused on every path': notTested(
    { ...evidence, elsewhere: turnedAway },
    OPEN_TO_ALL,
  ),
});
