/** Payment links differ from one another. */
import type { Exchange } from '../model/exchange.ts';
import type { RunRuleResult, FactRecord } from './index.ts';
import { digest } from '../util/hash.ts';
import { readMoment } from '../contract/formats.ts';
import type { Outcome } from '../judge.ts';
import { featuresOf, type Features } from './answers.ts';
import { ResultCollector, groupBy, of } from './result-collector.ts';

export interface LinkFact {
  readonly rule: 'link';
  /** Digests: an id may be the token, and that never stands in a journal. */
  readonly orderId: string | null;
  readonly token: string | null;
  /** The expiry as it is written; null where it is no moment. */
  readonly expiry: string | null;
  /** Milliseconds since the epoch: between them the link was made. */
  readonly from: number;
  readonly at: number;
  /** The request without its fresh ids. */
  readonly asked: Features;
}

/** The highest amount of a QR payment, as the merchant list tells it. */
export interface HighestFact {
  readonly rule: 'highest';
  readonly amount: number;
}

/** A request that may have made a link, a probe too: what the merchant list tells may change by it. */
export interface PaymentFact {
  readonly rule: 'payment';
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly at: number;
}

/** The payment that an exchange may have been. */
export function paymentFacts({ operation, startedAt, durationMs }: Exchange, outcome: Outcome): readonly PaymentFact[] {
  if (operation !== 'createPaymentLink' || outcome === 'refused') return [];
  return [{ rule: 'payment', from: startedAt, at: startedAt + durationMs }];
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
      expiry: typeof expiry === 'string' && readMoment(expiry) !== null ? expiry : null,
      from: exchange.startedAt,
      at: exchange.startedAt + exchange.durationMs,
      asked: featuresOf(exchange.request),
    },
  ];
}

const unique = [
  { name: 'orderId', clause: 'links.link.order-id.distinct', pointer: '/data/order_id', what: 'order id' },
  { name: 'token', clause: 'links.link.payment-token.distinct', pointer: '/data/payment_token', what: 'token' },
] as const;

export function evaluateLinks(sightings: readonly FactRecord[]): RunRuleResult {
  const docket = new ResultCollector();
  const links = of(sightings, 'link');
  for (const { name, clause, pointer, what } of unique) {
    const named = links.filter(({ fact }) => fact[name] !== null);
    const [first] = named;
    if (first === undefined || named.length < 2) continue;
    docket.exercise(clause, 'createPaymentLink', named.length - 1, first.exchange);
    for (const [one, two] of groupBy(named, ({ fact }) => String(fact[name])).values())
      if (one !== undefined && two !== undefined)
        docket.break({
          clause,
          operation: 'createPaymentLink',
          pointer,
          expected: `a new ${what} for a new link`,
          received: `the ${what} of another link`,
          exchange: two.exchange,
          contrast: one.exchange,
        });
  }
  return docket.settlement();
}
