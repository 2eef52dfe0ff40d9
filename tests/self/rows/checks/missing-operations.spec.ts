import { expect, test } from '@playwright/test';
import { operations } from '../../../../openapi/contract/operations.ts';
import { exchange } from '../../support/judge-harness.ts';
import { readResultOfRoles, type Roles } from '../history.ts';

const { path } = operations.listBranches.clauses;
const makeRefusal = (operation: 'listBranches' | 'listMerchants', status: number, message: string) =>
  exchange(operation, { message }, { status, kind: 'probe' });

test('An operation is missing if it is answered like an invented path, by a target that has other operations', () => {
  const unknown = makeRefusal('listBranches', 404, 'No route 5');
  const turnedAway = makeRefusal('listMerchants', 401, 'Who are you?');
  const missing = {
    refused: unknown,
    invented: makeRefusal('listBranches', 404, 'No route 17-xqzrt'),
    stranger: unknown,
  };
  const others = { elsewhere: makeRefusal('listMerchants', 404, 'No route'), turnedAway: [turnedAway, turnedAway] };
  const check = (roles: Roles) => readResultOfRoles(path, roles, { nonsense: 'xqzrt' });
  expect(check({ ...missing, ...others })).toBe('broken');
  for (const roles of [
    { invented: makeRefusal('listBranches', 404, 'Not here') },
    // The bank also refuses clients without credentials here: it may have the operation, and no data.
    { stranger: makeRefusal('listBranches', 401, 'Who are you?') },
    // One answer may be chance; and the bank may refuse clients without credentials on every path.
    { turnedAway: [turnedAway] },
    { elsewhere: turnedAway },
  ])
    expect(check({ ...missing, ...others, ...roles })).toBe('untested');
});
