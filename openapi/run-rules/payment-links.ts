/** Payment links differ from one another. */
import type { FactRecord, LinkFact, HighestFact, PaymentFact } from '../model/facts.ts';
import type { RunRuleResult, Outcome } from '../model/finding.ts';
import type { Exchange } from '../model/exchange.ts';
import { digest } from '../util/hash.ts';
import { readMoment } from '../contract/formats.ts';
import { featuresOf } from './answers.ts';
import { ResultCollector, groupBy, of } from './result-collector.ts';

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

export function evaluateLinks(records: readonly FactRecord[]): RunRuleResult {
  const results = new ResultCollector();
  const links = of(records, 'link');
  for (const { name, clause, pointer, what } of unique) {
    const named = links.filter(({ fact }) => fact[name] !== null);
    const [first] = named;
    if (first === undefined || named.length < 2) continue;
    results.exercise(clause, 'createPaymentLink', named.length - 1, first.exchange);
    for (const [one, two, ...more] of groupBy(named, ({ fact }) => String(fact[name])).values())
      if (one !== undefined && two !== undefined)
        results.break({
          clause,
          operation: 'createPaymentLink',
          pointer,
          expected: `a new ${what} for a new link`,
          received: `the ${what} of another link`,
          exchange: two.exchange,
          contrast: one.exchange,
          count: 1 + more.length,
        });
  }
  return results.result();
}
