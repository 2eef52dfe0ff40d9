/** Tests the evidence of behaviours in the journal: anybody may have written it. */
import { expect, test } from '@playwright/test';
import {
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
import { evaluateBehaviours } from '../../../../openapi/behaviours/evaluate.ts';
import type { ClauseId } from '../../../../openapi/clauses/index.ts';
import type { ComparedBehaviour } from '../../../../openapi/behaviours/behaviour.ts';
import { linkOnce } from '../../../../openapi/behaviours/races/once.ts';
import { readAnswer } from '../../../../openapi/history/answers.ts';
import { EMPTY_HISTORY, exchange } from '../../support/judge-harness.ts';

const link = reply('createPaymentLink');
const shape = { pairs: list({ first: link, second: link }), atOnce: link, later: optional(link), how: optional(word) };
const [a, b, other] = [exchange('createPaymentLink'), exchange('createPaymentLink'), exchange('listBranches')];

const read = (roles: Readonly<Record<string, readonly (typeof a)[]>>, about: Readonly<Record<string, string>> = {}) => {
  const answers = Object.entries(roles).map(([role, all]) => [role, all.map((one) => readAnswer(one, 'accepted'))]);
  return readEvidence(shape, { answers: Object.fromEntries(answers), about });
};
const whole = { 'pairs.first': [a, b], 'pairs.second': [b, a], atOnce: [a] };

test('Evidence is written by role and read in the same form', () => {
  const pairs = [
    { first: a, second: b },
    { first: b, second: a },
  ];
  expect(writeEvidence(shape, { pairs, atOnce: a, how: 'so' })).toEqual({
    exchanges: { 'pairs.first': [a.id, b.id], 'pairs.second': [b.id, a.id], atOnce: [a.id] },
    about: { how: 'so' },
  });
  const evidence = read(whole, { how: 'so' });
  expect(evidence.pairs.map(({ first, second }) => [first.exchange, second.exchange])).toEqual([[a, b], [b, a]]); // prettier-ignore
  expect([evidence.atOnce.exchange, evidence.later, evidence.how]).toEqual([a, undefined, 'so']);
  expect(read({ atOnce: [a] }).pairs).toEqual([]);
});

test('Evidence that was not sent, or that has not the shape, is refused', () => {
  const operation = 'createPaymentLink';
  const unsent = { operation, outcome: 'not-sent', exchange: { id: '' }, why: 'no budget' } as const;
  expect(writeEvidence(shape, { pairs: [], atOnce: unsent })).toBe('no budget');
  expect(writeEvidence(shape, { pairs: [], atOnce: null })).toBe('the request “atOnce” was not sent');
  const wrong: readonly Parameters<typeof read>[0][] = [{ ...whole, atOne: [a] }, { ...whole, atOnce: [] }, { ...whole, atOnce: [a, b] }, { ...whole, atOnce: [other] }, { ...whole, 'pairs.second': [b] }, { ...whole, later: [other] }]; // prettier-ignore
  for (const roles of wrong) expect(() => read(roles)).toThrow(Misfit);
});

test('A misspelt role, a wrong type and the evidence of another behaviour do not compile', () => {
  const sent = { operation: 'createPaymentLink', outcome: 'accepted', exchange: a } as const;
  const list = { operation: 'listBranches', outcome: 'accepted', exchange: other } as const;
  const pair = { first: sent, second: sent };
  type Behaviour<S extends Shape> = ComparedBehaviour<ClauseId, S>;
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

test('Evidence of a kind that no behaviour of the clause has is an error of the history', () => {
  const comparison = { answers: { 'atOnce.first': [] }, about: { way: 'efect' } };
  const compared = (clause: ClauseId) => (clause === 'loans.disbursement.once' ? [comparison] : []);
  const { errors, exercised } = evaluateBehaviours({ ...EMPTY_HISTORY, compared });
  expect(exercised).toEqual([]);
  expect(errors).toEqual(['The history has evidence of an unknown kind for loans.disbursement.once.']);
});
