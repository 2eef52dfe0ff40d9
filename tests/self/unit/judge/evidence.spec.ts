/** Tests the evidence of behaviours: how it is written and read, and that evidence of a wrong form is refused. */
import { expect, test } from '@playwright/test';
import {
  listNeededOperations,
  list,
  Misfit,
  optional,
  readEvidence,
  reply,
  word,
  writeEvidence,
  type EvidenceOf,
  type Shape,
} from '../../../../openapi/behaviours/evidence.ts';
import { evaluateBehaviours } from '../../../../openapi/evaluate-run.ts';
import { listDependencies } from '../../../../openapi/behaviours/index.ts';
import type { ComparedBehaviour } from '../../../../openapi/behaviours/behaviour.ts';
import { linkOnce } from '../../../../openapi/bank/behaviours/races/once.ts';
import { readAnswer } from '../../../../openapi/history/answers.ts';
import { EMPTY_HISTORY, exchange } from '../../support/judge-harness.ts';

const link = reply('createPaymentLink');
const shape = { pairs: list({ first: link, second: link }), atOnce: link, later: optional(link), how: optional(word) };
const [firstLink, secondLink, branchList] = [
  exchange('createPaymentLink'),
  exchange('createPaymentLink'),
  exchange('listBranches'),
];

const read = (
  roles: Readonly<Record<string, readonly (typeof firstLink)[]>>,
  about: Readonly<Record<string, string>> = {},
) => {
  const answers = Object.entries(roles).map(([role, exchanges]) => [
    role,
    exchanges.map((exchange) => readAnswer(exchange, 'accepted')),
  ]);
  return readEvidence(shape, { answers: Object.fromEntries(answers), about });
};
const completeEvidence = {
  'pairs.first': [firstLink, secondLink],
  'pairs.second': [secondLink, firstLink],
  atOnce: [firstLink],
};

test('A behaviour needs the operations of the roles that are not optional and not for any operation', () => {
  const needed = listNeededOperations({ ...shape, any: reply(), step: reply('approveContract', 'disburse') });
  expect(needed).toEqual([...Array.from({ length: 3 }, () => ['createPaymentLink']), ['approveContract', 'disburse']]);
  // One variant of this clause needs only outcomes, so that the clause depends on nothing else.
  expect(listDependencies('loans.outcome.reached')).toEqual([['queryDisbursement']]);
  expect(listDependencies('service.stays-up')).toEqual([]);
});

test('Evidence is written as exchange ids by role, and read back in the same form', () => {
  const pairs = [
    { first: firstLink, second: secondLink },
    { first: secondLink, second: firstLink },
  ];
  expect(writeEvidence(shape, { pairs, atOnce: firstLink, how: 'so' })).toEqual({
    exchanges: {
      'pairs.first': [firstLink.id, secondLink.id],
      'pairs.second': [secondLink.id, firstLink.id],
      atOnce: [firstLink.id],
    },
    about: { how: 'so' },
  });
  const evidence = read(completeEvidence, { how: 'so' });
  expect(evidence.pairs.map(({ first, second }) => [first.exchange, second.exchange])).toEqual([
    [firstLink, secondLink],
    [secondLink, firstLink],
  ]);
  expect([evidence.atOnce.exchange, evidence.later, evidence.how]).toEqual([firstLink, undefined, 'so']);
  expect(read({ atOnce: [firstLink] }).pairs).toEqual([]);
});

test('Evidence with an unsent request is not written, and evidence with wrong roles or operations is not read', () => {
  const operation = 'createPaymentLink';
  const unsent = { operation, outcome: 'not-sent', exchange: { id: '' }, why: 'no budget' } as const;
  expect(writeEvidence(shape, { pairs: [], atOnce: unsent })).toBe('no budget');
  expect(writeEvidence(shape, { pairs: [], atOnce: null })).toBe('the request “atOnce” was not sent');
  const wrong: readonly Parameters<typeof read>[0][] = [
    { ...completeEvidence, atOne: [firstLink] },
    { ...completeEvidence, atOnce: [] },
    { ...completeEvidence, atOnce: [firstLink, secondLink] },
    { ...completeEvidence, atOnce: [branchList] },
    { ...completeEvidence, 'pairs.second': [secondLink] },
    { ...completeEvidence, later: [branchList] },
  ];
  for (const roles of wrong) expect(() => read(roles)).toThrow(Misfit);
});

test('A misspelt role, a wrong type and the evidence of another behaviour do not compile', () => {
  const sent = { operation: 'createPaymentLink', outcome: 'accepted', exchange: firstLink } as const;
  const list = { operation: 'listBranches', outcome: 'accepted', exchange: branchList } as const;
  const pair = { first: sent, second: sent };
  type Behaviour<S extends Shape> = ComparedBehaviour<string, S>;
  const compare = <S extends Shape>(_: Behaviour<S>, _evidence: EvidenceOf<S, 'sent'>): void => undefined;
  compare(linkOnce, { swapped: [], inSequence: [pair], atOnce: pair });
  // @ts-expect-error: `frist` is no role.
  compare(linkOnce, { swapped: [], inSequence: [pair], atOnce: { frist: sent, second: sent } });
  // @ts-expect-error: `later` is no role, not even an optional one.
  compare(linkOnce, { swapped: [], inSequence: [pair], atOnce: pair, later: pair });
  // @ts-expect-error: a branch list is no payment link.
  compare(linkOnce, { swapped: [], inSequence: [pair], atOnce: { first: list, second: sent } });
  // @ts-expect-error: one pair in the place of a list.
  compare(linkOnce, { swapped: [], inSequence: pair, atOnce: pair });
  // @ts-expect-error: the evidence of another behaviour.
  compare(linkOnce, { probe: sent, control: sent });
});

test('Evidence of an unknown kind in the exchange log is an error, and tests no clause', () => {
  const comparison = { answers: { 'atOnce.first': [] }, about: { way: 'efect' } };
  const compared = (id: string) => (id === 'loans.disbursement.once' ? [comparison] : []);
  const { errors, exercised } = evaluateBehaviours({ ...EMPTY_HISTORY, compared });
  expect(exercised).toEqual([]);
  expect(errors).toEqual(['The history has evidence of an unknown kind for loans.disbursement.once.']);
});
