/** Checks that order ids and tokens of payment links are unique, and that nobody can guess the next token. */
import type { Check } from '../../model/check.ts';
import { findDuplicates, mergeFindings, noteCheck } from '../../notes/generators.ts';

const makeUniquenessCheck = (
  name: 'orderId' | 'token',
  clause: Check['clause'],
  pointer: string,
  what: string,
): Check =>
  noteCheck(clause, 'createPaymentLink', function* ({ notes }, tested) {
    const words = { pointer, expected: `a new ${what} for a new link`, received: `the ${what} of another link` };
    yield* findDuplicates(
      notes('link'),
      ({ fact }) => fact[name],
      () => words,
      tested,
    );
  });

/** At least this many tokens must be the number of another token plus one. Random tokens never are. */
const MIN_COUNTED_TOKENS = 3;

/** Finds tokens that are consecutive numbers. A person who has one token can then guess the others. */
const consecutiveTokenCheck = noteCheck(
  'links.link.payment-token.not-counted',
  'createPaymentLink',
  function* ({ notes }, tested) {
    const links = notes('link');
    const tokens = new Map(
      links.flatMap((link) => (link.fact.token === null ? [] : [[link.fact.token, link] as const])),
    );
    const [first] = tokens.values();
    if (first === undefined || tokens.size <= MIN_COUNTED_TOKENS) return;
    tested(first, { count: tokens.size - 1 });
    const counted = links.flatMap((contrast) => {
      const by = tokens.get(contrast.fact.nextToken ?? '');
      const expected = 'a token that nobody can guess from another one';
      const received = 'the token of another link plus one';
      return by === undefined ? [] : [{ by, contrast, pointer: '/data/payment_token', expected, received }];
    });
    if (counted.length >= MIN_COUNTED_TOKENS) yield* mergeFindings(counted);
  },
);

export const paymentLinkChecks: readonly Check[] = [
  consecutiveTokenCheck,
  makeUniquenessCheck('orderId', 'links.link.order-id.distinct', '/data/order_id', 'order id'),
  makeUniquenessCheck('token', 'links.link.payment-token.distinct', '/data/payment_token', 'token'),
];
