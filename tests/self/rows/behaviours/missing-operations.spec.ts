/** Tests the clause that a documented operation is not answered like an invented path. */
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
  'the path is answered like an invented path, and other operations exist': broken(evidence),
  'an invented path is answered with another message': notTested(
    { ...evidence, invented: makeRefusal('listBranches', 404, 'Not here') },
    OTHER_ANSWER,
  ),
  'clients without credentials are refused at this path too': notTested(
    { ...evidence, stranger: makeRefusal('listBranches', 401, 'Who are you?') },
    OTHER_ANSWER,
  ),
  'only one request without credentials was refused at other operations': notTested(
    { ...evidence, turnedAway: [turnedAway] },
    OPEN_TO_ALL,
  ),
  'clients without credentials are refused at invented paths too': notTested(
    { ...evidence, elsewhere: turnedAway },
    OPEN_TO_ALL,
  ),
});
