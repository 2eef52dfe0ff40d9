/** Tests paired comparisons: one request that the bank refuses and one that it accepts, sent by turns. */
import { expect, test } from '@playwright/test';
import { evaluateBehaviours } from '../../../../openapi/evaluate-run.ts';
import { readAnswer } from '../../../../openapi/history/answers.ts';
import { judge } from '../../../../openapi/judge.ts';
import type { Contrast } from '../../../../openapi/model/history.ts';
import type { Exchange } from '../../../../openapi/model/exchange.ts';
import { EMPTY_HISTORY, exchange } from '../../support/judge-harness.ts';

const answer = (status: number, labels: readonly (readonly [string, string])[] = []) =>
  exchange('approveContract', { message: 'No' }, { status, labels });
const accepted = exchange('approveContract');
const [refusal, crash] = [answer(422), answer(500)];
const lost = exchange('approveContract', null);
const lostLink = exchange('createPaymentLink', null);
const link = exchange('createPaymentLink');
const failing = { kind: 'server-error' };
const [twoAccepted, twoRefused] = [
  [accepted, accepted],
  [refusal, refusal],
];

interface Row {
  readonly refused?: readonly Exchange[];
  readonly accepted?: readonly Exchange[];
  readonly nonsense?: readonly Exchange[];
  readonly words?: Contrast['words'];
}
const OTHER_REASON = 'the difference between the requests did not decide each answer';
const rows: Readonly<Record<string, readonly [result: string, ...rows: readonly Row[]]>> = {
  'one request is always refused, and the other always accepted': [
    'broken',
    { refused: twoRefused, accepted: twoAccepted },
    { refused: [answer(401), crash], accepted: twoAccepted, nonsense: [refusal] },
    { refused: [crash, crash], accepted: twoAccepted, words: failing },
  ],
  'all requests are accepted': ['kept', { accepted: [accepted] }],
  'one answer differs from the others of its side': [
    OTHER_REASON,
    ...[accepted, lost, answer(429), answer(503, [['retry-after', '1']])].map((other) => ({
      refused: [refusal, other],
      accepted: twoAccepted,
    })),
    { refused: twoRefused, accepted: [accepted, refusal] },
    { refused: [crash, refusal], accepted: twoAccepted, words: failing },
    { refused: [lostLink, lostLink], accepted: [link, link], words: { ...failing, pointer: 'request/body/amount' } },
  ],
  'the connection closes each time for a text': [
    'broken',
    {
      refused: [lostLink, lostLink],
      accepted: [link, link],
      words: { ...failing, pointer: 'request/body/personal_description' },
    },
  ],
  'a value is throttled each time': [
    'broken',
    ...[answer(429), answer(503, [['retry-after', '60']]), answer(500, [['retry-after', '1']]), answer(408)].map(
      (throttled) => ({ refused: [throttled, throttled], accepted: twoAccepted, words: { kind: 'throttled' } }),
    ),
  ],
  'a throttled value is refused once, or another value is throttled': [
    OTHER_REASON,
    { refused: [answer(429), refusal], accepted: twoAccepted, words: { kind: 'throttled' } },
    { refused: [answer(429), answer(429)], accepted: [accepted, answer(429)], words: { kind: 'throttled' } },
  ],
  'there are too few answers': [
    'too few requests were refused and accepted in turn',
    { refused: [refusal], accepted: twoAccepted },
    { refused: twoRefused, accepted: [accepted] },
  ],
  'a meaningless value is accepted too': [
    'the bank also accepts a meaningless value',
    { refused: twoRefused, accepted: twoAccepted, nonsense: [refusal, accepted] },
  ],
};

const read = (exchanges: readonly Exchange[] = []) =>
  exchanges.map((exchange) => readAnswer(exchange, judge(exchange).outcome));
function evaluate({ words = {}, ...sides }: Row) {
  const contrast: Contrast = {
    clause: 'loans.offer.is-taken',
    refused: read(sides.refused),
    accepted: read(sides.accepted),
    nonsense: read(sides.nonsense),
    words,
  };
  return evaluateBehaviours({ ...EMPTY_HISTORY, contrasts: [contrast] });
}

for (const [title, [result, ...rowsOfTitle]] of Object.entries(rows))
  test(`A paired comparison has the result “${result}” if ${title}`, () => {
    for (const [nth, row] of rowsOfTitle.entries()) {
      const { broken, exercised, untested } = evaluate(row);
      const reason = untested.find(({ clause }) => clause === 'loans.offer.is-taken')?.why;
      expect([nth, broken.length > 0 ? 'broken' : exercised.length > 0 ? 'kept' : reason]).toEqual([nth, result]);
    }
  });

test('A documented variant that is always refused is a finding, and its clause is not tested', () => {
  const { broken, exercised } = evaluate({ refused: twoRefused, accepted: twoAccepted, words: { kind: 'refused' } });
  expect([broken.length, exercised.length]).toEqual([1, 0]);
});
