/** Order ids and tokens of payment links are unique, and nobody can guess them. */
import type { Check } from '../model/check.ts';
import type { Fact, PaymentFact } from '../model/facts.ts';
import { isRejection, type Outcome } from '../model/outcome.ts';
import type { Exchange } from '../model/exchange.ts';
import { digest } from '../util/hash.ts';
import { readMoment } from '../contract/formats.ts';
import { featuresOf } from './answers.ts';
import type { Entry } from '../rules/entries.ts';
import { duplicates, inOne, noteCheck } from './notes.ts';

/** The payment that an exchange may have been. */
export function paymentFacts({ operation, startedAt, durationMs }: Exchange, outcome: Outcome): readonly PaymentFact[] {
  if (operation !== 'createPaymentLink' || isRejection({ outcome })) return [];
  return [{ rule: 'payment', from: startedAt, at: startedAt + durationMs }];
}

/** Digits at the end of a token that are read as a counter. */
const MAX_DIGITS = 18;

function digestOfNext(token: string): string | null {
  const digits = new RegExp(`\\d{1,${MAX_DIGITS}}$`).exec(token)?.[0];
  if (digits === undefined) return null;
  return digest(token.slice(0, -digits.length) + String(BigInt(digits) + 1n).padStart(digits.length, '0'));
}

export function linkFacts(exchange: Exchange, data: unknown): readonly Fact<'link' | 'highest'>[] {
  const { order_id: orderId, payment_token: token, end_date: expiry, qr_max_amount: highest } = data as Entry;
  if (exchange.operation === 'listMerchants' && typeof highest === 'number')
    return [{ rule: 'highest', amount: highest }];
  if (exchange.operation !== 'createPaymentLink') return [];
  return [
    {
      rule: 'link',
      orderId: typeof orderId === 'string' ? digest(orderId.toLowerCase().replaceAll(/[^0-9a-f]/g, '')) : null,
      token: typeof token === 'string' && token !== '' ? digest(token) : null,
      nextToken: typeof token === 'string' ? digestOfNext(token) : null,
      expiry: typeof expiry === 'string' && readMoment(expiry) !== null ? expiry : null,
      from: exchange.startedAt,
      at: exchange.startedAt + exchange.durationMs,
      asked: featuresOf(exchange.request),
    },
  ];
}

const distinct = (name: 'orderId' | 'token', clause: Check['clause'], pointer: string, what: string): Check =>
  noteCheck(clause, 'createPaymentLink', function* ({ notes }, tested) {
    const words = { pointer, expected: `a new ${what} for a new link`, received: `the ${what} of another link` };
    yield* duplicates(
      notes('link'),
      ({ fact }) => fact[name],
      () => words,
      tested,
    );
  });

/** Tokens that follow another token of the run. Random tokens never do. */
const MIN_COUNTED = 3;

/** Who has one link can guess the others if tokens count up. */
const tokensCounted = noteCheck(
  'links.link.payment-token.not-counted',
  'createPaymentLink',
  function* ({ notes }, tested) {
    const links = notes('link');
    const tokens = new Map(
      links.flatMap((link) => (link.fact.token === null ? [] : [[link.fact.token, link] as const])),
    );
    const [first] = tokens.values();
    if (first === undefined || tokens.size <= MIN_COUNTED) return;
    tested(first, { count: tokens.size - 1 });
    const counted = links.flatMap((contrast) => {
      const by = tokens.get(contrast.fact.nextToken ?? '');
      const expected = 'a token that nobody can guess from another one';
      const received = 'the token of another link and one more';
      return by === undefined ? [] : [{ by, contrast, pointer: '/data/payment_token', expected, received }];
    });
    if (counted.length >= MIN_COUNTED) yield* inOne(counted);
  },
);

export const paymentLinkChecks: readonly Check[] = [
  tokensCounted,
  distinct('orderId', 'links.link.order-id.distinct', '/data/order_id', 'order id'),
  distinct('token', 'links.link.payment-token.distinct', '/data/payment_token', 'token'),
];
