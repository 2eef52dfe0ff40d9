/** Payment links differ from one another. */
import type { Check } from '../model/check.ts';
import type { LinkFact, HighestFact, PaymentFact } from '../model/facts.ts';
import { isRejection, type Outcome } from '../model/outcome.ts';
import type { Exchange } from '../model/exchange.ts';
import { digest } from '../util/hash.ts';
import { readMoment } from '../contract/formats.ts';
import { featuresOf } from './answers.ts';
import { groupBy } from '../util/group-by.ts';

/** The payment that an exchange may have been. */
export function paymentFacts({ operation, startedAt, durationMs }: Exchange, outcome: Outcome): readonly PaymentFact[] {
  if (operation !== 'createPaymentLink' || isRejection({ outcome })) return [];
  return [{ rule: 'payment', from: startedAt, at: startedAt + durationMs }];
}

/** Digits at the end of a token that are counted on. */
const MAX_DIGITS = 18;

function digestOfNext(token: string): string | null {
  const digits = new RegExp(`\\d{1,${MAX_DIGITS}}$`).exec(token)?.[0];
  if (digits === undefined) return null;
  return digest(token.slice(0, -digits.length) + String(BigInt(digits) + 1n).padStart(digits.length, '0'));
}

export function linkFacts(exchange: Exchange, data: unknown): readonly (LinkFact | HighestFact)[] {
  const {
    order_id: orderId,
    payment_token: token,
    end_date: expiry,
    qr_max_amount: highest,
  } = data as Readonly<Record<string, unknown>>;
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

const distinct = (name: 'orderId' | 'token', clause: Check['clause'], pointer: string, what: string): Check => ({
  clause,
  operation: 'createPaymentLink',
  unit: 'comparisons',
  *of({ notes }, tested) {
    const [first, ...others] = notes('link').filter(({ fact }) => fact[name] !== null);
    if (first === undefined || others.length === 0) return;
    tested(first, { count: others.length });
    for (const [one, two, ...more] of groupBy([first, ...others], ({ fact }) => String(fact[name])).values())
      if (one !== undefined && two !== undefined)
        yield {
          by: two,
          contrast: one,
          pointer,
          expected: `a new ${what} for a new link`,
          received: `the ${what} of another link`,
          count: 1 + more.length,
        };
  },
});

/** Tokens of a run that are the next after another of it: among random ones there is none. */
const MIN_COUNTED = 3;

/** Who has one link can guess the others where tokens are counted. */
const tokensCounted: Check = {
  clause: 'links.link.payment-token.not-counted',
  operation: 'createPaymentLink',
  unit: 'comparisons',
  *of({ notes }, tested) {
    const links = notes('link');
    const tokens = new Map(
      links.flatMap((link) => (link.fact.token === null ? [] : [[link.fact.token, link] as const])),
    );
    const [first] = tokens.values();
    if (first === undefined || tokens.size <= MIN_COUNTED) return;
    tested(first, { count: tokens.size - 1 });
    const counted = links.flatMap((contrast) => {
      const by = tokens.get(contrast.fact.nextToken ?? '');
      return by === undefined ? [] : [{ by, contrast }];
    });
    const [one] = counted;
    if (one === undefined || counted.length < MIN_COUNTED) return;
    yield {
      ...one,
      pointer: '/data/payment_token',
      expected: 'a token that nobody can guess from another one',
      received: 'the token of another link and one more',
      count: counted.length,
    };
  },
};

export const paymentLinkChecks: readonly Check[] = [
  tokensCounted,
  distinct('orderId', 'links.link.order-id.distinct', '/data/order_id', 'order id'),
  distinct('token', 'links.link.payment-token.distinct', '/data/payment_token', 'token'),
];
